"""Enumerations of the engine: functions, operations, sides, verdicts, outcomes of runs, states of trees."""

from enum import StrEnum


class Function(StrEnum):
    """The connective in an inner node."""

    AND = "and"
    OR = "or"


class Operation(StrEnum):
    """What HVL-Prime does to a tree."""

    INS = "INS"
    DEL = "DEL"
    SUB = "SUB"


class Side(StrEnum):
    """Where an inserted leaf goes below its new parent."""

    LEFT = "left"
    RIGHT = "right"


class Verdict(StrEnum):
    """What became of an offspring."""

    IMPROVED = "improved"
    NEUTRAL = "neutral"
    UNCHANGED = "unchanged"
    WORSE = "worse"
    TOO_LARGE = "too_large"

    @property
    def is_accepted(self) -> bool:
        return self in _ACCEPTED


_ACCEPTED = frozenset({Verdict.IMPROVED, Verdict.NEUTRAL, Verdict.UNCHANGED})


class Outcome(StrEnum):
    """How a run ended."""

    SOLVED = "solved"
    STUCK = "stuck"
    STOPPED = "stopped"


class State(StrEnum):
    """What a tree can still become."""

    SOLVED = "SOLVED"
    CLIMBING = "CLIMBING"
    PLATEAU = "PLATEAU"
    STUCK = "STUCK"
    UNDECIDED = "UNDECIDED"
