"""Views of a moment: the tree with what the rules of its iteration make of it, and everything at one iteration."""

import math
import subprocess
import sys

import pytest
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.main_window import MainWindow
from gpviz.app.moment_view import MomentView, TreePart
from gpviz.app.pages.truth_table.truth_table_page import TruthTablePage
from gpviz.app.player.player import Player
from gpviz.app.player.shown_moment import Detail, MomentChange, ShownMoment
from gpviz.app.plots.curves import CurvesView
from gpviz.app.plots.time_strip import TimeStrip
from gpviz.engine import RunConfig, format_formula
from gpviz.explain.moment import moment_at
from gpviz.explain.tree_text import node_facts, position_text
from gpviz.runs.branches import search_at
from gpviz.runs.history import Generalisation
from tests.app.main_windows import NEVER, let_go, open_window
from tests.picture.moments import stuck
from tests.runs.runs import recorded, run_with_changed_rules

BUSY_LOOPS = 4


class SmallWindow(QWidget):
    """A window of its own that plays a run: a tree, curves, a time strip, a page and a button."""

    def __init__(self, config: RunConfig) -> None:
        super().__init__()
        self.player = Player.for_run(config, parent=self)
        self.canvas = TreeCanvas()
        self.tree = TreePart(self.canvas, self)
        self.curves = CurvesView()
        self.strip = TimeStrip()
        self.page = TruthTablePage()
        self.view = MomentView(self.tree, self.curves, self.strip, self)
        self.button = QPushButton("Play or pause")
        column = QVBoxLayout(self)
        for part in (self.canvas, self.curves, self.strip, self.page, self.button):
            column.addWidget(part)
        self.button.clicked.connect(self.player.toggle_playing)
        self.strip.iteration_chosen.connect(self.player.go_to)
        self.player.moment_changed.connect(self._on_moment_changed)
        self.view.follow(self.player)

    def _on_moment_changed(self, change: MomentChange) -> None:
        self.view.follow(self.player, change)

    def show_moment(self, shown: ShownMoment) -> None:
        self.setWindowTitle(position_text(shown.history, shown.iteration))
        self.page.show_moment(shown.history, shown.iteration)

    def closeEvent(self, event: QCloseEvent) -> None:
        self.player.close()
        self.tree.close()
        self.page.shut_down()
        self.canvas.shut_down()
        self.curves.shut_down()


@pytest.fixture
def player(qapp):
    made = Player.for_run(RunConfig(n=4))
    yield made
    made.close()


@pytest.fixture
def canvas(qtbot):
    made = TreeCanvas()
    qtbot.addWidget(made)
    yield made
    made.shut_down()


@pytest.fixture
def tree_part(player, canvas):
    made = TreePart(canvas)
    view = MomentView(made)
    player.moment_changed.connect(lambda change: view.follow(player, change))
    yield made
    made.close()


def put(player, history):
    search = search_at(history, len(history))
    player.adopt_run(search, history, Generalisation(), None)


def shown(tree_part, canvas, qtbot):
    """The state on show once it is known: as it is remembered, and as the banner and the frame say."""
    qtbot.waitUntil(lambda: tree_part.analysis is not None and not tree_part.is_busy)
    return tree_part.analysis.state.name, canvas.state == "STUCK"


def test_a_tree_is_judged_by_the_rules_of_the_iteration_on_show(player, canvas, tree_part, qtbot):
    put(player, run_with_changed_rules())
    assert shown(tree_part, canvas, qtbot) == ("PLATEAU", False)
    player.go_to(199)
    assert shown(tree_part, canvas, qtbot) == ("STUCK", True)
    player.go_live()
    assert shown(tree_part, canvas, qtbot) == ("PLATEAU", False)
    player.step_back()
    assert shown(tree_part, canvas, qtbot) == ("STUCK", True)


def test_what_a_frame_of_a_fast_run_shows_is_painted_in_the_next(canvas, tree_part):
    view = MomentView(tree_part, held=(canvas,))
    history = recorded(RunConfig(n=4), 20)[2]
    painted = []
    for detail in (Detail.STEP, Detail.TREE, Detail.NOTHING, Detail.TREE, Detail.STEP):
        view.show(ShownMoment(history, 5, detail=detail))
        painted.append(canvas.updatesEnabled())
    assert painted == [True, False, True, False, True]


