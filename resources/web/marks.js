// What a step did to the tree, or would have done: rings, ghosts and a tag with the reason.

const SMALLEST_RING = 0.35, SMALLEST_GHOST = 0.62;
const ABOVE_ROOT = 47, AWAY_FROM_ROOT = 54, SUBSTITUTE_AWAY = 68;
const INSERTED_BESIDE = [[46, 22], [54, -4], [64, 8], [44, -30], [40, 40]];
const SUBSTITUTE_WAYS = [[0, 1], [1, 0], [-1, 0], [0, -1], [0.8, 0.6], [-0.8, 0.6], [0.8, -0.6], [-0.8, -0.6]];
const DASHES = [7, 5];
const TAG_AWAY = [8, 22, 44], TAG_GRID = [13, 11];
const MOST_COMPARED_WITH = 1500, MOST_FOR_GRID = 400;
const EDGE = 8; // what tags and ghosts keep clear of, in pixels: there a stuck tree has its frame
const CROWDED = 0.5; // compared with hiding one node

// The nodes that a step made or changed; after a deletion the subtree that moved up. For a rejected one its place.
function ringedBy(step) {
  if (step === null || step.tree === null) return [];
  if (step.parent === null) return [step.tree.uid];
  if (!step.isAccepted) return [nodePath(step.parent, step.node).node.uid];
  if (step.operation === DEL && step.verdict !== UNCHANGED) {
    const { node: above, goesLeft } = nodePath(step.parent, step.node).path.pop();
    return [(goesLeft ? above.right : above.left).uid];
  }
  const { node } = nodePath(step.tree, step.node);
  if (step.operation === INS && node.fn) return [node.uid, (step.isLeft ? node.left : node.right).uid];
  return [node.uid];
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

  // How much of the nodes a box hides, with a penalty for what is outside.
  covered([left, top, right, bottom], without = null) {
    let cost = isOverlapping([left, top, right, bottom], this.corner) ? 3 : 0;
    if (left < EDGE || right > this.width - EDGE || top < this.ceiling + EDGE || bottom > this.height - EDGE) cost += 20;
    const { x, y } = this, reach = 21 * this.scale;
    if (x.length > MOST_COMPARED_WITH) return cost;
    for (let i = 0; i < x.length; i++) {
      const down = Math.min(bottom, y[i] + reach) - Math.max(top, y[i] - reach);
      if (down <= 0) continue;
      const across = Math.min(right, x[i] + reach) - Math.max(left, x[i] - reach);
      if (across > 0 && this.frame.uids[i] !== without) cost += 0.8 + (across * down) / (4 * reach * reach);
    }
    return cost;
  }
}

class Marks {
  constructor(context, palette, around, resting, type) {
    Object.assign(this, { context, palette, around, resting, type });
    this.scale = Math.max(around.scale, SMALLEST_GHOST);
  }

  // Paint everything that is to be said about a step.
  paint(step) {
    const { context } = this;
    this.colour = this.palette.ofVerdict(step.verdict);
    const uids = ringedBy(step);
    let taken = [];
    context.save();
    if (step.isAccepted || step.operation === SUB) taken = uids.map((uid) => this.paintRing(uid)).filter(Boolean);
    if (!step.isAccepted && step.tree !== null) {
      const { node, path } = nodePath(step.tree, step.node);
      if (step.operation === INS) taken.push(...this.paintInserted(step, node, path));
      else if (step.operation === DEL) taken.push(...this.paintDeleted(node));
      else taken.push(...this.paintSubstituted(step, node));
    }
    if (this.resting !== this.around) {
      this.around = this.resting; // the tag is already where it will be, to be read in peace
      const still = uids.map((uid) => this.ringBox(uid)).filter(Boolean);
      if (still.length) taken = still;
    }
    context.restore();
    if (!taken.length && step.tree === null) {
      const { width, height } = this.around;
      taken = [[width / 2 - 40, height / 2 - 40, width / 2 + 40, height / 2 + 40]];
    }
    if (taken.length) this.paintTag(step, taken);
  }

