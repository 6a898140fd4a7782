// The faces of the nodes: AND is a disc with ∧, OR a diamond with ∨, a variable a rounded box with its name.

const UNIT = [58, 56]; // the distance between neighbours, across and down
const LABEL_SIZE = 20, INDEX_SIZE = 14, BORDER = 1.8, BOX_TEXT_WIDTH = 34;
const SECOND_BORDER = 1.2, TEXT_WIDTH_INSIDE = 27; // a redundant leaf has two borders
const GHOST_BORDER = 2.4, GHOST_DASHES = [5.5, 3.8], GHOST_FILL = 0.08, GHOST_INK = 0.3;
const SMALLEST_TEXT = 7, FULL_TEXT = 8.5; // in pixels: smaller text is left out rather than smudged
const EXTENTS = [[20, 18], [20, 20], [24, 24]]; // by function: how far a face reaches across and down
const FONT = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', 'Noto Sans', sans-serif";

// The size of the page's type, in pixels.
function typeSize() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize);
}

// The theme's colours, read anew when it changes.
function paletteOf(element) {
  const style = getComputedStyle(element);
  const names = [
    "window", "panel", "field", "border", "text", "muted", "accent", "edge", "and-fill", "and-text", "or-fill",
    "or-text", "leaf-fill", "leaf-border", "leaf-text", "redundant-fill", "redundant-border", "improved", "neutral",
    "unchanged", "worse", "too-large", "curve",
  ];
  const palette = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  palette.on = (colour) => {
    const contrast = (ink) => contrastOf(colour, ink);
    return contrast(palette.panel) >= contrast(palette.text) ? palette.panel : palette.text;
  };
  palette.ofVerdict = (verdict) => palette[tintOf(verdict)];
  return palette;
}

// The name of the colour for what a step is about; without a verdict it is still to come.
function tintOf(verdict) {
  return verdict === null ? "accent" : VERDICTS[verdict].colour;
}

function partsOf(colour) {
  return [1, 3, 5].map((place) => parseInt(colour.slice(place, place + 2), 16));
}

// One colour with this share of another in it.
function mixedColours(one, other, share) {
  const ends = partsOf(other);
  return `rgb(${partsOf(one).map((part, i) => Math.round(part + (ends[i] - part) * share)).join()})`;
}

