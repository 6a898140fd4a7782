"""A file is written as a whole or not at all, and read within a limit."""

import errno
import os
import stat
from pathlib import Path

import pytest

from gpviz.engine.errors import GpvizError
from gpviz.files import file_io
from gpviz.files.file_io import (
    check_writable,
    file_mode,
    read_file,
    resolved_path,
    shown_path,
    with_ending,
    write_file,
)
from tests.systems import needs_links, needs_permissions, needs_posix


def names_in(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_an_existing_file_is_replaced_and_nothing_else_is_left(tmp_path: Path):
    (tmp_path / "a").write_bytes(b"something old and longer")
    write_file(tmp_path / "a", b"new")
    assert (tmp_path / "a").read_bytes() == b"new"
    assert names_in(tmp_path) == ["a"]


@needs_posix
@pytest.mark.parametrize("mode", [0o600, 0o664, 0o755])
def test_an_existing_file_keeps_its_permissions(tmp_path: Path, mode: int):
    (tmp_path / "a").touch()
    (tmp_path / "a").chmod(mode)
    write_file(tmp_path / "a", b"new")
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == mode


@needs_posix
def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path: Path):
    (tmp_path / "usual").touch()
    write_file(tmp_path / "a", b"new")
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "usual").stat().st_mode


@needs_links
def test_a_link_stays_a_link_and_its_file_is_replaced(tmp_path: Path):
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to("file")
    write_file(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


@pytest.mark.parametrize("failing", ["fsync", "replace", "chmod"])
@pytest.mark.parametrize("failure", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_failure_leaves_the_old_file_and_no_draft(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str, failure: BaseException
):
    (tmp_path / "a").write_bytes(b"old")

    def fail(*_: object) -> None:
        raise failure

    monkeypatch.setattr(*((os, "fsync", fail) if failing == "fsync" else (Path, failing, fail)))
    with pytest.raises((GpvizError, KeyboardInterrupt)):
        write_file(tmp_path / "a", b"new")
    monkeypatch.undo()
    assert (tmp_path / "a").read_bytes() == b"old"
    assert names_in(tmp_path) == ["a"]


def test_the_draft_reaches_the_disk_before_it_replaces_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    events: list[str] = []
    fsync, replace = os.fsync, Path.replace

    def seen_fsync(descriptor: int) -> None:
        assert os.fstat(descriptor).st_size == 3
        events.append("fsync")
        fsync(descriptor)

    def seen_replace(draft: Path, target: Path) -> Path:
        events.append("replace")
        return replace(draft, target)

    monkeypatch.setattr(os, "fsync", seen_fsync)
    monkeypatch.setattr(Path, "replace", seen_replace)
    write_file(tmp_path / "a", b"new")
    assert events == ["fsync", "replace"]


def refused_as_by_windows(code: int) -> PermissionError:
    """What Windows says of a file that is open elsewhere; other systems have no such number."""
    error = PermissionError(errno.EACCES, "Zugriff verweigert")
    error.winerror = code  # type: ignore[attr-defined]
    return error


@pytest.mark.parametrize("code", [5, 32])
def test_a_file_that_another_program_looks_into_is_replaced_when_it_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
):
    refusals = [refused_as_by_windows(code) for _ in range(3)]
    replace = Path.replace

    def refused_at_first(draft: Path, target: Path) -> Path:
        if refusals:
            raise refusals.pop()
        return replace(draft, target)

    monkeypatch.setattr(Path, "replace", refused_at_first)
    monkeypatch.setattr(file_io, "_IN_USE_SECONDS", 0.2)
    write_file(tmp_path / "a", b"new")
    assert not refusals
    assert (tmp_path / "a").read_bytes() == b"new"
    assert names_in(tmp_path) == ["a"]


@pytest.mark.parametrize(
    ("error", "reason", "is_tried_again"),
    [
        (refused_as_by_windows(32), "another program has it open", True),
        (PermissionError(errno.EPERM, "Operation not permitted"), "Operation not permitted", False),
    ],
    ids=["open elsewhere", "not allowed"],
)
def test_a_file_that_cannot_be_replaced_is_reported_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: PermissionError, reason: str, is_tried_again: bool
):
    calls: list[Path] = []

    def refused(draft: Path, target: Path) -> Path:
        calls.append(target)
        raise error

    (tmp_path / "a").write_bytes(b"old")
    monkeypatch.setattr(Path, "replace", refused)
    monkeypatch.setattr(file_io, "_IN_USE_SECONDS", 0.02)
    with pytest.raises(GpvizError, match=f"a: it cannot be written; {reason}\\.$"):
        write_file(tmp_path / "a", b"new")
    assert (len(calls) > 1) == is_tried_again
    assert (tmp_path / "a").read_bytes() == b"old"
    assert names_in(tmp_path) == ["a"]


