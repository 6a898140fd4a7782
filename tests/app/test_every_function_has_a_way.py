"""Every function of the window, and the way to it."""

import re
from collections.abc import Iterator
from typing import Final

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractButton, QMenu, QMenuBar, QSlider, QWidget

from gpviz.app.actions import page_action
from gpviz.app.dialogs.new_run_dialog import NewRunDialog
from gpviz.app.main_window import MainWindow
from gpviz.app.title_line import TitleLine
from gpviz.app.transport_bar import TransportBar
from tests.app.main_windows import let_go, open_window

MOST_ENTRIES: Final = 70

COMMANDS: Final = """
play                | menu Play
play_backwards      | keys Shift+Space
next                | menu Play
previous            | menu Play
next_accepted       | menu Play
previous_accepted   | menu Play
first               | menu Play
live_end            | menu Play
faster              | keys +
slower              | keys -
go_to               | menu Play
bookmark            | menu Play
quiz                | menu Play
phase_down          | keys Down
phase_up            | keys Up
undo                | keys Ctrl+Z
redo                | keys Ctrl+Y
page_curves         | menu Look closer
page_inside         | menu Look closer
page_neighbours     | menu Look closer
page_proof          | menu Look closer
page_outlook        | menu Look closer
page_rows           | menu Look closer
page_hand           | menu Look closer
page_branches       | menu Look closer
page_find           | menu Look closer
page_scenes         | menu Present
compare             | menu Run
experiments         | menu Run
new_run             | menu Run
restart             | menu Run
open                | menu Run
save                | menu Run
save_as             | menu Run
export              | menu Run
copy_tree           | keys Ctrl+Shift+C
close_window        | keys Ctrl+W
quit                | menu Run
fit                 | menu View
zoom_in             | keys Ctrl++
zoom_out            | keys Ctrl+-
follow              | menu View
fold_resting        | keys Ctrl+Shift+F
collapse            | keys C
expand_all          | keys Shift+C
redundant           | menu View
ghosts              | menu View
reasons             | menu View
log_scale           | menu View
theory              | menu View
neighbour_outlooks  | keys Shift+N
whole_outlook       | keys Shift+O
reset_curves        | keys Ctrl+0
setup_panel         | menu Run: settings
step_panel          | keys Ctrl+2: page_proof
curves_panel        | keys Ctrl+3: look_closer
strip_panel         | retired: The time strip is always there.
fold_settings       | retired: No settings stand beside the tree.
fill_page           | menu Look closer
larger_page         | keys Alt++
smaller_page        | keys Alt+-
next_pane           | keys F6
previous_pane       | keys Shift+F6
full_screen         | menu View
reduced_motion      | menu View
larger_type         | menu View
smaller_type        | menu View
next_theme          | keys Ctrl+T
lecture             | menu Present: present
present             | menu Present: give_lecture
rehearse            | menu Present
capture             | menu Present
new_lecture         | found
save_lecture        | found
help                | menu Help
paper               | menu Help
hint                | retired: A quiet line says the three things to know, until the first key.
marks               | menu Help
keys                | menu Help: commands
about               | menu Help
"""
"""The actions, by their names."""

