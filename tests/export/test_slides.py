"""Steps of a run as slides."""

import re
from pathlib import Path

import pytest

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.engine import GpvizError, RunConfig, TooComplexError, parse
from gpviz.escaping import latex_text
from gpviz.explain.moment import moment_at
from gpviz.explain.step_picture import step_picture
from gpviz.explain.step_text import callout_of
from gpviz.explain.tree_text import caption_of
from gpviz.export import slides
from gpviz.export.latex_styles import width_cm
from gpviz.export.slides import slides_of
from gpviz.export.tikz import callout_tex
from gpviz.runs.history import History
from gpviz.runs.replay import Cancelled
from tests.export.requests import export
from tests.export.tex import (
    check_well_formed,
    compiled_pages,
    coordinates_in,
    history_of,
    labels_in,
    labels_of_tree,
)

_STUCK = "(((x2 & x3) & x5) | (x2 & (x3 & x5))) & x1"


def _slides(history: History, iterations: list[int], title: str = "") -> str:
    text = slides_of(history, iterations, title=title)
    check_well_formed(text)
    return text


def _frames(text: str) -> list[str]:
    return re.findall(r"\\begin\{frame\}.*?\\end\{frame\}", text, re.DOTALL)


def test_each_step_has_a_frame_with_its_tree_its_caption_and_its_numbers() -> None:
    history = history_of(RunConfig(n=5, seed=3), 60)
    iterations = [0, 1, 2, 30, 59, 60]
    _, *frames = _frames(_slides(history, iterations))
    assert len(frames) == len(iterations)
    for iteration, frame in zip(iterations, frames, strict=True):
        tree, error = history.tree_at(iteration), history.error_at(iteration)
        assert f"{{Iteration {iteration}\\hskip" in frame
        assert labels_in(frame) == labels_of_tree(step_picture(moment_at(history, iteration)).tree)
        assert latex_text(caption_of(history, iteration)) in frame
        assert f"leaves {0 if tree is None else tree.leaves} / 10" in frame
        assert ("error " if error is None else f"error {error} ") in frame or error is None
        callout = callout_tex(moment_at(history, iteration)) if iteration else "The start"
        assert frame.count(f"{{{callout}}};") == 1
        assert frame.count(r"\draw[gpviz leader] (callout) -- ") == (iteration > 0)


def test_all_trees_have_one_scale_and_one_place() -> None:
    history = history_of(RunConfig(n=6, seed=4, limit="inf"), 80)
    _, *frames = _frames(_slides(history, list(range(0, 81, 10))))
    boxes = {re.search(r"\\begin\{tikzpicture\}.*\n.*bounding box.*", frame)[0] for frame in frames}  # type: ignore[index]
    assert len(boxes) == 1
    numbers = re.search(
        r"x=([\d.]+)cm, y=([\d.]+)cm\]\n\\path\[use as bounding box\] \((-[\d.]+),(-[\d.]+)\) rectangle"
        r" \(([\d.]+),([\d.]+)\);",
        boxes.pop(),
    )
    assert numbers is not None
    unit_x, unit_y, left, bottom, right, top = map(float, numbers.groups())
    most = slides._HEIGHT_BELOW_BANNER_CM + slides._ABOVE_CM  # as the last ones are solved
    assert 14.9 < (right - left) * unit_x < 15.1 or most - 0.1 < (top - bottom) * unit_y < most + 0.1
    assert (right - left) * unit_x < 15.1
    assert (top - bottom) * unit_y < most + 0.1
    for frame in frames:
        for x, y in re.findall(r"\\coordinate \(n\d+\) at \((-?[\d.]+),(-?[\d.]+)\)", frame):
            assert left < float(x) < right
            assert bottom < float(y) < top


