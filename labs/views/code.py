"""The Python that gives a frame, carried along with it: the page's code cell reads it from there."""

from labs.views.text import escape


def code_html(code: str) -> str:
    """Return the code as an element that is not shown itself."""
    return f'<div class="lab-code" hidden>{escape(code)}</div>'  # no <pre>: the theme would show it all the same
