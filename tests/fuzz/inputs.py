"""Random inputs for every part of the program. Each is a list of steps, drawn from a seed.

The pieces of a text, the damage done to a file, the events in a window: whatever an input is made of can be left
out, so that of an input that shows a failure the shortest one is found. Steps are plain data, ready for JSON.
"""

from collections.abc import Callable, Mapping
from random import Random
from typing import Any, Final

from gpviz.app.actions import action_specs
from gpviz.app.theme_manager import SYSTEM
from gpviz.assets import THEME_NAMES
from gpviz.engine.settings import SETTINGS
from gpviz.explain.query_fields import FIELDS
from gpviz.page_list import PAGES

Step = list[Any]
Steps = list[Step]

WINDOWS: Final = ("main", "compare", "experiments", "audience", "presenter", "guide", "export", "front")
"""Where an event happens; "front" is whatever has the keyboard."""

THEMES: Final = (*THEME_NAMES, SYSTEM)

_STRANGE_TEXTS: Final = (
    "",
    " ",
    "\0",
    "\x1b[31mred\x1b]0;title\x07",
    "line\nline\r\ttab\x0b\x0c\x85\u2028\u2029",
    "\u202egpj.exe\u2066x\u2069\u200f",
    "e" + "\u0301" * 40,
    "\U0001f469\u200d\U0001f680\U0001f3f3\ufe0f",
    "\ud800",
    "\udfff\ud800",
    "\ufeff\ufffe\uffff",
    "<b>bold</b><script>alert(1)</script><img src='file:///etc/passwd'>",
    "&amp;&#0;]]>-->",
    "\\input{x}%$#_{}~^",
    "{0.__class__}{n}%s%n%(x)s",
    "../../../../etc/passwd",
    "x" * 3000,
    "٣٤٥",
    "𝟙𝟚",
    "ﬁ İ ß ς",
    "1e400",
    "0x10",
    "-0",
    "NaN",
    "null",
    "true",
    "'; DROP TABLE runs; --",
)
_STRANGE_NUMBERS: Final = (
    *(0, 1, -1, 2, 3, 7, 31, 64, 255, 1000, 1001, 65_536, 10**6, 10**7, 10**7 + 1),
    *(2**31 - 1, 2**31, 2**32, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 2**64, 10**30, 10**400),
)
_STRANGE_FLOATS: Final = (0.0, -0.0, 0.5, 1.0, 1e-320, 1e16, 1e308, float("inf"), float("-inf"), float("nan"))


def draw(part: str, seed: int) -> Steps:
    """The input of this part that belongs to the seed."""
    return DRAWN[part](Random(f"{part} {seed}"))


# Values


def _text(random: Random) -> str:
    kind = random.random()
    if kind < 0.6:
        return random.choice(_STRANGE_TEXTS)
    if kind < 0.8:
        return "".join(random.choice(_STRANGE_TEXTS)[:20] for _ in range(random.randint(1, 4)))
    return "".join(chr(random.randrange(0x110000)) for _ in range(random.randint(1, 12)))


def _number(random: Random) -> int:
    return random.choice(_STRANGE_NUMBERS) if random.random() < 0.5 else random.randint(-3, 40)


def _value(random: Random, depth: int = 0) -> Any:
    """Anything that JSON can say, also what it should not."""
    kind = random.randrange(8 if depth < 3 else 6)
    if kind == 0:
        return random.choice((None, True, False))
    if kind in (1, 2):
        return _number(random)
    if kind == 3:
        return random.choice(_STRANGE_FLOATS)
    if kind in (4, 5):
        return _text(random)
    parts = [_value(random, depth + 1) for _ in range(random.randint(0, 3))]
    return parts if kind == 6 else {_text(random): part for part in parts}


# Texts, a step a piece


def _pieces(random: Random, pieces: tuple[str, ...], most: int, strangeness: float) -> Steps:
    drawn = (
        _text(random) if random.random() < strangeness else random.choice(pieces)
        for _ in range(random.randint(1, most))
    )
    return [["piece", piece] for piece in drawn]


