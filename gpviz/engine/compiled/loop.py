"""The loop of `RlsGp.run` in a form that numba compiles: many runs from one tree, on the complete truth table.

Only `gpviz.engine.compiled.runner` uses it, and decides when. A run draws what the specification in
`gpviz.engine.search` says, and ends where that of the Python engine does.

All arrays are made outside. A node is a row of ``nodes``: its children, its number of leaves, its label (the
variable of a leaf, 0 for an AND, -1 for an OR), its uid and its Boolean function.

A monotone function has a core, the variables without which it is false: of an AND those of either operand, of an
OR those of both. A conjunction is its core. Every other function also has a row of ``tables``, its truth table in
words of 64 rows; bit i of a row's number is the value of x_(i+1). So equal functions have equal cores, a function
is a conjunction if it is true on the row of its core, and few nodes of a tree need a table.

Mutations that only add true rows (an OR put in, an operand of an AND deleted) are accepted if nothing changes at
the root, and those that only take true rows away (an AND put in, an operand of an OR deleted) always are.
"""

from typing import Any, Final

import numpy as np
from numba import njit

# What is compiled is kept until this file changes. So nothing is imported that may change elsewhere: such numbers
# are arguments.
NEVER: Final = 1 << 62

# The columns of ``nodes``: with seven and one to spare a node fills one line of a processor's cache.
_LEFT, _RIGHT, LEAVES, _LABEL, _UID, _CORE, _SLOT = range(7)
NODE_COLUMNS: Final = 8

# The rows of ``scratch``.
_PATH, _SIBLING, _NEW_CORE, _NEW_SLOT, _STACK, _FREE, _FREE_SLOT, _COUNT = range(8)
SCRATCH_ROWS: Final = 8

# What ``rules`` holds.
(
    VARIABLES, BASE, LIMIT, IS_SUBTREE, PLANTS_ANY, ACCEPT_ERROR, MAX_ITERATIONS, CAN_GET_STUCK, FIRST_WAIT,
    LONGEST_WAIT, KEEPS_EVENTS, RETURNS_TREES, FIRST_UID,
) = range(13)  # fmt: skip
RULES: Final = 13

# What ``state`` holds: the run under way, and how much of the arrays is in use.
(
    PHASE, RUN, ITERATION, ROOT, ERROR, ACCEPTED, IMPROVED, ACCEPTED_ORS, SETTLED, NEXT_CHECK, WAIT, LAST_IMPROVED,
    HAS_NEWS, DUPLICATES, FULL_ITERATIONS, FULL_SINCE, EVENTS, RUN_EVENTS, ANSWER, _NODES_USED, _NODES_FREE,
    _SLOTS_USED, _SLOTS_FREE, _WORK,
) = range(24)  # fmt: skip
STATES: Final = 24

# The phases of a run.
PHASE_BEGIN, PHASE_LOOP, _PHASE_EXAMINED, _PHASE_UNDER_WAY = range(4)

# Why `advance` came back.
ALL_DONE, OUT_OF_QUOTA, ASKS_IF_STUCK, TREE_OUTGROWS, OUT_OF_EVENTS, RUN_IS_OVER = range(6)

OUT_COLUMNS: Final = 12
EVENT_COLUMNS: Final = 4
_SOLVED, _STUCK, _STOPPED = range(3)
_INS, _DEL, _SUB = range(3)
_SAME, _CHANGED, _WORSE = range(3)
_NOT_STUCK, _IS_STUCK, _MAY_BE_STUCK = range(3)

_GAMMA: Final = np.uint64(0x9E3779B97F4A7C15)
_FIRST: Final = np.uint64(0xBF58476D1CE4E5B9)
_SECOND: Final = np.uint64(0x94D049BB133111EB)
_U0, _U1, _U2, _U4, _U27, _U30, _U31, _U56 = (np.uint64(value) for value in (0, 1, 2, 4, 27, 30, 31, 56))
_ONE: Final = np.int64(1)  # a plain 1 or -1 as an argument would have the function compiled once more
_ALL_ONES: Final = np.uint64(2**64 - 1)
_FIVES: Final = np.uint64(0x5555555555555555)
_THREES: Final = np.uint64(0x3333333333333333)
_FIFTEENS: Final = np.uint64(0x0F0F0F0F0F0F0F0F)
_ONES: Final = np.uint64(0x0101010101010101)

