"""The settings of a run in one line, and what two runs do differently."""

from collections.abc import Iterator, Sequence

from gpviz.engine.config import RunConfig, is_usual
from gpviz.engine.formula import UNICODE
from gpviz.engine.settings import SETTINGS, setting

_ALWAYS_SAID = ("n", "limit", "deletion", "seed")


def settings_text(
    config: RunConfig,
    start: str = "",
    others: Sequence[tuple[RunConfig, str]] = (),
    *,
    has_seed: bool = True,
) -> str:
    """A run in a line, such as ``AND₈ · limit n+1 = 9 leaves · leaf deletion · seed 3``, and whatever is unusual.

    ``start`` is the formula of the tree it starts from. What is different in other runs, given with their starts,
    comes first: it is still to be read where the line is cut.
    """
    target = _target(config.n)
    texts = [target, *(setting(name).difference_of(config) for name in ("limit", "deletion"))]
    texts += _unusual(config)
    if start:
        texts.append(_start_text("", start))
    if has_seed:
        texts.append(setting("seed").difference_of(config))
    varied: list[str] = []
    for other, other_start in others:
        starts = (other_start, start) if not start or other_start == start else ("", start)
        varied += differences(other, config, starts)
    if any(other.n != config.n for other, _ in others):
        varied = [target, *(text for text in varied if text != setting("n").difference_of(config))]
    return " · ".join(dict.fromkeys([*varied, *texts]))


def differences(first: RunConfig, other: RunConfig, starts: tuple[str, str] = ("", "")) -> tuple[str, ...]:
    """What another run does differently, such as ``subtree deletion`` and ``limit 2n = 24 leaves``."""
    texts = [
        row.difference_of(other) for row in SETTINGS if row.is_different(first, other) and row.name != "seed"
    ]
    if starts[0] != starts[1]:
        texts.append(_start_text(*starts))
    if first.seed != other.seed:
        texts.append(setting("seed").difference_of(other))
    return tuple(dict.fromkeys(texts))  # whether rows are sampled and how many are one thing to say


def named_settings_text(config: RunConfig, names: Sequence[str]) -> str:
    """Some settings by their names, such as ``limit 2n, n 8``."""
    return ", ".join(f"{name.replace('_', ' ')} {setting(name).plain_value(config)}" for name in names)


def _target(n: int) -> str:
    return f"AND{UNICODE.variable(n).removeprefix(UNICODE.before_index)}"


def _unusual(config: RunConfig) -> Iterator[str]:
    for row in SETTINGS:
        is_asked = config.is_sampled or not row.is_for_sampled
        if row.name not in _ALWAYS_SAID and is_asked and not is_usual(row, config):
            yield row.difference_of(config)


def _start_text(first: str, other: str) -> str:
    if not other:
        return "starts empty"
    return "another start" if first else "starts from a given tree"
