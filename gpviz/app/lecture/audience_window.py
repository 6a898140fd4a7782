"""The audience's window: the tree or a scene's content, as large as can be, with caption, page and pointer."""

from collections.abc import Callable
from enum import Enum, auto
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QCursor,
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QScreen,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QBoxLayout,
    QComboBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gpviz.analysis.redundant_leaves import Analysis
from gpviz.app.canvas.stage import Stage
from gpviz.app.lecture.hall_text import CaptionBar, SceneText
from gpviz.app.lecture.lecture_keys import command_for, keeps_key
from gpviz.app.lecture.scene_content_view import SceneContentView
from gpviz.app.lecture.spotlight import PointerKind, Spotlight
from gpviz.app.pages.page import Page, make_page
from gpviz.app.pane_sizes import WIDE_SHAPE
from gpviz.app.plots.lazy_curves import CurvesLoader
from gpviz.app.plots.timeline import Timeline
from gpviz.app.theme import MOST_TYPE_STEPS, Theme, hall_theme, palette_of, smaller, style_sheet
from gpviz.app.widgets.layouts import NO_LIMIT, column_in, row_in
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Verdict
from gpviz.escaping import label_text
from gpviz.explain.moment import Moment
from gpviz.lecture.lecture import PANELS, Scene
from gpviz.page_list import page_info, scene_pages

_BLANK_SCREEN_MARGIN: Final = 0.08
_TITLE: Final = 1.5
_LOOK_MS: Final = 200
_PATIENCE: Final = 15
"""So many looks without a move, three seconds together, and the mouse is hidden."""
_SAME_SIZE: Final = 0.01
_FOCUS_LINE: Final = 2.0
_THEMES: Final = ("projector", "dark", "light", "contrast")
_STAGE_TYPE: Final = 0.86
_STAGE_STEPS: Final = 3
_BANNER_SCALE: Final = 1.35
"""How much larger than the tags on the tree its state is told, to be read from the last row."""
_PAGE_TYPE: Final = 0.82
_BESIDE_TYPE: Final = 0.7
_LITTLE_BESIDE_TYPE: Final = 0.84
"""The type of a page below the tree, and of one beside it, where lines are shorter: with much or little to say."""
_CURVES_TYPE: Final = 0.8
_CURVES_SHARE: Final = 0.34
_STRIP_SHARE: Final = 0.3
"""Of the window's height: the curves below the tree, and below a page beside the tree."""
_PAGE_SHARE: Final = 0.46
_LEAST_PAGE_SHARE: Final = 0.2
_PAGE_WIDTH: Final = 0.4
"""Of the window's height a page below the tree, and of its width one beside the tree."""
_MARGIN: Final = 0.008
_COVERED: Final = "Guess first: this page knows the answer."


class BlankKind(Enum):
    """What covers the picture."""

    OPEN = auto()
    BLACK = auto()
    WHITE = auto()
    WORDS = auto()
    END = auto()


class BlankScreen(Themed, QWidget):
    """Covers the whole window, unless it is open: black, white, or with a few words while there is nothing to see.

    The mouse goes through it.
    """

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._blank_kind = BlankKind.OPEN
        self._title = ""
        self._words = ""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Blank screen")
        self.hide()

    @property
    def blank_kind(self) -> BlankKind:
        return self._blank_kind

    @property
    def title(self) -> str:
        """What stands on it in large type."""
        return self._title

    @property
    def words(self) -> str:
        """What stands on it below that."""
        return self._words

    def draw(self, blank_kind: BlankKind, title: str = "", words: str = "") -> None:
        """Cover the picture in this way, or show it again."""
        self._blank_kind, self._title, self._words = blank_kind, label_text(title), label_text(words)
        self.setAccessibleDescription(f"{blank_kind.name.capitalize()}. {self._title} {self._words}".strip())
        self.setVisible(blank_kind is not BlankKind.OPEN)
        self.raise_()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        black, white = QColor(Qt.GlobalColor.black), QColor(Qt.GlobalColor.white)
        colours = self.theme.colours
        ground, ink, pale = {
            BlankKind.BLACK: (black, black, black),
            BlankKind.WHITE: (white, white, white),
            BlankKind.END: (black, white, white),
        }.get(self._blank_kind, (QColor(colours.window), QColor(colours.text), QColor(colours.muted)))
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), ground)
            margin = _BLANK_SCREEN_MARGIN * self.width()
            room = QRectF(self.rect()).adjusted(margin, 0.0, -margin, 0.0)
            upper, lower = QRectF(room), QRectF(room)
            upper.setBottom(0.5 * self.height())
            lower.setTop(0.53 * self.height())
            centred = int(Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap)
            painter.setPen(ink)
            painter.setFont(self.theme.font(_TITLE, is_bold=True))
            painter.drawText(upper, centred | int(Qt.AlignmentFlag.AlignBottom), self._title)
            painter.setPen(pale)
            painter.setFont(self.theme.font())
            painter.drawText(lower, centred | int(Qt.AlignmentFlag.AlignTop), self._words)