SIGNATURES: Final = {
    "advance": (
        "int64(int64[:,::1], uint64[:,::1], uint64[::1], int64[:,::1], int64[::1], int64[::1], uint64[::1],"
        " int64[:,::1], int64[:,::1], int64[:,::1], int64)"
    ),
    "flatten": "int64(int64[:,::1], int64[:,::1], int64, int64[:,::1])",
}

_njit: Any = njit  # its types leave out two of these options
_compiled = _njit(nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)


@_compiled
def _word(key, index):
    z = key + index * _GAMMA
    z = (z ^ (z >> _U30)) * _FIRST
    z = (z ^ (z >> _U27)) * _SECOND
    return z ^ (z >> _U31)


@_compiled
def _excess(leaves, base):
    """2^64 modulo the number of choices: so many of the largest words would favour some of them."""
    choices = np.uint64(2 * base * leaves * (2 * leaves - 1))
    return (_ALL_ONES % choices + _U1) % choices


@_compiled
def _fair_word(key, excess):
    drawn = key
    index = _U0
    while excess != _U0 and drawn >= _U0 - excess:
        index -= _U1
        drawn = _word(key, index)
    return drawn


@_compiled
def _bit_count(x):
    x = x - ((x >> _U1) & _FIVES)
    x = (x & _THREES) + ((x >> _U2) & _THREES)
    x = (x + (x >> _U4)) & _FIFTEENS
    return np.int64((x * _ONES) >> _U56)


@_compiled
def _error_of(tables, core, slot, n):
    if slot < 0:
        return (1 << (n - _bit_count(np.uint64(core)))) - 1
    table = tables[slot]
    count = 0
    for w in range(table.shape[0]):
        count += _bit_count(table[w])
    return count - 1


@_compiled
def _is_true(tables, core, slot, row):
    if slot < 0:
        return (row & core) == core
    return (tables[slot, row >> 6] >> np.uint64(row & 63)) & _U1 != _U0


@_compiled
def _take_slot(scratch, state):
    if state[_SLOTS_FREE] > 0:
        state[_SLOTS_FREE] -= 1
        return scratch[_FREE_SLOT, state[_SLOTS_FREE]]
    state[_SLOTS_USED] += 1
    return state[_SLOTS_USED] - 1


@_compiled
def _free_slot(scratch, state, slot):
    if slot >= 0:
        scratch[_FREE_SLOT, state[_SLOTS_FREE]] = slot
        state[_SLOTS_FREE] += 1


@_compiled
def _take_node(scratch, state):
    if state[_NODES_FREE] > 0:
        state[_NODES_FREE] -= 1
        return scratch[_FREE, state[_NODES_FREE]]
    state[_NODES_USED] += 1
    return state[_NODES_USED] - 1


@_compiled
def _free_node(nodes, scratch, state, node):
    _free_slot(scratch, state, nodes[node, _SLOT])
    scratch[_FREE, state[_NODES_FREE]] = node
    state[_NODES_FREE] += 1


@_compiled
def _is_conjunction(tables, is_or, core, core_a, slot_a, core_b, slot_b):
    """Whether the function of two others with this core is a conjunction."""
    if is_or:
        return _is_true(tables, core_a, slot_a, core) or _is_true(tables, core_b, slot_b, core)
    if slot_a < 0 and slot_b < 0:
        return True
    return _is_true(tables, core_a, slot_a, core) and _is_true(tables, core_b, slot_b, core)