CONTROLS: Final = """
Menu: a preset                         | gallery A first run
Menu: a lecture that comes with it     | gallery Why leaf-only deletion gets stuck
Menu: open a lecture                   | gallery Open a lecture …
Menu: open recent                      | gallery run.gpviz
Menu: clear the list of recent files   | gallery Clear this list
Menu: a layout                         | found Radial
Menu: a theme                          | found Dark

Toolbar: Presets                       | button Gallery
Toolbar: Settings                      | gallery Set up a new run …
Toolbar: Open                          | gallery Open …
Toolbar: Save                          | found Save
Toolbar: Bookmark                      | found Bookmark this iteration
Toolbar: Layout                        | found Tidy tree
Toolbar: Fit, Zoom in, Zoom out        | mouse Wheel, drag, double-click
Toolbar: Compare                       | found Compare runs …
Toolbar: Experiments                   | found Do experiments …
Toolbar: Lecture                       | button Present
Toolbar: Export                        | found Export …
Toolbar: Theme                         | found Switch to the next theme
Toolbar: Keys                          | found Find a command …

Settings: Variables n                  | new run Variables n
Settings: Size limit                   | new run Size limit ℓ
Settings: Deletion                     | new run Deletion
Settings: Functions                    | new run Functions
Settings: Error on                     | new run Error on
Settings: Rows s                       | new run Rows s
Settings: Sampler                      | new run Sampler
Settings: Stop at error                | new run Stop at error
Settings: Empty tree                   | new run Empty tree
Settings: Start from                   | new run Start from
Settings: Script                       | new run Script
Settings: Seed                         | new run Seed
Settings: Random seed                  | new run Random seed
Settings: More settings                | new run More settings
Settings: New run                      | new run Start
Settings: Restart same seed            | found Start again

Pause: solved                          | page pause: error goal is reached
Pause: stuck                           | page pause: tree is stuck
Pause: improves                        | page pause: error improves
Pause: full                            | page pause: tree is full
Pause: too large                       | page pause: size limit rejects
Pause: an OR                           | page pause: ∨ is accepted
Pause: a copy                          | page pause: copy of a variable
Pause: true error grows                | page pause: true error grows
Pause: leaves                          | page pause: number of leaves
Pause: iteration                       | page pause: iteration
Pause: chance to end stuck             | page pause: chance to end stuck

Bookmarks: the list                    | page bookmarks: Bookmarks
Bookmarks: Bookmark this iteration     | page bookmarks: Bookmark this iteration
Bookmarks: Delete                      | page bookmarks: Delete

Step: what happened                    | found Why
Step: Numbers                          | page proof: Numbers

Transport: Start of the run            | found Go to the start
Transport: Previous accepted           | found Go to the previous accepted mutation
Transport: Previous step               | button Step back
Transport: Play backwards              | found Play backwards
Transport: Play                        | button Play
Transport: Next step                   | button Step forward
Transport: Next accepted               | found Go to the next accepted mutation
Transport: Live end                    | found Go to the live end
Transport: Speed                       | button Speed
Timeline: click                        | mouse Click, drag on the time strip
Curves: wheel                          | mouse Wheel on the time strip

Guess first: accepted                  | stage The offspring will be accepted (Y)
Guess first: rejected                  | stage The offspring will be rejected (N)
Guess first: show what happens         | stage Show what happens, without a guess

Tree: choose a node                    | mouse Alt+arrows
Tree: move the view                    | mouse Shift+Alt+arrows
Tree: collapse a node                  | mouse Double-click on a node
Pages: fill the window                 | mouse Double-click on a tab
Panes: drag a grip                     | mouse Drag an edge
Pages: more pages                      | drawer More pages
Export beside the tree or a page       | found Export …
Copy the picture of a page             | found Copy the page

Curves: linear or log                  | page curves: Scale of the error
Curves: Theory                         | page curves: Theory
Curves: Whole run                      | page curves: Whole run
Curves: Zoom in                        | page curves: Zoom in
Curves: Zoom out                       | page curves: Zoom out

Inside: Play the phases                | page inside: Play the phases
Inside: one phase                      | page inside: Draw
Inside: Next phase                     | found Show the next phase
Inside: Previous phase                 | found Show the previous phase

Neighbours: the mutations              | page neighbours: Mutations of this tree
Neighbours: Operations to list         | page neighbours: Insertions
Neighbours: Verdicts to list           | page neighbours: improved
Neighbours: Heat on the tree           | page neighbours: Heat on the tree
Neighbours: Outlook after each move    | page neighbours: Chance to end stuck after each move
Neighbours: sort                       | page neighbours: Chance

Proof: ways to improve                 | page proof: Mutations that improve the tree
Proof: Play the way out                | page proof: Play the way out
Proof: One mutation back               | page proof: Go back one mutation
Proof: One mutation on                 | page proof: Go on one mutation
Proof: Stop looking                    | page proof: Back to the run
Proof: What if                         | page proof: What if subtree deletion were allowed?
Proof: Try this                        | page proof: Allow deleting whole subtrees

Outlook: Decisive steps                | page outlook: Decisive steps
Outlook: Whole run                     | page outlook: Whole run

Rows: Choose no row                    | page rows: Choose no row
Rows: switches                         | page rows: Switches of the variables
Rows: rows that decided                | page rows: Rows that decided the verdict

By hand: the operation                 | page hand: Insert
By hand: the function                  | page hand: AND
By hand: the side                      | page hand: left
By hand: Node                          | page hand: Node
By hand: Variable                      | page hand: Variable
By hand: Apply                         | page hand: Apply
By hand: Record                        | page hand: Record
By hand: Copy as text                  | page hand: Copy as text
By hand: Try this                      | page hand: Try this with subtree deletion

Branches: the list                     | page branches: Branches
Branches: Fork with settings           | page branches: Fork with this limit and deletion
Branches: Fork with a seed             | page branches: Fork with this seed
Branches: Compare                      | page branches: Compare
Branches: Side by side                 | page branches: Side by side
Branches: Show                         | page branches: Show
Branches: Rename                       | page branches: Rename
Branches: Remove                       | page branches: Remove
Branches: Undo, Redo                   | page branches: Undo

Find: the query                        | page find: Query
Find: Examples                         | page find: Examples of queries
Find: Find all                         | page find: Find all matches
Find: Run until                        | page find: Run until the query matches
Find: Next match                       | page find: Next match
Find: Previous match                   | page find: Previous match
Find: the matches                      | page find: Iterations found

Scenes: the list                       | page scenes: Scenes
Scenes: Capture                        | page scenes: Capture this view
Scenes: Present                        | page scenes: Present
Scenes: Rehearse                       | page scenes: Rehearse
Scenes: Show in window                 | page scenes: Show in window
Scenes: Edit scene                     | page scenes: Edit scene
Scenes: Add                            | page scenes: Add a scene
Scenes: New, Open, Save                | page scenes: Save
Scenes: Undo, Redo                     | page scenes: Undo
Scenes: More                           | page scenes: More
"""
"""Everything else that a person could use: buttons, fields, entries of submenus, moves of the mouse."""


