"""What an export is asked for: the usual things, the limits, and which iterations."""

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpviz.engine.errors import GpvizError
from gpviz.export import slides, web_page
from gpviz.export.request import (
    FORMATS,
    MOST_STEPS,
    OPTIONS,
    Every,
    ExportRequest,
    What,
    check_request,
    check_steps,
    iterations_of,
    number_of_iterations,
    options_for,
    seconds_of_film,
    what_for,
)
from tests.run.runs import recorded_runs

REQUEST = ExportRequest(what=What.FILM, path=Path("a.mp4"), at=0, first=0, last=10)


@pytest.mark.parametrize("what", list(What))
def test_the_usual_name_of_a_thing_means_it(what):
    path = Path(f"a.{FORMATS[what][0].upper()}")
    expected = what if what not in (What.CURVES, What.TABLE) else What.TREE
    assert what_for(path, is_range=what is What.SLIDES) is expected


@pytest.mark.parametrize("what", list(What))
def test_every_export_is_of_an_iteration_or_a_range(what):
    for suffix in FORMATS[what]:
        used = options_for(what, suffix)
        assert ("at" in used) != ("range" in used)
        assert used <= set(OPTIONS)


@pytest.mark.parametrize("what", list(What))
def test_the_usual_request_is_allowed(what):
    for suffix in FORMATS[what]:
        check_request(replace(REQUEST, what=what, path=Path(f"a.{suffix}")), 10)


def test_a_sentence_names_the_field_as_whoever_asked_calls_it():
    names = {**OPTIONS, "range": "Iterations"}
    with pytest.raises(GpvizError, match=r"^Iterations: '0:10' is not allowed; it must be within 0:9"):
        check_request(REQUEST, 9, names)


def test_what_is_of_no_use_is_not_looked_at():
    check_request(replace(REQUEST, what=What.LOG, path=Path("a.csv"), width=1, scale=-1, theme="?"), 10)


@pytest.mark.parametrize(
    "change",
    [
        {"theme": "pink"},
        {"width": 319},
        {"height": 4321},
        {"width": 1281},
        {"pace": float("inf")},
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


def test_a_gif_may_be_odd():
    check_request(replace(REQUEST, path=Path("a.gif"), width=1281), 10)


def test_the_last_step_of_a_film_stays():
    assert seconds_of_film(replace(REQUEST, pace=2.0), 10) == 7.0


def test_the_improvements_alone_cannot_be_thinned_out():
    request = replace(REQUEST, what=What.SLIDES, path=Path("a.tex"), every=Every.IMPROVED)
    with pytest.raises(GpvizError, match=r"choose a shorter range\.$"):
        check_steps(request, 501)
    check_steps(request, 500)


def test_the_limits_are_those_of_the_writers():
    assert MOST_STEPS[What.SLIDES] == slides.MOST_FRAMES
    assert MOST_STEPS[What.PAGE] == web_page.MOST_ITERATIONS + 1


@settings(max_examples=25)
@given(recorded_runs(max_iterations=60), st.data())
def test_the_iterations_of_a_range_are_the_first_and_those_wanted(run, data):
    _, steps, history = run
    first = data.draw(st.integers(0, len(history)))
    last = data.draw(st.integers(first, len(history)))
    for every in Every:
        found = iterations_of(history, first, last, every)
        assert len(found) == number_of_iterations(history, first, last, every)
        wanted = [
            step.iteration
            for step in steps[first:last]
            if every is Every.ALL
            or (every is Every.IMPROVED and step.verdict.value == "improved")
            or (
                every is Every.ACCEPTED
                and history.tree_at(step.iteration) != history.tree_at(step.iteration - 1)
            )
        ]
        assert found == [first, *wanted]