@pytest.mark.parametrize("name", ["missing/a", "folder", "nul\0", "loop", "file/a"])
@pytest.mark.parametrize("action", [lambda path: write_file(path, b"new"), check_writable])
@needs_links
def test_a_path_that_cannot_be_written_is_named_with_the_reason(tmp_path: Path, name: str, action):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to("loop")
    before = names_in(tmp_path)
    with pytest.raises(GpvizError) as caught:
        action(tmp_path / name)
    beginning = f"{shown_path(tmp_path / name)}: it cannot be written; "
    assert str(caught.value).startswith(beginning)
    assert len(str(caught.value)) > len(beginning) + 5
    assert "\n" not in str(caught.value)
    assert names_in(tmp_path) == before


@needs_links
@pytest.mark.parametrize("name", ["loop", "loop/below", "there"])
def test_links_in_a_circle_are_reported_in_the_same_way_by_every_python(tmp_path: Path, name: str):
    (tmp_path / "loop").symlink_to("back")
    (tmp_path / "back").symlink_to("loop")
    (tmp_path / "there").symlink_to("loop")
    with pytest.raises(GpvizError, match=r": it cannot be written; its links lead in a circle\.$"):
        check_writable(tmp_path / name)
    with pytest.raises(GpvizError, match=r": it cannot be read; its links lead in a circle\.$"):
        read_file(tmp_path / name, 3)
    for ask in (resolved_path, file_mode):
        with pytest.raises(OSError):  # noqa: PT011 (what else it says is up to the system)
            ask(tmp_path / name)


@needs_permissions
@pytest.mark.parametrize("action", [lambda path: write_file(path, b"new"), check_writable])
def test_a_write_protected_file_is_left_alone(tmp_path: Path, action):
    (tmp_path / "a").write_bytes(b"old")
    (tmp_path / "a").chmod(0o444)
    with pytest.raises(GpvizError, match="a: it cannot be written; it is write-protected"):
        action(tmp_path / "a")
    assert (tmp_path / "a").read_bytes() == b"old"


@needs_permissions
def test_a_write_protected_folder_is_refused(tmp_path: Path):
    (tmp_path / "folder").mkdir(mode=0o555)
    with pytest.raises(GpvizError, match=r"a: it cannot be written; Permission denied\."):
        write_file(tmp_path / "folder" / "a", b"new")


def test_a_file_beyond_the_limit_is_refused(tmp_path: Path):
    (tmp_path / "a").write_bytes(b"four")
    with pytest.raises(GpvizError, match=r"a: it is 4 bytes long, and 3 are allowed\.$"):
        read_file(tmp_path / "a", 3)


def test_a_missing_file_is_refused(tmp_path: Path):
    with pytest.raises(GpvizError, match=r"a: it cannot be read; there is no such file or folder\.$"):
        read_file(tmp_path / "a", 3)


def test_a_directory_is_refused(tmp_path: Path):
    with pytest.raises(GpvizError, match=r": it is a directory, not a file\.$"):
        read_file(tmp_path, 3)


@needs_posix
def test_a_pipe_is_refused_without_waiting_for_it(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(GpvizError, match=r"pipe: it is a device or a pipe, not a file\.$"):
        read_file(tmp_path / "pipe", 3)


def test_the_reasons_that_windows_gives_in_its_language_are_reported_in_english():
    reasons = {
        2: ("there is no such file or folder", errno.ENOENT),
        32: ("another program has it open", errno.EACCES),
    }
    for code, (text, number) in reasons.items():
        error = refused_as_by_windows(code)
        error.errno = number
        assert file_io.error_reason(error) == text
    odd = refused_as_by_windows(4390)
    odd.errno = errno.EINVAL  # of most of its many reasons Python knows nothing more
    assert file_io.error_reason(odd) == "Zugriff verweigert"


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [
        ("talk", "talk.gpviz"),
        ("run 0.5", "run 0.5.gpviz"),
        ("a. second try", "a. second try.gpviz"),
        ("talk.GPVIZ", "talk.GPVIZ"),
        ("talk.json", "talk.json"),
        ("folder.old/talk", "folder.old/talk.gpviz"),
        ("/", "/"),
    ],
)
def test_a_name_without_an_ending_gets_one_and_a_number_is_none(typed, wanted):
    assert with_ending(Path(typed), ".gpviz") == Path(wanted)
