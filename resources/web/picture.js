// The canvas of the tree: where everything is, how it glides from one tree to the next, and what part is to be seen.

const MARGIN = 12; // in pixels
const ROOM = 27; // what the outermost nodes need around their centres
const LARGEST_SCALE = 2.2;
const STEPS_PER_DOUBLING = 8, STRETCH_STEPS = 16; // in steps, so that a small change seldom changes every size
// How close together and how far apart nodes may be, across and down, to use the room there is.
const CLOSEST = [0.86, 0.92], WIDEST = [1.6, 1.3], WIDEST_FULL_SIZE = [1.3, 1.2];

// The motion of a step: shares of its time at which it glides to what was before, to the proposal and to the verdict,
// and how long each glide takes. A short one leaves out what was before, and a very short one the proposal.
const SHORTEST_PROPOSAL_MS = 180, SHORTEST_BEFORE_MS = 900, LONGEST_GLIDE_MS = 700;
const MOST_MOVING_NODES = 4000; // larger trees jump: a motion that stutters explains nothing

const EMPTY_FRAME = {
  uids: [], x: [], y: [], fn: [], variable: [], tint: [], struck: [], size: [], opacity: [], flip: [], redundant: [],
  edges: [], index: new Map(),
};

// Everything on the canvas of a picture at rest, in units of the drawing, its ghosts in the colour of this name. The
// layout may be that of another picture with the same nodes. An edge is [from, to, opacity, tint].
function frameOf(picture, tint, redundant, layout = layoutOf(picture.tree, picture.other)) {
  const { tree, ghosts, other } = picture;
  if (tree === null) return EMPTY_FRAME;
  const nodes = nodesOf(tree), bridges = bridgesOf(picture), { x, y, parents, index } = layout;
  const uids = nodes.map((node) => node.uid), ones = new Float64Array(x.length).fill(1);
  const fn = nodes.map((node) => node.fn), variable = nodes.map((node) => node.variable);
  const tints = uids.map((uid) => (ghosts.has(uid) ? tint : ""));
  const edges = [];
  for (let i = 1; i < nodes.length; i++) {
    // An edge through which the tree hangs together is no ghost's.
    const end = ghosts.has(uids[i]) ? uids[i] : uids[parents[i]];
    edges.push([parents[i], i, 1, ghosts.has(end) && !bridges.has(end) ? tint : ""]);
  }
  if (other) {
    uids.push(other.uid);
    fn.push(LEAF);
    variable.push(other.variable);
    tints.push(tint);
  }
  const count = uids.length;
  return {
    uids, fn, variable, edges, index,
    x: x.subarray(0, count).map((place) => place * UNIT[0]),
    y: y.subarray(0, count).map((place) => place * UNIT[1]),
    tint: tints,
    struck: uids.map((uid) => (other && other.isOld && uid === other.uid ? 1 : 0)),
    redundant: uids.map((uid) => (redundant.has(uid) && !ghosts.has(uid) ? 1 : 0)),
    size: ones.subarray(0, count), opacity: ones.subarray(0, count), flip: ones.subarray(0, count),
  };
}

function eased(progress) {
  const share = Math.min(Math.max(progress, 0), 1);
  return share * share * (3 - 2 * share);
}

function stepTimes(duration) {
  if (duration < SHORTEST_PROPOSAL_MS) return [[0, 1]];
  const isLong = duration >= SHORTEST_BEFORE_MS;
  const begins = isLong ? [0, 0.14, 0.5] : [0, 0.55], lengths = isLong ? [0.1, 0.22, 0.2] : [0.4, 0.45];
  return begins.map((begin, i) => [begin, begin + Math.min(lengths[i], LONGEST_GLIDE_MS / duration)]);
}

