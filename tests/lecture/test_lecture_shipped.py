"""The shipped lecture replays, and every number in it is what its runs, or the paper's tables, say."""

import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any, Final

import pytest

from gpviz.analysis.markov_chain import SolvedChain, solved_chain
from gpviz.analysis.neighbourhood import Neighbour, neighbours_of
from gpviz.analysis.redundant_leaves import analyse, sorted_leaves
from gpviz.engine.enums import Function, Operation, State, Verdict
from gpviz.engine.formula import UNICODE, format_formula
from gpviz.engine.mutation import deletion, error_after, mutation_sites
from gpviz.engine.target import target_for
from gpviz.engine.tree import Inner, Node
from gpviz.lecture.lecture import Lecture, Scene, is_lecture_file, load_any, load_lecture, shipped_lectures
from gpviz.number_text import bounded_percent, rows_text
from gpviz.runs.history import History
from gpviz.runs.replay import replay_all
from gpviz.runs.step_encoding import Property
from scripts.lectures.why_stuck import (
    BLOATED,
    DECIDED,
    FIRST,
    LIMITED,
    NAME,
    RESCUED,
    SAMPLED,
    STUCK,
    built,
)

WORDS: Final = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
A_NUMBER: Final = re.compile(
    rf"\d[\d,.]*|\b(?:{'|'.join(WORDS[2:])}|dozen|hundred|thousand|twice|half|halves)\b|[⁰¹²³⁴-⁹]+",
    re.IGNORECASE,
)
NO_CLAIM: Final = re.compile(r"^Time: \d+ minutes?\.|^\d\. |with step 2|limit n\+1|limit 2n", re.MULTILINE)
"""Timing, the numbers of a list and the names of limits."""

# B, T and S of the paper's Table 1, and T and S of its Table 2, by n and limit.
PAPER_LEAF: Final = {
    (4, "n"): ("0.008", "46.3", "4.0"),
    (4, "n+1"): ("0.002", "40.9", "4.4"),
    (8, "n"): ("0.002", "151.8", "8.0"),
    (8, "n+1"): ("0.004", "113.8", "8.6"),
    (16, "n"): ("0.008", "469.9", "16.0"),
    (16, "n+1"): ("0.010", "345.8", "16.8"),
}
PAPER_SUBTREE: Final = {
    (4, "n"): ("51.2", "4.0"),
    (4, "n+1"): ("42.5", "4.4"),
    (4, "inf"): ("39.1", "5.3"),
    (8, "n"): ("147.5", "8.0"),
    (8, "n+1"): ("129.9", "8.7"),
    (8, "inf"): ("92.3", "11.6"),
    (16, "n"): ("544.6", "16.0"),
    (16, "n+1"): ("377.0", "16.9"),
    (16, "inf"): ("221.0", "25.2"),
}
PAPER_RUNS: Final = 500


@cache
def lecture() -> Lecture:
    return load_lecture(next(shipped.path for shipped in shipped_lectures() if shipped.name == NAME))


@cache
def histories(run: int) -> tuple[History, ...]:
    """The original and the branches, replayed, which also proves that they are what was saved."""
    return tuple(replayed.history for replayed in replay_all(lecture().runs[run]))


def history(run: int, branch: int = 0) -> History:
    return histories(run)[branch]


def tree_at(run: int, iteration: int, branch: int = 0) -> Node:
    tree = history(run, branch).tree_at(iteration)
    assert tree is not None
    return tree


def written(tree: Node | None) -> str:
    assert tree is not None
    return format_formula(tree, UNICODE)


def neighbours(branch: int = 0) -> list[Neighbour]:
    """All mutations of the stuck tree, under the rules of the run or of its branch."""
    return list(neighbours_of(tree_at(STUCK, 81), history(STUCK, branch).config))


def changed_between(scene: Scene) -> list[int]:
    """Where the clicks of the scene go."""
    return [
        iteration
        for iteration in range(scene.first + 1, scene.last + 1)
        if history(scene.run, scene.branch).tree_at(iteration)
        != history(scene.run, scene.branch).tree_at(iteration - 1)
    ]


