"""The step panel: what it says of an iteration, and that it never counts long."""

import pytest
from PySide6.QtCore import Qt

from gpviz.app.panels import step_panel
from gpviz.app.panels.step_panel import StepPanel
from gpviz.app.player.shown_moment import ShownMoment
from gpviz.engine import UNICODE, RlsGp, RunConfig, Verdict, parse, simplified
from gpviz.explain.step_text import tell
from gpviz.runs.history import History
from gpviz.runs.presets import find_preset
from tests.runs.runs import STUCK, history_of, recorded, steps_of

CONFIG = RunConfig(n=6, limit="7", seed=1)
SAMPLED = RunConfig(n=6, fitness="sampled", rows=20, seed=1)


@pytest.fixture
def panel(show):
    made = StepPanel()
    window = show(made)
    yield made
    window.close()


def show_step(panel, history, iteration, stuck_since=None):
    panel.show_moment(ShownMoment(history, iteration, stuck_since))


def value(panel, name):
    label = panel.values[name]
    return label.text() if not label.isHidden() else None


def test_an_iteration_is_told_in_words_and_numbers(panel):
    search, steps, history = recorded(CONFIG, 90)
    show_step(panel, history, 90)
    tree = search.tree
    assert tree is not None
    assert panel.title.text() == "Iteration 90"
    assert panel.telling.text() == tell(history, 90)
    assert panel.function.text() == simplified(tree, UNICODE)
    assert value(panel, "error") == f"{steps[-1].error} of 64 rows"
    assert value(panel, "true_error") is None
    assert value(panel, "leaves") == f"{tree.leaves} / 7"
    assert value(panel, "ors") == str(tree.ors)
    assert value(panel, "nodes") == str(tree.size)
    assert value(panel, "accepted") == f"{search.accepted} ({100 * search.accepted / 90:.0f} %)"
    assert value(panel, "improved") == str(search.improved)


def test_where_there_is_little_room_the_numbers_are_there_on_demand(panel):
    assert value(panel, "nodes") is not None
    assert panel.values["nodes"].isVisible()
    assert not panel.numbers_button.isVisible()
    panel.set_short(True)
    assert not panel.values["nodes"].isVisible()
    panel.numbers_button.click()
    assert panel.values["nodes"].isVisible()
    panel.numbers_button.click()
    assert not panel.values["nodes"].isVisible()
    panel.set_short(False)
    assert panel.values["nodes"].isVisible()


def test_every_iteration_shows_its_own_tree_and_verdict(panel):
    _, steps, history = recorded(CONFIG, 150)
    for step in [*steps, *reversed(steps)]:
        show_step(panel, history, step.iteration)
        assert panel.chip.words().endswith(step.verdict.replace("_", " "))
        assert value(panel, "ors") == str(step.ors)
        assert value(panel, "leaves") == f"{step.leaves} / 7"


def test_the_start_is_told(panel):
    _, _, history = recorded(CONFIG, 0)
    show_step(panel, history, 0)
    assert panel.telling.text() == "The start: the empty tree."
    assert panel.function.text() == "nothing: the tree is empty"
    assert panel.missing.text() == "missing: all variables"
    assert panel.chip.words() == "start"
    assert value(panel, "error") == "–"
    assert value(panel, "accepted") == "0"
    assert value(panel, "depth") == "0"


def test_a_sampled_run_shows_both_errors(panel):
    _, _, history = recorded(SAMPLED, 3, parse("x1 & x2"))
    show_step(panel, history, 0)
    assert panel._names["error"].text() == "sampled error"
    assert value(panel, "error") == "–"
    assert value(panel, "true_error") == "0.2344"
    show_step(panel, history, 2)
    assert str(value(panel, "error")).endswith(" of 20 rows")
    show_step(panel, recorded(CONFIG, 3)[2], 3)
    assert panel._names["error"].text() == "error"
    assert value(panel, "true_error") is None


def test_another_run_with_the_same_tree_has_its_own_numbers(panel):
    start = parse("x1 & x2")
    show_step(panel, History(RunConfig(n=3, limit="2"), start), 0)
    show_step(panel, History(RunConfig(n=4, limit="inf"), start), 0)
    assert value(panel, "leaves") == "2 / ∞"
    assert value(panel, "error") == "3 of 16 rows"
    assert panel.missing.text() == "missing: x₃, x₄"


def test_the_texts_can_be_selected(panel):
    for label in (panel.telling, panel.function, panel.values["error"]):
        assert label.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByMouse


