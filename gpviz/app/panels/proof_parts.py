"""Parts of the proof page: the column of sentences under the name of the state, and a button that shortens."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QVBoxLayout,
    QWidget,
)

from gpviz.app.panels.fields import sentence
from gpviz.app.theme import Theme, load_theme
from gpviz.record.proof import Proof

__all__ = ["ProofWords", "ShorteningButton"]


class ProofWords(QScrollArea):
    """What a proof says, in sentences that wrap and scroll."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = load_theme("light")
        self._proof: Proof | None = None
        self.state = QLabel()
        self.state.setTextFormat(Qt.TextFormat.PlainText)
        self.claim = sentence("")
        self.insertion = sentence("")
        self.note = sentence("muted")
        self.state.setAccessibleName("State of the tree")
        self.claim.setAccessibleName("What is proven")
        self.insertion.setAccessibleName("What insertions do")
        self.note.setAccessibleName("What has to be known besides")
        column = _Column()
        layout = QVBoxLayout(column)
        layout.setContentsMargins(0, 0, 4, 0)
        layout.setSpacing(5)
        layout.addWidget(self.state, 0, Qt.AlignmentFlag.AlignLeft)
        for label in (self.claim, self.insertion, self.note):
            layout.addWidget(label)
        layout.addStretch(1)
        self.setWidget(column)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumSize(QSize(120, 40))

    def set_theme(self, theme: Theme) -> None:
        """Use this theme's colours and type."""
        self._theme = theme
        self.claim.setFont(theme.font(1.05, is_bold=True))
        self._dress_state()

    def say(self, claim: str) -> None:
        """Nothing is proven yet; say this instead."""
        self._proof = None
        self._set_texts("", claim, "", "")

    def show_proof(self, proof: Proof) -> None:
        """Tell what is proven, and under which rules if they are not the run's own."""
        self._proof = proof
        title = f"What if: {proof.title[0].lower()}{proof.title[1:]}" if proof.is_what_if else proof.title
        self._set_texts(title, proof.claim, proof.insertion, proof.note)

    def _set_texts(self, *texts: str) -> None:
        for label, text in zip((self.state, self.claim, self.insertion, self.note), texts, strict=True):
            if label.text() != text:
                label.setText(text)
            label.setVisible(bool(text))
        self._dress_state()

    def _dress_state(self) -> None:
        """Give the name of the state the colours it has everywhere; a dashed frame means other rules."""
        colours, proof = self._theme.colours, self._proof
        known = None if proof is None or proof.state is None else colours.of_state(proof.state.state)
        frame, fill, text = known or (colours.border, colours.field, colours.text)
        line = "dashed" if proof is not None and proof.is_what_if else "solid"
        dress = (
            f"QLabel {{ background: {fill}; color: {text}; border: 1px {line} {frame};"
            " border-radius: 4px; padding: 2px 8px; font-weight: bold; }"
        )
        if dress != self.state.styleSheet():
            self.state.setStyleSheet(dress)


class _Column(QWidget):
    """Sentences below each other; how high they are follows from their width alone."""

    def minimumSizeHint(self) -> QSize:
        return QSize(0, 0)


class ShorteningButton(QPushButton):
    """A button that makes do with less room than its text needs."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def set_text(self, text: str) -> None:
        """Say something else."""
        if self.text() != text:
            self.setText(text)

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(hint.width(), 90), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        metrics = self.fontMetrics()
        around = self.sizeHint().width() - metrics.horizontalAdvance(self.text())
        room = max(self.width() - around, 0) + 1
        option.text = metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.end()
