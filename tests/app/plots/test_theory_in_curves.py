"""The curves show what the paper proves: the stages of the drift theorem, full trees, and why to stop early."""

from itertools import pairwise
from math import log2

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainter, QPicture

from gpviz.analysis.drift_bounds import stage_bounds, stage_of
from gpviz.analysis.neighbourhood import chance_of_growing_error
from gpviz.app.plots.curves import CurvesView
from gpviz.app.question import Question
from gpviz.app.theme import load_theme
from gpviz.engine import RlsGp, RunConfig
from gpviz.engine.tree import variables_of
from gpviz.runs.growing_error_chance import GrowingErrorChances
from gpviz.runs.history import History
from gpviz.runs.replay import generalisation_of
from tests.app.plots.runs import SAMPLED, grow, recorded
from tests.app.plots.test_curves import settle
from tests.patience import PATIENCE_MS

N_64 = RunConfig(n=64, seed=2)
EARLY = RunConfig(n=50, limit="inf", fitness="sampled", rows=2000, accept_error=8, seed=7)

# The screenless platform knows no size hints of windows.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", extend=True)


@pytest.fixture
def view(qtbot):
    view = CurvesView()
    qtbot.addWidget(view)
    view.resize(900, 400)
    view.show()
    yield view
    view.shut_down()


def show(view: CurvesView, history, *, is_theory_shown: bool = True) -> None:
    view.set_theory_shown(is_theory_shown)
    view.show_history(history)
    settle(view)


def chances_in(view: CurvesView) -> GrowingErrorChances:
    assert view._series is not None
    return view._series.chances


def is_asking(view: CurvesView) -> bool:
    question = view.findChild(Question)
    assert question is not None
    return question.is_busy


def await_chances(view: CurvesView, qtbot) -> None:
    """Wait until all are known, and drawn."""
    qtbot.waitUntil(
        lambda: len(chances_in(view).chances) > 0 and not is_asking(view) and not view._is_stale,
        timeout=PATIENCE_MS,
    )


def show_early(view: CurvesView, qtbot, iterations: int = 61) -> History:
    """A sampled run with its generalisation error, and all that explains why it stops early."""
    history = recorded(EARLY, iterations)
    view.set_theory_shown(True)
    view.show_history(history)
    shares = generalisation_of(RlsGp(EARLY), history)
    view.show_generalisation(shares.iterations, shares.shares)
    await_chances(view, qtbot)
    settle(view)
    return history


def stage_counts(history, last: int) -> list[str]:
    """How many of the first iterations began in each stage, the largest errors first."""
    counts = [0] * len(stage_bounds(history.config.n))
    for iteration in range(1, last + 1):
        error = history.step_at(iteration).parent_error
        if error:
            counts[stage_of(error, history.config.n)] += 1
    return [f"{count:,}" for count in reversed(counts)]


def specs_of(axis):
    """Where the axis writes what."""
    picture = QPicture()
    with QPainter(picture) as painter:
        return axis.generateDrawSpecs(painter)[2]


def entries(view: CurvesView) -> list[str]:
    return [entry.text for entry in view.legend.entries]


def test_lines_at_the_bounds_of_the_stages_have_labels_and_iterations_beside_them(view):
    history = recorded(N_64, 600)
    show(view, history)
    labels = view.area.top.right.labels()
    assert labels == ["goal 0", "n⁸", "n⁴", "n²", "n", *stage_counts(history, 600)]
    heights = sorted(set(view.items.stage_lines.getData()[1].tolist()))
    assert heights == [view._scale.place(float(64**power)) for power in (1, 2, 4, 8)]
    assert any("stages" in text for text in entries(view))
    assert "600 iterations" in view.legend.accessibleDescription()


def test_the_stages_are_seen_only_when_they_are_asked_for_and_never_on_samples(view):
    show(view, recorded(N_64, 100), is_theory_shown=False)
    assert view.area.top.right.labels() == ["goal 0"]
    assert not view.items.stage_lines.isVisible()
    show(view, recorded(SAMPLED, 100))
    assert not view.items.stage_lines.isVisible()
    assert not any("stages" in text for text in entries(view))


def test_the_words_under_the_mouse_tell_the_stage_and_a_full_parent(view):
    show(view, recorded(RunConfig(n=12, limit="n", seed=2), 300))
    view._on_hovered(3)
    assert view._readout.text.endswith(" · stage from n² on")
    view._on_hovered(300)
    assert " · parent full" in view._readout.text
    view.set_theory_shown(False)
    view._on_hovered(3)
    assert "stage" not in view._readout.text


