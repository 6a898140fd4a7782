"""The audience's window: the tree or a scene's content, as large as can be, with caption, page and pointer."""

from collections.abc import Sequence
from enum import Enum, auto
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import (
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
    QAbstractScrollArea,
    QApplication,
    QLabel,
    QWidget,
)

from gpviz.app.canvas.tree_canvas import TreeCanvas
from gpviz.app.lecture.hall_text import CaptionBar, SceneText
from gpviz.app.lecture.lecture_keys import SpeakerWindow
from gpviz.app.lecture.scene_content_view import SceneContentView
from gpviz.app.lecture.spotlight import PointerKind, Spotlight
from gpviz.app.pages.page import Page, make_page
from gpviz.app.plots.time_strip import TimeStrip
from gpviz.app.theme import MOST_TYPE_STEPS, TYPE_STEP, Theme, hall_theme, palette_of, smaller, style_sheet
from gpviz.app.widgets.layouts import NO_LIMIT, WrappingScrollArea, column_in
from gpviz.app.widgets.themed import Themed
from gpviz.engine import Verdict
from gpviz.escaping import label_text
from gpviz.lecture.lecture import PANELS, Scene
from gpviz.page_list import page_info, scene_pages

_BLANK_SCREEN_MARGIN: Final = 0.08
_TITLE: Final = 1.5
_LOOK_MS: Final = 200
_PATIENCE: Final = 15
"""So many looks without a move, three seconds together, and the mouse is hidden."""
_FOCUS_LINE: Final = 2.0
_THEMES: Final = ("projector", "dark", "light", "contrast")
_CANVAS_STEPS: Final = 3
"""By how many steps type in the picture grows at most, so that the tree keeps enough space."""
_PAGE_TYPE: Final = 0.82
_BESIDE_TYPE: Final = 0.7
_LITTLE_BESIDE_TYPE: Final = 0.84
"""The type of a page below the tree, and of one beside it, where lines are shorter: with much or little to say."""
_STRIP_TYPE: Final = 0.8
_STRIP_SHARE: Final = 0.2
"""Of the window's height."""
_WIDE_SHAPE: Final = 1.4
"""A window this many times as wide as it is high has its page beside the tree."""
_PAGE_SHARE: Final = 0.46
_LEAST_PAGE_SHARE: Final = 0.2
_PAGE_WIDTH: Final = 0.4
"""Of the window's height a page below the tree, and of its width one beside the tree."""
_MARGIN: Final = 0.008
_TREE_GAP: Final = 6
_CONTENT_SHARE: Final = 0.6
"""Of what is shared by a content and a text."""
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
        self.blank_kind = BlankKind.OPEN
        self.title = ""
        """What stands on it in large type."""
        self.words = ""
        """What stands on it below that."""
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName("Blank screen")
        self.hide()

    def draw(self, blank_kind: BlankKind, title: str = "", words: str = "") -> None:
        """Cover the picture in this way, or show it again."""
        self.blank_kind, self.title, self.words = blank_kind, label_text(title), label_text(words)
        self.setAccessibleDescription(f"{blank_kind.name.capitalize()}. {self.title} {self.words}".strip())
        self.setVisible(blank_kind is not BlankKind.OPEN)
        self.raise_()
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        colours = self.theme.colours
        ground, ink, pale = {
            BlankKind.BLACK: ("black", "black", "black"),
            BlankKind.WHITE: ("white", "white", "white"),
            BlankKind.END: ("black", "white", "white"),
        }.get(self.blank_kind, (colours.window, colours.text, colours.muted))
        margin = _BLANK_SCREEN_MARGIN * self.width()
        room = QRectF(self.rect()).adjusted(margin, 0.0, -margin, 0.0)
        centred = Qt.AlignmentFlag.AlignHCenter | Qt.TextFlag.TextWordWrap
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(ground))
            painter.setPen(QColor(ink))
            painter.setFont(self.theme.font(_TITLE, is_bold=True))
            upper = room.adjusted(0.0, 0.0, 0.0, -0.5 * self.height())
            painter.drawText(upper, int(centred | Qt.AlignmentFlag.AlignBottom), self.title)
            painter.setPen(QColor(pale))
            painter.setFont(self.theme.font())
            lower = room.adjusted(0.0, 0.53 * self.height(), 0.0, 0.0)
            painter.drawText(lower, int(centred | Qt.AlignmentFlag.AlignTop), self.words)


