"""What a person has typed into the plan editor, as plain data: what is wrong with it, and the plan it makes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import inf, prod
from types import MappingProxyType
from typing import Any, Final, Self

from gpviz.engine.config import DEFAULTS, RunConfig
from gpviz.engine.errors import GpvizError, InvalidValueError, shown, whole_number
from gpviz.engine.expressions_in_n import EXPRESSION_EXAMPLES, is_expression
from gpviz.engine.settings import MAX_N, SETTINGS, Choice, LimitExpression, WholeNumber, plain_text, setting
from gpviz.experiments.plan import MAX_CELLS, MAX_ITERATIONS, MAX_RUNS, PLAN_SETTINGS, Plan

TYPED: Final = tuple(name for name in PLAN_SETTINGS if not isinstance(setting(name).kind, Choice))
"""The settings whose values are typed, with commas between."""

CHOSEN: Final = tuple(name for name in PLAN_SETTINGS if name not in TYPED)
"""The settings whose values are ticked."""

_TITLES: Final = MappingProxyType(
    {
        **{row.name: row.title for row in SETTINGS},
        "title": "Title",
        "runs": "Runs a cell",
        "seed": "Base seed",
        "max_iterations": "Most iterations",
        "x": "Along",
        "measures": "Plots show",
    }
)
_NUMBERS: Final = {
    "runs": (1, MAX_RUNS),
    "seed": (0, 2**4095),
    "max_iterations": (1, MAX_ITERATIONS),
    **{
        name: (kind.least, kind.most)
        for name in PLAN_SETTINGS
        if isinstance(kind := setting(name).kind, WholeNumber)
    },
}
_LIMIT_TEXT: Final = "numbers from 1, or n, n+1, n-1, 2n, 1.5n or inf, separated by commas"
_UNLIMITED: Final = ("none", "inf", "infinity", "∞")
_CHANGED: Final = "-changed"
_MOST_TEXT: Final = 100_000


def choices_of(name: str) -> tuple[tuple[str, str], ...]:
    """The values of a setting that are ticked, each with the text a person reads."""
    kind = setting(name).kind
    assert isinstance(kind, Choice)
    return kind.choices


def _default(name: str) -> Any:
    """The default of a setting as a plan writes it; None where there is none."""
    value = DEFAULTS.get(name)
    return plain_text(value) if isinstance(value, tuple) else value


def title_of(name: str) -> str:
    """What a field is called, also in problems."""
    return _TITLES[name]


@dataclass(frozen=True, kw_only=True)
class PlanDraft:
    """The fields as typed and the choices made; ``base`` is the plan that they began with."""

    base: Plan = field(repr=False)
    title: str
    runs: str
    seed: str
    max_iterations: str
    texts: Mapping[str, str]
    ticks: Mapping[str, tuple[str, ...]]
    x: str
    measures: tuple[str, ...]

    @classmethod
    def of(cls, plan: Plan) -> Self:
        """The fields that describe a plan."""
        texts = {name: ", ".join(map(_typed, _values_of(plan, name))) for name in TYPED}
        ticks = {
            name: tuple(key for key, _ in choices_of(name) if key in map(_typed, _values_of(plan, name)))
            for name in CHOSEN
        }
        return cls(
            base=plan,
            title=plan.title,
            runs=grouped(str(plan.runs)),
            seed=str(plan.seed),
            max_iterations=grouped(str(plan.max_iterations)),
            texts=texts,
            ticks=ticks,
            x=plan.x,
            measures=plan.measures,
        )

    @property
    def is_sampled(self) -> bool:
        return self.ticks["fitness"] == ("sampled",)

    def axes(self) -> tuple[str, ...]:
        """The settings that are varied, those of the plan they began with in its order, new ones first."""
        used = [name for name in PLAN_SETTINGS if self._is_used(name)]
        varied = [name for name in used if len(self._entries(name)) > 1]
        known = [name for name in self.base.grid if name in used]
        return (*(name for name in varied if name not in known), *known)

    def count(self) -> int:
        """How many combinations there are."""
        return prod(len(self._entries(name)) for name in self.axes())

    def problems(self) -> dict[str, str]:
        """What is wrong with single fields, by their names; quickly found."""
        found: dict[str, str] = {}
        for name in ("runs", "seed", "max_iterations"):
            self._note(found, name, lambda name=name: self._number(name, getattr(self, name)))
        for name in TYPED:
            if self._is_used(name):
                self._note(found, name, lambda name=name: self._values(name))
        for name in CHOSEN:
            if self._is_used(name) and not self.ticks[name]:
                found[name] = f"{title_of(name)}: nothing is chosen; tick at least one."
        if not self.measures:
            found["measures"] = f"{title_of('measures')}: nothing is chosen; tick at least one."
        if not found and self.count() > MAX_CELLS:
            found[""] = f"The plan has {self.count():,} combinations; at most {MAX_CELLS:,} are allowed."
        return found

    def plan(self) -> Plan:
        """The plan; raises `GpvizError` where there is none. It takes a moment where there are many cells."""
        axes = self.axes()
        grid = {name: tuple(self._values(name)) for name in axes}
        settings: dict[str, Any] = {}
        for name in self._settings_order():
            if name in axes or not self._is_used(name):
                continue
            (value,) = self._values(name)
            if name in self.base.settings or name == "n" or value != _default(name):
                settings[name] = value
        plan = self.base.replaced(
            title=self.title,
            runs=self._number("runs", self.runs),
            seed=self._number("seed", self.seed),
            max_iterations=self._number("max_iterations", self.max_iterations),
            x=self.x if self.x in axes else "",
            measures=self.measures,
            settings=settings,
            grid=grid,
        )
        if plan.settings == self.base.settings and plan.grid == self.base.grid:
            return plan
        is_renamed = plan.name.endswith(_CHANGED)
        return plan if is_renamed else plan.replaced(name=plan.name + _CHANGED)

    def field_of(self, problem: GpvizError) -> tuple[str, str]:
        """The field that a problem of the whole plan is about, empty for none, and the sentence to be shown."""
        cause = problem.__cause__ if isinstance(problem.__cause__, InvalidValueError) else problem
        where = re.match(r"grid, at (.*?): ", str(problem))
        if isinstance(cause, InvalidValueError) and cause.field in _TITLES:
            text = _refusal(title_of(cause.field), cause.value, cause.allowed)
            return cause.field, f"{text[:-1]} (at {where[1]})." if where else text
        named = re.match(r"(\w+): ", str(problem))
        return (named[1] if named and named[1] in _TITLES else ""), str(problem)

    # --- how it is done ---

    def _is_used(self, name: str) -> bool:
        is_for_all = not setting(name).is_for_sampled
        # The number of rows is refused where none are sampled; the rest says nothing there, and is kept.
        return is_for_all or self.is_sampled or (name != "rows" and name in self.base.settings)

    def _settings_order(self) -> Sequence[str]:
        return (*self.base.settings, *(name for name in PLAN_SETTINGS if name not in self.base.settings))

    def _entries(self, name: str) -> Sequence[str]:
        """The values of a setting as they stand in its field."""
        if name in CHOSEN:
            return self.ticks[name]
        return [entry.strip() for entry in re.split("[,;]", self.texts[name]) if entry.strip()]

    def _values(self, name: str) -> list[Any]:
        """The values of a setting, as a plan has them; those of the base are taken as they are there."""
        title, entries = title_of(name), self._entries(name)
        if len(self.texts.get(name, "")) > _MOST_TEXT or len(entries) > MAX_CELLS:
            raise GpvizError(f"{title}: there are too many values; at most {MAX_CELLS:,} are allowed.")
        if not entries:
            raise GpvizError(f"{title}: nothing is given; it must be {_allowed(name)}.")
        known = {_typed(value): value for value in _values_of(self.base, name)}
        values = [known[entry] if entry in known else self._value(name, entry) for entry in entries]
        seen: set[str] = set()
        for value in values:
            if _typed(value) in seen:
                raise GpvizError(f"{title}: {shown(value)} comes twice; each value may come once.")
            seen.add(_typed(value))
        return values

    def _value(self, name: str, entry: str) -> Any:
        if name in _NUMBERS:
            return entry if _takes_expression(name) and is_expression(entry) else self._number(name, entry)
        if not isinstance(setting(name).kind, LimitExpression):
            return entry
        if re.search(r"\w\s+\w", entry):  # 4 8 is not 48, but two limits without their comma
            raise InvalidValueError(title_of(name), entry, _LIMIT_TEXT)
        limit = "inf" if entry.lower() in _UNLIMITED else entry
        try:
            return RunConfig(n=MAX_N, limit=limit).limit
        except InvalidValueError as problem:
            try:
                return RunConfig(n=1, limit=limit).limit  # too many leaves only for the largest n
            except InvalidValueError:
                raise InvalidValueError(title_of(name), entry, _LIMIT_TEXT) from problem

    def _number(self, name: str, text: str) -> int:
        title, (least, most) = title_of(name), _NUMBERS[name]
        allowed = f"a whole number from {least} to {most:,}" if most < 10**18 else ""
        try:
            return whole_number(title, ungrouped(text), least, most)
        except InvalidValueError as problem:
            allowed = allowed or problem.allowed
            if not text.strip():
                raise GpvizError(f"{title}: it is empty; it must be {allowed}.") from problem
            value = problem.value if isinstance(problem.value, int) else text
            if value is text and _takes_expression(name):
                allowed += f", or an expression in n such as {EXPRESSION_EXAMPLES}"
            raise GpvizError(_refusal(title, value, allowed)) from problem

    @staticmethod
    def _note(found: dict[str, str], name: str, check: Any) -> None:
        try:
            check()
        except GpvizError as problem:
            found[name] = str(problem)


def ungrouped(text: str) -> str:
    """A number as typed, without what parts its digits: 10,000,000 and 10_000_000 are 10000000."""
    is_parted = re.fullmatch(r"\s*[+-]?[0-9]{1,3}(?:,[0-9]{3})+\s*|\s*[+-]?[0-9]+(?:_[0-9]+)+\s*", text)
    return re.sub("[,_]", "", text) if is_parted else text


def grouped(text: str) -> str:
    """A number with commas between its thousands; what is none stays as it is."""
    digits = ungrouped(text).strip()
    return f"{int(digits):,}" if re.fullmatch("[0-9]{1,30}", digits) else text


def _refusal(title: str, value: object, allowed: str) -> str:
    is_count = isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**18
    return f"{title}: {f'{value:,}' if is_count else shown(value)} is not allowed; it must be {allowed}."


def _takes_expression(name: str) -> bool:
    kind = setting(name).kind if name in PLAN_SETTINGS else None
    return isinstance(kind, WholeNumber) and kind.is_expression_allowed


def _allowed(name: str) -> str:
    if isinstance(setting(name).kind, LimitExpression):
        return _LIMIT_TEXT
    least, most = _NUMBERS[name]
    return f"whole numbers from {least}{f' to {most:,}' if most < 10**18 else ''}, separated by commas"


def _values_of(plan: Plan, name: str) -> Sequence[Any]:
    if name in plan.grid:
        return plan.grid[name]
    value = plan.settings.get(name, _default(name))
    # n has no default, and complete truth tables have no rows.
    return () if value is None else (value,)


def _typed(value: Any) -> str:
    """A value as it stands in its field."""
    if isinstance(value, list | tuple | set | frozenset):  # functions
        return ",".join(sorted(str(each).strip().lower() for each in value))
    if value == inf:
        return "inf"
    text = str(value)
    return text.replace(" ", "") if "," in text else text
