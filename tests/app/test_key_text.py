"""Keys are called what is written on them, also on a Mac."""

import ast
import re
from pathlib import Path

import pytest

from gpviz import app
from gpviz.app.actions import MAIN, action_specs
from gpviz.app.key_text import free_keys, key_text
from gpviz.guide_pages import load_pages
from tests.app.key_sections import key_sections

MAC = "darwin"


@pytest.mark.parametrize("platform", ["linux", "win32"])
def test_elsewhere_nothing_changes(platform):
    text = "Ctrl+Shift+S, Alt and the arrow keys, F11, Shift+F11, Del"
    assert key_text(text, platform) == text
    assert free_keys(("F11", "Shift+F11", "Ctrl+L"), platform) == ("F11", "Shift+F11", "Ctrl+L")


@pytest.mark.parametrize(
    ("text", "on_a_mac"),
    [
        ("Save the run (Ctrl+S)", "Save the run (⌘S)"),
        ("Ctrl+Shift+S", "⇧⌘S"),
        ("Shift+Alt+arrows", "⌥⇧-arrows"),
        ("Choose two to four (Ctrl+click) to compare them.", "Choose two to four (⌘-click) to compare them."),
        ("Ctrl++, Ctrl+=, Ctrl+-", "⌘+, ⌘=, ⌘-"),
        ("`Ctrl+]` and `Ctrl+[`", "`⌘]` and `⌘[`"),
        ("Stop (Ctrl+.)", "Stop (⌘.)"),
        ("**Ctrl+Shift+Return**", "**⇧⌘↩**"),
        ("Shift+Page Down, Shift+Page Up", "⇧⇟, ⇧⇞"),
        ("Alt+Left", "⌥←"),
        ("Shift+F6", "⇧F6"),
        ("Press Ctrl+K.", "Press ⌘K."),
        ("The wheel or Ctrl and + or - zoom", "The wheel or ⌘ and + or - zoom"),
        ("Alt and the arrow keys", "⌥ and the arrow keys"),
        ("Del removes it.", "⌫ removes it."),
        ("Ctrl-C ends a run in the terminal", "Ctrl-C ends a run in the terminal"),
        ("F11, Ctrl+L", "⌘L"),
        ("**F11** or **Ctrl+L** fills the screen", "**⌘L** fills the screen"),
        ("press F11: the type adapts", "press ⌘L: the type adapts"),
        ("| Shift+F11 |", "| ⌃⌘F |"),
        ("Ctrl+Space or Down suggests what to write.", "Down suggests what to write."),
        ("Space plays, Shift steps further", "Space plays, Shift steps further"),
        ("Control, Altitude and Delete are words", "Control, Altitude and Delete are words"),
    ],
)
def test_on_a_mac_keys_have_their_signs(text, on_a_mac):
    assert key_text(text, MAC) == on_a_mac
    assert key_text(on_a_mac, MAC) == on_a_mac


def test_macos_leaves_every_action_that_has_keys_one():
    for spec in action_specs(MAIN):
        free = free_keys(spec.keys, MAC)
        assert bool(free) == bool(spec.keys)
        assert not {"F11", "Shift+F11"} & set(free)
    everything = [key for spec in action_specs(MAIN) for key in free_keys(spec.keys, MAC)]
    assert len(everything) == len(set(everything))


def test_nothing_in_the_guide_or_the_list_of_keys_is_called_otherwise():
    texts = [page.markdown for page in load_pages()]
    texts += [keys for _, section in key_sections() for keys, _ in section]
    for text in texts:
        assert not re.findall(r"(?:Ctrl|Alt|Shift)\+|\bF11\b|\bDel\b", key_text(text, MAC))


TRANSLATING = ("key_text", "KeySpec", "_name_search", "_set_turning")
"""What is given a sentence with keys and shows it with those of the system."""

_KEYS_ALONE = re.compile(r"(((Held|Ctrl|Alt|Shift)\+)*([A-Z\d]\w*|\W)(?: |$))+")
"""Names of keys for the program, such as ``Shift+PgDown Shift+Right``, that nobody reads."""


class _SentencesWithKeys(ast.NodeVisitor):
    """Finds sentences that name keys, and are not given to `key_text`."""

    def __init__(self) -> None:
        self.found: list[str] = []

    def visit_Call(self, node: ast.Call) -> None:
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if name not in TRANSLATING:
            self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):  # a docstring
            self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if not isinstance(node.value, str) or _KEYS_ALONE.fullmatch(node.value):
            return
        if re.search(r"\s.*(Ctrl|Alt|Shift)\+|(Ctrl|Alt|Shift)\+.*\s", node.value):
            self.found.append(node.value)


def test_every_sentence_of_the_window_that_names_keys_calls_them_so():
    sentences = _SentencesWithKeys()
    for path in Path(app.__file__).parent.rglob("*.py"):
        sentences.visit(ast.parse(path.read_text(encoding="utf-8")))
    assert sentences.found == ["Co&mpare …\tCtrl+K"]  # which Qt takes for a key
