"""The grammar of Unicode equations: exact MathML for what is certain, nothing for what is not."""

import re

import pytest

from macros.equations.text import equation_html

TIMES = "<mo>\u2062</mo>"  # side by side, touching
BESIDE = TIMES + '<mspace width="0.1667em"/>'  # side by side, with space
APPLY = "<mo>\u2061</mo>"
SPACE = '<mspace width="0.1667em"/>'
HAT_M = '<mover accent="true"><mi>m</mi><mo stretchy="false">ˆ</mo></mover>'
TIGHT = ' lspace="0" rspace="0"'


def sub(base: str, below: str) -> str:
    return f"<msub><mi>{base}</mi><mi>{below}</mi></msub>"


def round_(inner: str, grow: str = "false") -> str:
    return (
        f'<mrow><mo form="prefix" stretchy="{grow}">(</mo>{inner}<mo form="postfix" stretchy="{grow}">)</mo></mrow>'
    )


def up(name: str) -> str:
    return f"<mrow><mspace/><mi>{name}</mi></mrow>"


P_LESS_1 = round_("<mi>p</mi><mo>−</mo><mn>1</mn>")

TYPESET = {
    # glued names, products by space, fractions
    "Tcomm ≈ n α + Q / Beff": f"""{sub("T", "comm")}<mo>≈</mo><mi>n</mi>{BESIDE}<mi>α</mi><mo>+</mo>
        <mfrac><mi>Q</mi>{sub("B", "eff")}</mfrac>""",
    "Mpeak = Mweights + Mlive_activations": f"""{sub("M", "peak")}<mo>=</mo>{sub("M", "weights")}<mo>+</mo>
        <msub><mi>M</mi><mtext>live activations</mtext></msub>""",
    "T = 2(p − 1)α + 2(p − 1)/p · M/B": f"""<mi>T</mi><mo>=</mo><mn>2</mn>{TIMES}{P_LESS_1}{TIMES}<mi>α</mi><mo>+</mo>
        <mfrac><mrow><mn>2</mn>{TIMES}{P_LESS_1}</mrow><mi>p</mi></mfrac><mo>·</mo>
        <mfrac><mi>M</mi><mi>B</mi></mfrac>""",
    "T = 2 (p − 1) (α + M / (p B))": f"""<mi>T</mi><mo>=</mo><mn>2</mn>{BESIDE}{P_LESS_1}{BESIDE}
        {round_(f"<mi>α</mi><mo>+</mo><mfrac><mi>M</mi><mrow><mi>p</mi>{BESIDE}<mi>B</mi></mrow></mfrac>", "true")}""",
    "C = 6 N D": f"<mi>C</mi><mo>=</mo><mn>6</mn>{BESIDE}<mi>N</mi>{BESIDE}<mi>D</mi>",
    "C ≈ 6ND": f"<mi>C</mi><mo>≈</mo><mn>6</mn>{TIMES}<mi>N</mi><mi>D</mi>",
    "αstart": sub("α", "start"),
    "ΔT": "<mrow>" + '<mrow><mspace/><mi mathvariant="normal">Δ</mi></mrow><mi>T</mi></mrow>',
    "Tcomm-Tcomp": f"{sub('T', 'comm')}<mo>−</mo>{sub('T', 'comp')}",
    "(a + b)/c": "<mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mi>c</mi></mfrac>",
    "n M/B": f"<mi>n</mi>{BESIDE}<mfrac><mi>M</mi><mi>B</mi></mfrac>",
    "n M / B": f"<mfrac><mrow><mi>n</mi>{BESIDE}<mi>M</mi></mrow><mi>B</mi></mfrac>",
    "P(B|A)/P(B)": f"""<mfrac><mrow><mi>P</mi>
        {round_('<mi>B</mi><mo form="infix" stretchy="false" lspace="0.2778em" rspace="0.2778em">|</mo><mi>A</mi>')}
        </mrow><mrow><mi>P</mi>{round_("<mi>B</mi>")}</mrow></mfrac>""",
    # scripts
    "x_i": sub("x", "i"),
    "x_{ij}": "<msub><mi>x</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>",
    "x_ij": "<msub><mi>x</mi><mrow><mi>i</mi><mi>j</mi></mrow></msub>",
    "x_max": sub("x", "max"),
    "d_model": sub("d", "model"),
    "W1": "<msub><mi>W</mi><mn>1</mn></msub>",
    "x²": "<msup><mi>x</mi><mn>2</mn></msup>",
    "x_i²": "<msubsup><mi>x</mi><mi>i</mi><mn>2</mn></msubsup>",
    "10⁻³": '<msup><mn>10</mn><mrow><mo form="prefix">−</mo><mn>3</mn></mrow></msup>',
    "10^-3": '<msup><mn>10</mn><mrow><mo form="prefix">−</mo><mn>3</mn></mrow></msup>',
    "mₜ₋₁": f"<msub><mi>m</mi><mrow><mi>t</mi><mo{TIGHT}>−</mo><mn>1</mn></mrow></msub>",
    "x_{t-1}": f"<msub><mi>x</mi><mrow><mi>t</mi><mo{TIGHT}>−</mo><mn>1</mn></mrow></msub>",
    "x_<t": f"<msub><mi>x</mi><mrow><mo{TIGHT}>&lt;</mo><mi>t</mi></mrow></msub>",
    "x_{data parallel}": "<msub><mi>x</mi><mtext>data parallel</mtext></msub>",
    "T_all-reduce": "<msub><mi>T</mi><mtext>all-reduce</mtext></msub>",
    "f'(x)": f'<msup><mi>f</mi><mo form="postfix">′</mo></msup>{round_("<mi>x</mi>")}',
    "V* = x": '<msup><mi>V</mi><mo form="postfix">∗</mo></msup><mo>=</mo><mi>x</mi>',
    "m̂ₜ": f"<msub>{HAT_M}<mi>t</mi></msub>",
    "ŷ = x⃗": '<mover accent="true"><mi>y</mi><mo stretchy="false">ˆ</mo></mover><mo>=</mo>'
    '<mover accent="true"><mi>x</mi><mo stretchy="false">\u20d7</mo></mover>',
    "Qᵀ": '<msup><mi>Q</mi><mrow><mspace/><mi mathvariant="normal">T</mi></mrow></msup>',
    # functions, roots, sums, bars
    "O(n log n)": "<mi>O</mi>"
    + round_(f"<mi>n</mi>{BESIDE}<mrow>{up('log')}{APPLY}{SPACE}<mi>n</mi></mrow>"),
    "max(0, Tcomm − Tcompute)": f"""<mrow>{up("max")}{APPLY}
        {round_(f"<mn>0</mn><mo>,</mo>{sub('T', 'comm')}<mo>−</mo>{sub('T', 'compute')}")}</mrow>""",
    "log2 n": f"<mrow><msub>{up('log')}<mn>2</mn></msub>{APPLY}{SPACE}<mi>n</mi></mrow>",
    "√d_k": f"<msqrt>{sub('d', 'k')}</msqrt>",
    "√(a + b)": "<msqrt><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow></msqrt>",
    "softmax(QKᵀ/√dₖ)V": f"""<mrow>{up("softmax")}{APPLY}{round_(
        '<mfrac><mrow><mi>Q</mi><msup><mi>K</mi><mrow><mspace/><mi mathvariant="normal">T</mi></mrow></msup></mrow>'
        f"<msqrt>{sub('d', 'k')}</msqrt></mfrac>", "true")}</mrow>{TIMES}<mi>V</mi>""",
    "∑_{i=1}^{n} xᵢ": f"""<munderover><mo>∑</mo><mrow><mi>i</mi><mo{TIGHT}>=</mo><mn>1</mn></mrow>
        <mi>n</mi></munderover>{sub("x", "i")}""",
    "∑ x_i/n": f"<mo>∑</mo><mfrac>{sub('x', 'i')}<mi>n</mi></mfrac>",
    "|V|": '<mrow><mo form="prefix" stretchy="false">|</mo><mi>V</mi><mo form="postfix" stretchy="false">|</mo></mrow>',
    "‖x‖²": '<msup><mrow><mo form="prefix" stretchy="false">‖</mo><mi>x</mi>'
    '<mo form="postfix" stretchy="false">‖</mo></mrow><mn>2</mn></msup>',
    "⌈n/p⌉": '<mrow><mo form="prefix" stretchy="true">⌈</mo><mfrac><mi>n</mi><mi>p</mi></mfrac>'
    '<mo form="postfix" stretchy="true">⌉</mo></mrow>',
    # Greek capitals stand upright, as LaTeX sets them
    "b_o Ψ": f'{sub("b", "o")}{BESIDE}<mrow><mspace/><mi mathvariant="normal">Ψ</mi></mrow>',
    # relations and signs
    "a ≤ b ≪ c": "<mi>a</mi><mo>≤</mo><mi>b</mi><mo>≪</mo><mi>c</mi>",
    "a <= b": "<mi>a</mi><mo>≤</mo><mi>b</mi>",
    "a < b": "<mi>a</mi><mo>&lt;</mo><mi>b</mi>",
    "x → y ∝ z": "<mi>x</mi><mo>→</mo><mi>y</mi><mo>∝</mo><mi>z</mi>",
    "a × b · c": "<mi>a</mi><mo>×</mo><mi>b</mi><mo>·</mo><mi>c</mi>",
    "a – b": "<mi>a</mi><mo>−</mo><mi>b</mi>",
    "−x": '<mo form="prefix">−</mo><mi>x</mi>',
    # quantities
    "5 μs": f"<mrow><mn>5</mn>{SPACE}<mtext>μs</mtext></mrow>",
    "100 MB / 50 GB/s": f"""<mfrac><mrow><mn>100</mn>{SPACE}<mtext>MB</mtext></mrow>
        <mrow><mn>50</mn>{SPACE}<mtext>GB/s</mtext></mrow></mfrac>""",
    "50%": "<mrow><mn>50</mn><mtext>%</mtext></mrow>",
    "TP × DP": f"{up('TP')}<mo>×</mo>{up('DP')}",
    "C = 6 N.": f"<mi>C</mi><mo>=</mo><mn>6</mn>{BESIDE}<mi>N</mi><mtext>.</mtext>",
}

