"""The cases in which a lab must give one frame wherever it runs, each with the reply that this Python gives."""

import json

from labs.answer import answer
from macros.tries import requests


def cases() -> list[dict[str, object]]:
    """Return each request with its reply."""
    return [{"request": request, "reply": json.loads(answer(json.dumps(request)) or "")} for request in requests()]
