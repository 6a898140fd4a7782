"""The export dialog: what to take away, of which iterations, how it is to look, and where it goes."""

import os
import stat
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from gpviz.app.exporting.form import CUSTOM, FROM_TO, LAST, OTHER, THIS, WHOLE, ExportForm
from gpviz.app.exporting.wording import FIELDS, FORMAT_NAMES, SIZES, amount_text
from gpviz.app.theme import Theme, load_theme
from gpviz.engine.errors import GpvizError, InvalidValueError, shown
from gpviz.export.request import (
    FORMATS,
    Every,
    ExportRequest,
    What,
    check_request,
    check_steps,
    format_of,
    number_of_iterations,
    options_for,
)
from gpviz.record.files import error_reason, file_mode, shown_path
from gpviz.record.history import History

__all__ = ["ExportDialog"]

_VECTORS: Final = ("svg", "pdf")


class ExportDialog(ExportForm):
    """Asks for an export. Once accepted, `request` is what is wanted, and the file may be replaced."""

    def __init__(
        self,
        history: History,
        cursor: int,
        choices: Mapping[str, str],
        parent: QWidget | None = None,
        *,
        what: What | None = None,
        name: str = "run",
        title: str = "",
        theme: Theme | None = None,
    ) -> None:
        """``choices`` are those of the last time (`choices`); ``name`` is what file names begin with."""
        length = len(history)
        cursor = min(cursor, length)
        super().__init__(length, cursor, title, theme or load_theme("light"), parent)
        self._history = history
        self._length = length
        self._cursor = cursor
        self._name = name
        self._folder = Path(choices.get("folder", ""))
        if not choices.get("folder") or not self._folder.is_dir():
            self._folder = Path.home()
        self._formats = {kind: choices.get(f"format.{kind}", FORMATS[kind][0]) for kind in What}
        self._is_name_typed = False
        self._confirmed: Path | None = None
        self._recall(choices, what)
        self._connect()
        self._on_kind_chosen()

    # --- what is asked for ---

    def what(self) -> What:
        """The thing that is chosen."""
        return self.kinds_list.what()

    def path(self) -> Path:
        """The file, with the ending of the chosen format if it has none."""
        typed = Path(self.file_field.text().strip())
        with suppress(RuntimeError):  # there is no such person, so it is the name of a folder
            typed = typed.expanduser()
        path = self._folder / typed
        has_no_ending = typed.name and not typed.suffix
        return path.with_name(f"{path.name}.{self.format_field.value()}") if has_no_ending else path

    def request(self) -> ExportRequest:
        """What is asked for, not checked."""
        return ExportRequest(
            what=self.what(),
            path=self.path(),
            at=self.at_number.value(),
            first=self.first_number.value(),
            last=self.last_number.value(),
            every=Every(self.every_field.value()),
            theme=self.theme_field.value(),
            width=self.width_number.value(),
            height=self.height_number.value(),
            scale=float(self.scale_field.value()),
            pace=float(self.pace_field.value()),
            is_fragment=self.fragment_box.isChecked(),
            is_bare=self.bare_box.isChecked(),
            title=self.title_field.text().strip(),
        )

    def choices(self) -> dict[str, str]:
        """What is worth remembering until the next time."""
        formats = {f"format.{what}": suffix for what, suffix in self._formats.items()}
        return {
            **formats,
            "what": self.what().value,
            "folder": str(self.path().parent),
            "every": self.every_field.value(),
            "theme": self.theme_field.value(),
            "size": f"{self.width_number.value()}x{self.height_number.value()}",
            "scale": self.scale_field.value(),
            "pace": self.pace_field.value(),
            "fragment": str(self.fragment_box.isChecked()).lower(),
            "bare": str(self.bare_box.isChecked()).lower(),
        }

    def problem(self) -> str:
        """What is wrong with it, in one sentence; empty if nothing is."""
        request = self.request()
        try:
            if not self.file_field.text().strip():
                raise GpvizError(f"{FIELDS['path']}: it needs a name.")
            check_request(request, self._length, FIELDS)
            if "range" in self._used():
                check_steps(request, self._steps(), FIELDS)
            self._check_place(request.path)
        except GpvizError as problem:
            return str(problem)
        return ""

    def accept(self) -> None:
        """Close with this request, unless something is wrong or a file is to stay."""
        path = self.path()
        if self.problem() or not self._may_write(path):
            return
        super().accept()

    # --- fields ---

    def _recall(self, choices: Mapping[str, str], what: What | None) -> None:
        """Choose what was chosen the last time, where it is still to be had."""
        last = choices.get("what", "")
        wanted = what or (What(last) if last in set(What) else What.TREE)
        self.kinds_list.choose(wanted)
        fields = {
            "every": self.every_field,
            "theme": self.theme_field,
            "scale": self.scale_field,
            "pace": self.pace_field,
        }
        for name, field in fields.items():
            field.choose(choices.get(name, ""))
        if "pace" not in choices:
            self.pace_field.choose("1")
        self.fragment_box.setChecked(choices.get("fragment") == "true")
        self.bare_box.setChecked(choices.get("bare") == "true")
        width, _, height = choices.get("size", "").partition("x")
        is_size = all(part.isascii() and part.isdecimal() and len(part) < 6 for part in (width, height))
        self.width_number.put(int(width) if is_size else SIZES[0][1])
        self.height_number.put(int(height) if is_size else SIZES[0][2])
        self._show_size_choice()
        self.at_number.put(self._cursor)
        self.last_number.put(self._length)

    def _connect(self) -> None:
        self.kinds_list.currentRowChanged.connect(self._on_kind_chosen)
        self.format_field.currentIndexChanged.connect(self._on_format_chosen)
        self.at_field.currentIndexChanged.connect(self._on_moment_chosen)
        self.at_number.valueChanged.connect(self._on_moment_typed)
        self.span_field.currentIndexChanged.connect(self._on_span_chosen)
        self.size_field.currentIndexChanged.connect(self._on_size_chosen)
        for number in (self.first_number, self.last_number):
            number.valueChanged.connect(self._on_span_typed)
        for number in (self.width_number, self.height_number):
            number.valueChanged.connect(self._on_size_typed)
        for field in (self.every_field, self.theme_field, self.scale_field, self.pace_field):
            field.currentIndexChanged.connect(self._show_state)
        self.fragment_box.toggled.connect(self._show_state)
        self.bare_box.toggled.connect(self._show_state)
        self.file_field.textEdited.connect(self._on_name_typed)
        self.browse_button.clicked.connect(self._on_browse)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    # --- what follows from what ---

    def _used(self) -> frozenset[str]:
        return options_for(self.what(), self.format_field.value())

    def _steps(self) -> int:
        first, last = self.first_number.value(), self.last_number.value()
        every = Every(self.every_field.value()) if "every" in self._used() else Every.ALL
        return number_of_iterations(self._history, first, last, every) if first <= last else 0

    @Slot()
    def _on_kind_chosen(self) -> None:
        what = self.what()
        names = {each: FORMAT_NAMES[each] for each in FORMATS[what]}
        if what is What.TREE:
            names["tex"] = "LaTeX with TikZ"
        self.format_field.set_choices(names)
        self.format_field.choose(self._formats[what])
        self._on_format_chosen()

    @Slot()
    def _on_format_chosen(self) -> None:
        what, suffix = self.what(), self.format_field.value()
        self._formats[what] = suffix
        used = self._used() - ({"scale"} if suffix in _VECTORS else set())
        for part, row in self._rows.items():
            self._form.setRowVisible(row, part in used or part in ("format", "file"))
        self.format_field.setEnabled(self.format_field.count() > 1)
        self._propose_name()
        self._show_state()

    @Slot()
    def _on_moment_chosen(self) -> None:
        numbers = {THIS: self._cursor, LAST: self._length}
        self.at_number.put(numbers.get(self.at_field.value(), self.at_number.value()))
        if self.at_field.value() == OTHER:
            self.at_number.setFocus()
            self.at_number.selectAll()
        self._propose_name()
        self._show_state()

    @Slot()
    def _on_moment_typed(self) -> None:
        self.at_field.choose(THIS if self.at_number.value() == self._cursor else OTHER)
        self._propose_name()
        self._show_state()

    @Slot()
    def _on_span_chosen(self) -> None:
        span = self.span_field.value()
        if span == FROM_TO:
            self.first_number.setFocus()
            self.first_number.selectAll()
        else:
            self.first_number.put(0)
            self.last_number.put(self._length if span == WHOLE else self._cursor)
        self._show_state()

    @Slot()
    def _on_span_typed(self) -> None:
        ends = (self.first_number.value(), self.last_number.value())
        self.span_field.choose(WHOLE if ends == (0, self._length) else FROM_TO)
        self._show_state()

    @Slot()
    def _on_size_chosen(self) -> None:
        for _, width, height in SIZES:
            if self.size_field.value() == f"{width}x{height}":
                self.width_number.put(width)
                self.height_number.put(height)
        if self.size_field.value() == CUSTOM:
            self.width_number.setFocus()
            self.width_number.selectAll()
        self._show_state()

    @Slot()
    def _on_size_typed(self) -> None:
        self._show_size_choice()
        self._show_state()

    def _show_size_choice(self) -> None:
        size = f"{self.width_number.value()}x{self.height_number.value()}"
        self.size_field.choose(size if self.size_field.findData(size) >= 0 else CUSTOM)

    @Slot()
    def _on_name_typed(self) -> None:
        self._is_name_typed = True
        suffix = format_of(self.path())
        if suffix != self.format_field.value() and suffix in FORMATS[self.what()]:
            self.format_field.choose(suffix)
            self._on_format_chosen()
        self._show_state()

    @Slot()
    def _on_browse(self) -> None:
        suffix = self.format_field.value()
        kind = f"{FORMAT_NAMES[suffix]} (*.{suffix})"
        chosen, _ = QFileDialog.getSaveFileName(self, "Export to", str(self.path()), kind)
        if not chosen:
            return
        self.file_field.setText(chosen)
        self._on_name_typed()
        # What the file dialog has asked about need not be asked again; it knows nothing of an added ending.
        self._confirmed = self.path() if self.path() == Path(chosen) else None

    def _propose_name(self) -> None:
        """A name of which one can guess what is in the file; one that was typed only gets another ending."""
        suffix = self.format_field.value()
        if not self._is_name_typed:
            moment = f"-{self.at_number.value()}" if "at" in self._used() else ""
            self.file_field.setText(f"{self._name}-{self.what()}{moment}.{suffix}")
            return
        text = self.file_field.text().strip()
        known = {each for formats in FORMATS.values() for each in formats}
        if text and format_of(Path(text)) in known - {suffix}:
            self.file_field.setText(str(Path(text).with_suffix(f".{suffix}")))

    @Slot()
    def _show_state(self) -> None:
        """The sentence on what is wrong, or on how much it will be."""
        problem = self.problem()
        self.problem_label.setText(problem)
        self.problem_label.setVisible(bool(problem))
        self.amount_label.setVisible(not problem)
        if not problem:
            text = amount_text(self.request(), self._steps())
            where = shown_path(self.path().parent)
            self.amount_label.setText(f"{text} It goes to {where}.")
        self.export_button.setEnabled(not problem)

    def _check_place(self, path: Path) -> None:
        folder, field = path.parent, FIELDS["path"]
        try:
            if not stat.S_ISDIR(file_mode(folder) or 0):
                raise InvalidValueError(field, str(folder), "in a folder that exists")
            mode = file_mode(path)
        except OSError as error:
            raise GpvizError(f"{field}: {shown(path.name)} cannot be used; {error_reason(error)}.") from error
        if mode is not None and stat.S_ISDIR(mode):
            raise GpvizError(f"{field}: {shown(path.name)} is a folder; it must be the name of a file.")
        if not os.access(folder, os.W_OK) or (mode is not None and not os.access(path, os.W_OK)):
            raise GpvizError(f"{field}: {shown_path(path)} is write-protected; choose another place.")

    def _may_write(self, path: Path) -> bool:
        """Existing files are asked about, once."""
        if not path.exists() or path == self._confirmed:
            return True
        ask: Callable[..., QMessageBox.StandardButton] = QMessageBox.question
        answer = ask(self, "Replace the file?", f"{path.name} exists already. Replace it?")
        return answer == QMessageBox.StandardButton.Yes
