"""Between the page of scenes and the lecture in the making: wishes go one way, what became of them the other."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Slot

from gpviz.app.lecture.desk import LectureDesk
from gpviz.app.lecture.scenes_page import ScenesPage
from gpviz.engine import GpvizError
from gpviz.record.lecture import Scene
from gpviz.record.lecture_file import shipped_lectures
from gpviz.record.saved import RunFile

__all__ = ["ScenesPresenter", "View", "connect_page"]


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What the window shows now: a run, a branch by its place, an iteration, and what stands beside the tree."""

    run_file: RunFile
    branch: int
    iteration: int
    panels: tuple[str, ...] = ("caption",)
    page: str = ""
    speed: float = 0.0


class ScenesPresenter(QObject):
    """Keeps a page and a desk in step; ``view_of`` tells what the window shows when a person wants it captured."""

    def __init__(self, page: ScenesPage, desk: LectureDesk, view_of: Callable[[], View]) -> None:
        super().__init__(page)
        self._page = page
        self._desk = desk
        self._view_of = view_of
        desk.lecture_changed.connect(self._on_lecture_changed)
        page.capture_requested.connect(self._on_capture)
        page.update_requested.connect(self._on_update)
        page.first_here_requested.connect(self._on_first_here)
        page.last_here_requested.connect(self._on_last_here)
        page.shipped_requested.connect(self._on_shipped)
        page.new_requested.connect(self._on_new)
        page.open_requested.connect(self._on_open)
        page.save_requested.connect(self._on_save)
        page.save_as_requested.connect(self._on_save_as)
        page.scene_chosen.connect(desk.choose)
        page.scene_changed.connect(self._on_scene_changed)
        page.lecture_renamed.connect(self._on_lecture_renamed)
        page.duplicate_requested.connect(self._on_duplicate)
        page.remove_requested.connect(self._on_remove)
        page.move_requested.connect(self._on_move)
        page.show_requested.connect(self._on_show)
        page.rehearsal_requested.connect(self._on_rehearse)
        page.presentation_requested.connect(desk.present)
        page.editing_ended.connect(desk.end_change)
        page.undo_requested.connect(desk.undo)
        page.redo_requested.connect(desk.redo)
        try:
            page.set_shipped(shipped_lectures())
        except GpvizError as problem:
            page.set_shipped(())
            desk.problem_met.emit(str(problem))
        self._on_lecture_changed()

    @Slot()
    def _on_lecture_changed(self) -> None:
        desk = self._desk
        self._page.show_lecture(desk.lecture, desk.place, is_modified=desk.is_modified)
        self._page.set_undo(can_undo=desk.can_undo, can_redo=desk.can_redo)

    def _view(self) -> View | None:
        """What the window shows; None, with a sentence, if it cannot be told."""
        try:
            return self._view_of()
        except GpvizError as problem:
            self._desk.problem_met.emit(str(problem))
            return None

    @Slot(int)
    def _on_capture(self, after: int) -> None:
        view = self._view()
        if view is not None:
            self._desk.capture(
                view.run_file, view.branch, view.iteration, view.panels, view.page, view.speed, after=after
            )

    @Slot(int)
    def _on_update(self, place: int) -> None:
        view = self._view()
        if view is not None:
            self._desk.update_from_view(
                place, view.run_file, view.branch, view.iteration, view.panels, view.page
            )

    @Slot(int)
    def _on_first_here(self, place: int) -> None:
        self._take_bound(place, is_last=False)

    @Slot(int)
    def _on_last_here(self, place: int) -> None:
        self._take_bound(place, is_last=True)

    def _take_bound(self, place: int, *, is_last: bool) -> None:
        view = self._view()
        if view is not None:
            self._desk.take_bound(place, view.run_file, view.branch, view.iteration, is_last=is_last)

    @Slot(object)
    def _on_shipped(self, path: Path) -> None:
        self._desk.open(path)

    @Slot()
    def _on_new(self) -> None:
        self._desk.new()

    @Slot()
    def _on_open(self) -> None:
        self._desk.ask_and_open()

    @Slot()
    def _on_save(self) -> None:
        self._desk.save()

    @Slot()
    def _on_save_as(self) -> None:
        self._desk.ask_and_save()

    @Slot(int, object)
    def _on_scene_changed(self, place: int, scene: Scene) -> None:
        self._desk.change(place, scene)

    @Slot(str)
    def _on_lecture_renamed(self, title: str) -> None:
        self._desk.rename(title)

    @Slot(int)
    def _on_duplicate(self, place: int) -> None:
        self._desk.duplicate(place)

    @Slot(int)
    def _on_remove(self, place: int) -> None:
        self._desk.remove(place)

    @Slot(int, int)
    def _on_move(self, place: int, to: int) -> None:
        self._desk.move(place, to)

    @Slot(int)
    def _on_show(self, place: int) -> None:
        self._desk.show_in_window(place)

    @Slot(int)
    def _on_rehearse(self, place: int) -> None:
        self._desk.rehearse(place)


def connect_page(page: ScenesPage, desk: LectureDesk, view_of: Callable[[], View]) -> ScenesPresenter:
    """Let the page show and change the lecture on the desk, as long as the page lives."""
    return ScenesPresenter(page, desk, view_of)
