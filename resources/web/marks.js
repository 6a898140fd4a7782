// What a step did to the tree, or would have done: rings, dashes, crosses and a callout in free space.

const RING = 6, DASHED_RING = 5, ARM = 9; // how far rings are from a face, and how long the arms of a cross are
const SMALLEST_RING = 0.35;
const MOST_CROSSED = 12; // of a larger part only the first nodes are crossed out; the dashes are around all of it
const CELL = 8, GAP = 3, EDGE = 8; // in pixels: the grid of places, what stays free around them and at the border
const POINTS = 12, MOST_EDGES = 400;
const MOST_COMPARED = 24, APART = 4;
// What it costs, in pixels away: to hide something, to cross a node with the line, to lie on an edge, to be aside.
const HIDING = 10_000, LEADER_COST = 90, EDGE_POINT_COST = 4, ASIDE_COST = 0.08;
const FAR_AWAY = 60; // in pixels: before a callout goes further away, its words may stand on two lines

// What to mark by uid, and what to say; without a verdict it is still to come. What the callout will say once it is
// told is there from the beginning, so that there is room for it.
function marksOf(step, picture, isProposal = false) {
  const about = placesOf(picture), callout = calloutOf(step), { other, ringed } = picture;
  const ends = other === null ? null : [other.uid, other.leaf];
  return {
    verdict: isProposal ? null : step.verdict,
    callout: isProposal ? { ...callout, outcome: "", word: "" } : callout,
    full: callout,
    about,
    ringed,
    dashed: about.filter((uid) => picture.leaving.has(uid)),
    crossed: picture.isCrossed
      ? about.filter((uid) => !ringed.includes(uid) && uid !== other?.leaf).slice(0, MOST_CROSSED)
      : [],
    arrow: ends && !other.isOld ? ends.reverse() : ends,
  };
}

// Where the nodes of a frame are on the canvas, in pixels.
class Surroundings {
  constructor(frame, camera, width, height, ceiling = 0) {
    Object.assign(this, { frame, camera, scale: camera.scale, width, height, ceiling });
    this.corner = [width - 128, 0, width, 46]; // where the buttons are
    const count = frame.uids.length;
    this.x = new Float64Array(count);
    this.y = new Float64Array(count);
    for (let i = 0; i < count; i++) {
      this.x[i] = frame.x[i] * camera.scale * camera.stretchX + camera.left;
      this.y[i] = frame.y[i] * camera.scale * camera.stretchY + camera.top;
    }
  }

  at(uid) {
    const number = this.frame.index.get(uid);
    return number === undefined ? null : [this.x[number], this.y[number]];
  }

  fnOf(uid) {
    return this.frame.fn[this.frame.index.get(uid)];
  }

  get markScale() {
    return Math.max(this.scale, SMALLEST_RING);
  }

  lineWidth(width) {
    return width * Math.min(Math.max(this.markScale, 0.6), 1.2);
  }

  // The rectangles of what a callout is about, with the rings around it.
  markBoxes(uids) {
    return uids.filter((uid) => this.at(uid)).map((uid) => {
      const [x, y] = this.at(uid), fn = this.fnOf(uid), grown = fn === OR ? 1.4 * RING : RING;
      const [across, down] = EXTENTS[fn].map((extent) => (extent + grown) * this.markScale);
      return [x - across, y - down, x + across, y + down];
    });
  }

  // The rectangles that the nodes fill.
  nodeBoxes() {
    return this.frame.uids.map((_, i) => {
      const [across, down] = EXTENTS[this.frame.fn[i]].map((extent) => extent * this.scale);
      return [this.x[i] - across, this.y[i] - down, this.x[i] + across, this.y[i] + down];
    });
  }