def test_a_callout_hides_no_node_and_stays_on_its_frame() -> None:
    history = history_of(RunConfig(n=8, seed=3, limit="9"), 150)
    iterations = list(range(1, 151, 3))
    _, *frames = _frames(_slides(history, iterations))
    for iteration, frame in zip(iterations, frames, strict=True):
        units = re.search(r"\[x=([\d.]+)cm, y=([\d.]+)cm\]", frame)
        found = re.search(r"scale=([\d.]+)\] \(callout\) at \((-?[\d.]+),(-?[\d.]+)\)", frame)
        box = re.search(
            r"bounding box\] \((-?[\d.]+),(-?[\d.]+)\) rectangle \((-?[\d.]+),(-?[\d.]+)\)", frame
        )
        assert units is not None
        assert found is not None
        assert box is not None
        across, down = float(units[1]), float(units[2])
        size, x, y = map(float, found.groups())
        left, bottom, right, top = map(float, box.groups())
        half = width_cm(str(callout_of(moment_at(history, iteration)))) * size / 2
        for place_x, place_y in coordinates_in(frame):
            assert abs(place_x - x) * across > half + 0.2 or abs(place_y - y) * down > 0.4
        assert bottom < y < top
        assert abs(x - (left + right) / 2) * across + half < 7.6


def test_the_title_frame_tells_the_settings() -> None:
    config = RunConfig(n=9, limit="n+1", deletion="leaf", seed=77)
    title = _frames(_slides(history_of(config, 5), [2, 5]))[0]
    assert r"RLS-GP on $\mathsf{AND}_{9}$" in title
    for line in (
        r"variables & 9 \\",
        r"limit & n+1 = 10 leaves \\",
        r"deletion & leaf \\",
        r"rows & all 512 \\",
        r"seed & 77 \\",
        r"iterations & 2 to 5 of 5 \\",
    ):
        assert line in title


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


def test_a_stuck_tree_says_so_in_a_frame_and_its_redundant_leaves_are_shaded() -> None:
    history = history_of(RunConfig(n=5, limit="7", deletion="leaf"), 3, parse(_STUCK))
    _, *frames = _frames(_slides(history, [0, 1, 2, 3]))
    for frame in frames:
        assert frame.count(r"\textbf{Stuck.} No sequence of accepted mutations improves this tree.") == 1
        box = re.search(r"\\path\[use as bounding box\] (.*);", frame)
        assert box is not None
        assert rf"\draw[gpvizStuck, line width=1.6pt, rounded corners=4pt] {box[1]};" in frame
        assert frame.count("gpviz redundant") == 6


def test_where_there_is_no_time_or_no_answer_the_slides_are_without_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    history = history_of(RunConfig(n=5, limit="7", deletion="leaf"), 1, parse(_STUCK))
    monkeypatch.setattr(slides, "_PATIENCE_SECONDS", 0.0)
    assert "Stuck" not in "".join(_frames(_slides(history, [0, 1])))
    monkeypatch.undo()

    def too_complex(*_: object) -> Analysis:
        raise TooComplexError("No.")

    monkeypatch.setattr(slides, "analyse", too_complex)
    assert "Stuck" not in "".join(_frames(_slides(history, [0, 1])))


def test_frames_that_are_full_compile_too(tmp_path: Path) -> None:
    tree = parse("(" * 11 + "x1" + "".join(f" & x{variable})" for variable in range(2, 13)))
    history = history_of(RunConfig(n=12, seed=3, limit="12"), 3, tree)
    text = slides_of(history, [0, 3], title="Solved from the start")
    assert r"\textbf{Solved.}" in text
    (tmp_path / "s.tex").write_text(text, encoding="utf-8")
    assert compiled_pages(tmp_path / "s.tex") == 3


def test_three_frames_compile(tmp_path: Path) -> None:
    history = history_of(RunConfig(n=30, seed=5, limit="inf"), 60, parse("x1 & (x2 | x3) & (x4 | x5 & x17)"))
    text = slides_of(history, [0, 7, 60], title=r"50 % of \x_1 & Größe — 日本")
    (tmp_path / "s.tex").write_text(text, encoding="utf-8")
    assert compiled_pages(tmp_path / "s.tex") == 4
