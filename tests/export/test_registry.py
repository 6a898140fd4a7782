"""The exports there are, and what their writers are given."""

import re
from pathlib import Path

import pytest

from gpviz import assets
from gpviz.analysis.redundant_leaves import analyse
from gpviz.engine import GpvizError, RlsGp, RunConfig, parse
from gpviz.export.registry import KINDS, kind_for, kind_named, studied
from gpviz.export.request import HEIGHTS, OPTIONS, PACES, SCALES, WIDTHS, Subject, loaded
from gpviz.runs.history import History
from tests.export.fake_writers import Calls, fake_writers
from tests.export.requests import export, request_of
from tests.runs.runs import recorded, run_with_changed_rules

STUCK = "(((x2 & x3) & x5) | (x2 & (x3 & x5))) & x1"
WRITTEN = [(kind, form) for kind in KINDS for form in kind.formats]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    return fake_writers(monkeypatch)


def run_of(config: RunConfig, start: str | None = None) -> tuple[RlsGp, History]:
    tree = None if start is None else parse(start)
    search, history = RlsGp(config, tree), History(config, tree)
    for _ in range(5):
        history.append(search.step())
    return search, history


# --- the list ---


@pytest.mark.parametrize(("kind", "form"), WRITTEN)
def test_every_format_has_a_writer_and_is_of_an_iteration_or_a_range(kind, form):
    assert callable(loaded(form.writer))
    assert form.options & {"at", "range"}
    assert kind.name == "outlook" or not form.options >= {"at", "range"}
    assert form.options <= set(OPTIONS)
    assert form.is_painted == form.writer.startswith("gpviz.app.")


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_has_a_sign_and_its_endings_are_its_own(kind):
    assert (assets.folder("icons") / f"{kind.icon}.svg").is_file()
    assert set(kind.usual_for) <= set(kind.by_ending)
    assert len(kind.by_ending) == len(kind.formats)
    assert not kind.picture or callable(loaded(kind.picture))
    assert kind_named(kind.name) is kind


@pytest.mark.parametrize("kind", KINDS)
def test_the_usual_name_of_a_thing_means_it(kind):
    path = Path(f"a.{kind.formats[0].ending.upper()}")
    others = {"curves": "tree", "table": "tree", "outlook": "tree"}
    expected = others.get(kind.name, kind.name)
    assert kind_for(path, is_range=kind.name == "slides").name == expected


@pytest.mark.parametrize("name", ["a", "a.doc", ".png"])
def test_a_name_that_says_nothing_is_a_sentence(name):
    with pytest.raises(GpvizError, match=r"a file that ends in one of \.png, \.svg, \.pdf, \.tex, \.mp4"):
        kind_for(Path(name))


# --- the guide ---

GUIDE_WORDS = {
    "PNG": ("png",),
    "SVG": ("svg",),
    "PDF": ("pdf",),
    "TikZ": ("tex",),
    "Beamer": ("tex",),
    "CSV": ("csv",),
    "MP4": ("mp4",),
    "GIF": ("gif",),
    "HTML": ("html",),
    "JSON lines": ("jsonl",),
    "a picture": ("png", "svg", "pdf"),
}


@pytest.fixture(scope="module")
def guide() -> str:
    return (assets.folder("guide") / "exporting.md").read_text(encoding="utf-8")


def table_below(text: str, head: str) -> list[list[str]]:
    _, _, rest = text.partition(f"{head}\n")
    rows = rest.split("\n\n")[0].splitlines()[1:]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def endings_in(text: str) -> list[str]:
    return [ending for word in re.split(r", | and ", text) for ending in GUIDE_WORDS[word]]


def test_the_guide_has_every_kind_with_its_formats(guide):
    rows = table_below(guide, "| what | formats | what it is good for |")
    assert [(name, endings_in(formats)) for name, formats, _ in rows] == [
        (kind.name, list(kind.by_ending)) for kind in KINDS
    ]