class IdleCursor(QObject):
    """Hides the mouse over a window when it has not moved for a while.

    It looks some times a second, as no widget hears of all moves of the mouse.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._last = QPoint()
        self._looks = 0
        self.is_hidden = False
        """Whether the mouse is hidden now."""
        self._timer = QTimer(self)
        self._timer.setInterval(_LOOK_MS)
        self._timer.timeout.connect(self.look)

    def start(self) -> None:
        self._looks = 0
        self._last = QCursor.pos()
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        self._set_hidden(False)

    @Slot()
    def look(self) -> None:
        """See whether the mouse has moved."""
        before, self._last = self._last, QCursor.pos()
        is_over = self._window.isActiveWindow() and self._window.frameGeometry().contains(self._last)
        self._looks = self._looks + 1 if is_over and self._last == before else 0
        self._set_hidden(self._looks >= _PATIENCE)

    def _set_hidden(self, is_hidden: bool) -> None:
        if is_hidden and not self.is_hidden:
            QGuiApplication.setOverrideCursor(Qt.CursorShape.BlankCursor)
        elif self.is_hidden and not is_hidden:
            QGuiApplication.restoreOverrideCursor()
        self.is_hidden = is_hidden


class PageHolder(Themed, QWidget):
    """The page to study in the audience's window, in large type and without its buttons.

    It holds all pages that were wanted so far; one of them, or none, is on show.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.name = ""
        """The page on show, empty for none."""
        self.is_question_open = False
        self._is_ahead_hidden = False
        self._pages: dict[str, Page] = {}
        self._plain_parts: list[QWidget] = []
        """What has not chosen a size of its type, and gets that of the theme."""
        self._column = column_in(self)
        self._cover = QLabel(_COVERED)
        self._cover.setWordWrap(True)
        self._cover.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._column.addWidget(self._cover)

    @property
    def page(self) -> Page | None:
        """The page on show itself, None for none."""
        return self._pages.get(self.name)

    def show_page(self, name: str) -> None:
        """Show this page; an empty name for none."""
        self.name = name
        if name and name not in self._pages:
            page = self._pages[name] = make_page(page_info(name))
            page.set_for_audience()
            page.set_ahead_hidden(self._is_ahead_hidden)
            self._column.addWidget(page)
            for area in page.findChildren(WrappingScrollArea):
                if (content := area.widget()) is not None:
                    content.installEventFilter(self)
            plain_size = QApplication.font().pointSizeF()
            self._plain_parts += [part for part in _parts_of(page) if part.font().pointSizeF() == plain_size]
            self._dress()
        self._show_one()

    def set_ahead_hidden(self, is_hidden: bool) -> None:
        """Show runs as if they ended at the cursor, while what comes next is to be guessed."""
        self._is_ahead_hidden = is_hidden
        for page in self._pages.values():
            page.set_ahead_hidden(is_hidden)

    def set_question_open(self, is_open: bool) -> None:
        """While a guess is wanted, a page on which one could look it up is covered."""
        self.is_question_open = is_open
        self._show_one()

    @property
    def is_covered(self) -> bool:
        """Whether the page cannot be seen, because it tells what is to be guessed."""
        return bool(self.name) and self.is_question_open and page_info(self.name).judges_mutations

    def _show_one(self) -> None:
        self._cover.setVisible(self.is_covered)
        for name, page in self._pages.items():
            page.setVisible(name == self.name and not self.is_covered)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._cover.setFont(theme.font())
        self._dress()

    def _dress(self) -> None:
        """Widgets with a style sheet have the type and colours of the program, and not those of their window."""
        size, palette = self.theme.font().pointSizeF(), palette_of(self.theme)
        for part in self._plain_parts:
            font = part.font()
            font.setPointSizeF(size)
            part.setFont(font)
        for page in self._pages.values():
            for part in _parts_of(page):
                part.setPalette(palette)

    @property
    def readable_part(self) -> QWidget:
        """What the keyboard goes to: what can be scrolled, or all of the page."""
        page = self.page
        if page is None or self.is_covered:
            return self._cover
        areas = [area for area in page.findChildren(QAbstractScrollArea) if area.isVisible()]
        return areas[0] if areas else page

    def wanted_height(self, width: int) -> int:
        """How high the page has to be in this width so that nothing in it is scrolled; most want all there is."""
        page = self.page
        if page is None or not page.needs_little_space:
            return NO_LIMIT
        heights: list[int] = []
        for area in page.findChildren(WrappingScrollArea):
            edges = area.height() - area.viewport().height()
            heights.append(area.height_for(width - edges) + edges)
        return max(heights, default=NO_LIMIT)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Pass on that a page wants another height, which a scroll area keeps to itself."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def shut_down(self) -> None:
        """End what the pages do in the background."""
        for page in self._pages.values():
            page.shut_down()