// The way between two frames: kept nodes glide, added ones grow, removed ones fade, relabelled ones flip.
class Transition {
  constructor(before, after) {
    this.before = before;
    this.after = after;
    const gone = [];
    before.uids.forEach((uid, i) => { if (!after.index.has(uid) && before.opacity[i] > 0) gone.push(i); });
    this.uids = [...after.uids, ...gone.map((i) => before.uids[i])];
    this.index = new Map(this.uids.map((uid, number) => [uid, number]));
    this.nodes = after.uids.map((uid, i) => {
      const old = before.index.get(uid);
      const to = nodeIn(after, i);
      const from = old === undefined ? { ...to, size: 0, opacity: 0 } : nodeIn(before, old);
      return { from, to, isRelabelled: from.fn !== to.fn || from.variable !== to.variable };
    });
    for (const i of gone) {
      const from = nodeIn(before, i);
      this.nodes.push({ from, to: { ...from, size: 0.5, opacity: 0 }, isRelabelled: false });
    }
    const edges = new Map();
    for (const [a, b, , tint] of after.edges) edges.set(`${after.uids[a]} ${after.uids[b]}`, [a, b, 0, 1, tint]);
    for (const [a, b, opacity, tint] of before.edges) {
      const key = `${before.uids[a]} ${before.uids[b]}`, known = edges.get(key);
      const ends = [this.index.get(before.uids[a]), this.index.get(before.uids[b])];
      if (known) known[2] = opacity;
      else if (!ends.includes(undefined)) edges.set(key, [...ends, opacity, 0, tint]);
    }
    this.edges = [...edges.values()];
  }

  at(progress) {
    if (progress <= 0) return this.before;
    if (progress >= 1) return this.after;
    const share = eased(progress), turn = Math.abs(Math.cos(Math.PI * share));
    const mixed = (name) => this.nodes.map(({ from, to }) => from[name] + (to[name] - from[name]) * share);
    const shown = (name) => this.nodes.map(({ from, to }) => (share >= 0.5 ? to : from)[name]);
    return {
      uids: this.uids,
      index: this.index,
      x: mixed("x"),
      y: mixed("y"),
      size: mixed("size"),
      opacity: mixed("opacity"),
      flip: this.nodes.map(({ isRelabelled }) => (isRelabelled ? turn : 1)),
      fn: shown("fn"),
      variable: shown("variable"),
      tint: shown("tint"),
      struck: shown("struck"),
      redundant: shown("redundant"),
      edges: this.edges.map(([a, b, from, to, tint]) => [a, b, from + (to - from) * share, tint]),
    };
  }
}

function nodeIn(frame, i) {
  return {
    x: frame.x[i], y: frame.y[i], size: frame.size[i], opacity: frame.opacity[i],
    fn: frame.fn[i], variable: frame.variable[i], tint: frame.tint[i], struck: frame.struck[i],
    redundant: frame.redundant[i],
  };
}

// Which part of the drawing is to be seen: its origin comes to be at `left`, `top` of the canvas. Nodes have the size
// `scale`; the distances between them are stretched besides.
class Camera {
  constructor(scale = 1, left = 0, top = 0, stretchX = 1, stretchY = 1) {
    Object.assign(this, { scale, left, top, stretchX, stretchY });
  }

  place(x, y) {
    return [x * this.scale * this.stretchX + this.left, y * this.scale * this.stretchY + this.top];
  }

  moved(x, y) {
    return new Camera(this.scale, this.left + x, this.top + y, this.stretchX, this.stretchY);
  }

  // Larger or smaller about a place of the canvas.
  zoomed(factor, x, y) {
    const scale = Math.min(Math.max(this.scale * factor, 0.02), 6), share = scale / this.scale;
    return new Camera(scale, x + (this.left - x) * share, y + (this.top - y) * share, this.stretchX, this.stretchY);
  }

  mixed(other, share) {
    const names = ["scale", "left", "top", "stretchX", "stretchY"];
    return new Camera(...names.map((name) => this[name] + (other[name] - this[name]) * share));
  }

  isSame(other) {
    return this.scale === other.scale && this.left === other.left && this.top === other.top
      && this.stretchX === other.stretchX && this.stretchY === other.stretchY;
  }
}

function stretchOf(room, length, closest, widest) {
  if (length <= 0) return 1;
  const stepped = Math.floor((room / length - closest) * STRETCH_STEPS + 1e-9) / STRETCH_STEPS + closest;
  return Math.min(Math.max(stepped, closest), widest);
}

// The faces, each painted once at the size it is needed in; that is many times faster than painting them anew.
class Stamps {
  constructor() {
    this.known = new Map();
    this.scale = 0;
    this.palette = null;
  }

  clear() {
    this.known.clear();
  }

  use(scale, palette) {
    if (scale !== this.scale) this.clear();
    Object.assign(this, { scale, palette });
  }

