// The recorded run: the columns of its log, and the tree of any iteration, made from the nearest one that is kept.

const IMPROVED = 0, NEUTRAL = 1, UNCHANGED = 2, WORSE = 3, TOO_LARGE = 4;
const PLANTED = 5; // in the columns only: the improvement that made the first leaf
const VERDICTS = [
  { word: "improved", wordOnSample: "looks better", symbol: "▲", colour: "improved", isAccepted: true },
  { word: "neutral", wordOnSample: "looks equal", symbol: "≈", colour: "neutral", isAccepted: true },
  { word: "unchanged", symbol: "=", colour: "unchanged", isAccepted: true },
  { word: "worse", wordOnSample: "looks worse", symbol: "▼", colour: "worse", isAccepted: false },
  { word: "too large", symbol: "✕", colour: "too-large", isAccepted: false },
];
const OPERATIONS = ["INS", "DEL", "SUB"];
const STRIDE = 64; // of the trees the run went through one in so many is kept
const MOST_REMEMBERED = 512;
const SLICE_MS = 6;

function columnOf([width, text]) {
  const raw = atob(text), bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  if (width === 1) return bytes;
  const values = new (width === 2 ? Uint16Array : Uint32Array)(bytes.length / width);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) {
    values[i] = width === 2 ? view.getUint16(2 * i, true) : view.getUint32(4 * i, true);
  }
  return values;
}

// log2(error + 1), also of an error that no number can hold.
function levelOf(error) {
  if (error === null) return NaN;
  if (typeof error === "number") return Math.log2(error + 1);
  return Math.log2(Number(error.slice(0, 15))) + (error.length - 15) * Math.log2(10);
}

class Run {
  constructor(data) {
    this.first = data.first;
    this.last = data.last;
    this.base = data.base;
    this.iterations = data.iterations;
    this.firstUid = data.firstUid;
    this.configs = data.configs;
    this.bookmarks = data.bookmarks;
    this.stuck = data.stuck;
    this.codes = columnOf(data.codes);
    this.nodes = columnOf(data.nodes);
    this.variables = columnOf(data.variables);
    this.parentErrors = columnOf(data.parentErrors);
    this.offspringErrors = columnOf(data.offspringErrors);
    this.errors = data.errors;
    this.levels = Float64Array.from(data.errors, levelOf);
    this.startError = data.startError === null ? null : BigInt(data.startError);
    this.startLevel = levelOf(data.startError);
    this.verdicts = Uint8Array.from(this.codes, (code) => {
      const verdict = (code >> 4) & 7;
      return verdict === PLANTED ? IMPROVED : verdict;
    });
    const changes = [];
    this.verdicts.forEach((verdict, row) => { if (verdict <= NEUTRAL) changes.push(row + this.base + 1); });
    this.changes = Int32Array.from(changes);
    this.kept = [treeOf(data.tree)]; // the trees after 0, STRIDE, 2 STRIDE, ... changes
    this.remembered = new Map();
  }

  get length() {
    return this.last - this.first;
  }

  verdictAt(iteration) {
    return iteration > this.base ? this.verdicts[iteration - this.base - 1] : null;
  }

  configAt(iteration) {
    let found = this.configs[0][1];
    for (const [since, config] of this.configs) if (since <= iteration) found = config;
    return found;
  }

  // Whether the tree is one of those that were proven to lead to no better one.
  isStuckAt(iteration) {
    if (this.stuck === null) return false;
    const [since, until] = this.stuck;
    return iteration >= since && (until === null || iteration < until);
  }

  errorOf(number) {
    const error = this.errors[number];
    return error === null ? null : BigInt(error);
  }

  // The error of the surviving tree as log2(error + 1), NaN where there is none.
  levelAt(iteration) {
    if (iteration <= this.base) return iteration ? NaN : this.startLevel;
    const row = iteration - this.base - 1;
    return this.levels[(VERDICTS[this.verdicts[row]].isAccepted ? this.offspringErrors : this.parentErrors)[row]];
  }

