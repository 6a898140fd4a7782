// What is known of a tree: whether it is solved or stuck, and which of its leaves it could spare.

// A tree without negations computes the conjunction of all variables if it is false wherever one of them alone is
// false. Bit i - 1 of a node stands for its value where x_i is.
function computesTarget(tree, n) {
  const everywhere = (1n << BigInt(n)) - 1n, nodes = nodesOf(tree), done = [];
  for (let i = nodes.length - 1; i >= 0; i--) {
    const { fn, variable } = nodes[i];
    if (!fn) {
      done.push(everywhere ^ (1n << BigInt(variable - 1)));
      continue;
    }
    const left = done.pop(), right = done.pop();
    done.push(fn === AND ? left & right : left | right);
  }
  return !done[0];
}

// For nodes in preorder, each with its parent's number: 1 for a redundant leaf, else 0. A leaf is essential if only
// ANDs separate it from the root and its variable is on no other such leaf; all other leaves are redundant.
function redundantAmong(nodes, parents) {
  const isBelowAnds = new Uint8Array(nodes.length), redundant = new Uint8Array(nodes.length), seen = new Map();
  nodes.forEach(({ fn, variable }, i) => {
    const above = parents[i];
    isBelowAnds[i] = above < 0 || (isBelowAnds[above] && nodes[above].fn === AND) ? 1 : 0;
    if (!fn && isBelowAnds[i]) seen.set(variable, (seen.get(variable) || 0) + 1);
  });
  nodes.forEach(({ fn, variable }, i) => {
    if (!fn && !(isBelowAnds[i] && seen.get(variable) === 1)) redundant[i] = 1;
  });
  return redundant;
}

const redundantUids = new WeakMap();

// The uids of the redundant leaves of a tree.
function redundantIn(tree) {
  if (tree === null) return new Set();
  let found = redundantUids.get(tree);
  if (!found) {
    const { nodes, parents } = layoutOf(tree), redundant = redundantAmong(nodes, parents);
    found = new Set(nodes.filter((_, i) => redundant[i]).map(({ uid }) => uid));
    redundantUids.set(tree, found);
  }
  return found;
}

// What there is to say about the tree of an iteration: its kind, a headline and a sentence; null for nothing.
function stateAt(run, iteration) {
  const tree = run.treeAt(iteration);
  if (tree === null) return null;
  const { n, rows, acceptError } = run.configAt(iteration + 1), error = run.errorAt(iteration);
  const isExact = rows === null && error !== null; // no sample shows that a tree is right everywhere
  if (!error && (isExact || computesTarget(tree, n))) {
    return { kind: "solved", title: "Solved.", body: "The tree computes the target." };
  }
  if (run.isStuckAt(iteration)) {
    return { kind: "stuck", title: "Stuck.", body: "No sequence of accepted mutations improves this tree." };
  }
  if (isExact && error <= BigInt(acceptError)) {
    const most = numberText(BigInt(acceptError));
    return { kind: "solved", title: "Solved.", body: `The run accepts an error of at most ${most}.` };
  }
  return null;
}