@_compiled
def _fill(tables, lows, is_or, core_a, slot_a, core_b, slot_b, slot):
    """Put the truth table of two functions joined into a slot; of an AND at most one is a conjunction."""
    table = tables[slot]
    if slot_a >= 0 and slot_b >= 0:
        a = tables[slot_a]
        b = tables[slot_b]
        if is_or:
            for w in range(table.shape[0]):
                table[w] = a[w] | b[w]
        else:
            for w in range(table.shape[0]):
                table[w] = a[w] & b[w]
        return
    if slot_a >= 0:
        core_a, slot_a, core_b, slot_b = core_b, slot_b, core_a, slot_a
    low = lows[core_a & 63]
    high = core_a >> 6
    if slot_b < 0:
        other_low = lows[core_b & 63]
        other_high = core_b >> 6
        for w in range(table.shape[0]):
            x = low if (w & high) == high else _U0
            y = other_low if (w & other_high) == other_high else _U0
            table[w] = x | y
        return
    b = tables[slot_b]
    if is_or:
        for w in range(table.shape[0]):
            table[w] = b[w] | (low if (w & high) == high else _U0)
    else:
        for w in range(table.shape[0]):
            table[w] = b[w] & (low if (w & high) == high else _U0)


@_compiled
def _are_tables_equal(tables, slot_a, slot_b):
    a = tables[slot_a]
    b = tables[slot_b]
    difference = _U0
    for w in range(a.shape[0]):
        difference |= a[w] ^ b[w]
    return difference == _U0


@_compiled
def _is_function_of(nodes, tables, node, core, slot):
    """Whether a node computes this function."""
    if nodes[node, _CORE] != core:
        return False
    if slot < 0 or nodes[node, _SLOT] < 0:
        return slot < 0 and nodes[node, _SLOT] < 0
    return _are_tables_equal(tables, nodes[node, _SLOT], slot)


@_compiled
def _combine(tables, lows, scratch, state, is_or, core_a, slot_a, core_b, slot_b):
    """The function of two others: its core, and the slot of its table, -1 for a conjunction."""
    core = core_a & core_b if is_or else core_a | core_b
    if _is_conjunction(tables, is_or, core, core_a, slot_a, core_b, slot_b):
        return core, -1
    slot = _take_slot(scratch, state)
    _fill(tables, lows, is_or, core_a, slot_a, core_b, slot_b, slot)
    state[_WORK] += 1 + tables.shape[1] // 32
    return core, slot


@_compiled
def _keeps_root_core(nodes, scratch, depth, core):
    """Whether the root keeps its core if the node at the end of the path gets this one."""
    for d in range(depth - 1, -1, -1):
        other = nodes[scratch[_SIBLING, d], _CORE]
        node = scratch[_PATH, d]
        core = core & other if nodes[node, _LABEL] < 0 else core | other
        if core == nodes[node, _CORE]:
            return True
    return False


@_compiled
def _climb(nodes, tables, lows, scratch, state, depth, core, slot, grows):
    """Find the functions along the path if its end computes another one, up to where nothing changes.

    Returns whether the root changes (where a mutation only ``grows`` functions, without finding out how), how many
    levels have got new functions, which are in ``scratch``, and the core and slot of the root.
    """
    levels = 0
    for d in range(depth - 1, -1, -1):
        node = scratch[_PATH, d]
        sibling = scratch[_SIBLING, d]
        is_or = nodes[node, _LABEL] < 0
        other = nodes[sibling, _CORE]
        other_slot = nodes[sibling, _SLOT]
        new_core = core & other if is_or else core | other
        if _is_conjunction(tables, is_or, new_core, core, slot, other, other_slot):
            slot = -1
            if nodes[node, _SLOT] < 0 and nodes[node, _CORE] == new_core:
                return _SAME, levels, new_core, slot
        else:
            if grows and new_core != nodes[node, _CORE] and not _keeps_root_core(nodes, scratch, d, new_core):
                return _WORSE, levels, new_core, -1
            new_slot = _take_slot(scratch, state)
            _fill(tables, lows, is_or, core, slot, other, other_slot, new_slot)
            state[_WORK] += 1 + tables.shape[1] // 32
            slot = new_slot
            if _is_function_of(nodes, tables, node, new_core, slot):
                _free_slot(scratch, state, slot)
                return _SAME, levels, new_core, slot
        core = new_core
        scratch[_NEW_CORE, levels] = core
        scratch[_NEW_SLOT, levels] = slot
        levels += 1
    return (_WORSE if grows else _CHANGED), levels, core, slot


