"""Chains of quotients and of powers with the brackets of their one reading: a/b/c is (a/b)/c, and a^b^c is a^(b^c)."""

import re

GROUP = r"\((?:[^()]|\([^()]*\))*\)"
ATOM = rf"(?:[^\W\d]\w*|[0-9]+(?:\.[0-9]+)?|(?:[0-9]+(?:\.[0-9]+)?)?{GROUP})"
# Behind a sign or an opening bracket; behind a slash, a root or a name it would be another's part.
SIGN = r"[=≈+\-−·×*,;(⌈⌊]"
QUOTIENT = re.compile(rf"(^|(?<={SIGN})|(?<={SIGN}\s))({ATOM}\s?/\s?{ATOM})(?=\s?/)")
POWER = re.compile(rf"\^({ATOM}\^{ATOM})(?![\^\w(])")


def bracketed(source: str) -> str:
    """Return the source with brackets around what a chain computes first.

    >>> bracketed("y = a/b/c + d"), bracketed("y = a^b^c")
    ('y = (a/b)/c + d', 'y = a^(b^c)')
    """
    source, before = " ".join(source.split()), ""
    while before != source:
        before = source
        source = POWER.sub(r"^(\1)", QUOTIENT.sub(r"\1(\2)", source, count=1), count=1)
    return source