def played(scene: Scene) -> str:
    return f"about {WORDS[round((scene.last - scene.first) / scene.speed)]} seconds"


def clicks(scene: Scene) -> str:
    return f"{WORDS[len(changed_between(scene))].capitalize()} clicks"


Phrases = list[str]


def title(_: Scene) -> Phrases:
    return ["GECCO 2019"]


def nothing(_: Scene) -> Phrases:
    return []


def kept(scene: Scene) -> Phrases:
    run = history(FIRST)
    n, step = run.config.n, run.step_at(2)
    assert step.error is not None
    assert run.error_at(1) == 2 * step.error + 1
    return [
        "roughly halves the error",
        f"{written(run.tree_at(1))} alone was wrong on {run.error_at(1)} of {2**n} rows",
        f"Iteration {step.iteration} joins {UNICODE.variable(step.variable)} to it by"
        f" {UNICODE.function(step.mutation.function)}: wrong on {step.error}",
        f"to iteration {scene.last}",
        f"There are {n} variables, so the truth table has {2**n} rows",
        f"{written(run.tree_at(1))} is true on half of the rows, which is {2 ** (n - 1)}",
    ]


def rejected(scene: Scene) -> Phrases:
    run = history(FIRST)
    step = run.step_at(scene.first)
    gone = set(written(run.tree_at(scene.last - 1)).split(" ∧ ")) - {written(run.offspring_at(scene.last))}
    assert scene.first == scene.last
    assert run.tree_at(scene.last) == run.tree_at(scene.last - 1)
    return [
        f"Iteration {step.iteration} tries to delete {gone.pop()}."
        f" {written(run.offspring_at(scene.last))} alone would be wrong on {step.offspring_error} rows"
        f" instead of {step.error}: rejected",
        f"needs {len(run)} iterations for the {run.config.n} variables",
    ]


def bloat(scene: Scene) -> Phrases:
    run = history(BLOATED)
    tree = tree_at(BLOATED, len(run))
    redundant = sorted_leaves(tree)[1]
    target = target_for(run.config.n)
    leaves_alone = [site for site in mutation_sites(tree) if site.number in redundant]
    assert all(error_after(tree, site, deletion(site.number), target) == 0 for site in leaves_alone)
    return [
        f"The final tree has {len(redundant)} of them, and each could even go alone",
        f"solved in iteration {len(run)} with {tree.leaves} leaves and {tree.ors} ∨."
        f" {run.config.n} leaves and no ∨",
        f"there are {run.config.n} variables",
        played(scene),
    ]


def too_large(run: int) -> list[int]:
    verdicts = ((each, history(run).step_at(each).verdict) for each in range(1, len(history(run)) + 1))
    return [iteration for iteration, verdict in verdicts if verdict is Verdict.TOO_LARGE]


def limit(scene: Scene) -> Phrases:
    run = history(LIMITED)
    return [
        f"Limit {run.config.max_leaves}: {len(too_large(LIMITED))} offspring were too large,"
        f" the first in iteration {too_large(LIMITED)[0]}.",
        f"Solved in {len(run)}, with {tree_at(LIMITED, len(run)).leaves} leaves",
        f"at most {run.config.max_leaves} leaves, and iteration {too_large(LIMITED)[0]} is the first",
        f"The same seed, but at most {run.config.max_leaves} leaves: offspring",
        f"{len(run)} iterations instead of {len(history(BLOATED))}",
        played(scene),
    ]


def costs_of_deletion(tree: Node) -> dict[int, int]:
    """What the deletion of each node but the root adds to the error, by preorder number."""
    target = target_for(history(STUCK).config.n)
    costs = {
        site.number: error_after(tree, site, deletion(site.number), target)
        for site in mutation_sites(tree)
        if site.parent is not None
    }
    return {number: after - target.error(tree) for number, after in costs.items() if after is not None}


