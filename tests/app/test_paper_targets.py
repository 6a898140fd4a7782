"""Every button of the Paper page opens what it names, in one window after the other, and loses nothing."""

from collections.abc import Iterator
from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMessageBox

from gpviz.app.guide.window import GuideWindow
from gpviz.app.main_window import MainWindow
from gpviz.experiments.figures.chart_kinds import ChartKind
from gpviz.experiments.plan import shipped_plans
from gpviz.lecture.lecture import load_lecture, shipped_lectures
from gpviz.paper_statements import Show, Statement, load_statements, statement
from gpviz.runs.presets import find_preset, load_comparisons, load_presets


def open_paper(window: MainWindow, name: str):
    window.windows.show_paper()
    paper = window.windows.paper
    assert paper is not None
    paper.open_at(name)
    return paper


def guide_of(window: MainWindow) -> GuideWindow:
    (guide,) = window.findChildren(GuideWindow)
    return guide


def shows_of(target: str):
    """The statements and the indices of their buttons; what two of them open in the same way is opened once."""
    found: dict[Show, tuple[Statement, int]] = {}
    for each in load_statements():
        for index, show in enumerate(each.shows):
            if show.target == target:
                found.setdefault(replace(show, label=""), (each, index))
    return list(found.values())


def opened(window: MainWindow, target: str) -> Iterator[Show]:
    """What is open after each of the buttons that open such a thing is pressed."""
    for each, index in shows_of(target):
        open_paper(window, each.id).card.buttons[index].click()
        yield each.shows[index]


def test_a_key_and_the_guide_open_it_where_it_was_left_and_it_goes_with_the_window(own_window, qtbot):
    window = own_window
    QTest.keyClick(window, Qt.Key.Key_F3)
    paper = window.windows.paper
    assert paper.isVisible()
    paper.open_at("table-1")
    QTest.keyClick(paper, Qt.Key.Key_Escape)
    window.windows.show_guide()
    QTest.keyClick(guide_of(window), Qt.Key.Key_F3)
    assert window.windows.paper is paper
    assert paper.card.statement is statement("table-1")
    assert paper.parentWidget() is None, "else it would stay in front of the run that it opens"
    paper.close()
    guide_of(window).paper_asked.emit()
    assert paper.isVisible()
    window.close()
    assert not paper.isVisible()


def test_every_run_comes_on_show_where_it_is_to_be_looked_at(window, qtbot):
    presets = {preset.name: preset for preset in load_presets()}
    for show in opened(window, "preset"):
        assert window.player.run.config == presets[show.name].config
        qtbot.waitUntil(lambda show=show: window.player.cursor == (show.iteration or 0))
        assert window.document.title == presets[show.name].title
        assert not show.page or window.views.drawer.current == show.page
        assert all(window.actions_by_name[name].isChecked() for name in show.switches)


def test_every_comparison_comes_on_show(window):
    comparisons = {comparison.name: comparison for comparison in load_comparisons()}
    for show in opened(window, "comparison"):
        assert window.windows.compare.isVisible()
        lanes = [lane.config for lane in comparisons[show.name].lanes]
        assert [run.config for run in window.windows.compare.player.runs] == lanes


def test_every_plan_is_ready_to_be_started_with_its_chart(window):
    plans = {plan.name: plan for plan in shipped_plans()}
    for show in opened(window, "plan"):
        experiments = window.windows.experiments
        assert experiments.isVisible()
        assert experiments.editor.plan().is_same_experiment(plans[show.name])
        assert experiments._wanted_chart == (plans[show.name], ChartKind(show.chart))


def test_every_lecture_begins_at_its_scene(window, qtbot):
    lectures = {lecture.name: load_lecture(lecture.path) for lecture in shipped_lectures()}
    for show in opened(window, "lecture"):
        session = window.windows.lecture_mode
        assert session.is_active
        assert session.scene_player.lecture == lectures[show.name]
        assert session.scene_player.index == (show.scene or 1) - 1
        session.stop()


def test_every_page_of_the_guide_opens(window):
    for show in opened(window, "guide"):
        assert "#".join(guide_of(window).topic) == show.name


def test_a_run_with_bookmarks_is_asked_about_and_kept(window, qtbot, monkeypatch):
    window.player.run_to(5)
    qtbot.waitUntil(lambda: window.player.cursor == 5)
    window.toggle_bookmark()
    asked: list[str] = []

    def keep(box):
        asked.append(box.text())
        return QMessageBox.StandardButton.Cancel

    monkeypatch.setattr(QMessageBox, "exec", keep)
    open_paper(window, "theorem-1").card.buttons[0].click()
    assert "not saved" in asked[0]
    assert window.player.run.config == find_preset("first-run").config
    assert window.player.cursor == 5
    assert not window.views.is_drawer_open


def test_a_lecture_in_the_making_is_asked_about_and_kept(own_window, monkeypatch):
    window = own_window
    window.windows.capture()
    monkeypatch.setattr(QMessageBox, "exec", lambda _: QMessageBox.StandardButton.Cancel)
    index = next(index for index, show in enumerate(statement("theorem-1").shows) if show.target == "lecture")
    open_paper(window, "theorem-1").card.buttons[index].click()
    assert len(window.windows.lecture_editor.lecture.scenes) == 1
    assert not window.windows.lecture_mode.is_active
