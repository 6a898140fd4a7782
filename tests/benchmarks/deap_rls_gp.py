"""RLS-GP on AND_n with DEAP's trees, written the way its users write it, as something to measure against.

An individual is a `gp.PrimitiveTree` with a fitness; an offspring is a clone that is mutated, kept within the
limit by `gp.staticLimit`, and evaluated by `gp.compile` on all 2^n rows at once as numpy arrays. INS is DEAP's own
`gp.mutInsert`; its other operators do not do what HVL-Prime does, so DEL and SUB are written on its trees.
"""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
from deap import base, creator, gp

creator.create("RlsError", base.Fitness, weights=(-1.0,))
creator.create("RlsTree", gp.PrimitiveTree, fitness=creator.RlsError)


def deap_run(n: int, limit: int) -> Callable[[int], int]:
    """A function that does one run with the given seed and returns its number of iterations."""
    primitives = gp.PrimitiveSet("AND_n", n)
    primitives.addPrimitive(np.logical_and, 2, name="AND")
    primitives.addPrimitive(np.logical_or, 2, name="OR")
    columns = [np.array([row >> bit & 1 for row in range(2**n)], dtype=bool) for bit in range(n)]
    wanted = np.logical_and.reduce(columns)
    variables = primitives.terminals[primitives.ret]

    toolbox = base.Toolbox()
    toolbox.register("compile", gp.compile, pset=primitives)

    def evaluate(individual: Any) -> tuple[int]:
        function = toolbox.compile(expr=individual)
        return (int(np.count_nonzero(function(*columns) != wanted)),)

    def mutate(tree: Any) -> tuple[Any]:
        operation = random.randrange(3)
        if operation == 0:
            (tree,) = gp.mutInsert(tree, primitives)
        elif operation == 1:
            chosen = random.randrange(len(tree))
            if chosen:
                parent = chosen - 1
                while tree[parent].arity == 0 or tree.searchSubtree(parent).stop <= chosen:
                    parent -= 1
                whole = tree.searchSubtree(parent)
                first = tree.searchSubtree(parent + 1)
                is_first = chosen == parent + 1
                tree[whole] = tree[first.stop : whole.stop] if is_first else tree[first]
        else:
            leaves = [position for position, node in enumerate(tree) if node.arity == 0]
            tree[random.choice(leaves)] = random.choice(variables)
        return (tree,)

    def leaf_count(tree: Any) -> int:
        return sum(node.arity == 0 for node in tree)

    toolbox.register("evaluate", evaluate)
    toolbox.register("mutate", mutate)
    toolbox.decorate("mutate", gp.staticLimit(key=leaf_count, max_value=limit))

    def run(seed: int) -> int:
        random.seed(seed)
        parent = creator.RlsTree([random.choice(variables)])
        parent.fitness.values = toolbox.evaluate(parent)
        iterations = 1
        while parent.fitness.values[0] > 0:
            iterations += 1
            offspring = toolbox.clone(parent)
            (offspring,) = toolbox.mutate(offspring)
            offspring.fitness.values = toolbox.evaluate(offspring)
            if offspring.fitness >= parent.fitness:
                parent = offspring
        return iterations

    return run