def is_redundant_in_pairs_only(tree: Node) -> bool:
    """Whether every leaf costs something alone, and nothing together with the leaf beside it."""
    assert isinstance(tree, Inner)
    pairs = (tree.left, tree.right)
    assert all(isinstance(pair, Inner) and pair.leaves == 2 for pair in pairs)
    costs = costs_of_deletion(tree)
    assert len(sorted_leaves(tree)[1]) == tree.leaves
    return all(costs[each] > 0 for each in (3, 4, 6, 7)) and all(costs[each] <= 0 for each in (2, 5))


def stuck(scene: Scene) -> Phrases:
    run = history(STUCK)
    n, tree, end = run.config.n, tree_at(STUCK, 81), changed_between(scene)[-1]
    assert isinstance(tree, Inner)
    assert tree.function is Function.OR
    assert {written(tree.left), written(tree.right)} == {"x₃ ∧ x₂", "x₂ ∧ x₃"}
    assert tree.leaves == run.config.max_leaves
    start, entered, full = (each.iteration for each in scene.captions)
    assert (start, entered) == (scene.first, changed_between(scene)[0])
    assert (written(run.tree_at(start)), written(run.tree_at(entered))) == ("x₂", "x₂ ∨ x₂")
    assert run.step_at(entered).verdict is Verdict.NEUTRAL
    assert tree_at(STUCK, full - 1).leaves < tree_at(STUCK, full).leaves == run.config.max_leaves
    shown = [tree_at(STUCK, each) for each in changed_between(scene) if each >= full]
    assert all(is_redundant_in_pairs_only(each) for each in shown)
    assert scene.last == end
    return [
        f"A single leaf, x₂, wrong on {run.error_at(start)} of {2**n} rows",
        f"Iteration {entered}: x₂ ∨ x₂",
        f"Iteration {full}: {run.error_at(full)} rows wrong, and all {tree.leaves} leaves are used",
        f"All {tree.leaves} leaves are redundant: each could go without loss, but only together with",
        f"Iteration {end}: the tree says x₂ ∧ x₃ twice, {run.error_at(end)} of {2**n} rows wrong,"
        f" all {tree.leaves} leaves used",
        f"{n} variables, limit {run.config.max_leaves}",
        f"Step {end} is an improvement, from {run.error_at(end - 1)} wrong rows to {run.error_at(end)}",
        "the paper's Figure 1",
        clicks(scene),
    ]


def waiting(scene: Scene) -> Phrases:
    return [
        f"From iteration {scene.first + 1} to {scene.last}: {scene.last - scene.first} offspring",
        f"The error stays at {history(STUCK).error_at(500)}",
        played(scene),
    ]


def proof(scene: Scene) -> Phrases:
    assert history(STUCK).step_at(scene.first).verdict is Verdict.UNCHANGED
    counts = Counter(each.verdict for each in neighbours())
    assert scene.first == scene.last
    assert tree_at(STUCK, scene.last) == tree_at(STUCK, 81)
    assert is_redundant_in_pairs_only(tree_at(STUCK, scene.last))
    kinds = Counter(each.mutation.operation for each in neighbours())
    relabelled = Counter(each.verdict for each in neighbours() if each.mutation.operation is Operation.SUB)
    plateau = analyse(tree_at(STUCK, 81), history(STUCK).config).state.plateau_trees
    return [
        f"All {len(neighbours())} mutations: {counts[Verdict.TOO_LARGE]} make the tree too large,"
        f" {counts[Verdict.WORSE]} make it worse, {counts[Verdict.UNCHANGED]} change nothing",
        "the half with it could go without loss",
        f"{kinds[Operation.INS]} insertions, {kinds[Operation.SUB]} substitutions and"
        f" {kinds[Operation.DEL]} deletions",
        f"Of the substitutions, {relabelled[Verdict.WORSE]} make it worse, and"
        f" {relabelled[Verdict.UNCHANGED]} replace a variable by itself",
        f"plateau is {plateau} kind of tree",
        f"Iteration {scene.first} is one of those that change nothing",
    ]


