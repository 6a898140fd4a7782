"""Which screen is the audience's, and which the speaker's."""

from collections.abc import Sequence

from PySide6.QtGui import QScreen

__all__ = ["screens_for"]


def screens_for(screens: Sequence[QScreen], home: QScreen | None) -> tuple[QScreen | None, QScreen | None]:
    """The audience's screen and the speaker's: with one screen there is none of one's own for the speaker.

    The speaker has the screen where the program is, as that is the one with the keyboard before it.
    """
    if not screens:
        return None, None
    others = [screen for screen in screens if screen is not home]
    if len(screens) == 1 or not others:
        return screens[0], None
    return others[0], home if home in screens else next(each for each in screens if each is not others[0])
