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
// The other label of a leaf, if there is one, has the last place, beside that leaf as if it were its sibling.
function layoutOf(tree, other = null) {
  if (tree === null) return { nodes: [], x: [], y: [], parents: [], index: new Map() };
  const known = other ? null : layouts.get(tree);
  if (known) return known;
  const nodes = nodesOf(tree), count = nodes.length, all = count + (other ? 1 : 0);
  const index = new Map(nodes.map((node, number) => [node.uid, number]));
  if (other) index.set(other.uid, count);
  const x = new Float64Array(all), y = new Float64Array(all);
  const parents = new Int32Array(all).fill(-1);
  const outlines = new Array(all), single = () => ({ left: [0], right: [0], shift: 0 });
  if (other) outlines[count] = single();
  for (let i = count - 1; i >= 0; i--) {
    if (!nodes[i].fn) {
      outlines[i] = single();
      continue;
    }
    const children = [i + 1, i + 2 * nodes[i].left.leaves].flatMap((child) => {
      if (nodes[child].uid !== other?.leaf) return [child];
      return other.isLeft ? [count, child] : [child, count];
    });
    let outline = outlines[children[0]];
    const places = [0];
    for (const child of children.slice(1)) {
      const joined = beside(outline, outlines[child]);
      outline = joined.outline;
      places.push(joined.place);
    }
    const middle = places.at(-1) / 2;
    children.forEach((child, number) => {
      x[child] = places[number] - middle;
      parents[child] = i;
      outlines[child] = null;
    });
    outline.shift -= middle;
    outline.left.push(-outline.shift);
    outline.right.push(-outline.shift);
    outlines[i] = outline;
  }
  for (let i = 1; i < all; i++) {
    if (parents[i] < 0) { // beside the only leaf
      x[i] = other.isLeft ? -1 : 1;
      continue;
    }
    x[i] += x[parents[i]];
    y[i] = y[parents[i]] + 1;
  }
  const layout = { nodes, x, y, parents, index };
  if (!other) layouts.set(tree, layout);
  return layout;
}