  of(fn, variable, isRedundant, tint, isStruck) {
    const key = tint ? `${fn} ${variable} ${tint} ${isStruck}` : fn ? -fn : 2 * variable + isRedundant;
    let stamp = this.known.get(key);
    if (!stamp) {
      stamp = document.createElement("canvas");
      stamp.width = stamp.height = 2 * Math.ceil(ROOM * this.scale);
      const context = stamp.getContext("2d");
      context.translate(stamp.width / 2, stamp.height / 2);
      context.scale(this.scale, this.scale);
      if (tint) drawGhost(context, fn, variable, this.palette, this.scale, this.palette[tint], isStruck);
      else drawFace(context, fn, variable, this.palette, this.scale, isRedundant);
      this.known.set(key, stamp);
    }
    return stamp;
  }
}

class Picture {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.tree = null;
    this.step = null;
    this.iteration = 0;
    this.marks = null; // of the step at rest
    this.frame = EMPTY_FRAME; // at rest
    this.motion = null; // from leg to leg: {legs, leg, transition, from, start, duration}
    this.place = null; // where the callout is
    this.isStale = true; // whether there is something to paint besides a motion
    this.camera = new Camera();
    this.isHeld = false; // whether a person has chosen what is to be seen
    this.isRedundantShown = true;
    this.width = this.height = 0;
    this.ceiling = 0; // what is taken at the top by the banner, in pixels
    this.palette = null;
    this.stamps = new Stamps();
    this.request = 0;
    this.draw = this.draw.bind(this);
    this.listen();
  }

  resize() {
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth || !clientHeight) return;
    const ratio = window.devicePixelRatio || 1;
    [this.width, this.height, this.ratio] = [clientWidth, clientHeight, ratio];
    this.type = 0.88 * typeSize();
    this.canvas.width = Math.round(clientWidth * ratio);
    this.canvas.height = Math.round(clientHeight * ratio);
    this.finish();
    if (!this.isHeld) this.camera = this.fitted(this.frame);
    this.place = null;
    this.redraw();
  }

  setPalette(palette) {
    this.palette = palette;
    this.stamps.clear();
    this.redraw();
  }

  showRedundant(isShown) {
    this.isRedundantShown = isShown;
    this.schedule();
  }

  // Go to the tree of an iteration and what its step did, in so many milliseconds. If it is the next one of what is on
  // show, one sees what was before, what is proposed, and what becomes of it.
  show(tree, step, iteration, duration) {
    const isNext = iteration === this.iteration + 1;
    const before = this.currentFrame(), beforeCamera = this.currentCamera();
    const picture = pictureOfStep(step, tree), layout = layoutOf(picture.tree, picture.other);
    const redundant = redundantIn(tree), tint = step ? tintOf(step.verdict) : "";
    Object.assign(this, { tree, step, iteration, place: null });
    this.marks = step ? marksOf(step, picture) : null;
    this.frame = frameOf(picture, tint, redundant, layout);
    this.camera = this.isHeld ? beforeCamera : this.fitted(this.frame);
    const times = isNext && step ? stepTimes(duration) : [[0, 1]];
    const stages = [[this.frame, this.marks]];
    if (times.length > 1) {
      const proposal = pictureOfStep(step, tree, true);
      stages.unshift([frameOf(proposal, tintOf(null), redundant, layout), marksOf(step, proposal, true)]);
    }
    if (times.length > 2) stages.unshift([frameOf(pictureOfTree(step.parent), "", redundant), null]);
    const legs = stages.map(([frame, marks], i) => ({ frame, marks, begin: times[i][0], end: times[i][1] }));
    const most = Math.max(before.uids.length, this.frame.uids.length);
    this.motion = duration > 0 && most <= MOST_MOVING_NODES
      ? { legs, leg: -1, transition: null, from: beforeCamera, departed: before, start: performance.now(), duration }
      : null;
    this.schedule();
  }

  finish() {
    this.motion = null;
    this.isStale = true;
  }

  progress() {
    return this.motion ? (performance.now() - this.motion.start) / this.motion.duration : 1;
  }

  // The leg that is under way now, and how much of it is done.
  underWay() {
    const { motion } = this, progress = this.progress();
    while (motion.leg + 1 < motion.legs.length && progress >= motion.legs[motion.leg + 1].begin) {
      const from = motion.leg < 0 ? motion.departed : motion.legs[motion.leg].frame;
      motion.leg += 1;
      motion.transition = new Transition(from, motion.legs[motion.leg].frame);
      this.isStale = true;
    }
    const { begin, end } = motion.legs[motion.leg];
    return { ...motion.legs[motion.leg], number: motion.leg, share: Math.min((progress - begin) / (end - begin), 1) };
  }

  currentFrame() {
    if (!this.motion) return this.frame;
    const { share } = this.underWay();
    return this.motion.transition.at(share);
  }

  currentCamera() {
    if (!this.motion) return this.camera;
    const { number, share } = this.underWay();
    return number ? this.camera : this.motion.from.mixed(this.camera, eased(share));
  }

  // The marks to be seen now, and how strongly: they come with a part of the motion and then stay.
  currentMarks() {
    if (!this.motion) return [this.marks, 1];
    const { marks, number, share } = this.underWay();
    const isLater = number > 0 && this.motion.legs[number - 1].marks !== null;
    return [marks, isLater ? 1 : eased(share)];
  }

  boundsOf(frame) {
    let [left, right, bottom] = [0, 0, 0];
    for (let i = 0; i < frame.uids.length; i++) {
      left = Math.min(left, frame.x[i]);
      right = Math.max(right, frame.x[i]);
      bottom = Math.max(bottom, frame.y[i]);
    }
    return { left, right, bottom };
  }

  // The camera that shows all of a frame: nodes as large as they can be, and spread where that leaves room. If its
  // callout finds no free place then, there is room for it below.
  fitted(frame) {
    const camera = this.fittedAbove(frame, 0);
    if (!this.marks || !frame.uids.length || !this.palette) return camera;
    const { cost } = this.placeFor(this.around(frame, camera));
    return cost < HIDING ? camera : this.fittedAbove(frame, 2 * this.type + 2 * EDGE + 1.3 * this.type);
  }

  fittedAbove(frame, below) {
    const { left, right, bottom } = this.boundsOf(frame), across = right - left;
    const free = this.height - this.ceiling - below;
    const width = Math.max(this.width - 2 * MARGIN, 16), height = Math.max(free - 2 * MARGIN, 16);
    const most = Math.min(Math.max(free / 330, 1), LARGEST_SCALE);
    const wanted = Math.min(width / (across * CLOSEST[0] + 2 * ROOM), height / (bottom * CLOSEST[1] + 2 * ROOM));
    const stepped = 2 ** (Math.floor(Math.log2(wanted) * STEPS_PER_DOUBLING + 1e-9) / STEPS_PER_DOUBLING);
    const scale = Math.min(stepped, most), widest = stepped > most ? WIDEST_FULL_SIZE : WIDEST;
    const stretchX = stretchOf(width / scale - 2 * ROOM, across, CLOSEST[0], widest[0]);
    const stretchY = stretchOf(height / scale - 2 * ROOM, bottom, CLOSEST[1], widest[1]);
    return new Camera(
      scale,
      this.width / 2 - ((left + right) / 2) * scale * stretchX,
      this.ceiling + free / 2 - (bottom / 2) * scale * stretchY,
      stretchX,
      stretchY,
    );
  }

  placeFor(around) {
    return calloutPlace(this.context, this.marks.full, this.type, around, markedBoxes(this.marks, around));
  }

  schedule() {
    this.isStale = true;
    if (!this.request) this.request = requestAnimationFrame(this.draw);
  }

  redraw() {
    this.isStale = true;
    this.draw();
  }

  draw() {
    this.request = 0;
    if (!this.width || !this.palette) return;
    if (this.motion && this.progress() >= 1) this.finish();
    const isResting = !this.motion || this.underWay().share >= 1;
    if (this.isStale || !this.wasResting || !isResting) this.paint();
    this.wasResting = isResting;
    if (this.motion && !this.request) this.request = requestAnimationFrame(this.draw);
  }

  paint() {
    this.isStale = false;
    const { context, palette, ratio } = this;
    const frame = this.currentFrame(), camera = this.currentCamera(), [marks, strength] = this.currentMarks();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = palette.panel;
    context.fillRect(0, 0, this.width, this.height);
    if (frame === EMPTY_FRAME) this.drawNothing();
    const around = this.around(frame, camera);
    this.drawEdges(frame, around);
    this.drawNodes(frame, around);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (!marks) return;
    const resting = this.motion ? this.around(this.frame, this.camera) : around;
    this.place ??= this.placeFor(resting); // it is already there while the tree moves, to be read in peace
    context.globalAlpha = strength;
    const marked = markedBoxes(this.marks, resting);
    const isSeen = marked.some((box) => isOverlapping(box, [0, 0, this.width, this.height]));
    paintMarks(context, palette, marks, around, this.type, isSeen ? this.place : null, marked);
    context.globalAlpha = 1;
  }

  around(frame, camera) {
    return new Surroundings(frame, camera, this.width, this.height, this.ceiling);
  }

  drawNothing() {
    const { context, palette } = this;
    context.strokeStyle = palette.edge;
    context.lineWidth = 2;
    context.setLineDash([7, 5]);
    context.beginPath();
    context.roundRect(this.width / 2 - 30, this.height / 2 - 27, 60, 54, 12);
    context.stroke();
    context.setLineDash([]);
    context.fillStyle = palette.muted;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `${this.type}px ${FONT}`;
    context.fillText("the empty tree", this.width / 2, this.height / 2 + 34 + this.type);
  }

  drawEdges(frame, { x, y, scale }) {
    const { context, palette } = this;
    context.strokeStyle = palette.edge;
    context.lineWidth = Math.min(Math.max(1.8 * scale, 0.6), 2.6);
    context.lineCap = "butt";
    const others = [];
    context.beginPath();
    for (const edge of frame.edges) {
      const [a, b, opacity, tint] = edge;
      if (opacity < 1 || tint) {
        others.push(edge);
        continue;
      }
      context.moveTo(x[a], y[a]);
      context.lineTo(x[b], y[b]);
    }
    context.stroke();
    const width = context.lineWidth;
    for (const [a, b, opacity, tint] of others) {
      context.globalAlpha = opacity;
      context.strokeStyle = tint ? palette[tint] : palette.edge;
      context.lineWidth = tint ? 1.2 * width : width;
      context.setLineDash(tint ? [3.6 * width, 2.4 * width] : []);
      context.beginPath();
      context.moveTo(x[a], y[a]);
      context.lineTo(x[b], y[b]);
      context.stroke();
    }
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  drawNodes(frame, around) {
    const { context, palette, ratio, stamps, width, height } = this;
    const reach = 30 * around.scale;
    stamps.use(this.camera.scale * ratio, palette);
    context.setTransform(1, 0, 0, 1, 0, 0);
    for (let i = frame.uids.length - 1; i >= 0; i--) {
      const x = around.x[i], y = around.y[i];
      if (x < -reach || y < -reach || x > width + reach || y > height + reach) continue;
      const grown = (around.scale / this.camera.scale) * frame.size[i];
      if (grown <= 0 || frame.opacity[i] <= 0) continue;
      const isRedundant = this.isRedundantShown && frame.redundant[i] === 1;
      const stamp = stamps.of(frame.fn[i], frame.variable[i], isRedundant, frame.tint[i], frame.struck[i]);
      const half = stamp.width / 2;
      if (grown === 1 && frame.flip[i] === 1 && frame.opacity[i] === 1) {
        // On whole pixels it is as sharp as if it were drawn there.
        context.drawImage(stamp, Math.round(ratio * x - half), Math.round(ratio * y - half));
        continue;
      }
      context.globalAlpha = frame.opacity[i];
      context.setTransform(grown * frame.flip[i], 0, 0, grown, ratio * x, ratio * y);
      context.drawImage(stamp, -half, -half);
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.globalAlpha = 1;
    }
  }

  // Drag to move, wheel or pinch to zoom, double-click for the whole tree.
  listen() {
    const { canvas } = this;
    const pointers = new Map();
    canvas.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
      canvas.setPointerCapture(event.pointerId);
    });
    for (const name of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(name, (event) => pointers.delete(event.pointerId));
    }
    canvas.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) return;
      const now = [event.offsetX, event.offsetY];
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const [old, far] = [before, now].map((place) => Math.hypot(place[0] - other[0], place[1] - other[1]));
        this.zoom(far / Math.max(old, 1), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
      } else if (this.isHeld || Math.hypot(now[0] - before[0], now[1] - before[1]) > 3) {
        this.hold(this.camera.moved(now[0] - before[0], now[1] - before[1]));
      } else {
        return;
      }
      pointers.set(event.pointerId, now);
    });
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), event.offsetX, event.offsetY);
    }, { passive: false });
    canvas.addEventListener("dblclick", () => this.fit());
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    this.hold(this.camera.zoomed(factor, x, y));
  }

  hold(camera) {
    this.finish();
    this.isHeld = true;
    this.camera = camera;
    this.place = null;
    this.canvas.dataset.held = "true";
    this.schedule();
  }

  fit() {
    this.finish();
    this.isHeld = false;
    delete this.canvas.dataset.held;
    this.camera = this.fitted(this.frame);
    this.place = null;
    this.schedule();
  }
}
