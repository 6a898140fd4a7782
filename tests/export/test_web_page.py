"""The web page as a file: what is in it, what may never be, and what a person is told if it cannot be written."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gpviz.engine import RunConfig, parse
from gpviz.escaping import label_text
from gpviz.export import web_page
from gpviz.runs.history import History
from gpviz.runs.replay import Cancelled
from gpviz.runs.run_file import Bookmark
from gpviz.runs.step_encoding import FIELDS, Property
from tests.export.requests import export
from tests.runs.branching import branched_run
from tests.runs.runs import STUCK, recorded

HOSTILE = "</title></script><script>alert(1)</script><!-- & \" ' \u2028\u2029 $title ${data}"


class Parsed(HTMLParser):
    """The elements of a page with their attributes, and the text in each kind."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self._open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag not in ("meta", "input", "path", "use"):
            self._open.append(tag)
            self.texts.setdefault(tag, []).append("")

    def handle_endtag(self, tag):
        while self._open and self._open.pop() != tag:
            pass

    def handle_data(self, data):
        if self._open:
            self.texts[self._open[-1]][-1] += data

    def named(self, tag):
        return [attributes for name, attributes in self.elements if name == tag]


def run(iterations=60, **settings) -> History:
    return recorded(RunConfig(**{"n": 6, "seed": 1, **settings}), iterations)[2]


@pytest.fixture
def written(tmp_path: Path):
    """Writes a page and reads it back."""

    def write(history: History, first: int = 0, last: int | None = None, **options) -> Parsed:
        path = tmp_path / "page.html"
        export("page", path, history, first=first, last=len(history) if last is None else last, **options)
        return Parsed(path.read_bytes().decode())

    return write


def data_of(parsed: Parsed) -> dict[str, Any]:
    return json.loads(parsed.texts["script"][0])


def column(entry) -> list[int]:
    width, text = entry
    return np.frombuffer(base64.b64decode(text), dtype=f"<u{width}").tolist()


class TestWhatThePageMayDo:
    def test_it_loads_nothing(self, written):
        parsed = written(run())
        for tag, attributes in parsed.elements:
            assert "src" not in attributes
            assert attributes.get("href", "#").startswith("#"), tag
            assert not any(name.startswith("on") for name in attributes)
            assert "style" not in attributes
        for text in (*parsed.texts["style"], *parsed.texts["script"]):
            assert not re.search(
                r"https?:|//[a-z]+\.|url\(|@import|fetch\(|XMLHttpRequest|import\(|eval\(", text
            )

    def test_its_policy_allows_its_own_script_and_style_alone(self, written):
        parsed = written(run())
        policy = next(
            attributes["content"] for attributes in parsed.named("meta") if "http-equiv" in attributes
        )
        rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
        digests = {
            name: base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            for name, text in (("script", parsed.texts["script"][1]), ("style", parsed.texts["style"][0]))
        }
        assert rules == {
            "default-src": "'none'",
            "script-src": f"'sha256-{digests['script']}'",
            "style-src": f"'sha256-{digests['style']}'",
            "base-uri": "'none'",
            "form-action": "'none'",
        }

    def test_an_iteration_takes_a_dozen_bytes(self, written, tmp_path):
        sizes = []
        for iterations in (0, 1000):
            written(run(iterations, n=16))
            sizes.append((tmp_path / "page.html").stat().st_size)
        assert sizes[1] - sizes[0] < 12_000


class TestWhatAPersonWrote:
    def test_a_hostile_title_stays_a_title(self, written):
        parsed = written(run(3), title=HOSTILE)
        assert len(parsed.named("script")) == 2
        assert parsed.texts["title"] == parsed.texts["h1"] == [label_text(HOSTILE)]

    def test_a_hostile_note_stays_a_note(self, written, tmp_path):
        parsed = written(run(3), bookmarks=[Bookmark(2, HOSTILE)])
        assert len(parsed.named("script")) == 2
        assert data_of(parsed)["bookmarks"] == [[2, label_text(HOSTILE)]]
        raw = parsed.texts["script"][0]
        assert raw.isascii()
        assert not set(raw) & set("<>&")

    def test_without_a_title_it_says_what_is_run(self, written):
        assert written(run(3), title="  ").texts["title"] == [
            "AND₆ · limit 2n = 12 leaves · subtree deletion · seed 1"
        ]

    def test_only_bookmarks_on_the_page_are_on_it_in_their_order(self, written):
        marks = [Bookmark(iteration, str(iteration)) for iteration in (40, 9, 10, 20, 21)]
        parsed = written(run(), 10, 20, bookmarks=marks)
        assert data_of(parsed)["bookmarks"] == [[10, "10"], [20, "20"]]