class IdleCursor(QObject):
    """Hides the mouse over a window when it has not moved for a while.

    It looks some times a second, as no widget hears of all moves of the mouse.
    """

    def __init__(self, window: QWidget, where: Callable[[], QPoint] = QCursor.pos) -> None:
        super().__init__(window)
        self._window = window
        self._where = where
        self._last = QPoint()
        self._looks = 0
        self._is_hidden = False
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self.look)

    @property
    def is_hidden(self) -> bool:
        """Whether the mouse is hidden now."""
        return self._is_hidden

    def start(self) -> None:
        self._looks = 0
        self._last = QPoint(self._where())
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        self._show()

    @Slot()
    def look(self) -> None:
        """See whether the mouse has moved."""
        place = self._where()
        is_over = self._window.isActiveWindow() and self._window.frameGeometry().contains(place)
        if place != self._last or not is_over:
            self._last = QPoint(place)
            self._looks = 0
            self._show()
            return
        self._looks += 1
        if self._looks >= _PATIENCE and not self._is_hidden:
            self._is_hidden = True
            QGuiApplication.setOverrideCursor(Qt.CursorShape.BlankCursor)

    def _show(self) -> None:
        if self._is_hidden:
            self._is_hidden = False
            QGuiApplication.restoreOverrideCursor()


class PageHolder(Themed, QWidget):
    """The page to study in the audience's window, in large type and without its buttons.

    It holds all pages that were wanted so far; one of them, or none, is on show.
    """

    content_changed = Signal()
    """The page may want another height than before."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = ""
        self._is_question_open = False
        self._is_ahead_hidden = False
        self._pages: dict[str, Page] = {}
        self._column = column_in(self)
        self._cover = QLabel(_COVERED)
        self._cover.setWordWrap(True)
        self._cover.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._cover.hide()
        self._column.addWidget(self._cover)

    @property
    def name(self) -> str:
        """The page on show, empty for none."""
        return self._name

    @property
    def page(self) -> Page | None:
        """The page on show itself, None for none."""
        return self._pages.get(self._name)

    def show_page(self, name: str) -> None:
        """Show this page; an empty name for none."""
        self._name = name
        if name and name not in self._pages:
            self._make(name)
        self._show_one()

    def set_ahead_hidden(self, is_hidden: bool) -> None:
        """Show runs as if they ended at the cursor, while what comes next is to be guessed."""
        self._is_ahead_hidden = is_hidden
        for page in self._pages.values():
            page.set_ahead_hidden(is_hidden)

    def set_question_open(self, is_open: bool) -> None:
        """While a guess is wanted, a page on which one could look it up is covered."""
        self._is_question_open = is_open
        self._show_one()

    @property
    def is_covered(self) -> bool:
        """Whether the page cannot be seen, because it tells what is to be guessed."""
        return bool(self._name) and self._is_question_open and page_info(self._name).judges_mutations

    def _show_one(self) -> None:
        self._cover.setVisible(self.is_covered)
        for other, page in self._pages.items():
            page.setVisible(other == self._name and not self.is_covered)

    def set_theme(self, theme: Theme) -> None:
        self._cover.setFont(theme.font())
        plain_size = self.theme.font_size
        plain = [part for page in self._pages.values() for part in _with_type_of(plain_size, page)]
        super().set_theme(theme)
        self._enlarge(plain, plain_size)
        for page in self._pages.values():
            self._colour(page)

    @property
    def readable_part(self) -> QWidget:
        """What the keyboard goes to: what can be scrolled, or all of the page."""
        page = self.page
        if page is None or self.is_covered:
            return self._cover
        areas = [area for area in page.findChildren(QAbstractScrollArea) if area.isVisible()]
        return areas[0] if areas else page

    def wanted_height(self) -> int:
        """How high the page has to be so that nothing in it is scrolled; the more the better for most of them."""
        page = self.page
        if page is None or not page.needs_little_space:
            return NO_LIMIT
        height = page.heightForWidth(self.width()) if page.hasHeightForWidth() else 0
        height = max(height, page.sizeHint().height())
        areas = [area for area in page.findChildren(QAbstractScrollArea) if area.isVisibleTo(page)]
        around = [_content_height(area) + page.height() - area.height() for area in areas]
        return max(height, *around) if around else height

    def event(self, event: QEvent) -> bool:
        is_done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.content_changed.emit()
        return is_done

    def shut_down(self) -> None:
        """End what the pages do in the background."""
        for page in self._pages.values():
            page.shut_down()

    def _make(self, name: str) -> None:
        page = self._pages[name] = make_page(page_info(name))
        page.set_ahead_hidden(self._is_ahead_hidden)
        plain_size = QApplication.font().pointSizeF()
        plain = _with_type_of(plain_size, page)
        self._column.addWidget(page)
        self._enlarge(plain, plain_size)
        self._colour(page)
        for part in (page, *page.findChildren(QWidget)):
            part.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the keys are the speaker's
            if isinstance(part, QAbstractButton | QComboBox):
                part.setMaximumSize(0, 0)  # the page may show it again, but nobody sees it

    def _colour(self, page: Page) -> None:
        """Widgets with a style sheet have the colours of the program's theme, and not those of their window."""
        palette = palette_of(self.theme)
        for part in (page, *page.findChildren(QWidget)):
            part.setPalette(palette)

    def _enlarge(self, plain: list[QWidget], plain_size: float) -> None:
        """What had the plain size has not chosen one, and follows."""
        for part in plain:
            font = part.font()
            if abs(font.pointSizeF() - plain_size) < _SAME_SIZE:
                font.setPointSizeF(self.theme.font().pointSizeF())
                part.setFont(font)