function luminanceOf(colour) {
  const [red, green, blue] = partsOf(colour).map((whole) => {
    const part = whole / 255;
    return part <= 0.04 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrastOf(one, other) {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

const outlines = new Map();

// The outline of a face around the origin, this much larger on every side.
function outlineOf(fn, grown = 0) {
  const key = `${fn} ${grown}`;
  let path = outlines.get(key);
  if (!path) {
    path = new Path2D();
    if (fn === AND) path.arc(0, 0, 20 + grown, 0, 2 * Math.PI);
    else if (fn === OR) addDiamond(path, 24 + 1.4 * grown, 5 + grown);
    else path.roundRect(-20 - grown, -18 - grown, 40 + 2 * grown, 36 + 2 * grown, 8 + grown);
    outlines.set(key, path);
  }
  return path;
}

function addDiamond(path, radius, corner) {
  const short = corner * Math.SQRT1_2;
  const corners = [[0, -radius], [radius, 0], [0, radius], [-radius, 0]];
  corners.forEach(([x, y], number) => {
    const [bx, by] = corners[(number + 3) % 4], [ax, ay] = corners[(number + 1) % 4];
    const start = [x + Math.sign(bx - x) * short, y + Math.sign(by - y) * short];
    if (number) path.lineTo(...start);
    else path.moveTo(...start);
    path.quadraticCurveTo(x, y, x + Math.sign(ax - x) * short, y + Math.sign(ay - y) * short);
  });
  path.closePath();
}

const widths = new Map();

function widthOf(context, text, size, weight = "") {
  const font = `${weight} ${size}px ${FONT}`;
  const key = font + text;
  let width = widths.get(key);
  if (width === undefined) {
    context.font = font;
    width = context.measureText(text).width;
    widths.set(key, width);
  }
  return width;
}

// Paint a face around the origin, in units of which each will be `scale` pixels.
function drawFace(context, fn, variable, palette, scale, isRedundant = false) {
  const leaf = isRedundant ? "redundant" : "leaf";
  context.fillStyle = palette[fn === AND ? "and-fill" : fn === OR ? "or-fill" : `${leaf}-fill`];
  const outline = outlineOf(fn);
  context.fill(outline);
  if (!fn) {
    context.strokeStyle = palette[`${leaf}-border`];
    context.lineWidth = Math.max(BORDER, 1 / scale);
    context.stroke(outline);
    if (isRedundant) {
      context.lineWidth = Math.max(SECOND_BORDER, 1 / scale);
      context.stroke(outlineOf(fn, -3.2));
    }
  }
  const strength = (LABEL_SIZE * scale - SMALLEST_TEXT) / (FULL_TEXT - SMALLEST_TEXT);
  if (strength <= 0) return;
  const before = context.globalAlpha;
  context.globalAlpha = before * Math.min(strength, 1);
  if (fn) drawSymbol(context, fn, palette[fn === AND ? "and-text" : "or-text"]);
  else drawName(context, variable, palette["leaf-text"], isRedundant ? TEXT_WIDTH_INSIDE : BOX_TEXT_WIDTH);
  context.globalAlpha = before;
}

// A node that is not in the tree: hollow and dashed in this colour; a label that was replaced is struck out.
function drawGhost(context, fn, variable, palette, scale, colour, isStruck) {
  const width = Math.max(GHOST_BORDER, 1 / scale), outline = outlineOf(fn, -width / 2);
  context.fillStyle = mixedColours(palette.panel, colour, GHOST_FILL);
  context.fill(outline);
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.lineCap = "butt";
  context.setLineDash(GHOST_DASHES);
  context.stroke(outline);
  context.setLineDash([]);
  const strength = (LABEL_SIZE * scale - SMALLEST_TEXT) / (FULL_TEXT - SMALLEST_TEXT);
  if (strength <= 0) return;
  context.globalAlpha = Math.min(strength, 1);
  const ink = mixedColours(palette.text, palette.panel, GHOST_INK);
  if (fn) drawSymbol(context, fn, ink);
  else drawName(context, variable, ink, BOX_TEXT_WIDTH);
  if (isStruck) {
    context.strokeStyle = ink;
    context.lineWidth = 1.8;
    context.beginPath();
    context.moveTo(-13, 5);
    context.lineTo(13, -5);
    context.stroke();
  }
}

function drawSymbol(context, fn, colour) {
  const up = fn === AND ? -7 : 7;
  context.strokeStyle = colour;
  context.lineWidth = 3.2;
  context.lineCap = context.lineJoin = "round";
  context.beginPath();
  context.moveTo(-6.2, -up);
  context.lineTo(0, up);
  context.lineTo(6.2, -up);
  context.stroke();
}

function drawName(context, variable, colour, room) {
  const digits = String(variable);
  const letter = widthOf(context, "x", LABEL_SIZE), index = widthOf(context, digits, INDEX_SIZE);
  const width = letter + index + 1;
  const shrunk = Math.min(1, room / width);
  context.save();
  context.scale(shrunk, shrunk);
  context.fillStyle = colour;
  context.textAlign = "left";
  context.textBaseline = "alphabetic";
  context.font = ` ${LABEL_SIZE}px ${FONT}`;
  context.fillText("x", -width / 2, 5.4);
  context.font = ` ${INDEX_SIZE}px ${FONT}`;
  context.fillText(digits, -width / 2 + letter + 1, 9.4);
  context.restore();
}

// The badge of a verdict in a square: round for what was accepted, square for what was rejected, and between the two
// for one that is still to come.
function drawBadge(context, verdict, x, y, size, palette) {
  const { symbol, isAccepted } = verdict === null ? { symbol: "?" } : VERDICTS[verdict];
  const colour = palette.ofVerdict(verdict), corner = verdict === null ? 0.36 : isAccepted ? 0.5 : 0.22;
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(x, y, size, size, size * corner);
  context.fill();
  context.fillStyle = context.strokeStyle = palette.on(colour);
  context.save();
  context.translate(x + size / 2, y + size / 2);
  context.scale(size / 20, size / 20);
  drawVerdictSymbol(context, symbol);
  context.restore();
}

// Drawn, as not every font has them, and none of them in the middle of its line.
function drawVerdictSymbol(context, symbol) {
  context.lineWidth = 2;
  context.lineCap = context.lineJoin = "round";
  context.beginPath();
  if (symbol === "▲" || symbol === "▼") {
    const up = symbol === "▲" ? 1 : -1;
    context.moveTo(0, -5.2 * up);
    context.lineTo(5.4, 4.2 * up);
    context.lineTo(-5.4, 4.2 * up);
    context.fill();
    return;
  }
  if (symbol === "?") {
    context.arc(0, -2.6, 3.2, Math.PI, 2.4 * Math.PI);
    context.lineTo(0, 3);
    context.moveTo(0, 6);
    context.lineTo(0, 6.1);
  } else if (symbol === "✕") {
    context.moveTo(-4, -4); context.lineTo(4, 4);
    context.moveTo(4, -4); context.lineTo(-4, 4);
  } else {
    for (const y of [-2.6, 2.6]) {
      context.moveTo(-5, y + (symbol === "≈" ? 1 : 0));
      if (symbol === "≈") context.bezierCurveTo(-2, y - 3, 2, y + 3, 5, y - 1);
      else context.lineTo(5, y);
    }
  }
  context.stroke();
}