  ringBox(uid) {
    const place = this.around.at(uid);
    if (!place) return null;
    const reach = 30 * Math.max(this.around.scale, SMALLEST_RING);
    return [place[0] - reach, place[1] - reach, place[0] + reach, place[1] + reach];
  }

  paintRing(uid) {
    const { context, around } = this;
    const place = around.at(uid);
    if (!place) return null;
    const number = around.frame.index.get(uid), scale = Math.max(around.scale, SMALLEST_RING);
    context.save();
    context.translate(...place);
    context.scale(scale, scale);
    context.strokeStyle = this.colour;
    context.globalAlpha = 0.28;
    context.lineWidth = (10 * Math.min(scale, 1.2)) / scale;
    const outline = outlineOf(around.frame.fn[number], 6);
    context.stroke(outline);
    context.globalAlpha = 1;
    context.lineWidth = (3.2 * Math.min(Math.max(scale, 0.6), 1.2)) / scale;
    context.stroke(outline);
    context.restore();
    return this.ringBox(uid);
  }

  // A node that is not there: its face lightened, with a dashed outline in the verdict's colour.
  paintGhost(fn, variable, [x, y], scale) {
    const { context } = this;
    const outline = outlineOf(fn);
    context.save();
    context.translate(x, y);
    context.scale(scale, scale);
    context.fillStyle = this.palette.panel;
    context.fill(outline);
    context.globalAlpha = 0.6;
    drawFace(context, fn, variable, this.palette, scale);
    context.globalAlpha = 1;
    context.strokeStyle = this.colour;
    context.lineWidth = 2.4 / scale;
    context.setLineDash(DASHES.map((dash) => dash / scale));
    context.lineCap = "butt";
    context.stroke(outline);
    context.restore();
    const [across, down] = EXTENTS[fn].map((extent) => extent * scale);
    return [x - across, y - down, x + across, y + down];
  }

  line(from, to, { isDashed = true, width = 2 } = {}) {
    const { context } = this;
    context.strokeStyle = this.colour;
    context.lineWidth = width;
    context.lineCap = "butt";
    context.setLineDash(isDashed ? DASHES : []);
    context.beginPath();
    context.moveTo(...from);
    context.lineTo(...to);
    context.stroke();
    context.setLineDash([]);
  }

  // The function on the way to the node above, and the leaf beside it.
  paintInserted(step, node, path) {
    const { around, scale } = this;
    const place = around.at(node.uid);
    if (!place) return [];
    const above = path.length ? around.at(path.at(-1).node.uid) : null;
    const side = step.isLeft ? -1 : 1;
    let middle, size = scale;
    if (above) {
      middle = [(place[0] + above[0]) / 2, (place[1] + above[1]) / 2];
      // Between two levels there is little room, so the function is as large as its edge is long.
      const length = Math.hypot(place[0] - above[0], place[1] - above[1]) - 48 * around.scale;
      size = scale * Math.min(Math.max(length / (48 * scale), 0.72), 1);
    } else {
      const up = Math.min(ABOVE_ROOT * scale, Math.max(place[1] - around.ceiling - 4 - 26 * scale, 0));
      const away = AWAY_FROM_ROOT * scale;
      const aside = up >= ABOVE_ROOT * scale ? 0 : Math.sqrt(Math.max(away * away - up * up, 0));
      middle = [place[0] + side * aside, place[1] - up];
    }
    const boxAt = ([x, y]) => [x - 17 * scale, y - 15 * scale, x + 17 * scale, y + 15 * scale];
    const leaves = INSERTED_BESIDE.map(([x, y]) => [middle[0] + side * x * scale, middle[1] + y * scale]);
    const leaf = least(leaves, (candidate) => around.covered(boxAt(candidate)));
    this.line(middle, leaf);
    for (const end of [place, above]) if (end) this.line(middle, shortOf(middle, end, 20 * around.scale));
    return [
      this.paintGhost(LEAF, step.variable, leaf, 0.85 * scale),
      this.paintGhost(step.fn, 0, middle, size),
    ];
  }

