// What happened in words, in the same sentences as the program's.

const LARGEST_EXACT = 10n ** 12n, LARGEST_ON_PICTURE = 9_999_999n;
const LARGEST_FORMULA = 40, LARGEST_OPERAND = 4, LONGEST_FUNCTION = 400, MOST_NAMES = 1000, MOST_FACTORS = 12;

function superscript(number) {
  return Array.from(String(number), (digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
}

function grouped(number) {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

// A whole number, grouped, and rounded to two digits where they say nothing any more; halves go to the even digit.
function numberText(number, largestExact = LARGEST_EXACT) {
  if (number <= largestExact) return grouped(number);
  const digits = String(number);
  let exponent = digits.length - 1;
  let first = Number(digits.slice(0, 2));
  const rest = digits.slice(2), half = "5".padEnd(rest.length, "0");
  if (rest > half || (rest === half && first % 2)) first += 1;
  if (first === 100) [first, exponent] = [10, exponent + 1];
  return `${Math.floor(first / 10)}.${first % 10} × 10${superscript(exponent)}`;
}

function rowsText(n) {
  const rows = 2n ** BigInt(n);
  return rows <= LARGEST_EXACT ? grouped(rows) : `2${superscript(n)}`;
}

function counted(number, one, many) {
  return `${number ? numberText(BigInt(number)) : "no"} ${BigInt(number) === 1n ? one : many}`;
}

const leavesText = (number) => counted(number, "leaf", "leaves");

// What happened in an iteration, in sentences; at 0 the start.
function tell(run, iteration) {
  return iteration ? tellStep(run.stepAt(iteration)) : tellStart(run);
}

function tellStart(run) {
  const start = run.treeAt(0);
  if (start === null) return "The start: the empty tree.";
  const leaves = leavesText(start.leaves);
  const what = start.leaves <= LARGEST_FORMULA ? `${formulaOf(start, UNICODE)} (${leaves})` : `a tree with ${leaves}`;
  return run.startError === null ? `The start: ${what}.` : `The start: ${what}, error ${numberText(run.startError)}.`;
}

function tellStep(step) {
  return step.parent === null ? tellPlanting(step) : `${tellDrawn(step)} ${tellOutcome(step)}`;
}

const OPERATION_NAMES = { [INS]: "Insertion", [DEL]: "Deletion", [SUB]: "Substitution" };

function tellPlanting(step) {
  const name = OPERATION_NAMES[step.operation], variable = variableName(step.variable);
  if (step.tree === null) {
    const done = step.operation === DEL ? "delete" : "substitute";
    return `${name} was drawn, but the empty tree has nothing to ${done}: accepted.`;
  }
  const drawn = step.operation === INS
    ? `Insertion of the first leaf, ${variable}.`
    : `${name} was drawn; on the empty tree it adds the first leaf, ${variable}.`;
  return `${drawn} ${tellJudged(step)}`;
}

function tellDrawn(step) {
  const { node } = nodePath(step.parent, step.node), variable = variableName(step.variable);
  if (step.operation === INS) {
    if (!step.node && step.fn === AND) return `Insertion at the root: a root-and with ${variable}.`;
    return `Insertion of ${UNICODE.symbols[step.fn]} ${variable} at ${placeText(step.parent, step.node)}.`;
  }
  if (step.operation === SUB) {
    const leaf = `leaf ${grouped(leafNumber(step.parent, step.node))}`, old = labelOf(node);
    const change = old === variable ? `stays ${old}` : `changes from ${old} to ${variable}`;
    return `Substitution: ${leaf} ${change}.`;
  }
  if (!step.node) return "Deletion drew the root, which is never deleted.";
  const size = node.fn && node.leaves <= LARGEST_OPERAND ? ` (${node.leaves} leaves)` : "";
  return `Deletion of ${placeText(step.parent, step.node)}${size}.`;
}

// Which leaf from the left the index-th node is, or the first one below it.
function leafNumber(tree, index) {
  const before = nodesOf(tree).slice(0, index);
  return 1 + before.reduce((count, node) => count + !node.fn, 0);
}

// A node by what it is: "leaf 3, x₇", "x₂ ∧ x₃", "the ∨ of 7 leaves", "the root".
function placeText(tree, index) {
  const { node } = nodePath(tree, index);
  if (!index) return "the root";
  if (!node.fn) return `leaf ${grouped(leafNumber(tree, index))}, ${labelOf(node)}`;
  if (node.leaves <= LARGEST_OPERAND) return formulaOf(node, UNICODE);
  return `the ${labelOf(node)} of ${grouped(node.leaves)} leaves`;
}

function tellOutcome(step) {
  const { maxLeaves, rows } = step.config;
  if (step.verdict === TOO_LARGE) {
    const size = leavesText(step.offspringLeaves);
    return `${size} are more than the limit ${grouped(maxLeaves)}: rejected without evaluation.`;
  }
  if (step.verdict === UNCHANGED) return "Nothing changes: accepted.";
  const text = tellJudged(step) + tellPitfalls(step);
  if (step.isTrulyWorse) return `${text} On all rows it is worse: the sample misled.`;
  const isTarget = step.verdict === IMPROVED && !step.offspringError && rows === null;
  return isTarget ? `${text} The tree computes the target.` : text;
}

// Which pitfalls of sampled runs a step fell for, but for a growing error, which has words of its own.
function tellPitfalls(step) {
  if (step.config.rows === null || !step.isAccepted) return "";
  const copies = nodesOf(step.tree).filter((node) => !node.fn && node.variable === step.variable).length, names = [];
  if (step.operation !== DEL && copies > 1) names.push(`a copy of ${variableName(step.variable)}`);
  if (step.operation === INS && step.fn === OR) names.push("an OR");
  return names.length ? ` Pitfall${names.length > 1 ? "s" : ""}: ${names.join(" and ")}.` : "";
}

function tellJudged(step) {
  const word = step.verdict === WORSE || step.verdict === TOO_LARGE ? "rejected" : "accepted", { rows } = step.config;
  if (step.offspringError === null) return `${word[0].toUpperCase()}${word.slice(1)}.`;
  const errors = errorsText(step.parentError, step.offspringError);
  if (rows === null) return `Error ${errors}: ${word}.`;
  const where = rows === 1 ? "only row" : `${numberText(BigInt(rows))} rows`;
  if (step.parentError === null) return `On this iteration's ${where}: error ${errors}, ${word}.`;
  return `On this iteration's ${where} it ${verdictWord(step)}, error ${errors}: ${word}.`;
}

// A verdict in a word or two; on sampled rows an offspring may be better without looking so.
function verdictWord(step) {
  const { word, wordOnSample } = VERDICTS[step.verdict];
  return step.config.rows === null || step.parentError === null ? word : wordOnSample ?? word;
}

// How an error changed; only the new one where there was none.
function errorsText(before, after, write = numberText) {
  const fresh = write(after);
  if (before === null) return fresh;
  if (before === after) return `stays ${fresh}`;
  if (write(before) !== fresh) return `${write(before)} → ${fresh}`;
  // Rounded they look the same.
  return after < before ? `${fresh}, ${write(before - after)} less` : `${fresh}, ${write(after - before)} more`;
}

// One line about the tree of an iteration: how wrong it is, its size, and last what it computes.
function captionOf(run, iteration) {
  const tree = run.treeAt(iteration);
  if (tree === null) return "The empty tree computes nothing yet.";
  const error = run.errorAt(iteration), parts = [];
  if (error !== null) parts.push(`wrong on ${errorText(error, run.configAt(iteration + 1))}`);
  parts.push(leavesText(tree.leaves));
  const ors = orsOf(tree);
  if (ors) parts.push(`${grouped(ors)} ∨`);
  parts.push(`computes ${shortFunction(tree)}`);
  return parts.join(" · ");
}

function errorText(error, config) {
  const rows = config.rows === null ? rowsText(config.n) : numberText(BigInt(config.rows));
  return `${numberText(error)} of ${rows} ${rows === "1" ? "row" : "rows"}`;
}

function orsOf(tree) {
  return nodesOf(tree).reduce((count, node) => count + (node.fn === OR), 0);
}

function shortFunction(tree) {
  const value = valueOf(tree);
  if (typeof value === "bigint") {
    const variables = variablesIn(value);
    if (variables.length > MOST_FACTORS) {
      const [first, second, last] = [variables[0], variables[1], variables.at(-1)].map((v) => variableName(v));
      return `${first} ∧ ${second} ∧ … ∧ ${last} (${grouped(variables.length)} variables)`;
    }
  }
  return functionText(tree);
}

function functionText(tree) {
  const value = valueOf(tree);
  if (value === TOO_MANY) {
    if (tree.leaves > MOST_NAMES) {
      const leaves = grouped(tree.leaves);
      return `a function too long to write down: a tree of ${leaves} leaves with too many products`;
    }
  } else {
    const masks = masksOf(value), names = masks.reduce((sum, mask) => sum + bitCount(mask), 0);
    if (names > MOST_NAMES) {
      const [products, variables] = [grouped(masks.length), grouped(names)];
      return `a function too long to write down: ${products} products with ${variables} variables in all`;
    }
  }
  const text = simplified(tree);
  if (text.length <= LONGEST_FUNCTION) return text;
  // Cut between two names, not within one.
  return `${text.slice(0, text.lastIndexOf(" ", LONGEST_FUNCTION - 1))} … (${grouped(text.length)} characters)`;
}

// Where the run is, such as "t = 420 of 1,234 · error 1 · 9/9 leaves".
function positionText(run, iteration) {
  const tree = run.treeAt(iteration), error = run.errorAt(iteration), most = run.configAt(iteration + 1).maxLeaves;
  const leaves = tree === null ? 0 : tree.leaves;
  const parts = [`t = ${grouped(iteration)} of ${grouped(run.iterations)}`];
  if (error !== null) parts.push(`error ${numberText(error)}`);
  parts.push(most === null ? leavesText(leaves) : `${grouped(leaves)}/${grouped(most)} leaves`);
  return parts.join(" · ");
}

// A step as it stands beside the tree: what was drawn, on what, what came of it, and whether that is accepted.
function calloutOf(step) {
  const isFirst = step.parent === null && step.offspringLeaves > 0;
  return {
    operation: isFirst ? "First leaf" : OPERATIONS[step.operation],
    operands: operandsText(step),
    outcome: outcomeText(step),
    word: step.isAccepted ? "accepted" : "rejected",
  };
}

function calloutText({ operation, operands, outcome, word }) {
  return [`${operation} ${operands}`.trim(), outcome, word].filter(Boolean).join(" · ");
}

// What an operation is applied to, such as "∧ x₈", "x₅ → x₄", "x₂ ∧ x₃" or "∨ of 7 leaves".
function operandsText(step) {
  const variable = variableName(step.variable);
  if (step.parent === null) return step.offspringLeaves ? variable : "on the empty tree";
  if (step.operation === INS) return `${UNICODE.symbols[step.fn]} ${variable}`;
  const { node } = nodePath(step.parent, step.node);
  if (step.operation === SUB) return `${labelOf(node)} → ${variable}`;
  if (!step.node) return "the root";
  if (node.leaves <= LARGEST_OPERAND) return formulaOf(node, UNICODE);
  return `${labelOf(node)} of ${grouped(node.leaves)} leaves`;
}

// Why the offspring won or lost, short enough for a picture.
function outcomeText(step) {
  if (step.verdict === TOO_LARGE) {
    return `${leavesText(step.offspringLeaves)} > limit ${grouped(step.config.maxLeaves)}`;
  }
  if (step.verdict === UNCHANGED) return "changes nothing";
  const where = step.config.rows === null ? "" : " on these rows";
  const { parentError: before, offspringError: after } = step;
  if (after === null) return "the empty tree";
  return `error ${errorsText(before, after, (number) => numberText(number, LARGEST_ON_PICTURE))}${where}`;
}
