"""The presets are complete, and do what their explanations say."""

import re
import tomllib
from collections import Counter
from dataclasses import asdict
from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

import pytest

from gpviz import assets
from gpviz.analysis.outlook import outlook
from gpviz.engine.config import RunConfig
from gpviz.engine.enums import Function, Operation, Outcome, Side, State, Verdict
from gpviz.engine.errors import GpvizError
from gpviz.engine.formula import format_formula
from gpviz.engine.mutation import Mutation, apply
from gpviz.engine.search import RlsGp
from gpviz.engine.step import Result
from gpviz.engine.stuck import tree_state
from gpviz.engine.target import target_for
from gpviz.engine.tree import Inner, Leaf, Node, nodes_of, variables_of
from gpviz.runs.history import History
from gpviz.runs.presets import Claims, Preset, find_preset, load_presets
from gpviz.runs.step_encoding import Property

PRESETS = load_presets()
NAMES = [preset.name for preset in PRESETS]
FIGURE = [preset for preset in PRESETS if preset.name.startswith("figure-1-")]
STUCK_STARTS = [preset for preset in PRESETS if preset.start]
NUMBER_WORDS = r"two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|twice|half"

every_preset = pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)


class Replay(NamedTuple):
    """The run of a preset, from its start to its end."""

    result: Result
    history: History

    def trees(self) -> list[Node | None]:
        """The tree after each iteration, the start at 0."""
        return [self.history.tree_at(iteration) for iteration in range(len(self.history) + 1)]


@cache
def replay(name: str) -> Replay:
    preset = find_preset(name)
    history = History(preset.config, preset.start_tree, preset.script)
    result = RlsGp(preset.config, preset.start_tree, preset.script).run(
        max_iterations=100_000, stop_when_stuck=True, on_step=history.append
    )
    return Replay(result, history)


def longest_wait(history: History) -> tuple[int, int]:
    """When the longest time without a change of the error begins, and how many iterations it takes."""
    iterations = range(1, len(history) + 1)
    waits = [list(wait) for _, wait in groupby(iterations, key=history.error_at)]
    longest = max(waits, key=len)
    return longest[0], len(longest)


def waits_on_the_plateau(history: History) -> int:
    """After how many iterations of that time no single mutation could improve the tree, though several could."""
    first, wait = longest_wait(history)
    trees = Counter(history.tree_at(iteration) for iteration in range(first, first + wait))
    return sum(
        count for tree, count in trees.items() if tree_state(tree, history.config).state is State.PLATEAU
    )


def parting(preset: Preset) -> int | None:
    mine = replay(preset.name).trees()
    others = replay(preset.claims.twin).trees()
    pairs = enumerate(zip(mine, others, strict=False))
    return next((iteration for iteration, (one, other) in pairs if one != other), None)


def differences(one: RunConfig, other: RunConfig) -> tuple[str, ...]:
    fields = one.as_dict()
    return tuple(field for field, value in other.as_dict().items() if fields[field] != value)


@cache
def facts(name: str) -> dict[str, Any]:
    """What the run of the preset really does, under the names of the claims."""
    preset = find_preset(name)
    result, history = replay(name)
    claims = preset.claims
    assert result.tree is not None
    true: dict[str, Any] = {
        "outcome": result.outcome,
        "iterations": result.iterations if result.outcome is Outcome.SOLVED else None,
        "stuck_since": result.stuck_since,
        "error": result.error,
        "leaves": result.leaves,
        "ors": result.ors,
        "ors_accepted": result.ors_accepted,
        "too_large": history.count_where(Property.TOO_LARGE),
        "truly_worse": history.count_where(Property.TRUE_ERROR_GREW),
        "distinct_variables": variables_of(result.tree).bit_count(),
        "tree": format_formula(result.tree),
    }
    if claims.wait is not None:
        true["wait_from"], true["wait"] = longest_wait(history)
        true["plateau"] = waits_on_the_plateau(history)
    if preset.config.is_sampled and result.generalisation_error:
        true["one_row_in"] = round(1 / result.generalisation_error)
    if claims.twin:
        true["twin"] = claims.twin
        true["twin_differs_in"] = differences(preset.config, find_preset(claims.twin).config)
        true["parting"] = parting(preset)
    return true


def untrue(claims: Claims, true: dict[str, Any]) -> list[str]:
    """The claims that are not so."""
    made = {name: claim for name, claim in asdict(claims).items() if claim not in (None, "", ())}
    return [f"{name} is {true[name]}, not {claim}" for name, claim in made.items() if true[name] != claim]