def _with_type_of(size: float, page: Page) -> list[QWidget]:
    parts = (page, *page.findChildren(QWidget))
    return [part for part in parts if abs(part.font().pointSizeF() - size) < _SAME_SIZE]


def _content_height(area: QAbstractScrollArea) -> int:
    """How high an area would have to be to show all that is in it, as far as that can be told."""
    inner = area.widget() if isinstance(area, QScrollArea) else None
    if inner is not None:
        layout = inner.layout()
        if layout is not None and layout.hasHeightForWidth():
            return layout.totalHeightForWidth(area.viewport().width())
        return inner.sizeHint().height()
    if isinstance(area, QAbstractItemView) and not isinstance(area, QHeaderView) and area.model() is not None:
        return (area.model().rowCount() + 1) * max(area.sizeHintForRow(0), 0)
    return 0


class _FocusFrame(Themed, QWidget):
    """A frame around the part of a window that has the keyboard."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._part: QWidget | None = None
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_around(self, part: QWidget | None) -> None:
        """Stand around this part, or nowhere."""
        self._part = part
        self.setVisible(part is not None)
        self.place()

    def place(self) -> None:
        """Follow the part, which may have moved."""
        if self._part is not None:
            corner = self._part.mapTo(self._window, QPoint(0, 0))
            self.setGeometry(QRect(corner, self._part.size()))

    def paintEvent(self, _event: QPaintEvent) -> None:
        width = _FOCUS_LINE * self.theme.line_scale
        with QPainter(self) as painter:
            painter.setPen(QPen(QColor(self.theme.colours.accent), width))
            painter.drawRect(QRectF(self.rect()).adjusted(width / 2, width / 2, -width / 2, -width / 2))


class LectureStage(Stage):
    """A stage without the small line of words; the legend is there whenever it is wanted."""

    changed = Signal()

    def show_picture(
        self, picture: Moment | None, duration_ms: int = 0, *, keeps_state: bool = False
    ) -> None:
        super().show_picture(picture, duration_ms, keeps_state=keeps_state)
        self.changed.emit()

    def show_state(self, analysis: Analysis | None) -> None:
        super().show_state(analysis)
        self.changed.emit()

    def _choose_lines(self) -> None:
        self._caption.hide()
        self._legend.setVisible(self._is_legend_wanted)


class AudienceWindow(Themed, QWidget):
    """No menus and no buttons. Keys are passed on as commands; what is shown is told by methods."""

    command_given = Signal(object)
    closed = Signal()
    changed = Signal()
    """Something else is to be seen than before."""
    panels_changed = Signal()
    """Something is shown that was not, and has to be brought to the run on show."""

    def __init__(self, *, is_lecture: bool, is_motion_reduced: bool = False) -> None:
        super().__init__()
        self._is_lecture = is_lecture
        self._steps = 0
        self._theme_name = _THEMES[0]
        self._panels = {"caption"}
        self._is_theory_wanted = False
        self._last_page = scene_pages()[0].name
        self._has_tree = True
        self._is_shut = False
        self.setWindowTitle("Lecture – gpviz")
        self.setAccessibleName("Audience window")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(320, 240)
        self.stage = LectureStage()
        self.text = SceneText()
        self.content = SceneContentView()
        self.curves = CurvesLoader()
        self.timeline = Timeline()
        self.caption = CaptionBar()
        self._page_holder = PageHolder()
        self._page_height = 0
        """A page keeps the height it once wanted, so that the tree does not hop about from step to step."""
        self._upper, self._left, self._right, self._beside = QWidget(), QWidget(), QWidget(), QWidget()
        self._is_page_in_column = False
        self._is_question_open = False
        self._is_guess_first = False
        self._build()
        self._page_holder.content_changed.connect(self._on_page_changed)
        self._page_holder.installEventFilter(self)  # which tells when it moves
        self._focus_frame = _FocusFrame(self)
        self.spotlight = Spotlight(self)
        self.blank_screen = BlankScreen(self)
        self._idle_cursor = IdleCursor(self)
        self.set_reduced_motion(is_motion_reduced)
        self.stage.canvas.set_following(True)
        self.stage.changed.connect(self.changed)
        self.content.changed.connect(self.changed)
        self.spotlight.moved.connect(self.changed)
        self._apply_hall_theme()
        self._show_parts()

    # --- what is shown ---

    @property
    def panels(self) -> tuple[str, ...]:
        """What stands beside the tree, in the order of the keys."""
        return tuple(name for name in PANELS if name in self._panels)

    @property
    def page_name(self) -> str:
        """The page beside or below the tree, empty for none."""
        return self._page_holder.name

    @property
    def page(self) -> Page | None:
        """The page beside or below the tree itself, None for none."""
        return self._page_holder.page

    @property
    def has_tree(self) -> bool:
        return self._has_tree

    def show_scene(self, scene: Scene) -> None:
        """Show what the scene wants to be seen; its run is shown by whoever follows it."""
        self._panels = set(scene.panels)
        self._has_tree = scene.has_tree
        self.text.show_text(scene.text)
        self.content.show_content(scene.content)
        self._set_page(scene.page)
        self.caption.forget_height()
        self._show_parts()

    def show_caption(self, text: str, place: str = "", verdict: Verdict | None = None) -> None:
        """The words below the tree."""
        self.caption.show_text(text, place, verdict)
        self._show_caption()
        self.changed.emit()

    def set_guess_first(self, is_on: bool) -> None:
        """There are questions and answers to be seen, whatever else is wanted beside the tree; or no longer."""
        if is_on != self._is_guess_first:
            self._is_guess_first = is_on
            self._page_holder.set_ahead_hidden(is_on)
            self._show_caption()
            self.changed.emit()

    def set_question_open(self, is_open: bool) -> None:
        """A guess is wanted, or no longer: no page may tell the answer."""
        if is_open != self._is_question_open:
            self._is_question_open = is_open
            self._page_holder.set_question_open(is_open)
            self.panels_changed.emit()
            self.changed.emit()

    def set_theory_shown(self, is_shown: bool) -> None:
        """Show in the curves what the paper proves, whatever a scene says, or only where it does."""
        self._is_theory_wanted = is_shown
        self._show_theory()

    def toggle_panel(self, name: str) -> None:
        """Show or hide something beside the tree."""
        self._panels ^= {name}
        self._show_parts()

    def toggle_page(self) -> None:
        """Show or hide the page to study."""
        self._set_page("" if self.page_name else self._last_page)
        self._show_parts()

    def next_page(self) -> None:
        """Show the next of the pages to study."""
        if self.page_name:
            names = [info.name for info in scene_pages()]
            self._last_page = names[(names.index(self.page_name) + 1) % len(names)]
        self._set_page(self._last_page)
        self._show_parts()

    def go_to_part(self, steps: int) -> None:
        """Give the keyboard to the next part on show, or to the one before; after the last to none, as at first.

        A screen reader then reads it, and a page that is too long can be scrolled. All keys stay the speaker's.
        """
        stops = [self, *self._parts()]
        here = self.focusWidget()
        place = stops.index(here) if here in stops else 0
        target = stops[(place + steps) % len(stops)]
        if target is not self:
            target.installEventFilter(self)
        target.setFocus(Qt.FocusReason.OtherFocusReason)

    def _parts(self) -> list[QWidget]:
        """The parts on show, in the order in which one reads them."""
        page: list[QWidget] = [self._page_holder.readable_part]
        curves: list[QWidget] = [self.curves]
        is_below_page = self._right_column.indexOf(self.curves) >= 0
        beside = page + curves if is_below_page else curves + page
        content = self.content.view or self.content
        parts = [self.stage.canvas, content, self.text, *beside, self.timeline, self.caption]
        return [part for part in parts if part.isVisible()]

    def cover(self, blank_kind: BlankKind, title: str = "", words: str = "") -> None:
        """Cover everything, or show it again."""
        self.blank_screen.draw(blank_kind, title, words)
        if blank_kind is BlankKind.OPEN:
            self.spotlight.raise_()
        self.changed.emit()

    def toggle_pointing(self, pointing: PointerKind) -> None:
        """Begin or end to point at something."""
        self.spotlight.toggle(pointing)
        self._keep_mouse()

    # --- looks ---

    def change_type(self, steps: int) -> None:
        """Larger or smaller type."""
        self._steps = min(max(self._steps + steps, -MOST_TYPE_STEPS), MOST_TYPE_STEPS)
        self._apply_hall_theme()

    def choose_next_theme(self) -> None:
        """Go round the themes; the first is made for projectors."""
        place = _THEMES.index(self._theme_name)
        self._theme_name = _THEMES[(place + 1) % len(_THEMES)]
        self._apply_hall_theme()

    def set_reduced_motion(self, is_reduced: bool) -> None:
        """Jump instead of moving."""
        self.stage.canvas.set_reduced_motion(is_reduced)
        self.content.set_reduced_motion(is_reduced)

    def place_on(self, screen: QScreen | None, *, is_full: bool = True) -> None:
        """Show the window on this screen, all over it or as a window on part of it."""
        screen = screen or QGuiApplication.primaryScreen()
        if is_full:
            self.setWindowFlag(Qt.WindowType.FramelessWindowHint, True)
            self.setGeometry(screen.geometry())
            self.showFullScreen()
        else:
            self.setWindowFlag(Qt.WindowType.FramelessWindowHint, False)
            room = screen.availableGeometry()
            width = min(round(0.62 * room.width()), round(0.9 * room.height() * 4 / 3))
            height = min(round(width * 3 / 4), round(0.9 * room.height()))
            self.setGeometry(room.left() + 8, room.top() + 32, width, height)
            self.showNormal()
        self.raise_()
        self.activateWindow()
        self.setFocus()

    def shut_down(self) -> None:
        """End everything that moves or computes; call it before the window goes."""
        if self._is_shut:
            return
        self._is_shut = True
        self._idle_cursor.stop()
        self.stage.shut_down()
        self.curves.shut_down()
        self._page_holder.shut_down()
        self.content.shut_down()
        self.hide()

    # --- how it is done ---

    def _build(self) -> None:
        """The tree with content and text, a page, and below all the rest; the curves stand where there is room."""
        self._beside_box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self._beside)
        self._beside_box.setContentsMargins(0, 0, 0, 0)
        self._beside_box.addWidget(self.content, 3)
        self._beside_box.addWidget(self.text, 2)
        layout = row_in(self._upper, spacing=6)
        layout.addWidget(self.stage)
        layout.addWidget(self._beside)
        self._left_column = column_in(self._left)
        self._left_column.addWidget(self._upper, 1)
        self._left_column.addWidget(self.curves)
        for side in (self._upper, self._left):
            side.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._middle = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        self._middle.addWidget(self._left, 1)
        self._right_column = column_in(self._right)
        self._right_column.addWidget(self._page_holder, 1)
        self._middle.addWidget(self._right)
        column = self._column = QVBoxLayout(self)
        column.addLayout(self._middle, 1)
        column.addWidget(self.timeline)
        column.addWidget(self.caption)
        self.stage.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        for still in (self.stage.canvas, self.timeline, self.curves):
            still.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def _set_page(self, name: str) -> None:
        self._last_page = name or self._last_page
        self._page_height = 0
        self._page_holder.show_page(name)

    def _show_parts(self) -> None:
        self.stage.setVisible(self._has_tree)
        self.text.setVisible(bool(self.text.markdown))
        self.content.setVisible(self.content.content is not None)
        self._beside.setVisible(self._has_beside)
        self._page_holder.setVisible(bool(self.page_name))
        self.timeline.setVisible("timeline" in self._panels)
        self.stage.set_legend_shown("legend" in self._panels)
        self._show_theory()
        self._show_caption()
        self._share_room()
        self._make_curves()
        self.panels_changed.emit()
        self.changed.emit()

    def _show_theory(self) -> None:
        self.curves.set_theory_shown(self._is_theory_wanted or "theory" in self._panels)

    def _show_caption(self) -> None:
        is_wanted = "caption" in self._panels or self._is_guess_first
        has_words = bool(self.caption.text or self.caption.position)
        self.caption.setVisible(is_wanted and (self._has_tree or has_words))

    @property
    def is_page_beside(self) -> bool:
        """Whether a page stands, or would stand, beside the tree, which then has the whole height."""
        is_wide = self.width() > WIDE_SHAPE * self.height()
        return is_wide and not (self._has_tree and self._has_beside)

    @property
    def _has_beside(self) -> bool:
        """Whether there is a content or a text beside the tree, or instead of it."""
        return bool(self.text.markdown) or self.content.content is not None

    def _share_room(self) -> None:
        is_wide = self.width() > WIDE_SHAPE * self.height()
        has_page = bool(self.page_name)
        has_upper = self._has_tree or self._has_beside
        has_curves = "curves" in self._panels and (is_wide or not has_page or not has_upper)
        self._upper.setVisible(has_upper)
        self._left.setVisible(has_upper or has_curves)
        self._right.setVisible(has_page)
        self._share_curves(is_wide=is_wide)
        self.curves.setVisible(has_curves)
        self._share_beside(is_wide=is_wide)
        self._share_page(is_alone=self._left.isHidden())
        margin = round(_MARGIN * self.height())
        self._column.setContentsMargins(margin, margin, margin, 0)
        for layout in (self._column, self._middle, self._left_column, self._right_column, self._beside_box):
            layout.setSpacing(margin)

    def _share_beside(self, *, is_wide: bool) -> None:
        """Words stand above a content where both are beside a tree, and beside it where there is none."""
        has_content = self.content.content is not None
        shares = (1, 1, 1) if has_content else (3, 2, 2) if is_wide else (5, 4, 4)
        for place, stretch in enumerate(shares):
            _row_of(self._upper).setStretch(place, stretch)
        direction = QBoxLayout.Direction
        is_row = is_wide and not self._has_tree
        self._beside_box.setDirection(direction.LeftToRight if is_row else direction.BottomToTop)

    def _share_curves(self, *, is_wide: bool) -> None:
        """A tree needs height: on a wide screen they stand beside it, below the page where there is one."""
        has_page = bool(self.page_name)
        is_below_page = has_page and self.is_page_beside and not self._upper.isHidden()
        if is_below_page:
            layout: QBoxLayout = self._right_column
        elif is_wide and self._has_tree and not has_page and not self._has_beside:
            layout = _row_of(self._upper)
        else:
            layout = self._left_column
        if layout.indexOf(self.curves) < 0:
            layout.addWidget(self.curves)
        self._left_column.setStretch(0, 0 if self._upper.isHidden() else 1)
        if layout is self._left_column and not self._upper.isHidden():
            self.curves.setFixedHeight(round(_CURVES_SHARE * self.height()))
        elif is_below_page:
            self.curves.setFixedHeight(round(_STRIP_SHARE * self.height()))
        else:
            self.curves.setMinimumHeight(0)
            self.curves.setMaximumHeight(NO_LIMIT)

    def _share_page(self, *, is_alone: bool) -> None:
        direction, side = QBoxLayout.Direction, self._right
        self._is_page_in_column = self.is_page_beside and not is_alone
        self._set_page_type()
        self._middle.setDirection(direction.LeftToRight if self.is_page_beside else direction.TopToBottom)
        self._middle.setStretch(1, 1 if is_alone else 0)
        side.setMinimumSize(0, 0)
        side.setMaximumSize(NO_LIMIT, NO_LIMIT)
        if not self.page_name or is_alone:
            return
        if self.is_page_beside:
            side.setFixedWidth(round(_PAGE_WIDTH * self.width()))
            return
        lowest = round(_LEAST_PAGE_SHARE * self.height())
        self._page_height = max(self._page_height, self._page_holder.wanted_height(), lowest)
        side.setFixedHeight(min(self._page_height, round(_PAGE_SHARE * self.height())))

    @Slot()
    def _on_page_changed(self) -> None:
        if self.page_name and self._page_holder.wanted_height() > self._page_height:
            self._share_room()

    def _make_curves(self) -> None:
        """Without the buttons for zooming, which nobody in a hall can press."""
        if "curves" in self._panels:
            self.curves.view.hide_buttons()

    def _sized_theme(self, steps: int | None = None) -> Theme:
        steps = self._steps if steps is None else steps
        return hall_theme(self._theme_name, self.width(), self.height(), steps)

    def _apply_hall_theme_if_needed(self) -> None:
        if self._sized_theme() != self.theme:
            self._apply_hall_theme()
        else:
            self._share_room()

    def _apply_hall_theme(self) -> None:
        theme = self._sized_theme()
        self._page_height = 0
        self.setPalette(palette_of(theme))
        self.setFont(theme.font())
        sheet = style_sheet(theme)
        if sheet != self.styleSheet():
            self.setStyleSheet(sheet)
        stage_theme = self._sized_theme(min(self._steps, _STAGE_STEPS))
        self.stage.set_theme(smaller(stage_theme, _STAGE_TYPE))  # or the tags on the tree would cover it
        self.stage.set_banner_scale(_BANNER_SCALE)
        lesser = smaller(theme, _CURVES_TYPE)
        for plot in (self.curves, self.timeline):
            plot.set_theme(lesser)
        self.caption.steps = self._steps
        self.set_theme(theme)
        self._set_page_type()
        self._share_room()
        self.changed.emit()

    def _set_page_type(self) -> None:
        share = _PAGE_TYPE
        if self._is_page_in_column:
            is_little = self.page is not None and self.page.needs_little_space
            share = _LITTLE_BESIDE_TYPE if is_little else _BESIDE_TYPE
        theme = smaller(self.theme, share)
        if theme != self._page_holder.theme:
            self._page_holder.set_theme(theme)

    def _keep_mouse(self) -> None:
        """The mouse is hidden when it rests, unless it points."""
        if self.isVisible() and self.spotlight.pointing is PointerKind.OFF:
            self._idle_cursor.start()
        else:
            self._idle_cursor.stop()

    # --- events ---

    def event(self, event: QEvent) -> bool:
        return keeps_key(event, is_lecture=self._is_lecture) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        command = command_for(event, is_lecture=self._is_lecture)
        if command is None:
            super().keyPressEvent(event)
        else:
            self.command_given.emit(command)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys are the speaker's whichever part has the keyboard; one that goes gives it back."""
        kind = event.type()
        if kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            command = command_for(event, is_lecture=self._is_lecture)
            if command is not None:
                self.command_given.emit(command)
                return True
        elif kind == QEvent.Type.FocusIn and isinstance(watched, QWidget):
            is_in_page = self._page_holder.isAncestorOf(watched)
            self._focus_frame.show_around(self._page_holder if is_in_page else watched)
        elif kind == QEvent.Type.FocusOut:
            self._focus_frame.show_around(None)
        elif kind in (QEvent.Type.Move, QEvent.Type.Resize):
            self._focus_frame.place()
        elif kind == QEvent.Type.Hide and watched is self.focusWidget():
            self.setFocus()
        return super().eventFilter(watched, event)

    def focusNextPrevChild(self, _is_next: bool) -> bool:  # noqa: N802
        return False  # Tab is a key like the others here

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for cover in (self.spotlight, self.blank_screen):
            cover.setGeometry(self.rect())
        self._apply_hall_theme_if_needed()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._keep_mouse()

    def hideEvent(self, event: QHideEvent) -> None:
        self._idle_cursor.stop()
        super().hideEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        event.accept()
        self.closed.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self.theme.colours.window))


def _row_of(widget: QWidget) -> QHBoxLayout:
    layout = widget.layout()
    assert isinstance(layout, QHBoxLayout)
    return layout