  // The place for words near what is marked, and its cost: less than HIDING if they hide nothing there. It is the one
  // nearest to the marks among those where they hide nothing, with a free line to them and few edges below it.
  bestPlace(width, height, marked) {
    const [left, top, right, bottom] = [EDGE, this.ceiling + EDGE, this.width - EDGE, this.height - EDGE];
    const rows = Math.max(Math.floor((bottom - top) / CELL), 1), columns = Math.max(Math.floor((right - left) / CELL), 1);
    const down = Math.min(Math.ceil(height / CELL), rows), across = Math.min(Math.ceil(width / CELL), columns);
    const nodes = this.nodeBoxes();
    const hidden = new Cells(rows, columns), edges = new Cells(rows, columns);
    for (const box of [...nodes, ...marked, this.corner]) {
      const [x0, y0, x1, y1] = [box[0] - GAP - left, box[1] - GAP - top, box[2] + GAP - left, box[3] + GAP - top];
      hidden.fill(Math.floor(y0 / CELL), Math.floor(x0 / CELL), Math.ceil(y1 / CELL), Math.ceil(x1 / CELL));
    }
    if (this.frame.edges.length <= MOST_EDGES) {
      for (const [a, b] of this.frame.edges) {
        for (let i = 0; i < POINTS; i++) {
          const share = i / (POINTS - 1);
          const row = Math.floor((this.y[a] + (this.y[b] - this.y[a]) * share - top) / CELL);
          const column = Math.floor((this.x[a] + (this.x[b] - this.x[a]) * share - left) / CELL);
          edges.fill(row, column, row + 1, column + 1);
        }
      }
    }
    hidden.sum();
    edges.sum();
    const nearest = [], spread = [];
    for (let row = 0; row + down <= rows; row++) {
      for (let column = 0; column + across <= columns; column++) {
        const x = left + column * CELL, y = top + row * CELL;
        let away = marked.length ? Infinity : 0;
        for (const mark of marked) {
          const aside = ASIDE_COST * Math.abs(x + width / 2 - (mark[0] + mark[2]) / 2);
          away = Math.min(away, distanceOf([x, y, x + width, y + height], mark) + aside);
        }
        const count = hidden.within(row, column, down, across);
        const crossed = Math.min(edges.within(row, column, down, across), 60);
        const place = {
          box: [x, y, x + width, y + height],
          cost: (count ? HIDING + count : 0) + away + EDGE_POINT_COST * crossed,
        };
        nearest.push(place);
        if (row % APART === 0 && column % APART === 0) spread.push(place);
      }
    }
    // The lines take longer to look at: only the best places are compared, and some further apart.
    const few = [nearest, spread].flatMap((places) => places.sort((a, b) => a.cost - b.cost).slice(0, MOST_COMPARED));
    const others = nodes.filter((box) => !marked.some((mark) => isOverlapping(box, mark)));
    const places = few.map(({ box, cost }) => {
      const [start, end] = leaderOf(box, marked);
      return { box, cost: cost + LEADER_COST * others.filter((other) => isCrossing(start, end, other)).length };
    });
    return least(places, (place) => place.cost) ?? { box: [left, top, left + width, top + height], cost: Infinity };
  }
}

// Counts what is in the cells of a grid, and then in any rectangle of them.
class Cells {
  constructor(rows, columns) {
    Object.assign(this, { rows, columns, width: columns + 1 });
    this.counts = new Int32Array((rows + 1) * this.width);
  }

  // One more in the cells from these to those before these.
  fill(top, left, bottom, right) {
    const { rows, columns, width, counts } = this;
    [top, bottom] = [top, bottom].map((row) => Math.min(Math.max(row, 0), rows));
    [left, right] = [left, right].map((column) => Math.min(Math.max(column, 0), columns));
    counts[top * width + left] += 1;
    counts[top * width + right] -= 1;
    counts[bottom * width + left] -= 1;
    counts[bottom * width + right] += 1;
  }

  sum() {
    this.accumulate(); // now how many are in each cell
    const cells = this.counts;
    this.counts = new Int32Array(cells.length);
    for (let row = 0; row < this.rows; row++) {
      for (let column = 0; column < this.columns; column++) {
        this.counts[(row + 1) * this.width + column + 1] = cells[row * this.width + column];
      }
    }
    this.accumulate();
  }

  accumulate() {
    const { width, counts } = this;
    for (let i = 0; i < counts.length; i++) if (i % width) counts[i] += counts[i - 1];
    for (let i = width; i < counts.length; i++) counts[i] += counts[i - width];
  }

  within(row, column, down, across) {
    const { width, counts } = this, start = row * width + column, end = start + down * width;
    return counts[end + across] - counts[end] - counts[start + across] + counts[start];
  }
}