@every_preset
def test_every_claim_of_a_preset_is_true(preset):
    assert untrue(preset.claims, facts(preset.name)) == []


@every_preset
def test_a_preset_claims_when_its_run_ends(preset):
    claims = preset.claims
    assert (claims.iterations is not None) == (claims.outcome is Outcome.SOLVED)
    assert (claims.stuck_since is not None) == (claims.outcome is Outcome.STUCK)


@pytest.mark.parametrize("path", sorted(assets.folder("presets").glob("*.toml")), ids=lambda path: path.stem)
def test_every_number_in_a_text_comes_from_the_claims_or_the_settings(path):
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    text = re.sub(r"\{\w+\}|Figure 1|Theorem 1|2n|n = [23]\b", "", f"{data['title']} {data['explanation']}")
    assert re.findall(rf"\d+|\b(?:{NUMBER_WORDS})\b", text, re.IGNORECASE) == []


def test_presets_come_in_the_order_of_their_files_under_names_without_the_number(tmp_path, monkeypatch):
    folder = tmp_path / "presets"
    folder.mkdir()
    for name in ("10-later", "02-sooner"):
        (folder / f"{name}.toml").write_text(
            'title = "{n} variables"\ngroup = "g"\nspeed = 2.5\nexplanation = "{rows} rows, {error} wrong."\n'
            '[config]\nn = 12\nfitness = "sampled"\nrows = 4000\n'
            '[claims]\noutcome = "solved"\nerror = 0\nleaves = 12\nors = 0\n'
        )
    monkeypatch.setattr(assets, "_FOLDERS", (tmp_path,))
    presets = load_presets()
    assert [preset.name for preset in presets] == ["sooner", "later"]
    assert (presets[0].title, presets[0].explanation) == ("twelve variables", "4,000 rows, no wrong.")


def test_an_unknown_preset_is_a_sentence_that_lists_the_known_ones():
    with pytest.raises(GpvizError) as problem:
        find_preset("frist-run")
    assert str(problem.value) == f"There is no preset 'frist-run'; choose one of {', '.join(NAMES)}."


def claims_of(name: str) -> Any:
    return find_preset(name).claims


def final_tree(name: str) -> Any:
    return replay(name).result.tree


class LeafChange(NamedTuple):
    """What the error changes by when a leaf is deleted, and when it is relabelled as well as possible."""

    leaf: Leaf
    deleted: int
    relabelled: int


def leaf_changes(tree: Any, n: int) -> list[LeafChange]:
    error = target_for(n).error(tree)

    def change(operation: Operation, number: int, variable: int) -> int:
        offspring: Any = apply(tree, Mutation(operation, number, variable, Function.AND, Side.LEFT), (-1, -2))
        return target_for(n).error(offspring) - error

    return [
        LeafChange(
            node,
            change(Operation.DEL, number, 1),
            min(change(Operation.SUB, number, other) for other in range(1, n + 1) if other != node.variable),
        )
        for number, node in enumerate(nodes_of(tree), start=1)
        if isinstance(node, Leaf)
    ]


def renamed(tree: Node | None) -> str:
    """The formula with its variables renamed in the order in which they come."""
    names: dict[str, str] = {}
    return re.sub(r"x\d+", lambda match: names.setdefault(match[0], f"v{len(names)}"), format_formula(tree))


@pytest.mark.parametrize(("preset", "leaves"), list(zip(FIGURE, (4, 7, 9), strict=True)))
def test_the_trees_of_the_figure_fill_their_limit(preset, leaves):
    assert preset.start_tree.leaves == preset.config.max_leaves == leaves


@pytest.mark.parametrize("preset", STUCK_STARTS, ids=lambda preset: preset.name)
def test_a_stuck_start_is_not_stuck_under_subtree_deletion(preset):
    config = preset.config.replaced(deletion="subtree")
    assert tree_state(preset.start_tree, config).way_out


@pytest.mark.parametrize("name", ["figure-1-first-tree", "theorem-1", "run-into-first-tree"])
def test_any_change_to_a_leaf_lets_more_rows_through(name):
    changes = leaf_changes(final_tree(name), find_preset(name).config.n)
    assert all(change.deleted > 0 and change.relabelled > 0 for change in changes)


@pytest.mark.parametrize("name", ["figure-1-second-tree", "run-into-second-tree"])
def test_in_the_second_tree_only_the_leaf_outside_can_change(name):
    tree = final_tree(name)
    changes = leaf_changes(tree, find_preset(name).config.n)
    assert all(change.deleted > 0 for change in changes)
    assert [change.leaf for change in changes if change.relabelled <= 0] == [tree.right]
    assert min(change.relabelled for change in changes) == 0