def leaves(scene: Scene) -> Phrases:
    run = history(STUCK)
    relabelled, deleted = run.step_at(scene.first), run.step_at(scene.last)
    assert (relabelled.operation, deleted.operation) == (Operation.SUB, Operation.DEL)
    assert written(run.offspring_at(scene.last)) == "x₂ ∨ (x₂ ∧ x₃)"
    reasons = analyse(tree_at(STUCK, 81), run.config).reasons.values()
    assert len(reasons) == 4
    (cost,), (relabelling,) = {each.deletion for each in reasons}, {each.substitution for each in reasons}
    assert run.error_at(81) == (deleted.offspring_error or 0) - (cost or 0)
    assert run.error_at(81) == (relabelled.offspring_error or 0) - (relabelling or 0)
    assert is_redundant_in_pairs_only(tree_at(STUCK, scene.last))
    worse = {each.error for each in neighbours() if each.verdict is Verdict.WORSE}
    assert worse == {relabelled.offspring_error, deleted.offspring_error}
    return [
        f"Delete any leaf: {cost} more rows wrong. Give any leaf another label: at least {relabelling} more",
        f"label tried in iteration {relabelled.iteration} to the deletion tried in iteration {deleted.iteration}",
        f"All {len(reasons)} leaves are redundant, and still each says that deleting it costs {cost} rows",
        f"The error of {run.error_at(81)} becomes {relabelled.offspring_error} or {deleted.offspring_error}",
        "Half of the tree is useless",
    ]


def good_news(scene: Scene) -> Phrases:
    run, step = history(DECIDED), history(DECIDED).step_at(scene.last)
    (start,) = (each.iteration for each in scene.captions)
    assert (changed_between(scene), start) == ([scene.last], scene.first)
    assert (step.operation, step.function, step.verdict) == (
        Operation.INS, Function.AND, Verdict.IMPROVED,
    )  # fmt: skip
    return [
        f"Back to iteration {start}: {run.error_at(start)} of {2**run.config.n} rows wrong",
        f"Iteration {scene.last} joins {UNICODE.variable(step.variable)} to a leaf: {step.error} rows wrong"
        f" instead of {step.parent_error}",
    ]


def chance(iteration: int) -> str:
    """The exact chance to end stuck."""
    value = exact_outlooks().value_of(history(STUCK).tree_at(iteration))
    assert value is not None
    return bounded_percent(value.stuck)


@cache
def exact_outlooks() -> SolvedChain:
    chain = solved_chain(history(STUCK).config)
    assert chain is not None
    return chain


def decided(scene: Scene) -> Phrases:
    run, decisive = history(STUCK), scene.last
    changes = [each for each in run.changes().iterations.tolist() if each <= decisive]
    rises = [each for one, each in pairwise(changes) if chance(each) != chance(one)]
    assert rises == [26, 28, decisive]
    assert run.step_at(26).function is Function.OR
    assert chance(0) == "< 1 %"
    return [
        f"Iteration {decisive}: the chance to end stuck rises from {chance(decisive - 1)} to {chance(decisive)},"
        f" {81 - decisive} iterations before the tree is stuck",
        f"It begins below {chance(0).removeprefix('< ')}, the ∨ of iteration 26 makes it {chance(26)},"
        f" iteration 28 makes it {chance(28)}, and this improvement {chance(decisive)}",
        f"the error can still fall to {run.error_at(81)}, as it does in iteration 81, but never to 0",
    ]


def rescued(scene: Scene) -> Phrases:
    run = history(STUCK, RESCUED)
    changed = changed_between(scene)
    out = [each for each in neighbours(RESCUED) if each.verdict is Verdict.NEUTRAL]
    chance = sum(each.probability for each in out)
    assert tree_at(STUCK, changed[0], RESCUED).leaves * 2 == tree_at(STUCK, scene.first).leaves
    assert [each.iteration for each in scene.captions] == [scene.first, changed[0]]
    assert run.config_after(scene.first).deletion != history(STUCK).config.deletion
    return [
        f"Iteration {changed[0]} deletes x₂ ∧ x₃, half of the tree. Still {run.error_at(changed[0])} rows wrong",
        f"iteration {changed[0]} deleted half of the tree, still {run.error_at(changed[0])} rows wrong."
        f" Solved in iteration {len(run)}",
        "two redundant leaves can go together",
        f"the same limit of {run.config.max_leaves}, and the same stuck tree at iteration {scene.first}",
        f"Of {len(neighbours(RESCUED))} mutations {len(out)} get out, with a chance of"
        f" {chance.numerator} in {chance.denominator}",
        f"After {changed[0] - scene.first} iterations one of them is drawn",
        f"{len(run) - changed[0]} more are enough",
        clicks(scene),
    ]