def rows_of(table: str) -> list[tuple[str, str]]:
    lines = (re.split(r"\s+\| ", line) for line in table.splitlines() if line)
    return [(function, way) for function, way in lines]


@pytest.fixture
def window(qapp) -> Iterator[MainWindow]:
    made = open_window()
    made.menus.set_recent(["run.gpviz"], print, print)
    yield made
    let_go(made)


def menu_entries(container: QMenuBar | QMenu) -> Iterator[QAction]:
    """Everything in menus and submenus but the lines between."""
    for action in container.actions():
        if isinstance(container, QMenu) and not action.isSeparator():
            yield action
        menu = action.menu()
        if isinstance(menu, QMenu):
            yield from menu_entries(menu)


def menu_of(window: MainWindow, title: str) -> QMenu:
    menus = {action.text().replace("&", ""): action.menu() for action in window.menuBar().actions()}
    menu = menus[title]
    assert isinstance(menu, QMenu)
    return menu


def names_in(part: QWidget) -> str:
    """What stands on the controls of a part of a window and in its menus, or is said of them."""
    names = []
    for widget in part.findChildren(QWidget):
        text = widget.text() if isinstance(widget, QAbstractButton) else ""
        names += [widget.accessibleName(), text]
        if isinstance(widget, QMenu):
            widget.aboutToShow.emit()
            names += [action.text() for action in widget.actions()]
    names += [action.text() for action in part.findChildren(QAction)]
    return "\n".join(names).replace("&", "")


