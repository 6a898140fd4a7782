"""What a person has typed about a run, as plain data: what is wrong with it, and the run it describes."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Self

from gpviz.engine import GpvizError, RunConfig, parse
from gpviz.engine.config import DEFAULTS, check_tree
from gpviz.engine.errors import FormulaError, InvalidValueError
from gpviz.engine.settings import MAX_N, SETTINGS, Choice, LimitExpression, plain_text, setting

START_TITLE: Final = "Start from"
START_HELP: Final = "The tree to start from, such as (x1 & x2) | x3. Leave it empty for the empty tree."

CHECKED_LENGTH: Final = 4_000
"""Longer start formulas are checked when the run starts: reading them takes longer than a frame."""

_NO_LIMIT: Final = "none"
_SMALLEST: Final = RunConfig(n=1)


@dataclass(frozen=True, slots=True)
class RunDraft:
    """The settings as texts, typed or chosen, by their names; those that are not given are as usual."""

    texts: Mapping[str, str]
    start: str = ""

    @classmethod
    def of(cls, config: RunConfig, start: str) -> Self:
        """The fields that describe a run."""
        texts = {row.name: plain_text(row.value_of(config)) for row in SETTINGS}
        if config.max_leaves is None:
            texts["limit"] = _NO_LIMIT
        return cls(texts, start)

    def __getitem__(self, name: str) -> str:
        """What is typed or chosen for a setting."""
        return self.texts.get(name, plain_text(DEFAULTS.get(name)))

    def with_texts(self, texts: Mapping[str, str]) -> Self:
        """With other texts for some settings."""
        return replace(self, texts={**self.texts, **texts})

    @property
    def is_sampled(self) -> bool:
        return self["fitness"] == "sampled"

    @property
    def variables(self) -> int | None:
        """n, if it is one."""
        config = self._only("n")
        return config.n if isinstance(config, RunConfig) else None

    def amount(self, name: str) -> int | None:
        """The number that an expression in n comes to; None for all else, and while it cannot be read."""
        config = self._only(name)
        if self[name].strip().isdecimal() or self.variables is None or not isinstance(config, RunConfig):
            return None
        amount = config.max_leaves if name == "limit" else setting(name).value_of(config)
        return amount if isinstance(amount, int) else None

    def problems(self) -> dict[str, str]:
        """For each typed setting that will not do, the engine's sentence under the name of its field."""
        typed = (row.name for row in SETTINGS if not isinstance(row.kind, Choice))
        found = ((name, self._only(name)) for name in typed)
        return {name: _problem_text(name, error) for name, error in found if isinstance(error, GpvizError)}

    def config(self) -> RunConfig:
        """The configuration; raises the engine's error where there is none."""
        return RunConfig.from_dict({row.name: self._given(row.name) for row in SETTINGS})

    def _only(self, name: str) -> RunConfig | GpvizError:
        """A configuration in which this setting is as typed and the others are beyond doubt, or what is wrong."""
        settings: dict[str, Any] = {"n": MAX_N}
        try:
            settings["n"] = _SMALLEST.replaced(n=self["n"]).n
        except InvalidValueError as error:
            if name == "n":
                return error
        settings["limit"] = "inf"
        if name != "n":
            settings[name] = self._given(name)
        if setting(name).is_for_sampled:
            settings |= {each: self._given(each) for each in ("fitness", "sampler")}
            settings.setdefault("rows", 1 if self.is_sampled else None)
        try:
            return RunConfig(**settings)
        except GpvizError as error:
            return error

    def _given(self, name: str) -> Any:
        """What the engine is given for a setting; it reads texts as a person would type them."""
        row = setting(name)
        if name == "rows" and not self.is_sampled:
            return None  # it is kept for when rows are sampled again
        return engine_limit(self[name]) if isinstance(row.kind, LimitExpression) else self[name]


def engine_limit(text: str) -> str:
    """A limit as typed, where ``none`` means that there is none."""
    return "inf" if text.strip().lower() in (_NO_LIMIT, "no limit") else text


def start_problem(draft: RunDraft) -> str | None:
    """What is wrong with the start formula, given settings that are right."""
    if not draft.start.strip() or len(draft.start) > CHECKED_LENGTH:
        return None
    config = draft.config()
    try:
        check_tree(parse(draft.start, config.n), config)
    except FormulaError as error:
        return f"{START_TITLE}, column {error.column}: {error.problem}."
    except GpvizError as error:
        return _problem_text("", error)
    return None


def _problem_text(name: str, error: GpvizError) -> str:
    """The engine's sentence as somebody reads it who knows the fields by what is written beside them."""
    if not isinstance(error, InvalidValueError):
        title = setting(name).title if name else START_TITLE
        return f"{title}: {str(error).partition(': ')[2]}"
    row = setting(error.field)
    # Nobody comes near the largest seed.
    allowed = "a whole number from 0" if row.name == "seed" else error.allowed
    if isinstance(error.value, str) and not error.value.strip():
        is_limit = isinstance(row.kind, LimitExpression)
        return f"{row.title}: type {allowed if is_limit else 'a whole number'}."
    return str(InvalidValueError(row.title, error.value, allowed))
