"""The main window in its themes."""

import math

from gpviz.app.compare.window import CompareWindow
from gpviz.app.guide.window import GuideWindow
from gpviz.app.lecture.audience_window import AudienceWindow
from tests.app.main_windows import NEVER, let_go, open_window, press


def test_the_window_fits_the_screen_of_a_lecture_hall_in_the_largest_type(qtbot):
    window = open_window("projector", is_themed=True)
    least = window.minimumSizeHint()
    let_go(window)
    assert (least.width() <= 1280, least.height() <= 720) == (True, True)


def test_the_theme_can_be_changed_while_a_run_plays(own_window, qtbot):
    player, before = own_window.player, own_window.theme_manager.theme.name
    player.set_speed(math.inf)
    player.set_rules(NEVER)
    player.play()
    press("Ctrl+T")
    assert own_window.theme_manager.theme.name != before
    grown = len(player.run.history)
    qtbot.waitUntil(lambda: len(player.run.history) > grown)
    player.pause()


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
        assert windows.compare.theme is windows.experiments.results.runs.view.theme is manager.theme
    size = manager.theme.font_size
    press("Ctrl+]", windows.compare)
    assert manager.theme.font_size > size
    windows.show_guide()
    (guide,) = own_window.findChildren(GuideWindow)
    qtbot.waitUntil(guide.isActiveWindow)
    press("Ctrl+Q", guide)
    assert not own_window.isVisible()