class TestWhatThePageIsTold:
    @pytest.mark.parametrize("first", [0, 1, 57])
    def test_its_columns_are_those_of_the_log(self, written, first):
        history = run(300, n=64)
        data = data_of(written(history, first, 290))
        base = max(first - 1, 0)
        assert (data["first"], data["last"], data["base"], data["iterations"]) == (first, 290, base, 300)
        columns = [
            column(data[name]) for name in ("codes", "nodes", "variables", "parentErrors", "offspringErrors")
        ]
        errors = [None if error is None else int(error) for error in data["errors"]]
        assert {len(each) for each in columns} == {290 - base}
        for iteration, (code, node, variable, before, after) in enumerate(
            zip(*columns, strict=True), start=base + 1
        ):
            step = history.step_at(iteration)
            fields = FIELDS[code]
            assert (*fields[:4], node, variable) == (
                *(step.operation, step.function, step.side, step.verdict, step.node - 1, step.variable),
            )
            assert (errors[before], errors[after]) == (step.parent_error, step.offspring_error)

    def test_it_starts_with_the_tree_of_its_first_iteration(self, written):
        history = recorded(RunConfig(n=6, seed=1), 30, parse("(x1 & x2) | x3"))[2]
        data = data_of(written(history))
        assert data["tree"] == [[4, -2], [2, -1], [0, 1], [1, 2], [3, 3]]
        assert data["startError"] == history.start_error
        assert data["firstUid"] == 5

    def test_a_branch_tells_from_when_on_its_settings_hold(self, written):
        histories = branched_run().histories
        settings = data_of(written(histories[3]))["configs"]
        assert settings == [
            [0, {"n": 6, "maxLeaves": 12, "rows": None, "acceptError": 0}],
            [1, {"n": 6, "maxLeaves": 6, "rows": None, "acceptError": 0}],
        ]
        assert data_of(written(histories[3], 30, 40))["configs"] == [[29, settings[1][1]]]

    def test_it_is_told_since_when_the_tree_is_stuck(self, written):
        history = recorded(STUCK[0], 30, STUCK[1])[2]
        assert data_of(written(history))["stuck"] is None
        assert data_of(written(history, 5, 20, stuck_since=2))["stuck"] == [2, None]
        assert data_of(written(history, stuck_since=30))["stuck"] == [30, None]

    def test_a_better_tree_is_not_stuck_any_more(self, written):
        history = run()
        better = history.next_where(Property.IMPROVED, 10)
        assert data_of(written(history, stuck_since=10))["stuck"] == [10, better]

    @pytest.mark.parametrize(
        ("settings", "reported"),
        [
            ({}, "AND₆ · limit 2n = 12 leaves · subtree deletion · seed 1"),
            (
                {"n": 64, "limit": "inf", "deletion": "leaf", "functions": ("and",)},
                "AND₆₄ · no size limit · leaf deletion · ∧ only · seed 1",
            ),
            (
                {"fitness": "sampled", "rows": 9, "limit": "1"},
                "AND₆ · limit 1 leaf · subtree deletion · 9 sampled rows · seed 1",
            ),
        ],
    )
    def test_the_settings_are_on_it(self, written, settings, reported):
        assert reported in written(run(2, **settings)).texts["p"]

    def test_the_colours_are_those_of_the_themes(self, written):
        style = written(run(1)).texts["style"][0]
        for theme in ("light", "dark"):
            colours = web_page.colour_variables(theme)
            assert "--too-large: #" in colours
            assert style.count(colours) == 2


class TestWhatCanGoWrong:
    def test_progress_goes_from_nothing_to_everything(self, tmp_path, monkeypatch):
        monkeypatch.setattr(web_page, "_PROGRESS_ITERATIONS", 25)
        reported = []
        export(
            "page",
            tmp_path / "page.html",
            run(),
            first=0,
            last=60,
            on_progress=lambda *progress: reported.append(progress),
        )
        assert reported == [(0, 60), (25, 60), (50, 60), (60, 60)]

    @pytest.mark.parametrize("after", [0, 60])
    def test_a_cancelled_page_leaves_what_was_there(self, tmp_path, after):
        path = tmp_path / "page.html"
        path.write_text("old")
        with pytest.raises(Cancelled):
            export("page", path, run(), first=0, last=60, on_progress=lambda done, _total: done == after)
        assert [each.read_text() for each in tmp_path.iterdir()] == ["old"]
