// The tidy tree: parents centred over their children, subtrees side by side as close as they can be.
// Every subtree keeps its outline, for each level how far it reaches; two are pushed together until these touch.

function beside(one, other) {
  const levels = Math.min(one.left.length, other.left.length);
  const ends = [one.right.length - 1, other.left.length - 1];
  let gap = -Infinity;
  for (let i = 0; i < levels; i++) gap = Math.max(gap, one.right[ends[0] - i] - other.left[ends[1] - i]);
  const place = 1 + gap + one.shift - other.shift;
  other.shift += place;
  const isFirstDeeper = one.left.length >= other.left.length;
  const [deeper, flatter] = isFirstDeeper ? [one, other] : [other, one];
  const change = flatter.shift - deeper.shift;
  const [to, from] = isFirstDeeper ? [deeper.right, flatter.right] : [deeper.left, flatter.left];
  for (let i = 1; i <= levels; i++) to[to.length - i] = from[from.length - i] + change;
  return { outline: deeper, place };
}

const layouts = new WeakMap();

// For a tree its nodes in preorder and the place of each, the root at the origin; one unit is the smallest distance.
function layoutOf(tree) {
  if (tree === null) return { nodes: [], x: [], y: [], parents: [], index: new Map() };
  const known = layouts.get(tree);
  if (known) return known;
  const nodes = nodesOf(tree), count = nodes.length;
  const index = new Map(nodes.map((node, number) => [node.uid, number]));
  const x = new Float64Array(count), y = new Float64Array(count);
  const parents = new Int32Array(count).fill(-1);
  const outlines = new Array(count);
  for (let i = count - 1; i >= 0; i--) {
    if (!nodes[i].fn) {
      outlines[i] = { left: [0], right: [0], shift: 0 };
      continue;
    }
    const left = i + 1, right = i + 2 * nodes[i].left.leaves;
    const { outline, place } = beside(outlines[left], outlines[right]);
    const middle = place / 2;
    x[left] = 0 - middle;
    x[right] = place - middle;
    parents[left] = parents[right] = i;
    outline.shift -= middle;
    outline.left.push(-outline.shift);
    outline.right.push(-outline.shift);
    outlines[i] = outline;
    outlines[left] = outlines[right] = null;
  }
  for (let i = 1; i < count; i++) {
    x[i] += x[parents[i]];
    y[i] = y[parents[i]] + 1;
  }
  const layout = { nodes, x, y, parents, index };
  layouts.set(tree, layout);
  return layout;
}