def _formula(random: Random) -> Steps:
    """Mostly a formula; sometimes its pieces are in no order, or are very many."""
    if random.random() < 0.3:
        pieces = (
            "x1",
            "x2",
            "X_3",
            "x₄",
            "x0",
            "x1000",
            "&",
            "|",
            "∧",
            "∨",
            "and",
            "OR",
            "*",
            "+",
            "(",
            ")",
            " ",
        )
        return _pieces(random, pieces, 30, 0.05)
    n = random.choice((1, 3, 6, 12, 50, 1000))
    leaves = random.choice((1, 2, 4, 8, 16, 64, 300) if random.random() < 0.2 else (1, 2, 3, 4, 5, 8))
    steps: Steps = []
    opened = 0
    for leaf in range(leaves):
        if leaf:
            steps.append(["piece", random.choice((" & ", " | ", "∧", " or ", "+"))])
        while random.random() < 0.3 and opened < 40:
            steps.append(["piece", "("])
            opened += 1
        steps.append(["piece", f"x{random.randint(1, n)}"])
        while opened and random.random() < 0.4:
            steps.append(["piece", ")"])
            opened -= 1
    steps += [["piece", ")"]] * opened
    if random.random() < 0.2:
        steps.insert(random.randrange(len(steps) + 1), ["piece", _text(random)])
    return [*steps, *_settings(random)] if random.random() < 0.5 else steps


def _query(random: Random) -> Steps:
    names = [*FIELDS, *(word for field in FIELDS.values() for word in field.labels)]
    operators = ("==", "!=", "<", "<=", ">", ">=")
    if random.random() < 0.3:
        others = ("and", "or", "not", "(", ")", "-", "1e6", "1_000", "0", "=", "&&", "is", *operators)
        return _pieces(random, tuple(f" {piece} " for piece in (*names, *others)), 25, 0.1)
    steps: Steps = []
    for count in range(random.randint(1, 6)):
        if count:
            steps.append(["piece", random.choice((" and ", " or ", " and not "))])
        field = random.choice(list(FIELDS.values()))
        value = random.choice(field.labels) if field.labels else str(_number(random))
        if random.random() < 0.15:
            value = random.choice(names)
        steps.append(["piece", f"{field.name} {random.choice(operators)} {value}"])
    if random.random() < 0.2:
        steps.insert(random.randrange(len(steps) + 1), ["piece", _text(random)])
    return steps


# Settings of a run, a step a setting


_USUAL: Final[Mapping[str, tuple[Any, ...]]] = {
    "n": (1, 2, 4, 4, 8, 16, 50, 1000),
    "limit": ("n", "n+1", "2n", "1.5n", "inf", "4", "n-1", "0.5n", "999999999"),
    "deletion": ("leaf", "subtree"),
    "functions": ("and", "and,or", ["and", "or"]),
    "fitness": ("complete", "sampled"),
    "rows": (1, 16, 1000, None),
    "sampler": ("rows", "counts"),
    "empty_tree": ("any", "insert-only"),
    "accept_error": (0, 1, 8),
    "seed": (0, 1, 254, 2**70),
}


def _settings(random: Random) -> Steps:
    names = [row.name for row in SETTINGS]
    steps = [["setting", "n", random.choice(_USUAL["n"])]]
    for name in random.sample(names, random.randint(0, len(names))):
        usual = _USUAL.get(name, (0, 1, ""))
        steps.append(["setting", name, random.choice(usual) if random.random() < 0.8 else _value(random)])
    return steps


# Damage to a file


def _file(random: Random) -> Steps:
    """Which of the files at hand, and what is done to it; sometimes nothing."""
    steps: Steps = [["file", random.randrange(1000)]]
    kind = random.random()
    if kind < 0.65:
        steps += [_replacement(random) for _ in range(random.choice((0, 1, 1, 1, 2, 4)))]
    if kind > 0.5:
        steps += [_byte_damage(random) for _ in range(random.choice((1, 1, 2, 5)))]
    return steps


def _replacement(random: Random) -> Step:
    """Another value in a structured file; the index wraps around."""
    index = random.randrange(10_000)
    kind = random.randrange(7)
    if kind < 3:
        return ["set", index, _value(random)]
    if kind == 3:
        return ["set", index, _number(random)]
    if kind == 4:
        return ["remove", index]
    if kind == 5:
        return ["rename", index, _text(random)]
    return ["nest", index, random.choice((3, 60, 990, 20_000))]


