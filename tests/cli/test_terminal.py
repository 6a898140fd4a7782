"""Text and tables that the commands print."""

import io

import pytest

from gpviz.cli.terminal import facts_text, show, table_text
from gpviz.engine import RunConfig, parse
from gpviz.explain.tree_text import draw_tree
from gpviz.runs.settings_text import settings_text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (
            settings_text(RunConfig(n=8, limit="n", functions="and"), has_seed=False),
            "AND8, limit n = 8 leaves, subtree deletion, & only",
        ),
        (draw_tree(parse("x1 & (x2 | x3)")), "&\n|- x1\n`- |\n   |- x2\n   `- x3"),
        ("2.7 × 10⁹⁵ of 2⁴⁰⁰ rows, −3.1 × 10⁻⁵ ± 2", "2.7 x 10^95 of 2^400 rows, -3.1 x 10^-5 +/- 2"),
    ],
)
def test_a_terminal_without_symbols_gets_plain_ones(text: str, plain: str) -> None:
    for encoding, expected in (("utf-8", text), ("ascii", plain)):
        written = io.BytesIO()
        stream = io.TextIOWrapper(written, encoding=encoding, newline="\n")
        show(text, stream)
        assert written.getvalue().decode(encoding) == f"{expected}\n"


def test_facts_stand_below_each_other() -> None:
    assert facts_text([("a", "1"), ("long", "2")], width=5) == "  a      1\n  long   2"


def test_columns_stand_below_their_heads() -> None:
    lines = [["n", "4", "0.5", "as in the paper"], ["2n", "16", "12.0", ""]]
    assert table_text(lines, ["limit", "n", "T", "verdict"], left=1, heading=(2, "paper")).splitlines() == [
        "           ─── paper ───",
        "limit   n     T  verdict",
        "n       4   0.5  as in the paper",
        "2n     16  12.0",
    ]