// The words of a callout on one line or on two, each with its bold beginning, and how large that is.
class CalloutText {
  constructor(context, callout, type, isDivided) {
    const tail = [callout.outcome, callout.word].filter(Boolean).join(" · ");
    this.lines = isDivided && tail
      ? [[callout.operation, callout.operands], ["", tail]]
      : [[callout.operation, tail ? `${callout.operands} · ${tail}` : callout.operands]];
    this.type = type;
    this.gap = 0.55 * type;
    this.badge = 1.45 * type;
    this.spacing = 1.3 * type;
    const widths = this.lines.map(([head, rest]) => this.headWidth(context, head) + widthOf(context, rest, type));
    this.width = this.gap * 2.7 + this.badge + Math.max(...widths);
    this.height = this.badge + this.gap + (this.lines.length - 1) * this.spacing;
  }

  headWidth(context, head) {
    return head ? widthOf(context, `${head} `, this.type, "bold") : 0;
  }
}

// Where a callout about what is marked stands: {box, cost, isDivided}.
function calloutPlace(context, callout, type, around, marked) {
  const [whole, divided] = [false, true].map((isDivided) => {
    const { width, height } = new CalloutText(context, callout, type, isDivided), most = around.width - 2 * EDGE;
    const place = () => around.bestPlace(Math.min(width, most), height, marked);
    return () => ({ isDivided, ...place(), isTooWide: width > most });
  });
  const first = whole(), costOf = (place) => place.cost + (place.isTooWide ? HIDING : 0);
  if (costOf(first) <= FAR_AWAY) return first;
  const second = divided();
  return costOf(second) < costOf(first) - FAR_AWAY / 2 ? second : first;
}

// The boxes that the callout of some marks is about; of the empty tree its place.
function markedBoxes(marks, around) {
  const boxes = around.markBoxes(marks.about), { width, height, ceiling } = around;
  if (boxes.length || marks.about.length) return boxes;
  const middle = (height + ceiling) / 2;
  return [[width / 2 - 40, middle - 40, width / 2 + 40, middle + 60]];
}

// Paint the marks of a step; `place` is that of its callout among what is marked when everything rests.
function paintMarks(context, palette, marks, around, type, place, marked) {
  const colour = palette.ofVerdict(marks.verdict);
  context.save();
  context.strokeStyle = colour;
  context.lineCap = context.lineJoin = "round";
  for (const uid of marks.ringed) paintRing(context, uid, around);
  for (const uid of marks.dashed) paintDashes(context, uid, around);
  if (marks.arrow) paintArrow(context, ...marks.arrow, around);
  for (const uid of marks.crossed) paintCross(context, uid, around, colour, palette.panel);
  context.restore();
  if (place) paintCallout(context, palette, marks, type, place, marked, colour);
}

function paintOutline(context, uid, around, grown, width) {
  const place = around.at(uid), scale = around.markScale;
  if (!place) return;
  context.save();
  context.translate(...place);
  context.scale(scale, scale);
  context.lineWidth = width / scale;
  context.stroke(outlineOf(around.fnOf(uid), grown));
  context.restore();
}

// A ring with a halo around a node.
function paintRing(context, uid, around) {
  const before = context.globalAlpha;
  context.globalAlpha = 0.28 * before;
  paintOutline(context, uid, around, RING, 10 * Math.min(around.markScale, 1.2));
  context.globalAlpha = before;
  paintOutline(context, uid, around, RING, around.lineWidth(3.2));
}

// Dashes around a node that is still there.
function paintDashes(context, uid, around) {
  const width = around.lineWidth(2.6);
  context.save();
  context.setLineDash([3 * width, 2 * width].map((length) => length / around.markScale));
  context.lineCap = "butt";
  paintOutline(context, uid, around, DASHED_RING, width);
  context.restore();
}

// The four arms of a cross at the corners of a node, between which its label can be read.
function paintCross(context, uid, around, colour, behind) {
  const place = around.at(uid), scale = around.markScale;
  if (!place) return;
  const [across, down] = EXTENTS[around.fnOf(uid)].map((extent) => (extent + 3) * scale);
  context.beginPath();
  for (const [side, up] of [[-1, -1], [1, -1], [-1, 1], [1, 1]]) {
    const [x, y] = [place[0] + side * across, place[1] + up * down];
    context.moveTo(x, y);
    context.lineTo(x - side * ARM * scale, y - up * ARM * scale);
  }
  for (const [ink, width] of [[behind, 6.5], [colour, 3.6]]) {
    context.strokeStyle = ink;
    context.lineWidth = around.lineWidth(width);
    context.stroke();
  }
}