def test_the_guide_has_every_option_of_every_format(guide):
    rows = table_below(guide, "| what | options |")
    assert [name for name, _ in rows] == [kind.name for kind in KINDS]
    for name, text in rows:
        kind = kind_named(name)
        reported: dict[str, set[str]] = {ending: set() for ending in kind.by_ending}
        for part in text.split("; "):
            words = re.match(r"as (.*?) `", part)
            for ending in reported if words is None else endings_in(words[1]):
                reported[ending] |= {flag.removeprefix("--") for flag in re.findall(r"`(.*?)`", part)}
        assert reported == {form.ending: set(form.options) for form in kind.formats}


def test_the_guide_has_the_limits(guide):
    words = " ".join(guide.split())
    assert f"{WIDTHS[0]}x{HEIGHTS[0]} to {WIDTHS[1]}x{HEIGHTS[1]} pixels" in words
    assert f"a scale of {SCALES[0]:g} to {SCALES[1]:g}" in words
    assert f"{PACES[0]:g} to {PACES[1]:g} steps a second" in words
    minutes = {form.ending: (form.most_seconds or 0) // 60 for form in kind_named("film").formats}
    assert f"at most {minutes['mp4']} minutes as MP4 and {minutes['gif']} as GIF" in words


# --- what is found out, and written ---


@pytest.mark.parametrize(
    ("kind", "name", "since"),
    [
        ("page", "a.html", 0),
        ("curves", "a.svg", 0),
        ("curves", "a.csv", None),
        ("tree", "a.png", None),
        ("slides", "a.tex", None),
        ("log", "a.csv", None),
    ],
)
def test_since_when_the_tree_is_stuck_is_found_out_where_it_is_told(kind, name, since):
    search, history = run_of(RunConfig(n=5, limit="7", deletion="leaf"), STUCK)
    subject = studied(request_of(kind, name, history), search, history)
    assert (subject.stuck_since, subject.generalisation) == (since, None)


@pytest.mark.parametrize(("kind", "name"), [("curves", "a.csv"), ("curves", "a.png"), ("page", "a.html")])
def test_the_generalisation_error_is_found_out_for_curves_only(kind, name):
    search, history = run_of(RunConfig(n=6, fitness="sampled", rows=8))
    subject = studied(request_of(kind, name, history), search, history)
    assert (subject.generalisation is not None) == (kind == "curves")


@pytest.mark.parametrize(
    ("kind", "name", "fields"),
    [
        ("log", "a.csv", {"last": 6}),
        ("log", "a.txt", {}),
        ("curves", "a.csv", {"first": 4, "last": 3}),
        ("page", "a.html", {"first": -1}),
        ("tree", "a.png", {"theme": "pink"}),
        ("film", "a.gif", {"pace": 0.01}),
        ("slides", "a.tex", {"last": 500}),
    ],
)
def test_what_cannot_be_never_comes_to_a_writer(calls, tmp_path, kind, name, fields):
    history = History(RunConfig(n=4)) if kind != "slides" else recorded(RunConfig(n=4), 500)[2]
    with pytest.raises(GpvizError):
        export(kind, tmp_path / name, history, **fields)
    assert not calls.made


@pytest.mark.parametrize("is_bare", [False, True])
@pytest.mark.parametrize("suffix", ["svg", "tex"])
def test_a_bare_tree_needs_no_analysis(qapp, tmp_path, monkeypatch, suffix, is_bare):
    _, history = run_of(RunConfig(n=4))
    looked_at: list[int] = []

    def analysis_at(_subject: Subject, iteration: int) -> None:
        looked_at.append(iteration)

    monkeypatch.setattr(Subject, "analysis_at", analysis_at)
    export("tree", tmp_path / f"a.{suffix}", history, is_bare=is_bare)
    assert looked_at == ([] if is_bare else [5])


@pytest.mark.parametrize("suffix", ["tex", "svg"])
def test_what_is_known_under_other_rules_is_not_told_of_this_iteration(qapp, tmp_path, suffix):
    history = run_with_changed_rules()
    paths = []
    for name, known in (("after", analyse(history.tree_at(200), history.rules_after(200))), ("none", None)):
        paths.append(tmp_path / f"{name}.{suffix}")
        export("tree", paths[-1], history, at=199, analysis=known)
    assert paths[0].read_bytes() == paths[1].read_bytes()