  // Two dashed lines across what would have gone, and a box around it if it is more than a leaf.
  paintDeleted(subtree) {
    const { around, context } = this;
    const places = nodesOf(subtree).map((node) => around.at(node.uid)).filter(Boolean);
    if (!places.length) return [];
    const reach = 22 * Math.max(around.scale, SMALLEST_RING);
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    for (const [x, y] of places) {
      box[0] = Math.min(box[0], x - reach);
      box[1] = Math.min(box[1], y - reach);
      box[2] = Math.max(box[2], x + reach);
      box[3] = Math.max(box[3], y + reach);
    }
    this.line([box[0], box[1]], [box[2], box[3]], { width: 2.2 });
    this.line([box[2], box[1]], [box[0], box[3]], { width: 2.2 });
    if (places.length > 1) {
      context.setLineDash(DASHES);
      context.beginPath();
      context.roundRect(box[0], box[1], box[2] - box[0], box[3] - box[1], 10);
      context.stroke();
      context.setLineDash([]);
    }
    return [box];
  }

  // The other leaf beside the old one, where it covers least, and an arrow to it.
  paintSubstituted(step, node) {
    const { around, scale, context } = this;
    const place = around.at(node.uid);
    if (!place) return [];
    const centreOf = ([x, y]) => [place[0] + x * SUBSTITUTE_AWAY * scale, place[1] + y * SUBSTITUTE_AWAY * scale];
    const boxAt = ([x, y]) => [x - 23 * scale, y - 21 * scale, x + 23 * scale, y + 21 * scale];
    const way = least(SUBSTITUTE_WAYS, (each) => around.covered(boxAt(centreOf(each)), node.uid));
    const centre = centreOf(way), reach = way[0] ? 20 : 18;
    const along = (from, length) => [from[0] + way[0] * length * scale, from[1] + way[1] * length * scale];
    const end = along(centre, -reach - 2), back = along(end, -6);
    this.line(along(place, reach + 8), end, { isDashed: false, width: 2.4 });
    context.beginPath();
    for (const side of [1, -1]) {
      context.moveTo(...end);
      context.lineTo(back[0] - way[1] * 4.8 * scale * side, back[1] + way[0] * 4.8 * scale * side);
    }
    context.stroke();
    return [this.paintGhost(LEAF, step.variable, centre, scale)];
  }

