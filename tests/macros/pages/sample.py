"""A card with a distinct word in every field, so that a test can ask whether each is on the page, and where."""

from typing import Any

HOSTILE = "<b>{{ 7*7 }}</b> {% raw %} {# gone #} | *_x_* $y$ [[1,2],[3,4]] \\n & \"quoted\" <script>alert(1)</script>"


def word(field: str) -> str:
    return f"word-{field}"


def full_card(**changes: Any) -> dict[str, Any]:
    return {
        "id": "full",
        "level": word("level"),
        "name": word("name"),
        "shortName": word("shortName"),
        "role": word("role"),
        "description": f"{word('description')}\n\n{word('second-paragraph')}",
        "specs": [{"label": word("label"), "value": word("value"), "context": word("context")}],
        "interfaces": [{"name": word("interface"), "direction": "in", "signal": word("signal")}],
        "tradeoff": word("tradeoff"),
        "whyAI": word("whyAI"),
        "related": ["elsewhere-related"],
        "sources": [{"title": word("source"), "url": "https://example.org/a#fragment"}],
        "scale": word("scale"),
        "kind": word("kind"),
        "branch": word("branch"),
        "subbranch": word("subbranch"),
        "mechanism": [word("step")],
        "misconception": word("misconception"),
        "check": {"question": word("question"), "options": [word("option"), word("other")], "answer": 1,
                  "explanation": word("explanation")},
        "checks": [{"question": word("question2"), "options": ["a", "b"], "answer": 0, "explanation": "why"}],
        "science": [
            {"title": word("science"), "equation": "Tcomm ≈ n α + Q / Beff", "explanation": word("reading"),
             "assumptions": word("assumptions"), "model": "coarse_communication_time",
             "symbols": [{"symbol": "α", "meaning": word("meaning"), "unit": "s"}]}
        ],
        "prerequisites": ["elsewhere-first"],
        "learningObjective": word("learningObjective"),
        "workstream": word("workstream"),
        "visualFamily": word("visualFamily"),
        "engineeringExample": f"{word('example')}. A microbatch of 8, 16 times, on 64 replicas makes 8192 examples.",
        "examples": [
            {"sentence": "A microbatch of 8, 16 times, on 64 replicas makes 8192 examples.", "call": "global_batch",
             "inputs": {"microbatch": 8, "accumulation": 16, "data_parallel": 64}, "states": {"value": 8192}}
        ],
        "history": [{"year": 1999, "title": word("event"), "description": word("told"),
                     "source": {"title": word("told-by"), "url": "https://example.org/history"}}],
        "evidenceNotes": word("evidence"),
        "scope": word("scope"),
        "labScope": word("labScope"),
        "labId": "elsewhere-lab",
        "deepLabId": "network",
    } | changes