def table_1(_: Scene) -> Phrases:
    rows = []
    for n in (4, 8, 16):
        cells = [
            cell
            for size in ("n", "n+1")
            for cell in (f"**{PAPER_LEAF[n, size][0]}**", *PAPER_LEAF[n, size][1:])
        ]
        rows.append(f"| {n} | {' | '.join(cells)} |")
    share = PAPER_LEAF[4, "n"][0]
    return [
        *rows,
        f"From Table 1 of the paper, with {PAPER_RUNS} runs each",
        f"A share of {share} of {PAPER_RUNS} runs is {round(float(share) * PAPER_RUNS)} runs",
    ]


def table_2(_: Scene) -> Phrases:
    rows = [
        f"| {n} | {' | '.join(cell for size in ('n', 'n+1', 'inf') for cell in PAPER_SUBTREE[n, size])} |"
        for n in (4, 8, 16)
    ]
    (tight, tight_size), (loose, loose_size) = PAPER_SUBTREE[16, "n"], PAPER_SUBTREE[16, "inf"]
    return [
        *rows,
        f"From Table 2 of the paper, with {PAPER_RUNS} runs each",
        f"n = 16 from left to right: {tight} iterations with limit n, {loose} without a limit.\n"
        f"The price is size: {loose_size} leaves instead of {tight_size}",
    ]


def sampling(scene: Scene) -> Phrases:
    run = history(SAMPLED)
    end, n = len(run), run.config.n
    share = target_for(n).generalisation_error(tree_at(SAMPLED, end))
    worse = [each for each in range(1, end + 1) if run.step_at(each).true_error_grew]
    assert run.error_at(end) == 0
    return [
        f"Iteration {end}: no error on {run.config.rows:,} sampled rows. Of all rows the tree is wrong on about"
        f" 1 in {round(1 / share)}",
        f"{n} variables: every iteration looks at {run.config.rows:,} random rows",
        f"With {n} variables there are {rows_text(n)} rows",
        f"Each iteration draws {run.config.rows:,} of them",
        f"about {float(share):.4f}",
        f"{len(worse)} accepted steps, in iterations {worse[0]} and {worse[1]}, made",
        f"The tree has {tree_at(SAMPLED, end).leaves} leaves",
        played(scene),
    ]


def summary(_: Scene) -> Phrases:
    run = history(STUCK, RESCUED)
    assert 2 * tree_at(STUCK, 503, RESCUED).leaves == tree_at(STUCK, 502, RESCUED).leaves
    assert run.error_at(503) == run.error_at(502)
    return ["the useless half goes in one step"]


CLAIMS: Final[dict[str, Callable[[Scene], Phrases]]] = {
    "Why leaf-only deletion gets stuck": title,
    "The algorithm": nothing,
    "A step that is kept": kept,
    "A step that is rejected": rejected,
    "Bloat": bloat,
    "A limit": limit,
    "The stuck tree": stuck,
    "Waiting does not help": waiting,
    "The proof": proof,
    "Each leaf says why it cannot go alone": leaves,
    "Good news?": good_news,
    "The step that decided it": decided,
    "Subtree deletion sets it free": rescued,
    "How often it gets stuck": table_1,
    "With subtree deletion": table_2,
    "Sampling and generalisation": sampling,
    "Summary": summary,
}
"""For each scene the phrases with numbers it must hold, each computed from what was replayed."""