@_compiled
def _discard(scratch, state, levels):
    for level in range(levels):
        _free_slot(scratch, state, scratch[_NEW_SLOT, level])


@_compiled
def _go_to_node(nodes, scratch, root, index):
    """The node with so many before it in preorder, and the length of the path to it, which is in ``scratch``."""
    node = root
    depth = 0
    while index > 0:
        left = nodes[node, _LEFT]
        right = nodes[node, _RIGHT]
        scratch[_PATH, depth] = node
        after_left = 2 * nodes[left, LEAVES]
        if index < after_left:
            index -= 1
            scratch[_SIBLING, depth] = right
            node = left
        else:
            index -= after_left
            scratch[_SIBLING, depth] = left
            node = right
        depth += 1
    return node, depth


@_compiled
def _go_to_leaf(nodes, scratch, root, index):
    node = root
    depth = 0
    while nodes[node, LEAVES] > 1:
        left = nodes[node, _LEFT]
        right = nodes[node, _RIGHT]
        scratch[_PATH, depth] = node
        before = nodes[left, LEAVES]
        if index < before:
            scratch[_SIBLING, depth] = right
            node = left
        else:
            index -= before
            scratch[_SIBLING, depth] = left
            node = right
        depth += 1
    return node, depth


@_compiled
def _make_leaf(nodes, scratch, state, uid, variable):
    node = _take_node(scratch, state)
    nodes[node, LEAVES] = 1
    nodes[node, _LABEL] = variable
    nodes[node, _UID] = uid
    nodes[node, _CORE] = 1 << (variable - 1)
    nodes[node, _SLOT] = -1
    return node


@_compiled
def _load(nodes, tables, lows, scratch, state, start):
    """Empty the arrays and build the tree with these uids and labels in preorder; its root, or -1 for no tree."""
    state[_NODES_USED] = 0
    state[_NODES_FREE] = 0
    state[_SLOTS_USED] = 0
    state[_SLOTS_FREE] = 0
    top = 0
    for i in range(start.shape[0] - 1, -1, -1):
        label = start[i, 1]
        if label > 0:
            node = _make_leaf(nodes, scratch, state, start[i, 0], label)
        else:
            left = scratch[_STACK, top - 1]
            right = scratch[_STACK, top - 2]
            top -= 2
            core, slot = _combine(
                tables, lows, scratch, state, label < 0,
                nodes[left, _CORE], nodes[left, _SLOT], nodes[right, _CORE], nodes[right, _SLOT],
            )  # fmt: skip
            node = _take_node(scratch, state)
            nodes[node, _LEFT] = left
            nodes[node, _RIGHT] = right
            nodes[node, LEAVES] = nodes[left, LEAVES] + nodes[right, LEAVES]
            nodes[node, _LABEL] = label
            nodes[node, _UID] = start[i, 0]
            nodes[node, _CORE] = core
            nodes[node, _SLOT] = slot
        scratch[_STACK, top] = node
        top += 1
    return scratch[_STACK, 0] if top else -1


@_compiled
def _count_leaves(nodes, scratch, node, each):
    """Add ``each`` to the count of a leaf's variable, for all leaves of a subtree."""
    scratch[_STACK, 0] = node
    top = 1
    while top > 0:
        top -= 1
        node = scratch[_STACK, top]
        if nodes[node, LEAVES] > 1:
            scratch[_STACK, top] = nodes[node, _LEFT]
            scratch[_STACK, top + 1] = nodes[node, _RIGHT]
            top += 2
        else:
            scratch[_COUNT, nodes[node, _LABEL]] += each


@_compiled
def _free_subtree(nodes, scratch, state, node):
    scratch[_STACK, 0] = node
    top = 1
    while top > 0:
        top -= 1
        node = scratch[_STACK, top]
        if nodes[node, LEAVES] > 1:
            scratch[_STACK, top] = nodes[node, _LEFT]
            scratch[_STACK, top + 1] = nodes[node, _RIGHT]
            top += 2
        _free_node(nodes, scratch, state, node)


