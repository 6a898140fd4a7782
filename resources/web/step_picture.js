// What there is to draw of a step: parent and offspring as one tree, in which everything that comes or goes has a
// place. A picture is {tree, ghosts, leaving, ringed, other, isCrossed}. Ghosts are drawn although the tree on show
// does not have them; what is leaving it has, and a deletion takes or would take away. `other` is the label that a
// substitution took away from a leaf, or would give it: {uid, leaf, variable, isOld, isLeft}.

const NOTHING = new Set();

function pictureOfTree(tree) {
  return { tree, ghosts: NOTHING, leaving: NOTHING, ringed: [], other: null, isCrossed: false };
}

// As a proposal it shows what was drawn, and not yet what became of it.
function pictureOfStep(step, tree, isProposal = false) {
  if (step === null || (step.parent === null && !step.offspringLeaves)) return pictureOfTree(tree);
  const isCrossed = !isProposal && !step.isAccepted, isDone = !isProposal && step.isAccepted;
  if (step.parent !== null && step.operation === SUB) return pictureOfSubstitution(step, isDone, isCrossed);
  if (step.parent !== null && step.operation === DEL) return pictureOfDeletion(step, isDone, isCrossed);
  const made = step.parent === null ? [step.offspring.uid] : insertedUids(step);
  return {
    ...pictureOfTree(step.offspring),
    ghosts: isDone ? NOTHING : new Set(made),
    ringed: isDone ? made : [],
    isCrossed,
  };
}

// The leaf and the function above it.
function insertedUids(step) {
  const { node } = nodePath(step.offspring, step.node);
  return [(step.isLeft ? node.left : node.right).uid, node.uid];
}

function pictureOfSubstitution(step, isDone, isCrossed) {
  const tree = isDone ? step.offspring : step.parent;
  const { node: leaf, path } = nodePath(tree, step.node), { node: old } = nodePath(step.parent, step.node);
  const other = old.variable === step.variable ? null : {
    uid: -leaf.uid - 1,
    leaf: leaf.uid,
    variable: isDone ? old.variable : step.variable,
    isOld: isDone,
    isLeft: path.length > 0 && path.at(-1).goesLeft, // away from the sibling
  };
  const picture = { ...pictureOfTree(tree), other, isCrossed };
  if (isCrossed && other) return picture;
  return isDone || !other ? { ...picture, ringed: [leaf.uid] } : { ...picture, leaving: new Set([leaf.uid]) };
}

function pictureOfDeletion(step, isDone, isCrossed) {
  const { node, path } = nodePath(step.parent, step.node), picture = { ...pictureOfTree(step.parent), isCrossed };
  if (!path.length) return { ...picture, ringed: [node.uid] }; // the root stays whatever is drawn
  const gone = new Set([path.at(-1).node.uid, ...nodesOf(node).map(({ uid }) => uid)]);
  return { ...picture, [isDone ? "ghosts" : "leaving"]: gone };
}

// The uids that a step is about, the most telling one first.
function placesOf({ tree, ghosts, leaving, ringed, other }) {
  const places = new Set(ringed);
  if (ghosts.size || leaving.size) {
    const isGone = ({ uid }) => ghosts.has(uid) || leaving.has(uid), gone = nodesOf(tree).filter(isGone);
    // A function comes after what hangs on it.
    if (gone[0].fn && !(isGone(gone[0].left) && isGone(gone[0].right))) gone.push(gone.shift());
    for (const { uid } of gone) places.add(uid);
  }
  if (other) places.add(other.leaf).add(other.uid);
  return [...places];
}

// The functions among the ghosts through which an edge of the tree on show runs to the node below.
function bridgesOf({ tree, ghosts }) {
  const bridges = new Set();
  if (!ghosts.size) return bridges;
  for (const { uid, fn, left, right } of nodesOf(tree)) {
    if (!fn || ghosts.has(uid)) continue;
    for (const child of [left, right]) if (ghosts.has(child.uid)) bridges.add(child.uid);
  }
  return bridges;
}
