"""RLS-GP on AND_n with DEAP's trees, written the way its users write it, as something to measure against.

An individual is a `gp.PrimitiveTree` with a fitness; an offspring is a clone that is mutated and evaluated by
`gp.compile` on all 2^n rows at once as numpy arrays.
"""

import random
from collections.abc import Callable
from typing import Any

import numpy as np
from deap import base, creator, gp

__all__ = ["deap_run"]

creator.create("RlsError", base.Fitness, weights=(-1.0,))
creator.create("RlsTree", gp.PrimitiveTree, fitness=creator.RlsError)


def deap_run(n: int, limit: int) -> Callable[[int], int]:
    """A function that does one run with the given seed and returns its number of iterations."""
    primitives = gp.PrimitiveSet("AND_n", n)
    primitives.addPrimitive(np.logical_and, 2, name="AND")
    primitives.addPrimitive(np.logical_or, 2, name="OR")
    columns = [np.array([row >> bit & 1 for row in range(2**n)], dtype=bool) for bit in range(n)]
    wanted = np.logical_and.reduce(columns)
    functions = primitives.primitives[primitives.ret]
    variables = primitives.terminals[primitives.ret]

    toolbox = base.Toolbox()
    toolbox.register("compile", gp.compile, pset=primitives)

    def evaluate(individual: Any) -> tuple[int]:
        function = toolbox.compile(expr=individual)
        return (int(np.count_nonzero(function(*columns) != wanted)),)

    def mutate(tree: Any, rng: random.Random) -> tuple[Any]:
        operation = rng.randrange(3)
        variable = rng.choice(variables)
        function = rng.choice(functions)
        if operation == 0:
            place = tree.searchSubtree(rng.randrange(len(tree)))
            subtree = tree[place]
            is_left = rng.random() < 0.5
            tree[place] = [function, variable, *subtree] if is_left else [function, *subtree, variable]
        elif operation == 1:
            chosen = rng.randrange(len(tree))
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
            tree[rng.choice(leaves)] = variable
        return (tree,)

    toolbox.register("evaluate", evaluate)
    toolbox.register("mutate", mutate)

    def run(seed: int) -> int:
        rng = random.Random(seed)
        parent = creator.RlsTree([rng.choice(variables)])
        parent.fitness.values = toolbox.evaluate(parent)
        iterations = 1
        while parent.fitness.values[0] > 0:
            iterations += 1
            offspring = toolbox.clone(parent)
            del offspring.fitness.values
            (offspring,) = toolbox.mutate(offspring, rng)
            if sum(node.arity == 0 for node in offspring) > limit:
                continue
            offspring.fitness.values = toolbox.evaluate(offspring)
            if offspring.fitness >= parent.fitness:
                parent = offspring
        return iterations

    return run