def test_what_has_not_changed_for_long_is_folded_while_that_is_wanted(player, canvas, tree_part):
    put(player, recorded(RunConfig(n=20), 400)[2])
    assert not canvas.resting
    tree_part.set_resting_folded(True)
    assert canvas.resting
    player.go_to(20)
    assert not canvas.resting
    player.go_live()
    assert canvas.resting
    tree_part.set_resting_folded(False)
    assert not canvas.resting


def test_to_fold_what_rests_changes_nothing_else(player, canvas, tree_part):
    *_, history = recorded(RunConfig(n=20), 400)
    put(player, history)
    tree_part.show_other(moment_at(history, 400), "Not part of the run")
    tree_part.set_resting_folded(True)
    assert canvas.resting
    assert canvas.picture.banner.head == "Not part of the run"


def test_the_card_tells_of_the_tree_on_show_even_if_it_is_not_the_one_of_the_run(
    player, canvas, tree_part, qtbot
):
    *_, history = recorded(RunConfig(n=20), 400)
    put(player, history)
    other = moment_at(history, 10)
    assert other.tree is not None
    tree_part.show_other(other, "Not part of the run")
    uid = other.tree.uid
    facts = node_facts(other.tree, uid, other.rules, None)
    canvas.select(uid)
    qtbot.waitUntil(lambda: facts in canvas.card.text)


def test_a_window_that_plays_a_run_is_little_work(qtbot):
    window = SmallWindow(RunConfig(n=4, seed=2))
    qtbot.addWidget(window)
    window.show()
    window.button.click()
    qtbot.waitUntil(lambda: window.player.cursor > 3)
    window.button.click()
    window.strip.iteration_chosen.emit(2)
    assert window.windowTitle().startswith("t = 2 of ")
    assert window.strip.value() == 2
    window.close()
    assert not window.player.run.is_running


@pytest.fixture
def window(qapp):
    made = open_window()
    yield made
    let_go(made)


@pytest.fixture
def busy_loops():
    """Other programs that want the processors."""
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(BUSY_LOOPS)]
    yield
    for loop in loops:
        loop.kill()
        loop.wait()


def iterations_shown(window: MainWindow) -> set[int]:
    """What the time strip and the page say that is on show."""
    views = window.views
    shown = {views.strip.value(), views.strip.view.iteration}
    page = views.drawer.page("rows")
    if page.isVisible():
        assert isinstance(page, TruthTablePage)
        assert page.table is not None
        shown.add(page.table.moment.iteration)
    return shown


@pytest.mark.parametrize(
    ("page", "speed", "frames"),
    [("curves", 30.0, 100), ("rows", 45.0, 100), ("curves", math.inf, 150), ("rows", math.inf, 150)],
)
def test_everything_on_show_is_at_one_iteration_in_every_frame(
    window, busy_loops, page, speed, frames, qtbot
):
    """The tree, the time strip and the page, also under load."""
    player, canvas = window.player, window.views.canvas
    window.show_page(page)
    player.start_run(RunConfig(n=5, seed=3))
    player.set_rules(NEVER)
    player.set_speed(speed)
    wrong: list[object] = []
    seen: list[int] = []

    def look() -> None:
        shown = iterations_shown(window)
        seen.append(max(shown))
        tree = player.run.history.tree_at(max(shown))
        if len(shown) > 1 or format_formula(canvas.moment.tree) != format_formula(tree):
            wrong.append((shown, canvas.moment.iteration))

    player.moment_changed.connect(look)
    player.play()
    qtbot.waitUntil(lambda: len(seen) >= frames and len(set(seen)) > 3)
    player.pause()
    assert wrong == []


def test_a_run_that_is_stuck_stays_so_while_nothing_is_known_of_its_tree(canvas, qtbot):
    """Else the frame would come and go with every tree of the plateau."""
    moment, _ = stuck()
    history = recorded(moment.config, 570)[2]
    part = TreePart(canvas)
    part.show_moment(ShownMoment(history, 570, 500))
    qtbot.waitUntil(lambda: canvas.state == "STUCK")
    sentence = canvas.picture.banner.head
    part.show_moment(ShownMoment(history, 569, 500, detail=Detail.TREE))
    assert (canvas.state, canvas.picture.banner.head) == ("STUCK", sentence)
    part.show_moment(ShownMoment(recorded(RunConfig(n=8), 20)[2], 20, 10))
    assert canvas.state == ""  # what was said of another run is not kept
    part.show_moment(ShownMoment(history, 30, 500))
    assert canvas.state == ""
    part.close()