@_compiled
def _ors_in(nodes, scratch, node):
    scratch[_STACK, 0] = node
    top = 1
    ors = 0
    while top > 0:
        top -= 1
        node = scratch[_STACK, top]
        if nodes[node, LEAVES] > 1:
            ors += nodes[node, _LABEL] < 0
            scratch[_STACK, top] = nodes[node, _LEFT]
            scratch[_STACK, top + 1] = nodes[node, _RIGHT]
            top += 2
    return ors


@_compiled
def _examine(nodes, tables, lows, scratch, state, rules, root, error):
    """Whether a tree is stuck, as far as its own mutations show.

    It is not if it is below the limit, or if a mutation improves it or makes it smaller at no cost. It is if no
    mutation is accepted. Where a substitution is neutral the plateau has to be searched.
    """
    n = rules[VARIABLES]
    leaves = nodes[root, LEAVES]
    if leaves < rules[LIMIT] or error == 0:
        return _NOT_STUCK
    is_neutral = False
    for index in range(2 * leaves - 1):
        node, depth = _go_to_node(nodes, scratch, root, index)
        is_leaf = nodes[node, LEAVES] == 1
        can_go = depth > 0 and (is_leaf or rules[IS_SUBTREE] != 0)
        if can_go and nodes[scratch[_PATH, depth - 1], _LABEL] < 0:
            return _NOT_STUCK  # deleting an operand of an OR is always accepted
        # Variable 0 stands for the deletion.
        for variable in range(0 if can_go else 1, n + 1 if is_leaf else 1):
            if variable == nodes[node, _LABEL] and is_leaf:
                continue
            core = 1 << (variable - 1)
            slot = -1
            length = depth
            if variable == 0:
                length = depth - 1
                sibling = scratch[_SIBLING, length]
                core = nodes[sibling, _CORE]
                slot = nodes[sibling, _SLOT]
                if _is_function_of(nodes, tables, scratch[_PATH, length], core, slot):
                    return _NOT_STUCK
            change, levels, core, slot = _climb(
                nodes, tables, lows, scratch, state, length, core, slot, variable == 0
            )
            new_error = error
            if change == _CHANGED:
                new_error = _error_of(tables, core, slot, n)
            _discard(scratch, state, levels)
            state[_WORK] += 2
            if new_error < error or (variable == 0 and change == _SAME):
                return _NOT_STUCK
            if new_error == error and change != _WORSE:
                is_neutral = True
    return _MAY_BE_STUCK if is_neutral else _IS_STUCK


def flatten(nodes, scratch, root, flat):
    """Put the uids and labels of a tree into ``flat`` in preorder; their number."""
    if root < 0:
        return 0
    scratch[_STACK, 0] = root
    top = 1
    count = 0
    while top > 0:
        top -= 1
        node = scratch[_STACK, top]
        flat[count, 0] = nodes[node, _UID]
        flat[count, 1] = nodes[node, _LABEL]
        count += 1
        if nodes[node, LEAVES] > 1:
            scratch[_STACK, top] = nodes[node, _RIGHT]
            scratch[_STACK, top + 1] = nodes[node, _LEFT]
            top += 2
    return count


