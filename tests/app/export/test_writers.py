"""What the writers are given."""

from pathlib import Path

import pytest

from gpviz.app.export import writers
from gpviz.app.export.writers import Subject, paint, studied, write
from gpviz.engine import RlsGp, RunConfig, parse
from gpviz.engine.tree_analysis import Analysis, analyse
from gpviz.export.request import ExportRequest, What
from gpviz.run.history import History
from tests.export.fake_writers import Calls, fake_writers
from tests.run.runs import run_with_changed_rules

STUCK = "(((x2 & x3) & x5) | (x2 & (x3 & x5))) & x1"


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    return fake_writers(monkeypatch)


def run_of(config: RunConfig, start: str | None = None) -> tuple[RlsGp, History]:
    tree = None if start is None else parse(start)
    search, history = RlsGp(config, tree), History(config, tree)
    for _ in range(5):
        history.append(search.step())
    return search, history


def request_of(what: What, name: str, **options: object) -> ExportRequest:
    return ExportRequest(what=what, path=Path(name), at=5, first=0, last=5, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("what", "name", "since"),
    [
        (What.PAGE, "a.html", 0),
        (What.CURVES, "a.svg", 0),
        (What.CURVES, "a.csv", None),
        (What.TREE, "a.png", None),
        (What.SLIDES, "a.tex", None),
        (What.LOG, "a.csv", None),
    ],
)
def test_since_when_the_tree_is_stuck_is_found_out_where_it_is_told(
    what: What, name: str, since: int | None
) -> None:
    search, history = run_of(RunConfig(n=5, limit="7", deletion="leaf"), STUCK)
    subject = studied(request_of(what, name), search, history)
    assert (subject.stuck_since, subject.generalisation) == (since, None)


@pytest.mark.parametrize(
    ("what", "name"), [(What.CURVES, "a.csv"), (What.CURVES, "a.png"), (What.PAGE, "a.html")]
)
def test_the_generalisation_error_is_found_out_for_curves_only(what: What, name: str) -> None:
    search, history = run_of(RunConfig(n=6, fitness="sampled", rows=8))
    subject = studied(request_of(what, name), search, history)
    assert (subject.generalisation is not None) == (what is What.CURVES)


def test_a_page_is_told_since_when_the_tree_is_stuck(calls: Calls, tmp_path: Path) -> None:
    _, history = run_of(RunConfig(n=4))
    write(request_of(What.PAGE, str(tmp_path / "a.html")), Subject(history=history, stuck_since=3))
    name, _, named = calls.only
    assert (name, named["stuck_since"]) == ("write_page", 3)


@pytest.mark.parametrize("is_bare", [False, True])
@pytest.mark.parametrize("suffix", ["png", "svg", "tex"])
def test_a_bare_tree_is_asked_for_as_one(
    calls: Calls, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, is_bare: bool
) -> None:
    _, history = run_of(RunConfig(n=4))
    looked_at: list[int] = []

    def analysis(_: History, at: int) -> Analysis | None:
        looked_at.append(at)
        return None

    monkeypatch.setattr(writers, "_analysis", analysis)
    request = request_of(What.TREE, str(tmp_path / f"a.{suffix}"), is_bare=is_bare)
    write(request, Subject(history=history))
    assert calls.only[2]["is_bare"] is is_bare
    assert looked_at == ([5] if suffix == "tex" and not is_bare else [])
    calls.made.clear()
    paint(request, Subject(history=history))
    assert calls.only[2]["is_bare"] is is_bare


def test_what_is_known_of_another_tree_is_not_told_of_this_one(calls: Calls, tmp_path: Path) -> None:
    _, history = run_of(RunConfig(n=5, limit="7", deletion="leaf"), STUCK)
    other = analyse(parse("x1"), history.config)
    write(request_of(What.TREE, str(tmp_path / "a.tex")), Subject(history=history, analysis=other))
    ((_, _, named),) = calls.made
    assert named["analysis"].tree is history.tree_at(5)


@pytest.mark.parametrize("suffix", ["tex", "svg"])
def test_what_is_known_under_other_rules_is_not_told_of_this_iteration(tmp_path: Path, suffix: str) -> None:
    history = run_with_changed_rules()
    paths = []
    for name, known in (("after", analyse(history.tree_at(200), history.rules_after(200))), ("none", None)):
        path = tmp_path / f"{name}.{suffix}"
        request = ExportRequest(what=What.TREE, path=path, at=199, first=0, last=200)
        write(request, Subject(history=history, analysis=known))
        paths.append(path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