def test_a_long_run_is_counted_between_frames_and_a_growing_one_on(panel, qtbot, monkeypatch):
    monkeypatch.setattr(step_panel, "_COUNTED_AT_ONCE", 30)
    steps = steps_of(CONFIG, 140)
    history = history_of(CONFIG, steps[:100])
    for length in (100, 40, 140):
        for step in steps[len(history) : length]:
            history.append(step)
        show_step(panel, history, length)
        assert (value(panel, "accepted") == "…") is (length != 40)
        qtbot.waitUntil(lambda: value(panel, "accepted") != "…")
        accepted = sum(step.is_accepted for step in steps[:length])
        assert value(panel, "accepted") == f"{accepted} ({100 * accepted / length:.0f} %)"
        improved = sum(step.verdict is Verdict.IMPROVED for step in steps[:length])
        assert value(panel, "improved") == str(improved)
    others = steps_of(SAMPLED, 25)
    show_step(panel, history_of(SAMPLED, others), 25)
    assert value(panel, "improved") == str(sum(step.verdict is Verdict.IMPROVED for step in others))


def test_an_outcome_that_is_hidden_is_not_told(panel):
    _, _, history = recorded(CONFIG, 90)
    before = {}
    for iteration in (19, 20):
        show_step(panel, history, iteration)
        before[iteration] = (
            panel.chip.words(),
            panel.telling.text(),
            value(panel, "accepted"),
            value(panel, "leaves"),
        )
    panel.set_outcome_hidden(True)
    assert panel.title.text() == "Iteration 20"
    assert not panel.chip.isVisible()
    assert panel.telling.text() == "The last phase shows how it ends."
    assert (value(panel, "accepted"), value(panel, "leaves")) == before[19][2:]
    panel.set_outcome_hidden(False)
    assert panel.chip.isVisible()
    shown = (panel.chip.words(), panel.telling.text(), value(panel, "accepted"), value(panel, "leaves"))
    assert shown == before[20]


def test_what_a_step_did_to_the_outlook_is_told_once_it_is_known_unless_its_end_is_hidden(panel):
    told = "This step raises the chance to end stuck from 21 % to 100 %."
    show_step(panel, recorded(CONFIG, 20)[2], 20)
    assert not panel.outlook.isVisible()
    panel.show_outlook(told)
    assert panel.outlook.isVisible()
    assert panel.outlook.text() == told
    panel.set_outcome_hidden(True)
    assert not panel.outlook.isVisible()
    panel.set_outcome_hidden(False)
    assert panel.outlook.isVisible()
    panel.show_outlook("")
    assert not panel.outlook.isVisible()


def test_the_limit_is_that_of_the_iteration_on_show(panel):
    config, start = STUCK
    history = recorded(config, 20, start)[2].beginning(20, config.replaced(limit="2n"))
    for iteration, limit in ((19, 4), (20, 8), (19, 4)):
        show_step(panel, history, iteration)
        assert value(panel, "leaves") == f"4 / {limit}"


def test_the_steps_of_a_script_are_told_with_their_probabilities(panel: StepPanel):
    preset = find_preset("theorem-1-played")
    search = RlsGp(preset.config, None, preset.script)
    history = History(preset.config, None, preset.script)
    history.extend([search.step() for _ in range(9)])
    show_step(panel, history, 2)
    assert panel.script.text().endswith("with probability 1/24 ≈ 0.0417; all 2 steps with 1/96 ≈ 0.0104.")
    assert panel.conclusion.isHidden()
    show_step(panel, history, 8, 8)
    words = panel.script.text()
    assert words.replace("\N{NO-BREAK SPACE}", " ").endswith("all 8 steps with 3.8 × 10⁻¹⁷.")
    assert " × " not in words  # a number stays on one line
    assert panel.conclusion.text().startswith("The product is positive, so E[T] is infinite: some runs")
    assert not panel.conclusion.isHidden()
    show_step(panel, history, 9, 8)
    assert panel.script.isHidden()
    assert panel.conclusion.isHidden()


def test_a_sampled_verdict_says_how_the_offspring_looks(panel):
    _, steps, history = recorded(CONFIG.replaced(fitness="sampled", rows=20), 60)
    show_step(panel, history, 1)
    assert panel.chip.words() == "▲ improved"  # a first leaf is compared with nothing
    worse = next(step.iteration for step in steps if step.verdict is Verdict.WORSE)
    show_step(panel, history, worse)
    assert panel.chip.words() == "▼ looks worse"
    assert panel.chip.accessibleName() == "Verdict: looks worse, rejected"
    _, steps, complete = recorded(CONFIG, 60)
    worse = next(step.iteration for step in steps if step.verdict is Verdict.WORSE)
    show_step(panel, complete, worse)
    assert panel.chip.words() == "▼ worse"