def found_texts(window: MainWindow) -> set[str]:
    return {entry.text for entry in window.menus.commands()}


def is_command(window: MainWindow, name: str, kind: str, where: str) -> bool:
    """Whether an action is in this menu or has this key; ``?`` finds it anyway."""
    action = window.actions_by_name[name]
    if action.text().replace("&", "") not in found_texts(window):
        return False
    if kind == "menu":
        return action in menu_of(window, where).actions()
    return kind == "found" or where in [keys.toString() for keys in action.shortcuts()]


def is_in_gallery(window: MainWindow, text: str) -> bool:
    return text in {entry.text for entry in window.menus.gallery()}


def is_found(window: MainWindow, text: str) -> bool:
    return text in found_texts(window)


def is_listed_key(window: MainWindow, keys: str) -> bool:
    return keys in {entry.keys for entry in window.menus.commands()}


def is_in_new_run(window: MainWindow, text: str) -> bool:
    dialog = NewRunDialog(window.player.run.config, parent=window)
    names = names_in(dialog)
    dialog.deleteLater()
    return text in names.splitlines()


def is_on_page(window: MainWindow, text: str) -> bool:
    name, _, control = text.partition(": ")
    window.actions_by_name[page_action(name)].trigger()
    return control in names_in(window.views.drawer.page(name))


def is_on_stage(window: MainWindow, text: str) -> bool:
    return text in names_in(window.views.canvas)


def is_in_drawer(window: MainWindow, text: str) -> bool:
    return text in names_in(window.views.drawer)


def is_button(window: MainWindow, text: str) -> bool:
    return text in [widget.accessibleName() for widget in controls_outside_menus(window)]


CHECKS: Final = {
    "gallery": is_in_gallery,
    "found": is_found,
    "mouse": is_listed_key,
    "new run": is_in_new_run,
    "page": is_on_page,
    "stage": is_on_stage,
    "drawer": is_in_drawer,
    "button": is_button,
}


def is_there(window: MainWindow, way: str) -> bool:
    kind = next(each for each in CHECKS if way.startswith(f"{each} "))
    return CHECKS[kind](window, way.removeprefix(f"{kind} "))


def controls_outside_menus(window: MainWindow) -> list[QWidget]:
    """What one can press or move on and around the stage, as far as it is on show."""
    parts: list[QWidget] = [*window.findChildren(TitleLine), *window.findChildren(TransportBar)]
    return [
        widget
        for part in parts
        for widget in part.findChildren(QWidget)
        if isinstance(widget, QAbstractButton | QSlider) and widget.isVisible()
    ]


def test_every_command_of_before_has_a_way(window):
    retired, lost = [], []
    for name, way in rows_of(COMMANDS):
        kind, _, rest = way.partition(" ")
        where, _, other = rest.partition(": ")
        if kind == "retired:":
            retired.append(name)
        elif not is_command(window, other or name, kind, where):
            lost.append(f"{name}: {way}")
    assert lost == []
    assert not set(retired) & set(window.actions_by_name)


def test_everything_else_of_before_has_a_way(window, qtbot):
    window.show_page("proof")
    page = window.views.drawer.page("proof")
    qtbot.waitUntil(lambda: page.proof is not None)  # its table has the name of what it lists
    assert [row for row in rows_of(CONTROLS) if not is_there(window, row[1])] == []


def test_seven_controls_stand_outside_the_menus(window):
    names = [widget.accessibleName() for widget in controls_outside_menus(window)]
    assert names == ["Gallery", "Look closer", "Present", "Step back", "Play", "Step forward", "Speed"]


def test_the_menus_have_few_entries(window):
    assert len(list(menu_entries(window.menuBar()))) <= MOST_ENTRIES
