"""What can be done in the experiments window now, and in words what Continue would do."""

from dataclasses import dataclass

from gpviz.app.experiments.reading import Snapshot
from gpviz.experiments.plan import Plan

__all__ = ["Possible"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Possible:
    """Follows from the plan in the editor, if it is whole, and from the experiment on show, if there is one."""

    plan: Plan | None
    snapshot: Snapshot | None
    is_running: bool
    is_cancelling: bool
    is_behind: bool
    """Whether the experiment has ended, and how it ended is still being read."""

    @property
    def can_cancel(self) -> bool:
        return self.is_running and not self.is_cancelling

    @property
    def is_settled(self) -> bool:
        """Whether the experiment on show is as it was read."""
        return self.snapshot is not None and not self.is_running and not self.is_behind

    @property
    def more_runs(self) -> int | None:
        """How many runs a cell is to have, if the plan is that of the experiment on show with more of them."""
        plan, snapshot = self.plan, self.snapshot
        if plan is None or snapshot is None or plan.runs <= snapshot.plan.runs:
            return None
        return plan.runs if plan.is_same_experiment(snapshot.plan) else None

    @property
    def continuation(self) -> str:
        """What Continue would do, in a sentence; empty if nothing."""
        if self.snapshot is None or not self.is_settled:
            return ""
        if self.more_runs is not None:
            return f"Go on with the experiment on show until each cell has {self.more_runs:,} runs."
        return "" if self.snapshot.is_whole else "Do the runs of the experiment on show that are missing."

    def commands(self) -> dict[str, bool]:
        """Which commands mean something."""
        has_plan, has_results = self.plan is not None, self.snapshot is not None
        return {
            "start": has_plan and not self.is_running,
            "continue": bool(self.continuation),
            "cancel": self.can_cancel,
            "new": not self.is_running,
            "open": not self.is_running,
            "save_plan": has_plan,
            "save_csv": has_results,
            "save_json": has_results,
            "save_latex": has_results,
            "save_runs": has_results,
            "save_ioh": has_results,
        }
