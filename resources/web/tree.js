// Syntax trees that never change: a mutation copies the way to its place and shares the rest.
// A node is {uid, fn, variable, left, right, leaves, value}; the empty tree is null. Nodes are numbered in preorder.

const LEAF = 0, AND = 1, OR = 2;
const INS = 0, DEL = 1, SUB = 2;
const ASCII = { symbols: ["", "&", "|"], digits: "0123456789" };
const UNICODE = { symbols: ["", "∧", "∨"], digits: "₀₁₂₃₄₅₆₇₈₉" };

function makeLeaf(uid, variable) {
  return { uid, fn: LEAF, variable, left: null, right: null, leaves: 1, value: null };
}

function makeInner(uid, fn, left, right) {
  return { uid, fn, variable: 0, left, right, leaves: left.leaves + right.leaves, value: null };
}

// The tree of pairs of uid and label, each node before its children.
function treeOf(flat) {
  const waiting = [];
  for (let i = flat.length - 1; i >= 0; i--) {
    const [uid, label] = flat[i];
    if (label > 0) {
      waiting.push(makeLeaf(uid, label));
    } else {
      const left = waiting.pop(), right = waiting.pop();
      waiting.push(makeInner(uid, label === -1 ? AND : OR, left, right));
    }
  }
  return waiting.length ? waiting[0] : null;
}

// The index-th node, and the ancestors on the way to it with the side taken at each.
function nodePath(tree, index) {
  const path = [];
  let node = tree;
  while (index) {
    const afterLeft = 2 * node.left.leaves;
    const goesLeft = index < afterLeft;
    path.push({ node, goesLeft });
    index -= goesLeft ? 1 : afterLeft;
    node = goesLeft ? node.left : node.right;
  }
  return { node, path };
}

function replaced(path, subtree) {
  for (let i = path.length - 1; i >= 0; i--) {
    const { node, goesLeft } = path[i];
    subtree = goesLeft
      ? makeInner(node.uid, node.fn, subtree, node.right)
      : makeInner(node.uid, node.fn, node.left, subtree);
  }
  return subtree;
}

// The offspring; an insertion gives the uids to its new inner node and its new leaf.
function mutated(tree, mutation, uids) {
  if (tree === null) return makeLeaf(uids[1], mutation.variable);
  const { node, path } = nodePath(tree, mutation.node);
  if (mutation.operation === INS) {
    const leaf = makeLeaf(uids[1], mutation.variable);
    const [left, right] = mutation.isLeft ? [leaf, node] : [node, leaf];
    return replaced(path, makeInner(uids[0], mutation.fn, left, right));
  }
  if (mutation.operation === DEL) {
    if (!path.length) return tree;
    const { node: above, goesLeft } = path.pop();
    return replaced(path, goesLeft ? above.right : above.left);
  }
  if (node.variable === mutation.variable) return tree;
  return replaced(path, makeLeaf(node.uid, mutation.variable));
}

// The offspring's number of leaves, without making it.
function leavesAfter(tree, mutation) {
  if (tree === null) return 1;
  if (mutation.operation === INS) return tree.leaves + 1;
  if (mutation.operation === DEL && mutation.node) return tree.leaves - nodePath(tree, mutation.node).node.leaves;
  return tree.leaves;
}

// All nodes in preorder.
function nodesOf(tree) {
  const nodes = [], pending = tree === null ? [] : [tree];
  while (pending.length) {
    const node = pending.pop();
    nodes.push(node);
    if (node.fn) pending.push(node.right, node.left);
  }
  return nodes;
}

function variableName(variable, style = UNICODE) {
  return "x" + Array.from(String(variable), (digit) => style.digits[digit]).join("");
}

function labelOf(node) {
  return node.fn ? UNICODE.symbols[node.fn] : variableName(node.variable);
}

// The tree as text; chains group to the left, every other inner child is set in parentheses.
function formulaOf(tree, style = ASCII) {
  const pieces = [], pending = tree === null ? [] : [tree];
  while (pending.length) {
    const item = pending.pop();
    if (typeof item === "string") {
      pieces.push(item);
    } else if (!item.fn) {
      pieces.push(variableName(item.variable, style));
    } else {
      const { left, right } = item;
      const isPlain = !left.fn || left.fn === item.fn;
      if (right.fn) pending.push(")", right, "(");
      else pending.push(right);
      pending.push(` ${style.symbols[item.fn]} `, isPlain ? "" : ")", left, isPlain ? "" : "(");
    }
  }
  return pieces.join("");
}