def test_while_the_rest_is_to_be_guessed_iterations_up_to_the_cursor_are_counted(view):
    history = recorded(N_64, 400)
    view.set_ahead_hidden(True)
    show(view, history)
    view.show_cursor(300)
    settle(view)
    assert view.area.top.right.labels()[-5:] == stage_counts(history, 300)


def test_a_picture_of_a_part_counts_the_iterations_of_that_part(view):
    history = recorded(N_64, 400)
    show(view, history)
    view.show_as_picture(100, 300)
    early, late = ([int(text) for text in stage_counts(history, last)] for last in (100, 300))
    expected = [f"{after - before}" for before, after in zip(early, late, strict=True)]
    assert view.area.top.right.labels()[-5:] == expected


def test_the_legend_has_as_many_rows_as_it_needs(view, qtbot):
    view.resize(500, 320)
    show_early(view, qtbot)
    row, area = view.legend.minimumSizeHint().height(), view.area.height()
    assert view.legend.height() > 2 * row
    view.resize(2400, 320)
    settle(view)
    assert view.legend.height() < 2 * row
    assert view.area.height() > area


@pytest.mark.parametrize("is_log", [True, False])
@pytest.mark.parametrize("height", [130, 200, 400])
def test_no_label_beside_the_error_overlaps_another(view, height, is_log):
    view.resize(1400 if height == 130 else 700, height)
    view.set_theme(load_theme("projector"))
    view.set_log_scale(is_log)
    show(view, recorded(N_64, 300))
    view.set_log_scale(is_log)
    settle(view)
    axis = view.area.top.right
    texts = [rect for rect, _, _ in specs_of(axis)]
    assert len(texts) >= 1
    line = axis._metrics().height()
    for column in {rect.left() for rect in texts}:
        middles = sorted(rect.center().y() for rect in texts if rect.left() == column)
        assert all(later - earlier >= line - 1 for earlier, later in pairwise(middles))
    assert max(rect.right() for rect in texts) <= axis.size().width() + 1


def test_stretches_with_full_parents_are_shaded_and_hatched(view):
    history = recorded(RunConfig(n=8, limit="n", seed=2), 300)
    show(view, history, is_theory_shown=False)
    shades = view.items.full[0].shades.pieces
    first = history.changes().iterations[history.changes().leaves == 8][0]
    width = 300 / view.area.columns
    assert shades[0].start == pytest.approx(first, abs=width)
    assert shades[-1].end == 300
    assert view.items.full[1].shades.pieces == shades
    assert "full" in entries(view)
    assert "as many leaves as the limit allows" in view.legend.accessibleDescription()


def test_a_run_without_a_limit_has_nothing_shaded(view):
    show(view, recorded(RunConfig(n=8, limit="inf", seed=2), 200))
    assert not view.items.full[0].shades.pieces
    assert "full" not in entries(view)


def test_distinct_variables_are_a_curve_with_a_line_where_all_are_in_the_tree(view):
    history = recorded(N_64, 300)
    show(view, history, is_theory_shown=False)
    x, y = view.items.distinct.getData()
    assert (x[-1], y[-1]) == (300, variables_of(history.tree_at(300)).bit_count())
    assert view.items.all_variables.value() == 64
    assert "n = 64" in view.area.low.right.labels()
    assert "variables" in entries(view)
    assert "distinct variables" in view.accessibleDescription()
    view._on_hovered(300)
    assert f" · {y[-1]:.0f} of 64 variables · " in view._readout.text


def test_lines_far_above_the_leaves_are_not_drawn(view):
    show(view, recorded(RunConfig(n=50, limit="2n", seed=1), 8))
    assert not view.items.all_variables.isVisible()
    assert not view.items.limit.isVisible()
    assert view.area.low.right.labels() == []
    show(view, recorded(RunConfig(n=8, limit="n+1", seed=1), 60))
    assert view.items.all_variables.isVisible()
    assert view.items.limit.isVisible()


def test_a_limit_of_n_leaves_keeps_its_label_where_n_has_no_room(view):
    show(view, recorded(RunConfig(n=8, limit="n", seed=2), 50))
    assert view.area.low.right.labels() == ["limit 8"]