  // The badge, the operation and the reason in a pill near what is marked.
  paintTag(step, taken) {
    const { context, around, palette } = this;
    const title = step.parent === null && step.tree !== null ? "First leaf" : OPERATIONS[step.operation];
    const text = reasonOf(step), { type } = this, gap = 0.57 * type, badge = 1.43 * type, height = 2.15 * type;
    const titleWidth = widthOf(context, title, type, "bold");
    const width = Math.min(gap * 4 + badge + titleWidth + widthOf(context, text, type), around.width - 2 * EDGE);
    const union = taken.reduce((a, b) => [
      Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3]),
    ]);
    const places = TAG_AWAY.flatMap((away) => placesBeside(union, away, width, height)).map(([x, y]) => [
      Math.max(Math.min(x, around.width - width - EDGE), EDGE),
      Math.max(Math.min(y, around.height - height - EDGE), around.ceiling + EDGE),
    ]);
    const costOf = ([left, top], most) => {
      const box = [left, top, left + width, top + height];
      let cost = 0.004 * distanceOf(box, union);
      for (const other of taken) if (isOverlapping(box, other)) cost += 10;
      if (cost < most) cost += around.covered(box);
      return cost < most ? cost + this.crossedOn(box, taken) : cost;
    };
    let [x, y] = least(places, costOf);
    if (around.x.length <= MOST_FOR_GRID && costOf([x, y], Infinity) > CROWDED) {
      const grid = gridPlaces(around.ceiling, around.width - width - 2 * EDGE, around.height - height - 2 * EDGE);
      [x, y] = least([[x, y], ...grid], costOf);
    }
    this.paintLeader([x, y, x + width, y + height], taken);
    context.fillStyle = palette.panel;
    context.strokeStyle = this.colour;
    context.lineWidth = 1.8;
    context.beginPath();
    context.roundRect(x, y, width, height, height / 2.4);
    context.fill();
    context.stroke();
    drawBadge(context, step.verdict, x + (height - badge) / 2, y + (height - badge) / 2, badge, palette);
    context.fillStyle = palette.text;
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.font = `bold ${type}px ${FONT}`;
    context.fillText(title, x + gap * 1.5 + badge, y + height / 2 + 1);
    context.font = ` ${type}px ${FONT}`;
    const left = x + gap * 2.5 + badge + titleWidth;
    context.fillText(text, left, y + height / 2 + 1, Math.max(x + width - left - gap, 10));
  }

  // A thin line from a tag that is far away to the nearest mark.
  paintLeader(box, taken) {
    const leader = this.leaderOf(box, taken);
    if (leader) this.line(...leader, { isDashed: false, width: 1.2 });
  }

  // What the leader of a tag costs by crossing nodes.
  crossedOn(box, taken) {
    const leader = this.leaderOf(box, taken), { x, y, scale } = this.around;
    if (!leader || x.length > MOST_FOR_GRID) return 0;
    let crossed = 0;
    for (let i = 0; i < x.length; i++) {
      if (distanceToLine(x[i], y[i], leader[0], leader[1]) >= 20 * scale) continue;
      const isMarked = taken.some(([left, top, right, bottom]) => (
        x[i] > left && x[i] < right && y[i] > top && y[i] < bottom));
      if (!isMarked) crossed += 1;
    }
    return 0.8 * crossed;
  }

  leaderOf(box, taken) {
    const mark = least(taken, (other) => distanceOf(box, other));
    if (distanceOf(box, mark) <= 20) return null;
    const centre = [(mark[0] + mark[2]) / 2, (mark[1] + mark[3]) / 2];
    const start = [
      Math.max(Math.min(centre[0], box[2] - 15), box[0] + 15),
      Math.max(Math.min(centre[1], box[3]), box[1]),
    ];
    const end = shortOf(start, centre, Math.min(mark[2] - mark[0], mark[3] - mark[1]) / 2);
    return [start, end];
  }
}

function gridPlaces(ceiling, width, height) {
  const places = [];
  for (let i = 0; i < TAG_GRID[0]; i++) {
    for (let j = 0; j < TAG_GRID[1]; j++) {
      places.push([
        EDGE + (width * i) / (TAG_GRID[0] - 1),
        EDGE + ceiling + (Math.max(height - ceiling, 0) * j) / (TAG_GRID[1] - 1),
      ]);
    }
  }
  return places;
}

function distanceToLine(x, y, [x0, y0], [x1, y1]) {
  const dx = x1 - x0, dy = y1 - y0, length = dx * dx + dy * dy;
  const share = length ? Math.min(Math.max(((x - x0) * dx + (y - y0) * dy) / length, 0), 1) : 0;
  return Math.hypot(x - x0 - share * dx, y - y0 - share * dy);
}

function placesBeside([left, top, right, bottom], away, width, height) {
  const across = (left + right - width) / 2, down = (top + bottom - height) / 2;
  const [after, before, above, below] = [right + away, left - away - width, top - away - height, bottom + away];
  return [
    [after, down], [before, down], [after, above], [before, above], [across, above], [across, below],
    [after, below], [before, below], [left, above], [right - width, above], [left, below], [right - width, below],
  ];
}

function isOverlapping(one, other) {
  return one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3];
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

// The cheapest entry; what costs more than the one before need not be found out exactly.
function least(entries, costOf) {
  let best = entries[0], lowest = Infinity;
  for (const entry of entries) {
    const cost = costOf(entry, lowest);
    if (cost < lowest) [best, lowest] = [entry, cost];
  }
  return best;
}