def _parts_of(page: Page) -> list[QWidget]:
    return [page, *page.findChildren(QWidget)]


class _FocusFrame(Themed, QWidget):
    """Lies over a window, with a frame around the part that has the keyboard."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.part = window
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, _event: QPaintEvent) -> None:
        width = _FOCUS_LINE * self.theme.line_scale
        box = QRectF(QRect(self.part.mapTo(self.window(), QPoint(0, 0)), self.part.size()))
        with QPainter(self) as painter:
            painter.setPen(QPen(QColor(self.theme.colours.accent), width))
            painter.drawRect(box.adjusted(width / 2, width / 2, -width / 2, -width / 2))


class AudienceWindow(SpeakerWindow):
    """No menus and no buttons. What is shown is told by methods."""

    changed = Signal()
    """Something else is to be seen than before."""
    panels_changed = Signal()
    """Something is shown that was not, and has to be brought to the run on show."""

    def __init__(self, *, is_lecture: bool, is_motion_reduced: bool = False) -> None:
        super().__init__("Lecture", "Audience window", is_lecture=is_lecture)
        self._steps = 0
        self._theme_name = _THEMES[0]
        self._panels = {"caption"}
        self._is_theory_wanted = False
        self._is_guess_first = False
        self._last_page = scene_pages()[0].name
        self.has_tree = True
        self.setMinimumSize(320, 240)
        self.canvas = TreeCanvas(self)
        self.content = SceneContentView(self)
        self.text = SceneText(self)
        self.strip = TimeStrip(self)
        self.caption = CaptionBar(self)
        self._page_holder = PageHolder(self)
        self._page_height = 0
        """A page keeps the height it once wanted, so that the tree does not hop about from step to step."""
        self._focus_frame = _FocusFrame(self)
        self.spotlight = Spotlight(self)
        self.blank_screen = BlankScreen(self)
        self._idle_cursor = IdleCursor(self)
        for still in (self.canvas, self.strip):
            still.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.set_reduced_motion(is_motion_reduced)
        self.canvas.set_following(True)
        self.canvas.state_shown.connect(self.changed)
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

    def show_scene(self, scene: Scene) -> None:
        """Show what the scene wants to be seen; its run is shown by whoever follows it."""
        self._panels = set(scene.panels)
        self.has_tree = scene.has_tree
        self.text.show_text(scene.text)
        self.content.show_content(scene.content)
        self.caption.forget_height()
        self._set_page(scene.page)

    def show_caption(self, text: str, place: str = "", verdict: Verdict | None = None) -> None:
        """The words below the tree."""
        self.caption.show_text(text, place, verdict)
        self._show_caption()
        self.changed.emit()

    def set_guess_first(self, is_on: bool) -> None:
        """There are questions and answers to be seen, and nothing of what is ahead; or no longer."""
        if is_on != self._is_guess_first:
            self._is_guess_first = is_on
            for part in (self.strip, self._page_holder):
                part.set_ahead_hidden(is_on)
            self._show_caption()
            self.changed.emit()

    def set_question_open(self, is_open: bool) -> None:
        """A guess is wanted, or no longer: no page may tell the answer."""
        if is_open != self._page_holder.is_question_open:
            self._page_holder.set_question_open(is_open)
            self.panels_changed.emit()
            self.changed.emit()

    def set_theory_shown(self, is_shown: bool) -> None:
        """Show in the strip what the paper proves, whatever a scene says, or only where it does."""
        self._is_theory_wanted = is_shown
        self._show_theory()

    def toggle_panel(self, name: str) -> None:
        """Show or hide something beside the tree."""
        self._panels ^= {name}
        self._show_parts()

    def toggle_page(self) -> None:
        """Show or hide the page to study."""
        self._set_page("" if self.page_name else self._last_page)

    def next_page(self) -> None:
        """Show the next of the pages to study."""
        if self.page_name:
            names = [info.name for info in scene_pages()]
            self._last_page = names[(names.index(self.page_name) + 1) % len(names)]
        self._set_page(self._last_page)

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
        content = self.content.view or self.content
        parts = [self.canvas, content, self.text, self._page_holder.readable_part, self.strip, self.caption]
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
        self.canvas.set_reduced_motion(is_reduced)
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
        self.come_to_front()

    def shut_down(self) -> None:
        """End everything that moves or computes; call it before the window goes."""
        self._idle_cursor.stop()
        self.canvas.shut_down()
        self._page_holder.shut_down()
        self.content.shut_down()
        self.hide()

    # --- how it is done ---

    def _set_page(self, name: str) -> None:
        self._last_page = name or self._last_page
        self._page_height = 0
        self._page_holder.show_page(name)
        self._show_parts()

    def _show_parts(self) -> None:
        self.canvas.setVisible(self.has_tree)
        self.text.setVisible(bool(self.text.markdown))
        self.content.setVisible(self.content.content is not None)
        self._page_holder.setVisible(bool(self.page_name))
        self.strip.setVisible("curves" in self._panels)
        self._show_theory()
        self._show_caption()
        self._fit_parts()
        self.panels_changed.emit()
        self._place_parts()
        self.changed.emit()

    def _show_theory(self) -> None:
        self.strip.set_theory_shown(self._is_theory_wanted or "theory" in self._panels)

    def _show_caption(self) -> None:
        is_wanted = "caption" in self._panels or self._is_guess_first
        has_words = bool(self.caption.text or self.caption.position)
        self.caption.setVisible(is_wanted and (self.has_tree or has_words))

    @property
    def _is_wide(self) -> bool:
        return self.width() > _WIDE_SHAPE * self.height()

    @property
    def _is_page_beside(self) -> bool:
        """Whether a page stands, or would stand, beside the tree, which then has the whole height."""
        has_both = self.has_tree and not (self.text.isHidden() and self.content.isHidden())
        return self._is_wide and not has_both

    @property
    def _gap(self) -> int:
        """What stays free between the parts."""
        return round(_MARGIN * self.height())

    @property
    def _has_upper(self) -> bool:
        """Whether there is a tree, a content or a text."""
        return self.has_tree or not (self.text.isHidden() and self.content.isHidden())

    def _arrange(self) -> None:
        self._fit_parts()
        self._place_parts()

    def _fit_parts(self) -> None:
        """Show the page in the type that it needs where it stands."""
        share = _PAGE_TYPE
        if self._is_page_beside and self._has_upper:
            is_little = self.page is not None and self.page.needs_little_space
            share = _LITTLE_BESIDE_TYPE if is_little else _BESIDE_TYPE
        theme = smaller(self.theme, share)
        if theme != self._page_holder.theme:
            self._page_holder.set_theme(theme)
        least = round(_LEAST_PAGE_SHARE * self.height())
        wanted = self._page_holder.wanted_height(self.width() - 2 * self._gap)
        self._page_height = max(self._page_height, wanted, least)

    def _place_parts(self) -> None:
        """The page stands beside tree, content and text, or below them; the strip below all, above the caption."""
        height, gap = self.height(), self._gap
        page, strip, caption = self._page_holder, self.strip, self.caption
        has_page, has_upper, has_strip = bool(self.page_name), self._has_upper, not strip.isHidden()
        area = self.rect().adjusted(gap, gap, -gap, 0)
        if not caption.isHidden():
            size = caption.sizeHint().expandedTo(caption.minimumSize())
            area, below = _cut_bottom(area, size.height(), gap)
            caption.setGeometry(below)
        if has_strip and not has_upper and not has_page:
            strip.setGeometry(area)
        elif has_strip:
            is_low = has_upper and has_page and not self._is_page_beside
            wanted = 0 if is_low else round(_STRIP_SHARE * height)
            area, below = _cut_bottom(area, max(wanted, strip.minimumSizeHint().height()), gap)
            strip.setGeometry(below)
        if has_page and not has_upper:
            page.setGeometry(area)
        elif has_page and self._is_page_beside:
            column = QRect(area)
            column.setLeft(area.right() + 1 - round(_PAGE_WIDTH * self.width()))
            area.setRight(column.left() - 1 - gap)
            page.setGeometry(column)
        elif has_page:
            area, below = _cut_bottom(area, min(self._page_height, round(_PAGE_SHARE * height)), gap)
            page.setGeometry(below)
        self._place_beside(area, [part for part in (self.content, self.text) if not part.isHidden()], gap)

    def _place_beside(self, area: QRect, parts: Sequence[QWidget], gap: int) -> None:
        """Words stand above a content where both are beside a tree, and beside it where there is none."""
        if self.has_tree and parts:
            share = 1 / 2 if self.content in parts else 3 / 5 if self._is_wide else 5 / 9
            tree, area = _cut_left(area, share, _TREE_GAP)
            self.canvas.setGeometry(tree)
        elif self.has_tree:
            self.canvas.setGeometry(area)
        if len(parts) == 2 and self._is_wide and not self.has_tree:
            content, area = _cut_left(area, _CONTENT_SHARE, gap)
            self.content.setGeometry(content)
        elif len(parts) == 2:
            area, content = _cut_bottom(area, int(_CONTENT_SHARE * (area.height() - gap) + 0.5), gap)
            self.content.setGeometry(content)
        if parts:
            parts[-1].setGeometry(area)

    def _sized_theme(self, steps: int | None = None) -> Theme:
        steps = self._steps if steps is None else steps
        return hall_theme(self._theme_name, self.width(), self.height(), steps)

    def _apply_hall_theme(self) -> None:
        theme = self._sized_theme()
        self._page_height = 0
        self.setPalette(palette_of(theme))
        self.setFont(theme.font())
        sheet = style_sheet(theme)
        if sheet != self.styleSheet():
            self.setStyleSheet(sheet)
        self.canvas.set_text_scale(TYPE_STEP ** min(self._steps, _CANVAS_STEPS))
        self.strip.set_theme(smaller(theme, _STRIP_TYPE))
        self.caption.steps = self._steps
        self.set_theme(theme)
        self._arrange()
        self.changed.emit()

    def _keep_mouse(self) -> None:
        """The mouse is hidden when it rests, unless it points."""
        if self.isVisible() and self.spotlight.pointing is PointerKind.OFF:
            self._idle_cursor.start()
        else:
            self._idle_cursor.stop()

    # --- events ---

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # a part wants another height than before
            self._arrange()
        return super().event(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys are the speaker's whichever part has the keyboard; one that goes gives it back."""
        kind = event.type()
        if isinstance(event, QKeyEvent) and kind == QEvent.Type.KeyPress and self.give_command(event):
            return True
        if kind in (QEvent.Type.FocusIn, QEvent.Type.FocusOut) and isinstance(watched, QWidget):
            is_in_page = self._page_holder.isAncestorOf(watched)
            self._focus_frame.part = self._page_holder if is_in_page else watched
            self._focus_frame.setVisible(kind == QEvent.Type.FocusIn)
        elif kind == QEvent.Type.Hide and watched is self.focusWidget():
            self.setFocus()
        return super().eventFilter(watched, event)

    def focusNextPrevChild(self, _is_next: bool) -> bool:  # noqa: N802
        return False  # Tab is a key like the others here

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for cover in (self._focus_frame, self.spotlight, self.blank_screen):
            cover.setGeometry(self.rect())
        if self._sized_theme() != self.theme:
            self._apply_hall_theme()
        else:
            self._arrange()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._keep_mouse()

    def hideEvent(self, event: QHideEvent) -> None:
        self._idle_cursor.stop()
        super().hideEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), QColor(self.theme.colours.window))


def _cut_bottom(area: QRect, height: int, gap: int) -> tuple[QRect, QRect]:
    """What is left above, and a strip of this height at the bottom."""
    top = area.bottom() + 1 - height
    return area.adjusted(0, 0, 0, -height - gap), QRect(area.left(), top, area.width(), height)


def _cut_left(area: QRect, share: float, gap: int) -> tuple[QRect, QRect]:
    """This share of the width, and what is left to the right of it."""
    width = int(share * (area.width() - gap) + 0.5)
    left = QRect(area.left(), area.top(), width, area.height())
    return left, area.adjusted(width + gap, 0, 0, 0)