@pytest.mark.parametrize("name", ["figure-1-third-tree", "run-into-third-tree", "leaf-deletion"])
def test_both_sides_of_the_or_say_the_same_and_no_leaf_can_go(name):
    tree = final_tree(name)
    inner = [node for node in nodes_of(tree) if isinstance(node, Inner)]
    (disjunction,) = [node for node in inner if node.function is Function.OR]
    assert disjunction.left.value == disjunction.right.value
    assert all(change.deleted > 0 for change in leaf_changes(tree, find_preset(name).config.n))


def test_the_run_into_the_first_tree_ends_in_the_very_tree_and_keeps_it():
    trees = replay("run-into-first-tree").trees()
    stuck_since = claims_of("run-into-first-tree").stuck_since
    assert trees[stuck_since - 1] != trees[stuck_since]
    assert set(trees[stuck_since:]) == {find_preset("figure-1-first-tree").start_tree}


@pytest.mark.parametrize("which", ["second", "third"])
def test_a_run_into_a_tree_of_the_figure_ends_in_it_but_for_the_names_of_the_variables(which):
    figure = renamed(find_preset(f"figure-1-{which}-tree").start_tree)
    trees = replay(f"run-into-{which}-tree").trees()
    stuck_since = claims_of(f"run-into-{which}-tree").stuck_since
    assert renamed(trees[stuck_since - 1]) != figure
    assert {renamed(tree) for tree in trees[stuck_since:]} == {figure}


@pytest.mark.parametrize("name", ["theorem-1", "run-into-theorem-1"])
def test_the_tree_of_theorem_1_repeats_a_pair_of_variables_up_to_the_limit(name):
    pending, pairs = [final_tree(name)], []
    while pending:
        node = pending.pop()
        if node.function is Function.OR:
            pending += [node.left, node.right]
        else:
            pairs.append({node.left.variable, node.right.variable})
    assert 2 * len(pairs) == find_preset(name).config.max_leaves
    assert all(pair == pairs[0] and len(pair) == 2 for pair in pairs)


def test_the_improvement_that_ends_it_is_the_step_that_decides():
    history, since = replay("decisive-improvement").history, claims_of("decisive-improvement").stuck_since
    assert history.step_at(since).verdict is Verdict.IMPROVED
    before = outlook(history.tree_at(since - 1), history.config, iteration=since - 1, wanted_error=0.05)
    assert 0.05 < before.stuck < 0.5
    assert before.remaining is not None
    assert outlook(history.tree_at(since), history.config).stuck == 1


def test_the_twins_get_to_the_same_full_tree_and_subtree_deletion_leaves_it():
    history = replay("subtree-deletion").history
    stuck_since, parting = claims_of("leaf-deletion").stuck_since, claims_of("subtree-deletion").parting
    assert stuck_since < parting
    full: Any = history.tree_at(parting - 1)
    assert full == replay("leaf-deletion").history.tree_at(parting - 1)
    assert full.leaves == find_preset("leaf-deletion").config.max_leaves
    step = history.step_at(parting)
    assert (step.operation, step.verdict) == (Operation.DEL, Verdict.NEUTRAL)
    assert (full.ors, step.ors, full.leaves - step.leaves) == (1, 0, 2)


def test_on_the_long_plateau_a_pair_of_mutations_is_a_way_out_as_a_leaf_can_go():
    config, claims = find_preset("long-plateau").config, claims_of("long-plateau")
    history = replay("long-plateau").history
    trees = {history.tree_at(claims.wait_from + passed) for passed in range(claims.wait)}
    states = {tree: tree_state(tree, config) for tree in trees}
    assert {state.state for state in states.values()} == {State.PLATEAU, State.CLIMBING}
    for tree, state in states.items():
        if state.state is State.PLATEAU:
            assert len(state.way_out) == 2
            assert any(change.deleted == 0 for change in leaf_changes(tree, config.n))


@pytest.mark.parametrize("name", ["sampled-early-stop", "sampled-to-zero"])
def test_a_sampled_run_has_seen_no_smaller_error_before_it_stops(name):
    accept_error = find_preset(name).config.accept_error
    history = replay(name).history
    errors: list[Any] = [history.error_at(iteration) for iteration in range(1, len(history) + 1)]
    assert [error <= accept_error for error in errors].index(True) == len(errors) - 1