TEXT = """
Global batch equals per-replica microbatch size times accumulated microbatches times data-parallel replicas.
Time is proportional to bytes
loss = cross entropy over tokens
Time = Work / Rate
Speedup = 1 / (s + (1 − s)/p)
Cost = C + N p
Throughput = batch / latency
Flow = Q / A
Score = QKᵀ
Clock ≈ 2 GHz
Power = I V
bubble = (p − 1) / m
n/a
N/A
I/O
a / b c
a/b/c
a/b·c
a / b·c
1/2 m v²
1/2x
M/B(1 + x)
a/(b)c
√2π
√n p
√x²
log x / y
∏ x_i / n
∫ f(x)/g dx
x^2y
e^-x/T
x_t-1
x_t+1
2^n-1
x_max,i
x²_i
x_i_j
||x||
|a|b|
|x
(a + b
a + b)
[a, b}
()
a +
= b
a ++ b
a = = b
a b 2
10 000
7B
2D
T = 5 s
R = 10 B/s
M = 16 B
x<-1
x <-1
1–2
a — b
π*(s)
E = mc²
F = ma
V = IR
Tp
H100
Mbps
Gpu
GPU memory
T_comm is small
x if y
x where y = 2
"x"
x # y
x & y
x @ y
{{ x }}
[[1,2],[3,4]] }
x_
x^
_x
^2
x_{}
x_{a
∑
√
log
漢字
é è
""".strip().splitlines()


@pytest.mark.parametrize("source", TYPESET)
def test_certain_equations_are_typeset(source: str) -> None:
    assert equation_html(source) == re.sub(r"\n\s*", "", TYPESET[source])


@pytest.mark.parametrize("source", TEXT)
def test_everything_else_stays_text(source: str) -> None:
    assert equation_html(source) is None


@pytest.mark.parametrize("source", ["", " ", "\n", "\u00a0", "."])
def test_nothing_stays_nothing(source: str) -> None:
    assert equation_html(source) is None
