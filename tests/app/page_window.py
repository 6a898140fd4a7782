"""The tree with the pages below it, and nothing else of the main window."""

from typing import Any

from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.drawer import Drawer
from gpviz.app.lecture.lecture_editor import LectureEditor
from gpviz.app.moment_view import MomentView, TreePart
from gpviz.app.page_mediator import PageHost
from gpviz.app.pages.phase_controller import PhaseController
from gpviz.app.pages.quiz_controller import QuizController
from gpviz.app.player.player import Player
from gpviz.app.player.shown_moment import MomentChange
from gpviz.app.preferences import Preferences, data_folder
from gpviz.app.run.branch_controller import BranchController
from gpviz.app.run.outlook_finder import OutlookFinder
from gpviz.app.run.run_document import Document
from gpviz.engine import RunConfig, parse
from gpviz.lecture.lecture import CapturedView
from gpviz.runs.show_request import ShowRequest

CONFIG = RunConfig(n=4, limit="8", seed=5)
START = "x1 & (x2 | x3)"


class PageWindow(QWidget):
    """A run that stands at its start; by default it is of four variables and begins with a small tree."""

    def __init__(self, config: RunConfig = CONFIG, start: str = START) -> None:
        super().__init__()
        self.player = Player.for_run(config, parse(start, config.n))
        self.document = Document()
        self.branch_controller = BranchController(self.player)
        self.canvas = TreeCanvas()
        self.tree = TreePart(self.canvas, self)
        self.player.moment_changed.connect(self._on_moment_changed)
        self.phases = PhaseController(self.player, self)
        self.quiz = QuizController(self.player, self.phases, self)
        self.outlook_finder = OutlookFinder(self.player, self)
        self.drawer = Drawer()
        self.lecture_editor = LectureEditor(data_folder(), Preferences())
        self.requests: list[ShowRequest] = []
        self.messages: list[str] = []
        self.compared: list[tuple[int, int]] = []
        self.host = PageHost(
            self.player,
            self.document,
            self.branch_controller,
            self.quiz,
            self.phases,
            self.outlook_finder,
            self.tree,
            self.canvas,
            self.drawer,
            self,
            self,
            show_page=self.drawer.show_page,
            show_run=self.requests.append,
            show_message=self.messages.append,
        )
        self.view = MomentView(self.tree, self.host)
        self.view.follow(self.player)
        layout = QVBoxLayout(self)
        layout.addWidget(self.canvas, 1)
        layout.addWidget(self.drawer, 1)
        self.resize(1200, 900)

    def shown_page(self, name: str) -> Any:
        """Choose a page, and return it."""
        self.drawer.show_page(name)
        return self.drawer.page(name)

    def step(self, count: int, qtbot: Any) -> None:
        """Go on by so many iterations, as a person does."""
        for _ in range(count):
            with qtbot.waitSignal(self.player.moment_changed):
                self.player.step_forward()

    def end(self) -> None:
        """End every thread."""
        self.player.close()
        self.quiz.close()
        self.outlook_finder.close()
        self.host.close()
        self.lecture_editor.close()
        self.tree.close()
        self.canvas.shut_down()
        self.close()

    def _on_moment_changed(self, change: MomentChange) -> None:
        self.view.follow(self.player, change)
        self.outlook_finder.follow()

    def show_branches(self, one: int, other: int) -> None:
        self.compared.append((one, other))

    def captured_view(self) -> CapturedView:
        run_file = self.branch_controller.describe(())
        return CapturedView(run_file=run_file, branch=0, iteration=self.player.cursor)
