"""How steps are marked: what is new has a ring, what is proposed or went is a ghost, what would go an outline."""

from dataclasses import replace

import pytest

from gpviz.engine import Inner, Operation, Verdict
from gpviz.explain.moment import Moment
from gpviz.picture.compose import picture_of
from gpviz.picture.drawing import items_of
from gpviz.picture.items import Enter
from gpviz.picture.options import Options
from gpviz.picture.picture import Change, Mark
from tests.picture.moments import previewed, stepped

INS, DEL, SUB = Operation.INS, Operation.DEL, Operation.SUB
IMPROVED, NEUTRAL, UNCHANGED, WORSE, TOO_LARGE = Verdict
TREE = "(x1 & x2) | x3"
LARGE = "x6 | (x1 & x2 & x3 & x4)"


def change_of(moment: Moment, **options: object) -> Change:
    (change,) = picture_of(moment, replace(Options(), **options)).changes
    return change


def labels_of(change: Change) -> list[str]:
    return [ghost.label for ghost in change.ghosts]


@pytest.mark.parametrize(
    ("moment", "mark", "ghosts"),
    [
        (stepped(TREE, INS, NEUTRAL, 4), Mark.RING, []),
        (stepped(TREE, INS, WORSE, 4), Mark.GHOST, ["∨", "x₇"]),
        (stepped(TREE, INS, TOO_LARGE, 0), Mark.GHOST, ["∨", "x₇"]),
        (previewed(stepped(TREE, INS, IMPROVED, 4)), Mark.GHOST, ["∨", "x₇"]),
        (stepped(TREE, SUB, NEUTRAL, 4), Mark.TAG, ["x₃"]),
        (stepped(TREE, SUB, WORSE, 4), Mark.TAG, ["x₇"]),
        (stepped(TREE, SUB, UNCHANGED, 4, variable=3), Mark.RING, []),
        (stepped(TREE, DEL, NEUTRAL, 1), Mark.GHOST, ["∨", "∧", "x₁", "x₂"]),
        (stepped(LARGE, DEL, NEUTRAL, 2), Mark.GHOST, ["∨", "4 leaves"]),
        (stepped(TREE, DEL, WORSE, 1), Mark.OUTLINE, []),
        (stepped(TREE, DEL, UNCHANGED, 0), Mark.RING, []),
        (stepped(None, INS, IMPROVED, errors=(None, 127)), Mark.RING, []),
        (previewed(stepped(None, INS, IMPROVED, errors=(None, 127))), Mark.GHOST, ["x₇"]),
    ],
)
def test_every_kind_of_step_has_its_mark(moment: Moment, mark: Mark, ghosts: list[str]) -> None:
    change = change_of(moment)
    assert (change.mark, labels_of(change)) == (mark, ghosts)
    assert change.badge is not None or not change.is_rejected


def test_without_space_beside_the_tree_a_badge_at_the_node_is_all() -> None:
    moment = stepped("&".join(f"x{number}" for number in range(1, 9)), INS, WORSE, 5)
    assert change_of(moment).mark is Mark.GHOST
    small = change_of(moment, width=60.0, height=40.0, has_counter=False, has_banner=False)
    assert small.mark is Mark.BADGE


@pytest.mark.parametrize(
    "moment", [stepped(TREE, operation, IMPROVED, 4, errors=(7, 3)) for operation in Operation]
)
def test_an_improvement_sends_a_wave_up_to_the_root_and_a_preview_does_not(moment: Moment) -> None:
    def waves(each: Moment) -> list[str]:
        items = items_of(picture_of(each, Options()))
        return [item.key for item in items if item.enter is Enter.FLASH]

    picture = picture_of(moment, Options())
    (change,) = picture.changes
    assert change.path[-1] == picture.nodes[0].uid
    assert waves(moment) == [f"wave {uid}" for uid in change.path if uid not in change.nodes] != []
    assert waves(previewed(moment)) == []


@pytest.mark.parametrize("operation", Operation)
@pytest.mark.parametrize("verdict", [NEUTRAL, WORSE])
def test_what_is_folded_away_is_marked_where_it_is_folded(operation: Operation, verdict: Verdict) -> None:
    moment = stepped(f"x4 & ({TREE})", operation, verdict, 5 if operation is SUB else 3)
    tree = moment.tree
    assert isinstance(tree, Inner)
    change = change_of(moment, folded=frozenset({tree.right.uid}))
    assert {change.anchor, *change.nodes} <= {tree.uid, tree.left.uid, tree.right.uid}