def advance(nodes, tables, lows, scratch, state, rules, roots, out, events, start, quota):
    """Go on with the run under way and those after it, for about ``quota`` units of work; returns why it ended.

    A unit is about a tenth of a microsecond. ``roots`` are those of the runs' seeds, and ``out`` gets a row for
    each. Where the state's phase is the beginning of a run, it begins with the ``start`` tree.
    """
    n = rules[VARIABLES]
    base = rules[BASE]
    limit = rules[LIMIT]
    is_subtree = rules[IS_SUBTREE] != 0
    plants_any = rules[PLANTS_ANY] != 0
    accept_error = rules[ACCEPT_ERROR]
    max_iterations = rules[MAX_ITERATIONS]
    can_get_stuck = rules[CAN_GET_STUCK] != 0
    keeps_events = rules[KEEPS_EVENTS] != 0
    first_uid = rules[FIRST_UID]
    first_wait = rules[FIRST_WAIT]
    most_leaves = nodes.shape[0] // 2
    long_base = np.uint64(base)
    state[_WORK] = 0
    work = 0

    while state[RUN] < roots.shape[0]:
        outcome = -1
        is_examined = False
        if state[PHASE] == PHASE_BEGIN or state[PHASE] == PHASE_LOOP:
            tree = _load(nodes, tables, lows, scratch, state, start)
            state[ROOT] = tree
            state[RUN_EVENTS] = 0
            error = -1
            if tree >= 0:
                error = _error_of(tables, nodes[tree, _CORE], nodes[tree, _SLOT], n)
                for variable in range(n + 1):
                    scratch[_COUNT, variable] = 0
                _count_leaves(nodes, scratch, tree, _ONE)
            state[ERROR] = error
            if state[PHASE] == PHASE_BEGIN:
                state[ITERATION] = 0
                state[ACCEPTED] = 0
                state[IMPROVED] = 0
                state[ACCEPTED_ORS] = 0
                state[SETTLED] = 0
                state[NEXT_CHECK] = NEVER
                state[WAIT] = first_wait
                state[HAS_NEWS] = 0
                state[DUPLICATES] = 0
                state[FULL_ITERATIONS] = 0
                if tree >= 0 and error <= accept_error:
                    outcome = _SOLVED
                elif can_get_stuck:
                    state[NEXT_CHECK] = first_wait
                    state[WAIT] = 2 * first_wait
                    if tree >= 0:
                        found = _examine(nodes, tables, lows, scratch, state, rules, tree, error)
                        if found == _IS_STUCK:
                            outcome = _STUCK
                        elif found == _MAY_BE_STUCK:
                            state[FULL_SINCE] = 0
                            state[PHASE] = _PHASE_EXAMINED
                            return ASKS_IF_STUCK
            state[FULL_SINCE] = state[ITERATION]
        elif state[PHASE] == _PHASE_EXAMINED and state[ANSWER] != 0:
            outcome = _STUCK

        iteration = state[ITERATION]
        tree = state[ROOT]
        error = state[ERROR]
        accepted = state[ACCEPTED]
        next_check = state[NEXT_CHECK]
        if outcome < 0 and iteration >= max_iterations:
            outcome = _STOPPED
        due = min(next_check, max_iterations)
        leaves = 0
        excess = _U0
        if tree >= 0:
            leaves = nodes[tree, LEAVES]
            excess = _excess(leaves, base)
        root_key = roots[state[RUN]]
        status = ALL_DONE

        while outcome < 0:
            if work + state[_WORK] >= quota:
                status = OUT_OF_QUOTA
                break
            if state[EVENTS] >= events.shape[0]:
                status = OUT_OF_EVENTS
                break
            work += 2
            iteration += 1
            key = _word(root_key, np.uint64(iteration))
            is_reported = False

            if tree < 0:
                is_reported = True
                accepted += 1
                draw = np.int64(_fair_word(key, _excess(_ONE, base)) % long_base)
                if draw % 3 == _INS or plants_any:
                    tree = _make_leaf(nodes, scratch, state, first_uid + 2 * iteration - 1, draw // 3 % n + 1)
                    state[ROOT] = tree
                    for variable in range(n + 1):
                        scratch[_COUNT, variable] = 0
                    scratch[_COUNT, nodes[tree, _LABEL]] = 1
                    leaves = 1
                    excess = _excess(_ONE, base)
                    error = (1 << (n - 1)) - 1
                    state[IMPROVED] += 1
                    state[SETTLED] = iteration
                    state[LAST_IMPROVED] = iteration
                    state[HAS_NEWS] = 1
                    state[FULL_SINCE] = iteration
                    if keeps_events:
                        at = state[EVENTS]
                        events[at, 0] = iteration
                        events[at, 1] = error
                        events[at, 2] = 0
                        events[at, 3] = 0
                        state[EVENTS] = at + 1
                        state[RUN_EVENTS] += 1
            else:
                word = key
                if excess != _U0 and word >= _U0 - excess:
                    word = _fair_word(key, excess)
                draw = np.int64(word % long_base)
                rest = word // long_base
                operation = draw % 3
                draw //= 3
                variable = draw % n + 1
                is_or = draw >= n
                new_leaves = leaves
                change = -1
                levels = 0
                core = 0
                slot = -1
                inserted_core = 0
                inserted_slot = -1
                node = -1
                depth = 0
                grows = False

                # What the mutated node computes, and whether that can only have more true rows than before.
                if operation == _INS:
                    if leaves < limit:
                        if leaves >= most_leaves:
                            iteration -= 1
                            status = TREE_OUTGROWS
                            break
                        new_leaves += 1
                        size = np.uint64(2 * leaves - 1)
                        node, depth = _go_to_node(nodes, scratch, tree, np.int64(rest % size))
                        core, slot = _combine(
                            tables, lows, scratch, state, is_or,
                            nodes[node, _CORE], nodes[node, _SLOT], 1 << (variable - 1), -_ONE,
                        )  # fmt: skip
                        inserted_core = core
                        inserted_slot = slot
                        grows = is_or
                        change = _SAME if _is_function_of(nodes, tables, node, core, slot) else _CHANGED
                elif operation == _DEL:
                    if is_subtree:
                        size = np.uint64(2 * leaves - 1)
                        node, depth = _go_to_node(nodes, scratch, tree, np.int64(rest % size))
                    else:
                        node, depth = _go_to_leaf(nodes, scratch, tree, np.int64(rest % np.uint64(leaves)))
                    if depth > 0:
                        depth -= 1
                        new_leaves -= nodes[node, LEAVES]
                        sibling = scratch[_SIBLING, depth]
                        parent = scratch[_PATH, depth]
                        core = nodes[sibling, _CORE]
                        slot = nodes[sibling, _SLOT]
                        grows = nodes[parent, _LABEL] == 0
                        change = _SAME if _is_function_of(nodes, tables, parent, core, slot) else _CHANGED
                    else:
                        accepted += 1
                else:
                    node, depth = _go_to_leaf(nodes, scratch, tree, np.int64(rest % np.uint64(leaves)))
                    if nodes[node, _LABEL] == variable:
                        accepted += 1
                    else:
                        core = 1 << (variable - 1)
                        change = _CHANGED

                if change == _CHANGED:
                    change, levels, core, slot = _climb(
                        nodes, tables, lows, scratch, state, depth, core, slot, grows
                    )
                new_error = error
                if change == _CHANGED:
                    new_error = _error_of(tables, core, slot, n)
                    if new_error > error:
                        change = _WORSE
                if change == _WORSE:
                    _discard(scratch, state, levels)
                    _free_slot(scratch, state, inserted_slot)
                elif change >= 0:
                    accepted += 1
                    if new_error < error:
                        state[IMPROVED] += 1
                        state[SETTLED] = iteration
                        state[LAST_IMPROVED] = iteration
                        state[HAS_NEWS] = 1
                        error = new_error
                        is_reported = error <= accept_error
                        if keeps_events:
                            at = state[EVENTS]
                            events[at, 0] = iteration
                            events[at, 1] = error
                            events[at, 2] = state[FULL_ITERATIONS]
                            events[at, 3] = 0
                            if leaves == limit:
                                events[at, 2] += iteration - state[FULL_SINCE]
                                events[at, 3] = 1
                            state[EVENTS] = at + 1
                            state[RUN_EVENTS] += 1
                    if operation != _INS:
                        if nodes[node, LEAVES] == 1:
                            scratch[_COUNT, nodes[node, _LABEL]] -= 1
                        else:
                            _count_leaves(nodes, scratch, node, -_ONE)
                    if operation != _DEL:
                        state[DUPLICATES] += scratch[_COUNT, variable] > 0
                        scratch[_COUNT, variable] += 1

                    # Store the new functions along the path, and put the subtree in.
                    for level in range(levels):
                        ancestor = scratch[_PATH, depth - 1 - level]
                        _free_slot(scratch, state, nodes[ancestor, _SLOT])
                        nodes[ancestor, _CORE] = scratch[_NEW_CORE, level]
                        nodes[ancestor, _SLOT] = scratch[_NEW_SLOT, level]
                    if operation == _SUB:
                        nodes[node, _LABEL] = variable
                        nodes[node, _CORE] = 1 << (variable - 1)
                    else:
                        if operation == _INS:
                            state[ACCEPTED_ORS] += is_or
                            leaf = _make_leaf(nodes, scratch, state, first_uid + 2 * iteration - 1, variable)
                            subtree = _take_node(scratch, state)
                            goes_left = (rest // np.uint64(2 * leaves - 1)) & _U1 == _U0
                            nodes[subtree, _LEFT] = leaf if goes_left else node
                            nodes[subtree, _RIGHT] = node if goes_left else leaf
                            nodes[subtree, LEAVES] = nodes[node, LEAVES] + 1
                            nodes[subtree, _LABEL] = -1 if is_or else 0
                            nodes[subtree, _UID] = first_uid + 2 * iteration - 2
                            nodes[subtree, _CORE] = inserted_core
                            nodes[subtree, _SLOT] = inserted_slot
                            replaced = node
                        else:
                            subtree = scratch[_SIBLING, depth]
                            replaced = scratch[_PATH, depth]
                        if depth == 0:
                            tree = subtree
                            state[ROOT] = tree
                        else:
                            ancestor = scratch[_PATH, depth - 1]
                            if nodes[ancestor, _LEFT] == replaced:
                                nodes[ancestor, _LEFT] = subtree
                            else:
                                nodes[ancestor, _RIGHT] = subtree
                        if operation == _DEL:
                            _free_node(nodes, scratch, state, replaced)
                            _free_subtree(nodes, scratch, state, node)
                        for d in range(depth):
                            nodes[scratch[_PATH, d], LEAVES] += new_leaves - leaves
                        state[SETTLED] = iteration
                        if leaves == limit:
                            state[FULL_ITERATIONS] += iteration - state[FULL_SINCE]
                        elif new_leaves == limit:
                            state[FULL_SINCE] = iteration
                        leaves = new_leaves
                        excess = _excess(leaves, base)

            if is_reported or iteration >= due:
                if tree >= 0 and error <= accept_error:
                    outcome = _SOLVED
                    break
                if can_get_stuck:
                    if state[HAS_NEWS] != 0:
                        state[HAS_NEWS] = 0
                        state[WAIT] = first_wait
                        next_check = state[LAST_IMPROVED] + first_wait
                    if iteration >= next_check:
                        next_check = iteration + state[WAIT]
                        state[WAIT] = min(2 * state[WAIT], rules[LONGEST_WAIT])
                        if tree >= 0:
                            found = _examine(nodes, tables, lows, scratch, state, rules, tree, error)
                            if found == _IS_STUCK:
                                outcome = _STUCK
                                break
                            if found == _MAY_BE_STUCK:
                                is_examined = True
                                status = ASKS_IF_STUCK
                                break
                    due = min(next_check, max_iterations)
                if iteration >= max_iterations:
                    outcome = _STOPPED

        state[ITERATION] = iteration
        state[ERROR] = error
        state[ACCEPTED] = accepted
        state[NEXT_CHECK] = next_check
        state[PHASE] = _PHASE_EXAMINED if is_examined else _PHASE_UNDER_WAY
        if outcome < 0:
            return status

        full = state[FULL_ITERATIONS]
        if tree >= 0 and leaves == limit:
            full += iteration - state[FULL_SINCE]
        row = state[RUN]
        out[row, 0] = outcome
        out[row, 1] = iteration
        out[row, 2] = error
        out[row, 3] = leaves
        out[row, 4] = _ors_in(nodes, scratch, tree) if tree >= 0 else 0
        out[row, 5] = accepted
        out[row, 6] = state[IMPROVED]
        out[row, 7] = state[ACCEPTED_ORS]
        out[row, 8] = state[SETTLED] if outcome == _STUCK else -1
        out[row, 9] = state[DUPLICATES]
        out[row, 10] = full
        out[row, 11] = state[RUN_EVENTS]
        state[RUN] += 1
        state[PHASE] = PHASE_BEGIN
        work += 10 + 4 * start.shape[0]
        if rules[RETURNS_TREES] != 0:
            return RUN_IS_OVER
    return ALL_DONE