def test_the_button_shows_the_theory(view):
    show(view, recorded(N_64, 100), is_theory_shown=False)
    view.theory_button.click()
    settle(view)
    assert view.items.stage_lines.isVisible()


def test_a_sampled_run_has_a_band_around_what_is_expected_and_a_line_at_s_over_n(view, qtbot):
    show_early(view, qtbot)
    x, top = view.items.expected.getData()
    _, means = view.items.generalisation.getData()
    for place, mean in zip(top.tolist(), (2**means - 1).tolist(), strict=True):
        assert 2**place - 1 == pytest.approx(mean + max(mean, log2(50)))
    assert len(x) > 10
    assert view.items.expected.opts["fillLevel"] == 0
    assert view.items.early_line.value() == view._scale.place(40)
    assert view.area.top.right.labels() == ["goal 8", "s / n = 40"]
    told = view.legend.accessibleDescription()
    assert "here c = 1 and c lg n = 5.64" in told
    assert "A = 8" in told


def test_the_chance_of_a_worse_tree_is_a_plot_of_its_own(view, qtbot):
    history = show_early(view, qtbot)
    x, y = view.items.chance.getData()
    assert x[-1] == 61
    chance = chance_of_growing_error(history.tree_at(61), EARLY)
    assert 10 ** y[-1] == pytest.approx(chance)
    assert y[0] == -10  # and not minus infinity
    assert view.area.chance.right.labels() == [f"{100 * chance:.2g} %"]
    boxes = [plot.box.sceneBoundingRect() for plot in view.area.plots]
    assert all(later.top() > earlier.bottom() for earlier, later in pairwise(boxes))
    view._on_hovered(61)
    assert view._readout.text.endswith(f" · chance of accepting a truly worse tree {100 * chance:.2g} %")


def test_without_the_theory_nothing_is_worked_out_and_the_plot_takes_no_room(view, qtbot):
    show_early(view, qtbot)
    view.set_theory_shown(False)
    settle(view)
    assert view.area.chance.box.sceneBoundingRect().height() < 2
    assert not view.items.expected.isVisible()
    assert view.area.top.right.labels() == ["goal 8"]
    show(view, recorded(N_64, 50))
    assert view.area.chance.box.sceneBoundingRect().height() < 2
    assert not is_asking(view)


def test_hidden_curves_work_nothing_out_and_go_on_when_they_are_seen_again(view, qtbot):
    view.show_history(show_early(view, qtbot))  # which forgets all that is known
    qtbot.waitUntil(lambda: is_asking(view))
    view.hide()
    assert not is_asking(view)
    view.show()
    await_chances(view, qtbot)


def test_on_samples_an_improvement_only_looks_better(view):
    show(view, recorded(SAMPLED, 100), is_theory_shown=False)
    assert "looks better" in entries(view)
    assert not any("improved" in text for text in entries(view))


@pytest.mark.parametrize("size", [(900, 400), (1200, 150), (420, 300)])
def test_a_picture_of_a_sampled_run_has_all_of_it(view, qtbot, size):
    view.resize(*size)
    history = recorded(EARLY, 61)
    view.set_theory_shown(True)
    view.show_history(history)
    shares = generalisation_of(RlsGp(EARLY), history)
    view.show_generalisation(shares.iterations, shares.shares)
    view.show_as_picture(0, 61)
    assert chances_in(view).iterations.tolist() == history.changes().iterations.tolist()
    assert all(plot.box.sceneBoundingRect().height() > 20 for plot in view.area.plots)


def test_a_click_chooses_the_iteration_in_every_plot(view, qtbot):
    view.resize(1200, 150)
    show_early(view, qtbot)
    for plot in view.area.plots:
        place = plot.box.mapViewToScene(QPointF(40, sum(plot.box.viewRange()[1]) / 2))
        assert view.area.iteration_under(QPointF(view.area.mapFromScene(place))) == pytest.approx(40, abs=0.3)


def test_a_run_that_grows_fast_is_looked_at_when_it_stands(view, qtbot):
    history = show_early(view, qtbot)
    grow(history, 60)
    view.refresh()
    settle(view)
    assert is_asking(view)
    assert len(chances_in(view).iterations) < len(history.changes().iterations)
    qtbot.waitUntil(
        lambda: chances_in(view).iterations.tolist() == history.changes().iterations.tolist(),
        timeout=PATIENCE_MS,
    )
