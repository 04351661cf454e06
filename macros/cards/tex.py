"""The little TeX that plain equations need, rewritten as Unicode mathematics. What is left of it is not understood."""

import re

GREEK = dict(
    re.findall(
        r"(\w+) (\w)",
        "alpha α beta β gamma γ delta δ epsilon ε varepsilon ε zeta ζ eta η theta θ kappa κ lambda λ mu μ nu ν xi ξ"
        " pi π rho ρ sigma σ tau τ phi φ varphi φ chi χ psi ψ omega ω Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Pi Π"
        " Sigma Σ Phi Φ Psi Ψ Omega Ω",
    )
)
SIGNS = {"lceil": "⌈", "rceil": "⌉", "lfloor": "⌊", "rfloor": "⌋", "cdot": " · ", "times": " · ", "approx": "≈",
         "simeq": "≈", "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "propto": "∝", "div": "/", "pm": "±"}
FUNCTIONS = ("min", "max", "ln", "exp", "log")
# From the inside out; several equations are joined by "; ".
RULES = (
    (re.compile(r"\\(?:begin|end)\{(?:aligned|align\*?|gathered|gather\*?|split)\}|&"), " "),
    (re.compile(r"\s*\\\\(?:\[[^\]]*\])?\s*|,\s*\\q?quad\b\s*"), "; "),
    (re.compile(r"_([A-Za-z0-9])"), r"_{\1}"),  # without braces TeX takes one character
    (re.compile(r"\\(?:left|right|displaystyle|bigl|bigr|Bigl|Bigr|big)(?![A-Za-z])"), ""),
    (re.compile(r"\\(?:,|;|:|!|quad\b|qquad\b)"), " "),
    (re.compile(r"\\([dt])frac\b"), r"\\frac"),
    (re.compile(r"\\(?:mathrm|text|mathit|operatorname)\{((?:[^{}\\]|\\ )*)\}"), r"\1"),
    (re.compile(r"\\log\s*_\{(2|10)\}"), r" log\1 "),
    (re.compile(rf"\\({'|'.join(FUNCTIONS)})(?![A-Za-z])"), r" \1 "),
    (re.compile(rf"\\({'|'.join(SIGNS)})(?![A-Za-z])"), lambda match: SIGNS[match[1]]),
    (re.compile(r"\\([A-Za-z]+)"), lambda match: f" {GREEK[match[1]]} " if match[1] in GREEK else match[0]),
    (re.compile(r"\s*_\{((?:[^{}\\]|\\ )*)\}"), lambda match: "_" + re.sub(r"[^\w]", "", match[1]) + " "),
    (re.compile(r"\s+_"), "_"),
)
# Arguments in braces, the innermost first.
BRACES = (
    (re.compile(r"\\frac\{([^{}]*)\}\{([^{}]*)\}"), r"((\1)/(\2))"),
    (re.compile(r"\\sqrt\{([^{}]*)\}"), r" √(\1)"),
    (re.compile(r"\^\{([^{}]*)\}"), r"^(\1)"),
)


def without_tex(text: str) -> str:
    r"""Return the text with the TeX of plain equations rewritten as Unicode; other text is as it was.

    >>> without_tex(r"T=\frac{M}{B}, \qquad \alpha\le T")
    'T=((M)/(B));  α ≤ T'
    """
    for pattern, replacement in RULES if "\\" in text or "{" in text else ():
        text = pattern.sub(replacement, text)
    before = ""
    while before != text:
        before = text
        for pattern, replacement in BRACES:
            text = pattern.sub(replacement, text)
    return text.strip()
