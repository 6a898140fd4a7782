"""Which runs are chosen in the table; they stay so when new runs come between them."""

from PySide6.QtCore import QItemSelection, QObject, Signal, Slot

from gpviz.app.experiments.runs_model import RunsModel
from gpviz.app.experiments.runs_reader import Answer, Place
from gpviz.app.experiments.runs_view import RunsView
from gpviz.experiments.store import StoredRun
from gpviz.record.comparisons import MAX_LANES, MIN_LANES

__all__ = ["ChosenRuns"]

_MOST_KNOWN = 10_000
_MOST_KEPT = 8
"""More runs than these are not looked for again: what is chosen then are rows, whatever comes to stand in them."""


class ChosenRuns(QObject):
    """The chosen rows, and the runs in them as far as they are read."""

    changed = Signal()

    def __init__(self, model: RunsModel, view: RunsView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._view = view
        self._known: dict[int, StoredRun] = {}
        view.selectionModel().selectionChanged.connect(self._on_selection_changed)

    @property
    def rows(self) -> list[range]:
        """The chosen rows in order."""
        return self._view.chosen_rows()

    @property
    def count(self) -> int:
        """How many rows are chosen, whether or not their runs are known."""
        return sum(map(len, self.rows))

    @property
    def runs(self) -> list[StoredRun]:
        """The chosen runs from top to bottom, as far as they are known; empty where there are very many."""
        return [self._known[row] for row in sorted(self._known)]

    @property
    def row_to_open(self) -> int:
        """The row that Open means: the current one, or else the first that is chosen."""
        current = self._view.currentIndex().row()
        return current if current in self._known else min(self._known, default=current)

    @property
    def is_incomplete(self) -> bool:
        """Whether some of the chosen runs are not known."""
        return self.count != len(self._known)

    @property
    def can_compare(self) -> bool:
        """Whether there are as many as can be compared."""
        return MIN_LANES <= len(self._known) <= MAX_LANES and not self.is_incomplete

    def look_again(self) -> None:
        """See which runs stand in the chosen rows."""
        known: dict[int, StoredRun] = {}
        if self.count <= _MOST_KNOWN:
            for row in (row for some in self.rows for row in some):
                run = self._model.run_if_known(row)
                if run is not None:
                    known[row] = run
        self._known = known
        self.changed.emit()

    def places(self) -> tuple[Place, ...]:
        """What is to be found again when new runs have come: what is seen at the top, then the chosen runs."""
        first = self._view.seen_rows().start
        # At the very top one sees what comes first, whatever it is.
        top = self._model.run_at(first) if self._view.verticalScrollBar().value() else None
        kept = [Place((-1, -1), first) if top is None else _place(top, first)]
        if len(self._known) <= _MOST_KEPT:
            kept += [_place(run, row) for row, run in self._known.items()]
        return tuple(kept)

    def follow(self, answer: Answer) -> None:
        """New runs have come: keep what is chosen and what is seen, although others stand before them."""
        if len(self._known) > _MOST_KEPT:
            self.look_again()
        moved = answer.moved
        if not moved:
            return
        top, chosen = answer.wish.kept[0], answer.wish.kept[1:]
        shift = moved.get(top.key, top.row) - top.row
        if shift:
            bar = self._view.verticalScrollBar()
            bar.setValue(bar.value() + shift * self._view.verticalHeader().defaultSectionSize())
        if any(moved.get(key, row) != row for key, row in chosen):
            current = self._view.currentIndex().row()
            rows = {row: moved[key] for key, row in chosen if key in moved}
            runs = dict(self._known)
            self._view.choose_rows(sorted(rows.values()), rows.get(current))
            self._known = {new: runs[old] for old, new in rows.items() if old in runs}
            self.changed.emit()

    @Slot(QItemSelection, QItemSelection)
    def _on_selection_changed(self, _selected: QItemSelection, _deselected: QItemSelection) -> None:
        self.look_again()


def _place(run: StoredRun, row: int) -> Place:
    return Place((run.cell, run.row.number), row)
