"""The web page as a file: what is in it, what may never be, and what a person is told if it cannot be written."""

import base64
import hashlib
import json
import re
import zlib
from html.parser import HTMLParser
from math import log2
from pathlib import Path
from typing import Any

import pytest

from gpviz import assets
from gpviz.engine import GpvizError, RunConfig
from gpviz.escaping import label_text
from gpviz.explain.step_text import tell
from gpviz.export import web_page
from gpviz.export.request import Every
from gpviz.picture.colours import colour_of
from gpviz.runs.history import History
from gpviz.runs.replay import Cancelled
from gpviz.runs.run_file import Bookmark
from gpviz.runs.step_encoding import Property
from tests.export.requests import export
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
        if tag not in ("meta", "input", "path"):
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

    @property
    def data(self) -> dict[str, Any]:
        """What the script is told."""
        (text,) = (
            text
            for attributes, text in zip(self.named("script"), self.texts["script"], strict=True)
            if attributes.get("id") == "data"
        )
        return json.loads(zlib.decompress(base64.b64decode(text)))


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


class TestWhatThePageMayDo:
    def test_it_loads_nothing(self, written):
        parsed = written(run())
        for _, attributes in parsed.elements:
            assert not {"src", "href", "style"} & set(attributes)
            assert not any(name.startswith("on") for name in attributes)
        for text in (*parsed.texts["style"], parsed.texts["script"][-1]):
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
            for name, text in (("script", parsed.texts["script"][-1]), ("style", parsed.texts["style"][0]))
        }
        assert rules == {
            "default-src": "'none'",
            "script-src": f"'sha256-{digests['script']}'",
            "style-src": f"'sha256-{digests['style']}'",
            "base-uri": "'none'",
            "form-action": "'none'",
        }

    def test_five_hundred_iterations_take_less_than_a_megabyte(self, written, tmp_path):
        written(run(500, n=16))
        assert (tmp_path / "page.html").stat().st_size < 1_000_000


class TestWhatAPersonWrote:
    def test_a_hostile_title_stays_a_title(self, written):
        plain, parsed = written(run(3)), written(run(3), title=HOSTILE)
        assert len(parsed.named("script")) == len(plain.named("script"))
        assert parsed.texts["title"] == parsed.texts["h1"] == [label_text(HOSTILE)]

    def test_a_hostile_note_stays_a_note(self, written):
        plain, parsed = written(run(3)), written(run(3), bookmarks=[Bookmark(2, HOSTILE)])
        assert len(parsed.named("script")) == len(plain.named("script"))
        assert parsed.data["bookmarks"] == [[2, label_text(HOSTILE)]]

    def test_without_a_title_it_is_called_by_its_settings(self, written):
        settings = "AND₆ · limit 2n = 12 leaves · subtree deletion · seed 1"
        assert written(run(3), title="  ").texts["h1"] == [settings]
        assert settings in written(run(3), title="A run").texts["p"]

    def test_only_bookmarks_on_the_page_are_on_it_in_their_order(self, written):
        marks = [Bookmark(iteration, str(iteration)) for iteration in (40, 9, 10, 20, 21)]
        assert written(run(), 10, 20, bookmarks=marks).data["bookmarks"] == [[10, "10"], [20, "20"]]


class TestWhatTheScriptIsTold:
    def test_each_iteration_has_its_words_its_verdict_and_its_error(self, written):
        history = run(150, n=64)
        data = written(history, 0, 140).data
        texts = [data["texts"][number] for number in data["words"]]
        assert texts == [tell(history, iteration) for iteration in range(141)]
        verdicts = [history.step_at(iteration).verdict for iteration in range(1, 141)]
        assert data["verdicts"] == ["", *verdicts]
        errors = [history.error_at(iteration) for iteration in range(1, 141)]
        assert data["levels"][1:] == [pytest.approx(log2((error or 0) + 1), abs=1e-3) for error in errors]
        assert data["levels"][0] is None
        assert len(data["lists"]) == len(data["weights"]) == len(data["times"]) == 141

    def test_it_can_have_the_improvements_only(self, written):
        history = run(60)
        times = written(history, every=Every.IMPROVED).data["times"]
        assert [sum(times[: number + 1]) for number in range(len(times))] == [
            0,
            *(t for t in range(1, 61) if history.step_at(t).verdict.value == "improved"),
        ]

    @pytest.mark.parametrize("patience", [0.0, 10.0])
    def test_a_tree_that_was_proven_to_be_stuck_is_shown_as_such(self, written, monkeypatch, patience):
        """Whether or not there is time to find out why."""
        monkeypatch.setattr(web_page, "_PATIENCE_S", patience)
        data = written(recorded(*STUCK[:1], 30, STUCK[1])[2], 0, 30, stuck_since=0).data
        assert data["stuck"] == [[0, 30]]
        assert "STUCK" in data["texts"]
        assert any(text.startswith("delete ") for text in data["texts"]) == bool(patience)

    def test_a_better_tree_is_not_stuck_any_more(self, written):
        history = run()
        better = history.next_where(Property.IMPROVED, 10)
        assert written(history, stuck_since=10).data["stuck"] == [[10, better]]

    def test_every_colour_of_the_pictures_is_there_in_both_themes(self, written):
        parsed = written(run())
        style = parsed.texts["style"][0]
        names = {
            name for _, *colours in (look[:3] for look in parsed.data["looks"]) for name in colours if name
        }
        assert any("/" in name for name in names)
        for theme in ("light", "dark"):
            colours = assets.theme_data(theme)["colours"]
            for name in names:
                variable = f"--{re.sub('[/_]', '-', name)}: {colour_of(name, colours)};"
                assert variable in style


class TestWhatCanGoWrong:
    def test_progress_goes_from_nothing_to_everything(self, tmp_path):
        reported = []
        path = tmp_path / "page.html"
        export("page", path, run(), on_progress=lambda *progress: reported.append(progress))
        assert reported == sorted(reported)
        assert (reported[0], reported[-1]) == ((0, 61), (61, 61))

    @pytest.mark.parametrize("after", [0, 61])
    def test_a_cancelled_page_leaves_what_was_there(self, tmp_path, after):
        path = tmp_path / "page.html"
        path.write_text("old")
        with pytest.raises(Cancelled):
            export("page", path, run(), on_progress=lambda done, _total: done == after)
        assert [each.read_text() for each in tmp_path.iterdir()] == ["old"]

    def test_what_would_be_too_large_is_refused_with_a_sentence(self, written, monkeypatch):
        monkeypatch.setattr(web_page, "_MOST_PARTS", 100)
        with pytest.raises(
            GpvizError, match=r"^The pictures of the first \d+ of these 61 iterations .* shorter"
        ):
            written(run())
        with pytest.raises(GpvizError, match=r"the page can have 10,001"):
            written(run(10_001, n=2))