// A short arrow between the two labels of a leaf.
function paintArrow(context, start, end, around) {
  const tail = around.at(start), head = around.at(end), scale = around.markScale;
  if (!tail || !head) return;
  const length = Math.hypot(head[0] - tail[0], head[1] - tail[1]);
  const reach = Math.min(EXTENTS[around.fnOf(end)][0], (length / scale) * 0.36);
  if (length - 2 * (reach + 2) * scale <= 2) return;
  const way = [(head[0] - tail[0]) / length, (head[1] - tail[1]) / length];
  const along = (from, distance) => [from[0] + way[0] * distance * scale, from[1] + way[1] * distance * scale];
  const tip = along(head, -reach - 7), free = length / scale - 2 * reach - 9;
  const [from, back] = [along(tip, -Math.max(free, 3)), along(tip, -5.5)];
  context.lineWidth = around.lineWidth(2.6);
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...tip);
  for (const side of [1, -1]) {
    context.moveTo(...tip);
    context.lineTo(back[0] - way[1] * 4.4 * scale * side, back[1] + way[0] * 4.4 * scale * side);
  }
  context.stroke();
}

// The badge and the words in a pill, and a line from it to what it is about.
function paintCallout(context, palette, marks, type, { box, isDivided }, marked, colour) {
  const text = new CalloutText(context, marks.callout, type, isDivided), { gap, badge } = text;
  const [left, top, right, bottom] = box, middle = (top + bottom) / 2;
  context.strokeStyle = colour;
  context.lineWidth = 1.6;
  if (marked.length) {
    const [start, end] = leaderOf(box, marked);
    context.beginPath();
    context.moveTo(...start);
    context.lineTo(...end);
    context.stroke();
  }
  context.fillStyle = palette.panel;
  context.lineWidth = 1.8;
  context.beginPath();
  context.roundRect(left, top, right - left, bottom - top, (badge + gap) / 2.4);
  context.fill();
  context.stroke();
  drawBadge(context, marks.verdict, left + gap / 2, middle - badge / 2, badge, palette);
  context.fillStyle = palette.text;
  context.textAlign = "left";
  context.textBaseline = "middle";
  text.lines.forEach(([head, rest], number) => {
    const y = middle + 1 + (number - (text.lines.length - 1) / 2) * text.spacing, x = left + gap * 1.5 + badge;
    context.font = `bold ${type}px ${FONT}`;
    context.fillText(head, x, y);
    context.font = ` ${type}px ${FONT}`;
    const start = x + text.headWidth(context, head);
    context.font = ` ${type}px ${FONT}`;
    context.fillText(rest, start, y, Math.max(right - gap / 2 - start, 10));
  });
}

// The line from words to the nearest of what is marked, up to its border.
function leaderOf(box, marked) {
  if (!marked.length) return [[box[0], box[1]], [box[0], box[1]]];
  const mark = least(marked, (other) => distanceOf(box, other));
  const centre = [(mark[0] + mark[2]) / 2, (mark[1] + mark[3]) / 2];
  const corner = Math.min(box[2] - box[0], box[3] - box[1]) / 2;
  const start = [
    Math.max(Math.min(centre[0], box[2] - corner), box[0] + corner),
    Math.max(Math.min(centre[1], box[3]), box[1]),
  ];
  return [start, shortOf(start, centre, Math.min(mark[2] - mark[0], mark[3] - mark[1]) / 2)];
}

function isOverlapping(one, other) {
  return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
}

// Whether a line runs through a box.
function isCrossing(start, end, box) {
  let enter = 0, leave = 1;
  for (const axis of [0, 1]) {
    const way = end[axis] - start[axis] || 1e-9;
    const [one, other] = [(box[axis] - start[axis]) / way, (box[axis + 2] - start[axis]) / way];
    enter = Math.max(enter, Math.min(one, other));
    leave = Math.min(leave, Math.max(one, other));
  }
  return enter < leave;
}

// The free space between two boxes.
function distanceOf(one, other) {
  const across = Math.max(one[0] - other[2], other[0] - one[2], 0);
  const down = Math.max(one[1] - other[3], other[1] - one[3], 0);
  return Math.hypot(across, down);
}

// The end of the line to a point, this much short of it.
function shortOf(start, end, short) {
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  const share = length > short ? (length - short) / length : 0;
  return [start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share];
}

// The cheapest entry.
function least(entries, costOf) {
  let best = entries[0], lowest = Infinity;
  for (const entry of entries) {
    const cost = costOf(entry);
    if (cost < lowest) [best, lowest] = [entry, cost];
  }
  return best;
}
