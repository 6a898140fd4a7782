"""Steps of a run as slides."""

import re
from pathlib import Path

import pytest

from gpviz.analysis.redundant_leaves import analyse
from gpviz.engine import GpvizError, RunConfig, parse
from gpviz.escaping import latex_text
from gpviz.explain.moment import moment_at
from gpviz.export import slides
from gpviz.export.slides import slides_of
from gpviz.picture.banner import banner_of
from gpviz.runs.history import History
from gpviz.runs.replay import Cancelled
from gpviz.runs.settings_text import settings_text
from tests.export.requests import export
from tests.export.tex import check_well_formed, compiled_pages, history_of

_STUCK = "(((x2 & x3) & x5) | (x2 & (x3 & x5))) & x1"


def _slides(history: History, iterations: list[int], title: str = "") -> str:
    text = slides_of(history, iterations, title=title)
    check_well_formed(text)
    return text


def _frames(text: str) -> list[str]:
    return re.findall(r"\\begin\{frame\}.*?\\end\{frame\}", text, re.DOTALL)


def test_each_step_has_a_frame_with_its_picture() -> None:
    history = history_of(RunConfig(n=5, seed=3), 60)
    iterations = [0, 1, 2, 30, 59, 60]
    _, *frames = _frames(_slides(history, iterations))
    assert len(frames) == len(iterations)
    for iteration, frame in zip(iterations, frames, strict=True):
        moment = moment_at(history, iteration)
        tree = moment.tree
        assert f"{{Iteration {iteration}}}" in frame
        assert f"{{{0 if tree is None else tree.leaves} of 10 leaves" in frame
        banner = banner_of(moment, analyse(moment.tree, moment.rules))
        assert banner is not None
        assert rf"{{\bfseries {latex_text(banner.head)}" in frame


def test_all_pictures_have_one_size() -> None:
    history = history_of(RunConfig(n=6, seed=4, limit="inf"), 80)
    _, *frames = _frames(_slides(history, list(range(0, 81, 10))))
    assert len({frame.split("bounding box]")[1].split(";")[0] for frame in frames}) == 1
    assert len({re.search(r"\[x=[\d.]+pt, y=-[\d.]+pt", frame)[0] for frame in frames}) == 1  # type: ignore[index]


def test_the_title_frame_tells_the_settings() -> None:
    config = RunConfig(n=9, limit="n+1", deletion="leaf", seed=77)
    title = _frames(_slides(history_of(config, 5), [2, 5]))[0]
    assert r"RLS-GP on $\mathsf{AND}_{9}$" in title
    assert latex_text(settings_text(config)) in title
    assert "iterations 2 to 5 of 5" in title


def test_a_range_is_a_file_of_its_steps(tmp_path: Path) -> None:
    history = history_of(RunConfig(n=4), 10)
    export("slides", tmp_path / "s.tex", history, first=3, last=6, title="Four")
    assert (tmp_path / "s.tex").read_text(encoding="utf-8") == slides_of(history, [3, 4, 5, 6], title="Four")


def test_too_many_nodes_in_all_are_refused_in_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slides, "_MOST_NODES", 30)
    history = History(RunConfig(n=4), parse("x1 & x2 & x3"))
    with pytest.raises(GpvizError, match=r"frames have about 36 nodes in all.*at most 30; choose fewer"):
        slides_of(history, [0] * 6)
    huge = History(RunConfig(n=4, limit="inf"), parse(" & ".join(["x1"] * 1001)))
    with pytest.raises(GpvizError, match="2,001 nodes"):
        slides_of(huge, [0])


def test_cancelled_slides_leave_no_file(tmp_path: Path) -> None:
    reported: list[tuple[int, int]] = []

    def cancel(done: int, total: int) -> bool:
        reported.append((done, total))
        return done == 2

    with pytest.raises(Cancelled, match="after 2 of 5 frames"):
        export("slides", tmp_path / "s.tex", history_of(RunConfig(n=4), 10), last=4, on_progress=cancel)
    assert [reported[0], reported[-1]] == [(1, 5), (2, 5)]
    assert list(tmp_path.iterdir()) == []


def test_a_stuck_tree_says_so_in_its_frame() -> None:
    history = history_of(RunConfig(n=5, limit="7", deletion="leaf"), 3, parse(_STUCK))
    _, *frames = _frames(_slides(history, [0, 1, 2, 3]))
    for frame in frames:
        assert r"{\bfseries STUCK}" in frame


def test_where_there_is_no_time_the_slides_are_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    history = history_of(RunConfig(n=5, limit="7", deletion="leaf"), 1, parse(_STUCK))
    monkeypatch.setattr(slides, "_PATIENCE_SECONDS", 0.0)
    assert "STUCK" not in "".join(_frames(_slides(history, [0, 1])))


def test_frames_that_are_full_compile_too(tmp_path: Path) -> None:
    tree = parse("(" * 11 + "x1" + "".join(f" & x{variable})" for variable in range(2, 13)))
    history = history_of(RunConfig(n=12, seed=3, limit="12"), 3, tree)
    text = slides_of(history, [0, 3], title="Solved from the start")
    assert "SOLVED" in text
    (tmp_path / "s.tex").write_text(text, encoding="utf-8")
    assert compiled_pages(tmp_path / "s.tex") == 3


def test_three_frames_compile(tmp_path: Path) -> None:
    history = history_of(RunConfig(n=30, seed=5, limit="inf"), 60, parse("x1 & (x2 | x3) & (x4 | x5 & x17)"))
    text = slides_of(history, [0, 7, 60], title=r"50 % of \x_1 & Größe — 日本")
    (tmp_path / "s.tex").write_text(text, encoding="utf-8")
    assert compiled_pages(tmp_path / "s.tex") == 4
