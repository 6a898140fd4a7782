"""The statements of the paper as data: whole, in order, checked, and with targets that exist."""

import re
import shlex
from math import comb, log2

import pytest

from gpviz.analysis.neighbourhood import chance_of_growing_error
from gpviz.app.actions import MAIN, action_specs
from gpviz.cli import parse_arguments
from gpviz.engine import GpvizError
from gpviz.engine.search import RlsGp
from gpviz.experiments.figures.chart_kinds import CHARTS, ChartKind
from gpviz.experiments.plan import shipped_plans
from gpviz.experiments.statistics.growth import bounds_crossing, paper_bounds
from gpviz.explain.mutation_script_text import ScriptOdds, probability_text
from gpviz.guide_pages import load_pages
from gpviz.lecture.lecture import load_lecture, shipped_lectures
from gpviz.page_list import page_info
from gpviz.paper_statements import SECTIONS, find_statements, load_statements, statement
from gpviz.runs.history import History
from gpviz.runs.presets import load_comparisons, load_presets

IN_ORDER = [
    *("algorithm-1", "theorem-1", "algorithm-2", "lemma-sampled-error"),
    *("theorem-lower-bound", "theorem-drift", "lemma-not-full", "theorem-complete"),
    *("theorem-sampling", "lemma-no-pitfall-time", "lemma-pitfalls", "lemma-early-stop", "corollary-runs"),
    *("table-1", "figure-1", "table-2", "figure-2", "figure-3"),
]
PRESETS = {preset.name: preset for preset in load_presets()}
COMPARISONS = {comparison.name for comparison in load_comparisons()}
PLANS = {plan.name: plan for plan in shipped_plans()}
LECTURES = {lecture.name: load_lecture(lecture.path) for lecture in shipped_lectures()}
PAGES = {page.name: page for page in load_pages()}
SHOWS = [(each, show) for each in load_statements() for show in each.shows]


def test_every_statement_of_the_paper_is_there_in_its_order():
    assert [each.id for each in load_statements()] == IN_ORDER
    sections = [each.section for each in load_statements()]
    assert sections == sorted(sections)
    assert set(sections) <= set(SECTIONS)


@pytest.mark.parametrize("each", load_statements(), ids=IN_ORDER)
def test_its_texts_are_lines_and_it_shows_something(each):
    texts = (each.id, each.title, each.text, each.assumptions, each.reality, each.measured_by)
    assert all(text and text.isprintable() and text == text.strip() for text in texts)
    assert each.shows


def test_a_statement_is_found_by_its_id():
    assert statement("theorem-1").heading == "Theorem 1: With leaf deletion the expected time is infinite"
    assert statement("lemma-not-full").name == "Lemma"
    with pytest.raises(GpvizError, match=r"There is no statement 'theorem-9'; choose one of algorithm-1,"):
        statement("theorem-9")


def test_statements_are_found_by_words():
    assert [each.id for each in find_statements("FIGURE three trees")] == ["figure-1"]
    assert find_statements("") == list(load_statements())
    assert find_statements("no such words") == []


@pytest.mark.parametrize(("each", "show"), SHOWS, ids=[f"{each.id}: {show.label}" for each, show in SHOWS])
def test_what_a_statement_shows_exists(each, show):
    match show.target:
        case "preset":
            assert not show.page or page_info(show.page).title
            claims = PRESETS[show.name].claims
            end = claims.iterations if claims.stuck_since is None else None  # a stuck run goes on for ever
            assert end is None or (show.iteration or 0) <= end
            switches = {spec.name for spec in action_specs(MAIN) if spec.is_checkable}
            assert set(show.switches) <= switches
        case "comparison":
            assert show.name in COMPARISONS
        case "plan":
            assert CHARTS[ChartKind(show.chart)].problem(PLANS[show.name]) == ""
        case "lecture":
            assert (show.scene or 1) <= len(LECTURES[show.name].scenes)
        case _:
            name, _, slug = show.name.partition("#")
            assert not slug or slug in [section.slug for section in PAGES[name].sections]


@pytest.mark.parametrize("each", load_statements(), ids=IN_ORDER)
def test_the_commands_that_measure_can_be_typed(each):
    for command in re.findall(r"gpviz [^,;:]+", each.measured_by):
        parse_arguments(shlex.split(command)[1:])


def test_what_can_be_computed_of_the_numbers_is_true():
    """The others were measured; `measured_by` says how."""
    lower, upper, _ = ({n: paper_bounds(n, 2 * n)[place].value for n in (16, 128)} for place in range(3))
    said = {each.id: each.reality for each in load_statements()}
    for n, mean in ((16, 232), (128, 2_528)):
        assert f"{mean:,} iterations against {lower[n]:,.0f}" in said["theorem-lower-bound"]
        assert f"{mean / lower[n]:.1f} times" in said["theorem-lower-bound"]
        thousands = f"{round(upper[n] / mean / 1000)},000 times fewer"
        assert thousands in said["theorem-complete"]
    assert f"is {upper[16]:,.0f} iterations" in said["lemma-not-full"]
    assert f"from n = {bounds_crossing()} on" in said["theorem-drift"]
    played = PRESETS["theorem-1-played"]
    search = RlsGp(played.config, played.start_tree, played.script)
    history = History(played.config, played.start_tree, played.script)
    history.extend([search.step() for _ in played.script])
    product = ScriptOdds(history).at(len(played.script))[1]
    assert product is not None
    assert f"probability {probability_text(product)} for n = 4 and ℓ = 8" in said["theorem-1"]
    sampled = PRESETS["sampled-to-zero"]
    search = RlsGp(sampled.config)
    chances = {}
    for iteration in range(1, 85):
        search.step()
        if iteration in (61, 84):
            chances[iteration] = float(chance_of_growing_error(search.tree, sampled.config))
    expected = f"{chances[61]:.2%} in iteration 61 and {chances[84]:.0%} in iteration 84".replace("%", " %")
    assert expected in said["lemma-early-stop"]
    eight, ten = ((2.0 ** (50 - variables) - 1) / 2.0**50 for variables in (8, 10))
    many = 1 - sum(comb(2000, wrong) * eight**wrong * (1 - eight) ** (2000 - wrong) for wrong in range(16))
    assert f"has F s = {2000 * eight:.1f}; a sample shows twice that or more" in said["lemma-sampled-error"]
    expected = f"with probability {many:.1%}, and no error at all with probability {(1 - eight) ** 2000:.2%}"
    assert expected.replace("%", " %") in said["lemma-sampled-error"]
    expected = f"F s = {2000 * ten:.1f}, and {(1 - ten) ** 2000:.0%} of the samples"
    assert expected.replace("%", " %") in said["lemma-sampled-error"]
    shares = ", ".join(f"{log2(n) ** 2 / n:.2f}".removeprefix("0") for n in (16, 64, 256, 512))
    assert f"lg² n / n is {shares}" in said["lemma-pitfalls"]
