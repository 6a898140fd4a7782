"""What an export is asked for: the limits, how it is told what is wrong, and which iterations."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpviz.analysis.redundant_leaves import analyse
from gpviz.engine import RunConfig, TooComplexError, parse
from gpviz.engine.errors import GpvizError
from gpviz.export import request as module
from gpviz.export.registry import KINDS
from gpviz.export.request import (
    FLAGS,
    OPTIONS,
    Every,
    Subject,
    check_request,
    check_steps,
    iterations_of,
)
from gpviz.runs.history import History
from tests.export.requests import request_of
from tests.runs.runs import recorded, recorded_runs, run_with_changed_rules

REQUEST = request_of("film", "a.mp4", 10)
WRITTEN = [(kind, form) for kind in KINDS for form in kind.formats]


@pytest.fixture(scope="module")
def history() -> History:
    return recorded(RunConfig(n=4, seed=1), 600)[2]


@pytest.mark.parametrize(("kind", "form"), WRITTEN)
def test_the_usual_request_is_allowed(kind, form):
    check_request(replace(REQUEST, kind=kind, path=Path(f"a.{form.ending}")), 10)


def test_a_sentence_names_the_field_as_whoever_asked_calls_it():
    names = {**FLAGS, "range": "Iterations"}
    with pytest.raises(GpvizError, match=r"^Iterations: '0:10' is not allowed; it must be within 0:9"):
        check_request(REQUEST, 9, names)


@pytest.mark.parametrize(
    "change",
    [
        {"theme": "pink"},
        {"width": 319},
        {"width": -5},
        {"width": 10**6},
        {"height": 179},
        {"height": 4321},
        {"width": 1281},
        {"height": 721},
        {"pace": float("inf")},
        {"pace": float("nan")},
        {"pace": 0},
        {"pace": -1.0},
        {"pace": 31},
        {"path": Path("a.png")},
        {"first": -1},
        {"first": 11},
        {"last": 11},
        {"first": 5, "last": 4},
    ],
)
def test_what_cannot_be_is_refused(change):
    with pytest.raises(GpvizError):
        check_request(replace(REQUEST, **change), 10)


@pytest.mark.parametrize("scale", [0, -1, float("nan"), float("inf"), 100])
def test_a_scale_nobody_can_want_is_refused_as_one(scale):
    with pytest.raises(GpvizError, match=r"^--scale: .* a number from 0.25 to 8"):
        check_request(request_of("tree", "a.png", 10, scale=scale), 10)


def test_a_picture_that_is_too_large_in_all_is_refused():
    check_request(request_of("tree", "a.png", 10, width=7680, height=4320, scale=1.38), 10)
    with pytest.raises(
        GpvizError, match=r"^--size: '7680x4320' times 1.39 is too large; a picture may have 64"
    ):
        check_request(request_of("tree", "a.png", 10, width=7680, height=4320, scale=1.39), 10)


@pytest.mark.parametrize("at", [-1, 11, 10**9])
def test_an_iteration_the_run_does_not_have_is_refused(at):
    with pytest.raises(GpvizError, match=r"^--at: .* from 0 to 10, the iterations of the run"):
        check_request(request_of("table", "a.png", 10, at=at), 10)


@pytest.mark.parametrize("option", OPTIONS.values(), ids=list(OPTIONS))
def test_what_an_option_writes_it_reads(option):
    request = request_of(
        "tree", "a.png", 10, at=3, first=2, last=7, every=Every.ACCEPTED, theme="dark", width=640, height=480,
        scale=2.5, pace=0.5, title="A title", is_fragment=True, is_bare=True, has_formulas=True,
        has_theory=True,
    )  # fmt: skip
    value = option.value(request)
    assert (value is True) == (not option.metavar)
    fields = option.read("" if value is True else str(value))
    assert fields
    assert replace(request, **fields) == request


def test_the_improvements_alone_cannot_be_thinned_out(history, monkeypatch):
    monkeypatch.setattr("gpviz.export.request.iterations_of", lambda *_: range(501))
    request = request_of("slides", "a.tex", history, every=Every.IMPROVED)
    with pytest.raises(
        GpvizError, match=r"has 501 steps, and the slides can have 500; choose a shorter range\.$"
    ):
        check_steps(request, history)


def test_more_steps_than_anybody_looks_at_are_refused(history):
    check_steps(request_of("slides", "a.tex", history, last=499), history)
    with pytest.raises(
        GpvizError, match=r"^--range: 0:500 has 501 steps, and the slides can have 500; choose"
    ):
        check_steps(request_of("slides", "a.tex", history, last=500), history)
    check_steps(request_of("tree", "a.png", history), history)


@pytest.mark.parametrize(
    ("name", "pace", "sentence"),
    [
        ("a.mp4", 0.3, "too many for the longest film, 30 minutes; choose a shorter range, or"),
        (
            "a.gif",
            1.0,
            "too many for the longest film, 5 minutes; choose a shorter range, or fewer",
        ),
        ("a.gif", 1.0, "or fewer of its steps (--every), or a higher --pace."),
    ],
)
def test_a_film_nobody_would_watch_is_refused_with_ways_out(history, name, pace, sentence):
    with pytest.raises(GpvizError, match=re.escape(sentence)):
        check_steps(request_of("film", name, history, pace=pace), history)


@settings(max_examples=25)
@given(recorded_runs(max_iterations=60), st.data())
def test_the_iterations_of_a_range_are_the_first_and_those_wanted(run, data):
    _, steps, history = run
    first = data.draw(st.integers(0, len(history)))
    last = data.draw(st.integers(first, len(history)))
    for every in Every:
        request = request_of("film", "a.mp4", history, first=first, last=last, every=every)
        found = iterations_of(request, history)
        wanted = [
            step.iteration
            for step in steps[first:last]
            if every is Every.ALL
            or (every is Every.IMPROVED and step.verdict.value == "improved")
            or (every is Every.ACCEPTED and step.is_accepted)
            or (
                every is Every.CHANGED
                and history.tree_at(step.iteration) != history.tree_at(step.iteration - 1)
            )
        ]
        assert list(found) == [first, *wanted]


def test_what_is_known_of_another_tree_or_under_other_rules_is_found_out_anew():
    history = run_with_changed_rules()
    known = analyse(history.tree_at(200), history.rules_after(200))
    subject = Subject(history=history, analysis=known)
    assert subject.analysis_at(200) is known
    assert history.tree_at(199) is history.tree_at(200)
    found = subject.analysis_at(199)
    assert found is not None
    assert found.is_of(history.tree_at(199), history.rules_after(199))
    other = Subject(history=history, analysis=analyse(parse("x1"), history.config)).analysis_at(200)
    assert other is not None
    assert other.tree is history.tree_at(200)


def test_of_a_tree_too_tangled_to_count_nothing_is_known(history, monkeypatch):
    def too_complex(*_):
        raise TooComplexError("No.")

    monkeypatch.setattr(module, "analyse", too_complex)
    assert Subject(history=history).analysis_at(5) is None
