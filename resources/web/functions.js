// Boolean functions as sets of prime implicants, as the engine has them, and how they are written.
// A conjunction is a BigInt, bit i - 1 standing for x_i. A function with several prime implicants is
// {core, rest, variables}: what all of them have, what remains of each, and the variables in that.

const MOST_IMPLICANTS = 64, MOST_PRODUCTS = 1024;
const TOO_MANY = Object.freeze({ isTooMany: true });

function bitCount(mask) {
  let count = 0;
  while (mask) {
    let bits = Number(mask & 0xffffffffn);
    bits -= (bits >>> 1) & 0x55555555;
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
    count += (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
    mask >>= 32n;
  }
  return count;
}

function variablesIn(mask) {
  const variables = [];
  for (let first = 1; mask; first += 32, mask >>= 32n) {
    let bits = Number(mask & 0xffffffffn);
    for (let variable = first; bits; variable++, bits >>>= 1) if (bits & 1) variables.push(variable);
  }
  return variables;
}

function masksOf(value) {
  return typeof value === "bigint" ? [value] : value.rest.map((part) => value.core | part);
}

// The function that is the OR of these conjunctions.
function fromMasks(masks) {
  const sorted = [...new Set(masks)].map((mask) => [bitCount(mask), mask]).sort((a, b) => a[0] - b[0]);
  const minimal = [];
  for (const [, mask] of sorted) {
    if (!minimal.some((smaller) => (smaller & mask) === smaller)) minimal.push(mask);
  }
  if (minimal.length === 1) return minimal[0];
  if (minimal.length > MOST_IMPLICANTS) return TOO_MANY;
  const core = minimal.reduce((common, mask) => common & mask);
  const rest = minimal.map((mask) => mask & ~core);
  return { core, rest, variables: rest.reduce((all, part) => all | part) };
}

function raised(value, core) {
  if (typeof value === "bigint") return value | core;
  return value === TOO_MANY ? TOO_MANY : { ...value, core: value.core | core };
}

function isSame(some, others) {
  return some.size === others.size && [...some].every((entry) => others.has(entry));
}

function conjoin(f, g) {
  if (typeof f === "bigint") {
    if (typeof g === "bigint") return f | g;
    [f, g] = [g, f];
  }
  if (f === TOO_MANY || g === TOO_MANY) return TOO_MANY;
  if (typeof g === "bigint") {
    const fixed = g & f.variables;
    if (!fixed) return { ...f, core: f.core | g };
    return raised(fromMasks(f.rest.map((part) => part & ~fixed)), f.core | g);
  }
  const core = f.core | g.core;
  const ours = new Set(f.rest.map((part) => part & ~core));
  const theirs = new Set(g.rest.map((part) => part & ~core));
  if (isSame(ours, theirs)) return raised(fromMasks(ours), core);
  if (ours.size * theirs.size > MOST_PRODUCTS) return TOO_MANY;
  const products = [];
  for (const a of ours) for (const b of theirs) products.push(a | b);
  return raised(fromMasks(products), core);
}

function disjoin(f, g) {
  if (typeof f === "bigint") {
    if (typeof g === "bigint") {
      const core = f & g;
      if (core === f || core === g) return core;
      return { core, rest: [f ^ core, g ^ core], variables: f ^ g };
    }
    [f, g] = [g, f];
  }
  if (f === TOO_MANY || g === TOO_MANY) return TOO_MANY;
  if (typeof g === "bigint") {
    if ((f.core & g) === g) return g;
  } else if (f.core === g.core && isSame(new Set(f.rest), new Set(g.rest))) {
    return f;
  }
  return fromMasks([...masksOf(f), ...masksOf(g)]);
}

// The Boolean function of a tree; nodes keep theirs, so that the next tree has little left to do.
function valueOf(tree) {
  const pending = [tree];
  while (pending.length) {
    const node = pending[pending.length - 1];
    if (node.value !== null) {
      pending.pop();
    } else if (!node.fn) {
      node.value = 1n << BigInt(node.variable - 1);
    } else if (node.left.value === null || node.right.value === null) {
      pending.push(node.left, node.right);
    } else {
      node.value = (node.fn === AND ? conjoin : disjoin)(node.left.value, node.right.value);
    }
  }
  return tree.value;
}

function compareLists(a, b) {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

// The function in its simplest form: the OR of its prime implicants with the common variables in front.
function simplified(tree) {
  const value = valueOf(tree);
  if (value === TOO_MANY) return new Terms().textOf(tree);
  const masks = masksOf(value)
    .map((mask) => ({ mask, variables: variablesIn(mask) }))
    .sort((a, b) => a.variables.length - b.variables.length || compareLists(a.variables, b.variables));
  const names = (mask) => variablesIn(mask).map((variable) => variableName(variable));
  if (masks.length === 1) return names(masks[0].mask).join(" ∧ ");
  const parts = masks.map(({ mask }) => {
    const rest = names(mask & ~value.core);
    return rest.length === 1 ? rest[0] : `(${rest.join(" ∧ ")})`;
  });
  const choice = parts.join(" ∨ ");
  return value.core ? [...names(value.core), `(${choice})`].join(" ∧ ") : choice;
}

// Formulas without order and repeats, for functions with too many prime implicants to list.
// A term is its number; equal terms have the same one. Numbers 0 and 1 belong to the engine's constants.
class Terms {
  constructor() {
    this.fns = [LEAF, LEAF];
    this.children = [[], []];
    this.masks = [0n, 0n];
    this.known = new Map();
  }

  store(fn, key, children, mask) {
    const name = `${fn}:${key}`;
    let term = this.known.get(name);
    if (term === undefined) {
      term = this.masks.length;
      this.fns.push(fn);
      this.children.push(children);
      this.masks.push(mask);
      this.known.set(name, term);
    }
    return term;
  }

  variable(variable) {
    const mask = 1n << BigInt(variable - 1);
    return this.store(LEAF, mask, [], mask);
  }

  join(fn, parts) {
    const flat = new Set();
    for (const part of parts) {
      if (this.fns[part] === fn) for (const child of this.children[part]) flat.add(child);
      else flat.add(part);
    }
    // x AND (x OR y) is x, and x OR (x AND y) is x.
    const kept = [...flat].filter((part) => !this.children[part].some((child) => flat.has(child)));
    if (kept.length === 1) return kept[0];
    kept.sort((a, b) => a - b);
    return this.store(fn, kept.join(), kept, kept.reduce((mask, child) => mask | this.masks[child], 0n));
  }

  // Neighbouring nodes with the same function are one chain, each before those below it.
  ofTree(tree) {
    if (!tree.fn) return this.variable(tree.variable);
    const chains = [{ fn: tree.fn, variables: [], children: [] }];
    const pending = [[tree, 0]];
    while (pending.length) {
      let [node, position] = pending.pop();
      if (!node.fn) {
        chains[position].variables.push(node.variable);
        continue;
      }
      if (node.fn !== chains[position].fn) {
        chains[position].children.push(chains.length);
        position = chains.length;
        chains.push({ fn: node.fn, variables: [], children: [] });
      }
      pending.push([node.right, position], [node.left, position]);
    }
    const finished = [];
    for (let position = chains.length - 1; position >= 0; position--) {
      const { fn, variables, children } = chains[position];
      const parts = variables.map((variable) => this.variable(variable));
      finished[position] = this.join(fn, [...parts, ...children.map((child) => finished[child])]);
    }
    return finished[0];
  }

  textOf(tree) {
    const root = this.ofTree(tree);
    const pieces = [], pending = [root];
    while (pending.length) {
      const item = pending.pop();
      if (typeof item === "string") {
        pieces.push(item);
        continue;
      }
      const fn = this.fns[item];
      if (!fn) {
        pieces.push(variableName(variablesIn(this.masks[item])[0]));
        continue;
      }
      const children = this.children[item]
        .map((term) => ({ term, isInner: this.fns[term] ? 1 : 0, variables: variablesIn(this.masks[term]) }))
        .sort((a, b) => a.isInner - b.isInner || compareLists(a.variables, b.variables) || a.term - b.term);
      pending.push(item === root ? "" : ")");
      children.reverse().forEach(({ term }, place) => {
        if (place) pending.push(` ${UNICODE.symbols[fn]} `);
        pending.push(term);
      });
      pending.push(item === root ? "" : "(");
    }
    return pieces.join("");
  }
}