def _byte_damage(random: Random) -> Step:
    """Where it happens is a share of the file's length."""
    where = random.random()
    kind = random.randrange(5)
    if kind == 0:
        return ["cut", where]
    if kind == 1:
        return ["insert", where, _text(random)]
    if kind == 2:
        return ["drop", where, random.choice((1, 2, 10, 1000))]
    if kind == 3:
        return ["overwrite", where, [random.randrange(256) for _ in range(random.randint(1, 8))]]
    return ["flip", where, random.randrange(8)]


def _store(random: Random) -> Steps:
    """An experiment's file, damaged by bytes or by what a program for databases could do."""
    if random.random() < 0.4:
        return [_byte_damage(random) for _ in range(random.choice((1, 1, 3, 20)))]
    values = (
        *_STRANGE_NUMBERS[:24],
        *_STRANGE_FLOATS[:7],
        "",
        "solved",
        "stuck",
        "{}",
        "[]",
        "\x1b[31m",
        None,
    )
    return [
        ["value", random.randrange(1000), random.randrange(1000), random.choice(values)]
        for _ in range(random.choice((1, 1, 2, 5)))
    ]


# Command lines, a step a word


def _command(random: Random) -> Steps:
    command = random.choice(
        ("run", "check", "exact", "outlook", "replay", "export", "--preset", "--theme", "--lecture")
    )
    arguments = [
        "--json",
        "--start",
        "--until",
        "--save",
        "--trace",
        "--trace-format",
        "--quiet",
        "--csv",
        "--error",
        "--within",
        "--preset",
        "--to",
        "--what",
        "--at",
        "--range",
    ]
    arguments += [
        "--every",
        "--size",
        "--scale",
        "--budget",
        "--branch",
        "--force",
        "-",
        "--",
        "--n",
        "-n",
        "@x",
        "x1&x2",
    ]
    arguments += [f"--{row.name.replace('_', '-')}" for row in SETTINGS] * 2
    arguments += [
        "4",
        "2n",
        "leaf",
        "1:20",
        "640x480",
        "out.csv",
        "out.tex",
        "out.html",
        "out.gpviz",
        "run.gpviz",
    ]
    steps = [["word", command]]
    if command in ("replay", "export"):
        steps.append(
            ["word", random.choice(("run.gpviz", "run.gpviz", "damaged.gpviz", "missing.gpviz", "."))]
        )
    if command == "export":
        steps += [
            ["word", "--to"],
            ["word", random.choice(("out.csv", "out.tex", "out.html", "out.jsonl", "out"))],
        ]
    if command in ("check", "outlook"):
        steps.append(["word", random.choice(("x1 & (x2 | x3)", "x1 | x1", "", "x1 &", "x900"))])
    if command == "outlook" and random.random() < 0.3:
        steps[-1] = ["word", random.choice(("run.gpviz", "damaged.gpviz", "missing.gpviz"))]
    if command == "exact" and random.random() < 0.7:
        steps += [["word", "-n"], ["word", random.choice("1234")]]
    for _ in range(random.randint(0, 6)):
        kind = random.random()
        word = (
            random.choice(arguments) if kind < 0.8 else str(_number(random)) if kind < 0.9 else _text(random)
        )
        steps.append(["word", word])
    return steps


# Events in windows