def untrue(scene: Scene) -> list[str]:
    """The true phrases the scene does not hold, and the numbers in it that are in none of them."""
    captions = [each.text for each in scene.captions]
    prose = NO_CLAIM.sub("", "\n".join((scene.title, scene.text, scene.caption, scene.notes, *captions)))
    phrases = CLAIMS[scene.title](scene)
    problems = [f"it does not say {phrase!r}" for phrase in phrases if phrase not in prose]
    for phrase in sorted(phrases, key=len, reverse=True):
        prose = prose.replace(phrase, "")
    return problems + [f"{number} is not checked" for number in A_NUMBER.findall(prose)]


SCENES: Final = lecture().scenes
every_scene = pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.title)


@every_scene
def test_every_number_a_scene_speaks_of_is_true(scene: Scene):
    assert untrue(scene) == []


def test_every_scene_has_its_claims_and_no_claims_are_left_over():
    assert [scene.title for scene in SCENES] == list(CLAIMS)


def test_the_lecture_is_what_its_source_says():
    assert lecture() == built()


def test_the_shipped_lectures_are_found_with_their_titles():
    (shipped,) = [each for each in shipped_lectures() if each.name == NAME]
    assert shipped.title == lecture().title
    assert is_lecture_file(shipped.path)
    assert load_any(shipped.path) == lecture()


@pytest.mark.parametrize("run", range(6))
def test_every_run_of_the_lecture_is_short_and_replays_with_its_fingerprint(run: int):
    saved = lecture().runs[run]
    assert history(run).fingerprint() == saved.fingerprint
    for branch, other in zip(saved.branches, histories(run)[1:], strict=True):
        assert other.fingerprint() == branch.fingerprint
    assert sum(map(len, histories(run))) <= 20_000


@every_scene
def test_a_caption_speaks_of_the_iteration_it_is_shown_at_and_of_none_after_it(scene: Scene):
    named = re.findall(r"(?:[Ii]teration|Solved in) (\d+)", scene.caption)
    named += re.findall(r"iteration \d+ to (\d+)", scene.caption)
    assert all(int(each) <= scene.last for each in named)
    is_of_no_iteration = scene.title in ("The proof", "Each leaf says why it cannot go alone")
    assert (str(scene.last) in named) == (scene.has_tree and not is_of_no_iteration)


def test_up_to_the_rescue_no_run_deletes_more_than_leaves():
    before = [run for run in range(6) if run != SAMPLED]
    assert {history(run).config.deletion for run in before} == {"leaf"}
    assert history(STUCK, RESCUED).config == history(STUCK).config.replaced(deletion="subtree")


def test_the_limit_is_the_only_difference_to_the_bloated_run():
    assert history(LIMITED).config == history(BLOATED).config.replaced(limit="n")
    assert tree_at(LIMITED, len(history(LIMITED))).ors == 0


def test_the_stuck_tree_is_stuck_from_the_iteration_the_scene_names_and_never_changes():
    run = history(STUCK)
    assert analyse(tree_at(STUCK, 81), run.config).state.state is State.STUCK
    assert analyse(tree_at(STUCK, 80), run.config).state.state is not State.STUCK
    assert run.step_at(81).verdict is Verdict.IMPROVED
    assert all(run.tree_at(each) == run.tree_at(81) for each in range(82, 501))
    assert run.next_where(Property.CHANGED, 81) is None


def test_the_run_that_is_judged_is_the_beginning_of_the_stuck_one():
    judged, whole = history(DECIDED), history(STUCK)
    assert (judged.config, judged.tree_at(len(judged))) == (whole.config, whole.tree_at(81))
    assert all(judged.tree_at(each) == whole.tree_at(each) for each in range(len(judged)))


def test_the_rescue_goes_on_from_the_stuck_tree_and_solves_it():
    run = history(STUCK, RESCUED)
    saved: Any = lecture().runs[STUCK].branches[RESCUED - 1]
    assert (saved.parent, saved.at) == (0, len(history(STUCK)))
    assert run.tree_at(500) == history(STUCK).tree_at(81)
    assert (run.step_at(503).operation, run.step_at(503).verdict) == (Operation.DEL, Verdict.NEUTRAL)
    assert run.error_at(len(run)) == 0
