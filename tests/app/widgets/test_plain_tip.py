"""Words of strangers in tooltips."""

from PySide6.QtGui import QTextDocument

from gpviz.app.widgets.fields import plain_tip


def test_they_are_shown_as_they_are():
    document = QTextDocument()
    document.setHtml(plain_tip("<img src='x.png'> & more\nand more"))
    assert document.toPlainText() == "<img src='x.png'> & more\nand more"


def test_no_words_are_no_tooltip():
    assert plain_tip("") == ""