_KEYS: Final = (
    *(
        "Tab",
        "Shift+Tab",
        "Return",
        "Escape",
        "Space",
        "Backspace",
        "Delete",
        "Home",
        "End",
        "PgUp",
        "PgDown",
    ),
    *("Left", "Right", "Up", "Down", "Shift+Left", "Shift+Down", "Ctrl+A", "Ctrl+C", "Ctrl+V", "Ctrl+X"),
    *(
        "Alt+Left",
        "Alt+Right",
        "Alt+Up",
        "Alt+Down",
        "Shift+Alt+Left",
        "Shift+Alt+Down",
        "Alt+F",
        "Menu",
        "F10",
    ),
    *(
        "A",
        "B",
        "F",
        "L",
        "N",
        "P",
        "Q",
        "S",
        "W",
        "Y",
        "0",
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
        ".",
        "+",
        "-",
        "?",
    ),
)
_TYPED: Final = (
    *("4", "12", "-1", "1000", "999999999999", "2n", "n+1", "inf", "x1 & x2", "x1 | (x2 & x3)", "x1 &"),
    *("error < 10", "state == STUCK", "verdict == improved and ors > 1", "iteration == 3", "note"),
)
_OPENERS: Final = {
    "compare": "compare",
    "experiments": "experiments",
    "audience": "present",
    "presenter": "rehearse",
    "guide": "help",
    "export": "export",
}
_FILES: Final = (
    "run",
    "branches",
    "damaged run",
    "lecture",
    "damaged lecture",
    "store",
    "damaged store",
    "plan",
)


def _walk(random: Random, most: int = 60) -> Steps:
    """What a person does who tries everything: a while in one window, a while in another.

    What is answered to questions on the way is drawn from the number of the last step.
    """
    steps: Steps = [["start", random.choice(("plain", "plain", "plays", "damaged settings", "left behind"))]]
    while len(steps) < most:
        window = random.choice(("main", "main", "main", *_OPENERS))
        if window in _OPENERS:
            if window == "presenter":
                steps.append(["action", "main", "capture"])
            steps.append(["action", "main", _OPENERS[window]])
        if random.random() < 0.4:
            steps.append(["action", "main", "play"])
        steps += [_event(random, window) for _ in range(random.randint(3, 15))]
    return [*steps[:most], ["end", random.choice(("close", "close", "leave")), random.randrange(1000)]]


def _event(random: Random, window: str) -> Step:
    where = window if random.random() < 0.75 else random.choice(WINDOWS)
    kind = random.random()
    if kind < 0.30:
        return _command_event(random, where)
    if kind < 0.42:
        return ["key", where, random.choice(_KEYS)]
    if kind < 0.60:
        button = random.choice(("left", "left", "left", "double", "right", "drag", "wheel"))
        return ["mouse", where, random.randrange(1000), random.random(), random.random(), button]
    if kind < 0.66:
        text = random.choice(_TYPED) if random.random() < 0.7 else _text(random)[:30]
        return ["type", where, random.randrange(1000), text]
    if kind < 0.72:
        return ["choose", where, random.randrange(1000), random.randrange(20)]
    if kind < 0.75:
        return ["focus", where, random.randrange(1000)]
    if kind < 0.79:
        return [
            "resize",
            where,
            random.choice((1, 200, 640, 1000, 1440, 4000)),
            random.choice((1, 150, 600, 1200)),
        ]
    if kind < 0.81:
        return ["state", where, random.choice(("normal", "maximized", "full", "minimized", "hidden"))]
    if kind < 0.83:
        return ["theme", random.choice(THEMES)]
    if kind < 0.86:
        return ["open", random.choice(_FILES)]
    if kind < 0.88:
        return ["activate", where]
    if kind < 0.90:
        return ["close", random.choice(WINDOWS)]
    if kind < 0.94:
        return ["answer", random.randrange(10)]
    return ["wait", random.choice((1, 10, 50, 200))]


def _command_event(random: Random, window: str) -> Step:
    """A command by its name, by its key, or by its place among all that a window has in its menus."""
    specs = action_specs(window) or action_specs()
    spec = random.choice(specs)
    kind = random.random()
    if kind < 0.15:
        return ["action", "main", f"page_{random.choice(PAGES).name}"]
    if kind < 0.6:
        return ["action", window if action_specs(window) else "main", spec.name]
    if kind < 0.8 and spec.keys:
        return ["key", window, random.choice(spec.keys)]
    return ["menu", window, random.randrange(1000)]


DRAWN: Final[Mapping[str, Callable[[Random], Steps]]] = {
    "formulas": _formula,
    "settings": _settings,
    "queries": _query,
    "runs": _file,
    "lectures": _file,
    "plans": _file,
    "stores": _store,
    "commands": _command,
    "preferences": _file,
    "window": _walk,
}
"""What draws the inputs of each part."""
