"""The presets are complete, and do what their explanations say."""

import re

import pytest

from gpviz import assets
from gpviz.engine.errors import GpvizError
from gpviz.engine.formula import parse
from gpviz.engine.search import RlsGp
from gpviz.engine.step import Step
from gpviz.engine.stuck import tree_state
from gpviz.engine.words import Function, Operation, Outcome, State, Verdict
from gpviz.presets import find_preset, load_presets

PRESETS = load_presets()
FIGURE = [preset for preset in PRESETS if preset.name.startswith("figure-1-")]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_has_a_title_and_two_sentences(preset):
    assert preset.title
    assert "\n" not in preset.explanation
    assert len(re.findall(r"\.(?:\s|$)", preset.explanation)) == 2


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_can_be_started(preset):
    start = parse(preset.start) if preset.start else None
    run = RlsGp(preset.config, start)
    assert run.step().iteration == 1


def test_presets_come_in_the_order_of_their_files_under_names_without_the_number(tmp_path, monkeypatch):
    folder = tmp_path / "presets"
    folder.mkdir()
    for name in ("10-later", "02-sooner"):
        (folder / f"{name}.toml").write_text('title = "t"\nexplanation = "e"\n[config]\nn = 4\n')
    monkeypatch.setattr(assets, "_PLACES", (tmp_path,))
    assert [preset.name for preset in load_presets()] == ["sooner", "later"]


def test_a_preset_is_found_by_its_name():
    assert find_preset("first-run") == PRESETS[0]


def test_an_unknown_preset_is_a_sentence_that_lists_the_known_ones():
    with pytest.raises(GpvizError, match=r"no preset 'frist-run'; there are first-run, .*third-tree\.$"):
        find_preset("frist-run")


def test_the_first_run_does_what_its_explanation_says():
    steps: list[Step] = []
    result = RlsGp(find_preset("first-run").config).run(on_step=steps.append)
    assert (result.outcome, result.iterations) == (Outcome.SOLVED, 99)
    ors = [
        step
        for step in steps
        if step.is_accepted and step.operation is Operation.INS and step.function is Function.OR
    ]
    assert [step.verdict for step in ors] == [Verdict.NEUTRAL] * 4
    assert result.ors == 0


@pytest.mark.parametrize(("preset", "leaves"), list(zip(FIGURE, (4, 7, 9), strict=True)))
def test_the_trees_of_the_figure_fill_their_limit_and_are_stuck(preset, leaves):
    start = parse(preset.start)
    assert start.leaves == preset.config.max_leaves == leaves
    assert tree_state(start, preset.config).state is State.STUCK


@pytest.mark.parametrize("preset", FIGURE, ids=lambda preset: preset.name)
def test_the_trees_of_the_figure_are_not_stuck_under_subtree_deletion(preset):
    config = preset.config.replaced(deletion="subtree")
    assert tree_state(parse(preset.start), config).way_out
