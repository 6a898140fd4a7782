"""The main window in its themes."""

import math

import pytest
from PySide6.QtCore import Qt

from gpviz.app.compare.window import CompareWindow
from gpviz.app.guide.window import GuideWindow
from gpviz.app.lecture.audience_window import AudienceWindow
from gpviz.app.pages.tree_state_proof import ProofPage
from gpviz.app.theme import load_theme
from gpviz.assets import THEME_NAMES
from tests.app.main_windows import NEVER, let_go, open_window, press


def test_type_grows_and_shrinks(own_window):
    window = own_window
    before = window.theme_manager.theme.font_size
    window.actions_by_name["larger_type"].trigger()
    assert window.theme_manager.theme.font_size > before
    window.actions_by_name["smaller_type"].trigger()
    assert window.theme_manager.theme.font_size == before


def test_the_window_fits_common_screens(qtbot, subtests):
    window = open_window(is_themed=True)
    for theme in THEME_NAMES:
        window.theme_manager.choose(theme)
        for size in ((1280, 720), (1920, 1080)):
            with subtests.test(theme, size=size):
                window.resize(*size)
                assert window.minimumSizeHint().width() <= 1280
                assert window.minimumSizeHint().height() <= 720
    let_go(window)


def test_the_themes_go_round_also_while_a_run_plays(own_window, qtbot):
    controller, seen = own_window.controller, [own_window.theme_manager.theme.name]
    controller.set_speed(math.inf)
    controller.set_rules(NEVER)
    controller.play()
    for _ in THEME_NAMES:
        press("Ctrl+T")
        seen.append(own_window.theme_manager.theme.name)
        grown = len(controller.history)
        qtbot.waitUntil(lambda grown=grown: len(controller.history) > grown)
    controller.pause()
    assert seen[0] == seen[-1]
    assert set(seen) == set(THEME_NAMES)


def test_the_proof_has_the_type_of_the_theme_from_the_first_look_on(qtbot, qapp):
    window = open_window("projector", is_themed=True)
    window.show_page("proof")
    page = window.views.page_tabs.page("proof")
    assert isinstance(page, ProofPage)
    table = page.table
    qtbot.waitUntil(lambda: len(table.rows) > 0)
    found = [proof_type(page)]
    window.theme_manager.choose("light")
    qapp.processEvents()
    found.append(proof_type(page))
    sizes = [load_theme("projector").font_size, load_theme("light").font_size]
    let_go(window)
    assert [is_bold for is_bold, _, _ in found] == [True, True]
    assert [size for _, size, _ in found] == pytest.approx([size * 1.05 for size in sizes])
    assert [size for _, _, size in found] == sizes


def proof_type(page: ProofPage) -> tuple[bool, float, float]:
    """Whether what is proven is bold, its size, and that of the table's heads."""
    claim = page.argument.claim.font()
    head = page.table.model().headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.FontRole)
    return claim.bold(), claim.pointSizeF(), 0.0 if head is None else head.pointSizeF()


def test_themes_motion_and_keys_of_the_program_reach_its_other_windows(own_window, qtbot, monkeypatch):
    windows, manager = own_window.windows, own_window.theme_manager
    reduced: list[str] = []
    for each in (CompareWindow, AudienceWindow):
        monkeypatch.setattr(each, "set_reduced_motion", lambda other, _: reduced.append(type(other).__name__))
    windows.show_compare()
    windows.show_experiments()
    windows.toggle_lecture()
    reduced.clear()
    own_window.actions_by_name["reduced_motion"].trigger()
    assert set(reduced) == {"CompareWindow", "AudienceWindow"}
    windows.lecture_mode.stop()
    for other in (windows.compare, windows.experiments):
        other.activateWindow()
        qtbot.waitUntil(other.isActiveWindow)
        before = manager.theme.name
        press("Ctrl+T", other)
        assert manager.theme.name != before
        assert windows.compare.theme is windows.experiments.results.runs.theme is manager.theme
    size = manager.theme.font_size
    press("Ctrl+]", windows.compare)
    assert manager.theme.font_size > size
    windows.show_guide()
    (guide,) = own_window.findChildren(GuideWindow)
    qtbot.waitUntil(guide.isActiveWindow)
    press("Ctrl+Q", guide)
    assert not own_window.isVisible()