  offspringLevelAt(iteration) {
    return this.levels[this.offspringErrors[iteration - this.base - 1]];
  }

  mutationAt(iteration) {
    const row = iteration - this.base - 1, code = this.codes[row];
    return {
      operation: (code >> 2) & 3,
      node: this.nodes[row],
      variable: this.variables[row],
      fn: code & 2 ? OR : AND,
      isLeft: !(code & 1),
    };
  }

  uidsAt(iteration) {
    const inner = this.firstUid + 2 * (iteration - 1);
    return [inner, inner + 1];
  }

  // How many of the changes had happened after this iteration.
  changesUntil(iteration) {
    let low = 0, high = this.changes.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.changes[middle] <= iteration) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  changed(tree, number) {
    const iteration = this.changes[number - 1];
    return mutated(tree, this.mutationAt(iteration), this.uidsAt(iteration));
  }

  treeAt(iteration) {
    return this.treeAfter(this.changesUntil(iteration));
  }

  treeAfter(number) {
    this.keepUntil(Math.floor(number / STRIDE));
    if (number % STRIDE === 0) return this.kept[number / STRIDE];
    const found = this.remembered.get(number);
    if (found) return found;
    let start = number - 1;
    while (start % STRIDE && !this.remembered.has(start)) start--;
    let tree = start % STRIDE ? this.remembered.get(start) : this.kept[start / STRIDE];
    while (start < number) {
      start += 1;
      tree = this.changed(tree, start);
      this.remembered.set(start, tree);
    }
    for (const old of this.remembered.keys()) {
      if (this.remembered.size <= MOST_REMEMBERED) break;
      this.remembered.delete(old);
    }
    return tree;
  }

  // Make the kept trees up to this one; until a moment is over, if one is given.
  keepUntil(place, deadline = Infinity) {
    const last = Math.min(place, Math.floor(this.changes.length / STRIDE));
    while (this.kept.length <= last && (deadline === Infinity || performance.now() < deadline)) {
      const done = this.kept.length * STRIDE;
      let tree = this.kept[this.kept.length - 1];
      for (let number = done - STRIDE + 1; number <= done; number++) tree = this.changed(tree, number);
      this.kept.push(tree);
    }
    return this.kept.length > last;
  }

  // Make all kept trees in short slices, so that going to any iteration is instant and nothing stops for it.
  prepare() {
    if (!this.keepUntil(Infinity, performance.now() + SLICE_MS)) setTimeout(() => this.prepare(), 20);
  }

  // What happened in an iteration; null at the start.
  stepAt(iteration) {
    if (iteration <= this.base) return null;
    const row = iteration - this.base - 1;
    const mutation = this.mutationAt(iteration);
    const verdict = this.verdicts[row];
    const { isAccepted } = VERDICTS[verdict];
    const parent = this.treeAt(iteration - 1), tree = this.treeAt(iteration);
    const parentError = this.errorOf(this.parentErrors[row]), uids = this.uidsAt(iteration);
    const offspringError = this.errorOf(this.offspringErrors[row]);
    return {
      ...mutation,
      iteration,
      verdict,
      isAccepted,
      parent,
      tree,
      get offspring() { return isAccepted ? tree : mutated(parent, mutation, uids); },
      parentError,
      offspringError,
      offspringLeaves: isAccepted ? (tree === null ? 0 : tree.leaves) : leavesAfter(tree, mutation),
      error: isAccepted ? offspringError : parentError,
      isTrulyWorse: (this.codes[row] & 128) !== 0,
      config: this.configAt(iteration),
    };
  }

  errorAt(iteration) {
    return iteration ? this.stepAt(iteration).error : this.startError;
  }

  // The next or the previous iteration that brought another tree; null if there is none on the page.
  changeAfter(iteration) {
    const number = this.changesUntil(iteration);
    return number < this.changes.length ? this.changes[number] : null;
  }

  changeBefore(iteration) {
    const number = this.changesUntil(iteration - 1);
    return number && this.changes[number - 1] >= this.first ? this.changes[number - 1] : null;
  }
}
