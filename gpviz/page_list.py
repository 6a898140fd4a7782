"""The list of the pages beside the tree, each described once: name, words, keys and help, and where its code is.

Tabs, menus, keys, the scenes of a lecture and the guide read this list. It imports none of the pages, so that
reading it costs nothing and needs no screen.
"""

from dataclasses import dataclass
from typing import Final

CURVES: Final = "curves"
INSIDE: Final = "inside"
SCENES: Final = "scenes"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageInfo:
    """What is said about a page wherever it is offered.

    ``name`` is what lecture files and actions call it. ``tip`` is said at its tab, ``action_tip`` in the menu and
    in the list of keys. ``page_class`` is its module and its class, a `gpviz.app.pages.page.Page`, as
    ``module:Class``; it is loaded when the page is first looked at. ``menu`` is the one that offers the page;
    empty for none.
    """

    name: str
    title: str
    tip: str
    action_text: str
    action_tip: str
    keys: tuple[str, ...]
    guide_topic: str
    page_class: str
    menu: str = "Look closer"
    is_in_more: bool = False
    """Whether it stands under *More*, and not among the tabs."""
    is_for_scenes: bool = False
    """Whether a scene of a lecture may show it."""
    judges_mutations: bool = False
    """Whether it tells what becomes of mutations of the tree on show, so that nobody has to guess."""
    shows_whole_run: bool = False
    """Whether it tells of iterations after the one on show."""
    is_typed_into: bool = False
    """Whether it takes the keyboard when it is chosen."""


PAGES: tuple[PageInfo, ...] = (
    PageInfo(
        name="proof",
        title="Why",
        tip="What happened, why it was accepted or rejected, and what the tree can become",
        action_text="&Why",
        action_tip="Show what happened and why, and the proof of a stuck tree",
        keys=("Alt+4", "Ctrl+2"),
        guide_topic="study#why",
        page_class="gpviz.app.pages.why:WhyPage",
        judges_mutations=True,
        is_for_scenes=True,
    ),
    PageInfo(
        name="neighbours",
        title="Neighbours",
        tip="Everything the next iteration can do, with exact chances",
        action_text="&Neighbours",
        action_tip="Show everything the next iteration can do",
        keys=("Alt+3",),
        guide_topic="study#neighbours",
        page_class="gpviz.app.pages.neighbours.neighbours_page:NeighboursPage",
        judges_mutations=True,
        is_for_scenes=True,
    ),
    PageInfo(
        name="outlook",
        title="Outlook",
        tip="How likely the run is to end stuck, and the steps that decided it",
        action_text="Ou&tlook",
        action_tip="Show how likely the run is to end stuck, from each iteration",
        keys=("O",),
        guide_topic="study#outlook",
        page_class="gpviz.app.pages.outlook.outlook_page:OutlookPage",
        is_for_scenes=True,
    ),
    PageInfo(
        name=INSIDE,
        title="Inside",
        tip="One iteration, phase by phase, in the two algorithms",
        action_text="&Inside the iteration",
        action_tip="Show the two algorithms, phase by phase",
        keys=("Alt+2",),
        guide_topic="study#inside",
        page_class="gpviz.app.pages.iteration_phases:PhasesPage",
        is_for_scenes=True,
    ),
    PageInfo(
        name="rows",
        title="Rows",
        tip="The truth table: which rows are right, wrong, fixed and broken, and how the functions differ",
        action_text="&Rows",
        action_tip="Show the truth table, and what parent and offspring compute",
        keys=("Alt+5", "Alt+6"),
        guide_topic="study#rows",
        page_class="gpviz.app.pages.truth_table.truth_table_page:TruthTablePage",
        is_for_scenes=True,
    ),
    PageInfo(
        name="hand",
        title="By hand",
        tip="Choose the mutation yourself",
        action_text="By h&and",
        action_tip="Choose the mutation yourself",
        keys=("Alt+7", "M"),
        guide_topic="study#by-hand",
        page_class="gpviz.app.pages.manual_mutation:ManualMutationPage",
        judges_mutations=True,
    ),
    PageInfo(
        name=CURVES,
        title="Curves",
        tip="Error and size, iteration by iteration",
        action_text="&Curves",
        action_tip="Show all curves",
        keys=("Alt+1",),
        guide_topic="window#curves",
        page_class="gpviz.app.curves_page:CurvesPage",
        is_in_more=True,
    ),
    PageInfo(
        name="branches",
        title="Branches",
        tip="Other ways the run could have gone",
        action_text="&Branches",
        action_tip="Show the branches of the run",
        keys=("Alt+8",),
        guide_topic="study#branches",
        page_class="gpviz.app.pages.branches:BranchesPage",
        shows_whole_run=True,
        is_in_more=True,
    ),
    PageInfo(
        name="find",
        title="Find",
        tip="Find iterations, or run until one matches",
        action_text="Fin&d …",
        action_tip="Find iterations, or run until one matches",
        keys=("Alt+9", "Ctrl+F"),
        guide_topic="study#find",
        page_class="gpviz.app.pages.find:FindPage",
        shows_whole_run=True,
        is_typed_into=True,
        is_in_more=True,
    ),
    PageInfo(
        name="bookmarks",
        title="Bookmarks",
        tip="Iterations worth coming back to, with notes",
        action_text="Boo&kmarks",
        action_tip="Show the bookmarks and their notes",
        keys=(),
        guide_topic="window#bookmarks",
        page_class="gpviz.app.pages.bookmarks:BookmarksPage",
        menu="",
        is_in_more=True,
    ),
    PageInfo(
        name="pause",
        title="Pause when",
        tip="Choose when the run pauses by itself",
        action_text="&Pause when",
        action_tip="Choose when the run pauses by itself",
        keys=(),
        guide_topic="window#pause-when",
        page_class="gpviz.app.pages.pause_when:PauseWhenPage",
        menu="",
        is_in_more=True,
    ),
    PageInfo(
        name=SCENES,
        title="Scenes",
        tip="Plan a lecture, scene by scene",
        action_text="&Scenes",
        action_tip="Plan a lecture, scene by scene",
        keys=("Alt+0",),
        guide_topic="lectures#scenes",
        page_class="gpviz.app.lecture.scenes_page:ScenesPage",
        menu="Present",
        is_in_more=True,
    ),
)


def page_info(name: str) -> PageInfo:
    """The description of the page of this name."""
    return next(info for info in PAGES if info.name == name)


def scene_pages() -> tuple[PageInfo, ...]:
    """The pages that a scene of a lecture may show."""
    return tuple(info for info in PAGES if info.is_for_scenes)
