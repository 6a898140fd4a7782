"""Exports in a process of their own.

The window never waits for the process, and cancelling kills it. Its input and output are in a hidden folder
beside the target file. When the file is complete, it is moved to the target in one step. The folder is always
removed.
"""

import json
import secrets
import shutil
import sys
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal, Slot

import gpviz
from gpviz.app.tasks import BackgroundTask
from gpviz.engine.interruption import ShouldStop
from gpviz.engine.optional_packages import is_bundle
from gpviz.export.request import OPTIONS, ExportRequest
from gpviz.files.file_io import check_writable, move_file, replacing, shown_path, write_error
from gpviz.runs.run_file import RunFile, save

_RUN_NAME: Final = "run.gpviz"
_END_MS: Final = 5000


class ExportJob(QObject):
    """Writes one file. It emits ``ended`` exactly once, with a sentence if something went wrong."""

    progressed = Signal(str, int, int)
    ended = Signal(str)

    def __init__(self, request: ExportRequest, run_file: RunFile, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.request = request
        self.is_cancelled = False
        self._run_file = run_file
        self._folder = Path()
        self._is_over = self._is_publishing = False
        self._rest = b""
        self._background = BackgroundTask("gpviz export", self)
        self._background.finished.connect(self._on_background_finished)
        self._background.failed.connect(self._on_background_failed)
        self._process: QProcess | None = None

    @property
    def name(self) -> str:
        """The file, as a message names it."""
        return shown_path(self.request.path.name)

    def start(self) -> None:
        """Begin."""
        self._folder = self.request.path.parent / f".gpviz-{secrets.token_hex(8)}.tmp"
        self._background.ask(self._prepare)

    def cancel(self) -> None:
        """End as soon as possible; a file that is just being moved still gets there."""
        if self._is_over or self._is_publishing:
            return
        self.is_cancelled = True
        if self._process is not None:
            self._process.kill()  # what was made of it goes when it has ended
            return
        self._end()

    def close(self) -> None:
        """End now, without a signal; nothing is left behind."""
        self._is_over = True
        if self._process is not None:
            process, self._process = self._process, None
            process.blockSignals(True)
            process.kill()
            process.waitForFinished(_END_MS)
        self._release()

    # --- in the background ---

    def _prepare(self, should_stop: ShouldStop) -> None:
        check_writable(self.request.path)
        try:
            self._folder.mkdir()
            save(self._folder / _RUN_NAME, self._run_file)
        except OSError as error:
            raise write_error(self.request.path, error) from error
        finally:
            if should_stop():  # whoever cancelled may have come before the folder
                shutil.rmtree(self._folder, ignore_errors=True)

    def _publish(self, _: ShouldStop) -> None:
        with replacing(self.request.path) as draft:
            move_file(self._folder / self.request.path.name, draft)

    # --- step by step ---

    @Slot(object)
    def _on_background_finished(self, _: object) -> None:
        if self._is_over:
            return
        if self._is_publishing:
            self._end()
        else:
            self._run()

    @Slot(str)
    def _on_background_failed(self, problem: str) -> None:
        if not self._is_over:
            self._end(problem)

    def _run(self) -> None:
        process = QProcess(self)
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert("PYTHONIOENCODING", "utf-8")
        process.setProcessEnvironment(environment)
        # Only there is the gpviz that runs here found for sure, and no stranger's module of the same name.
        process.setWorkingDirectory(str(Path(gpviz.__file__).parent.parent))
        process.readyReadStandardOutput.connect(self._on_output)
        process.finished.connect(self._on_process_finished)
        process.errorOccurred.connect(self._on_process_error)
        self._process = process
        target = self._folder / self.request.path.name
        run_and_options = [str(self._folder / _RUN_NAME), *arguments_of(self.request, target)]
        process.start(sys.executable, [*export_command(), *run_and_options])
        process.closeWriteChannel()

    @Slot()
    def _on_output(self) -> None:
        if self._process is None:
            return
        *lines, self._rest = (self._rest + bytes(self._process.readAllStandardOutput().data())).split(b"\n")
        for line in lines[-1:]:  # of several only the last is news
            progress = _progress_in(line)
            if progress is not None:
                self.progressed.emit(*progress)

    @Slot(QProcess.ProcessError)
    def _on_process_error(self, error: QProcess.ProcessError) -> None:
        if error is QProcess.ProcessError.FailedToStart and self._process is not None:
            reason = self._process.errorString()
            self._process = None
            self._end(f"{self.name}: the export cannot be started ({reason}).")

    @Slot(int, QProcess.ExitStatus)
    def _on_process_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        process, self._process = self._process, None
        if process is None or self._is_over:
            return
        output = bytes(process.readAllStandardError().data()).decode(errors="replace")
        process.deleteLater()
        if self.is_cancelled:
            self._end()
        elif status is QProcess.ExitStatus.CrashExit or code not in (0, 2):
            self._end(self._unexpected(output))
        elif code:
            self._end(self._sentence(output))
        else:
            self._is_publishing = True
            self._background.ask(self._publish)

    def _unexpected(self, output: str) -> str:
        lines = [line.strip() for line in output.splitlines() if line.strip()]
        reason = lines[-1] if lines else "it gave no reason"
        return f"{self.name}: it was not written; its process ended unexpectedly ({reason})."

    def _sentence(self, output: str) -> str:
        """The error that the process printed, with the path that the user knows."""
        said = [line for line in output.splitlines() if line.startswith("gpviz: ")]
        text = said[-1].removeprefix("gpviz: ") if said else f"{self.name}: it was not written."
        return text.replace(shown_path(self._folder / self.request.path.name), shown_path(self.request.path))

    def _end(self, problem: str = "") -> None:
        self._release()
        self.ended.emit(problem.replace(shown_path(self._folder / _RUN_NAME), shown_path(self.request.path)))

    def _release(self) -> None:
        self._is_over = True
        self._background.close()
        if self._folder != Path():
            shutil.rmtree(self._folder, ignore_errors=True)


def export_command() -> tuple[str, ...]:
    """What makes `sys.executable` do ``gpviz export``: it is Python, or in a bundle gpviz itself."""
    return ("export",) if is_bundle() else ("-m", "gpviz", "export")


def _progress_in(line: bytes) -> tuple[str, int, int] | None:
    """Phase, done and total; None if the line is about something else."""
    try:
        data = json.loads(line)
        return str(data["phase"]), int(data["done"]), int(data["total"])
    except (ValueError, TypeError, KeyError):
        return None


def arguments_of(request: ExportRequest, target: Path) -> list[str]:
    """The command line of ``gpviz export`` for this request, after the file of the run."""
    arguments = [f"--to={target}", f"--what={request.kind}"]
    for name, option in OPTIONS.items():
        value = option.value(request)
        if name in request.format.options and value is not False:
            arguments.append(option.flag if value is True else f"{option.flag}={value}")
    return [*arguments, "--progress-json"]
