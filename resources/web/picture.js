// The canvas of the tree: where everything is, how it glides from one tree to the next, and what part is to be seen.

const MARGIN = 12; // in pixels
const ROOM = 27; // what the outermost nodes need around their centres
const LARGEST_SCALE = 2.2;
const STEPS_PER_DOUBLING = 8, STRETCH_STEPS = 16; // in steps, so that a small change seldom changes every size
// How close together and how far apart nodes may be, across and down, to use the room there is.
const CLOSEST = [0.86, 0.92], WIDEST = [1.6, 1.3], WIDEST_FULL_SIZE = [1.3, 1.2];

const frames = new WeakMap();
const EMPTY_FRAME = {
  uids: [], x: [], y: [], fn: [], variable: [], size: [], opacity: [], flip: [], redundant: [], edges: [],
  index: new Map(),
};

// Everything on the canvas of a tree at rest, in units of the drawing. An edge is [from, to, opacity].
function frameOf(tree) {
  if (tree === null) return EMPTY_FRAME;
  let frame = frames.get(tree);
  if (!frame) {
    const { nodes, x, y, parents, index } = layoutOf(tree);
    const ones = new Float64Array(nodes.length).fill(1);
    const edges = [];
    for (let i = 1; i < nodes.length; i++) edges.push([parents[i], i, 1]);
    frame = {
      uids: nodes.map((node) => node.uid),
      x: x.map((place) => place * UNIT[0]),
      y: y.map((place) => place * UNIT[1]),
      fn: nodes.map((node) => node.fn),
      variable: nodes.map((node) => node.variable),
      size: ones, opacity: ones, flip: ones, redundant: redundantAmong(nodes, parents), edges, index,
    };
    frames.set(tree, frame);
  }
  return frame;
}

function eased(progress) {
  const share = Math.min(Math.max(progress, 0), 1);
  return share * share * (3 - 2 * share);
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
    for (const [a, b] of after.edges) edges.set(`${after.uids[a]} ${after.uids[b]}`, [a, b, 0, 1]);
    for (const [a, b, opacity] of before.edges) {
      const key = `${before.uids[a]} ${before.uids[b]}`, known = edges.get(key);
      const ends = [this.index.get(before.uids[a]), this.index.get(before.uids[b])];
      if (known) known[2] = opacity;
      else if (!ends.includes(undefined)) edges.set(key, [...ends, opacity, 0]);
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
      redundant: shown("redundant"),
      edges: this.edges.map(([a, b, from, to]) => [a, b, from + (to - from) * share]),
    };
  }
}

function nodeIn(frame, i) {
  return {
    x: frame.x[i], y: frame.y[i], size: frame.size[i], opacity: frame.opacity[i],
    fn: frame.fn[i], variable: frame.variable[i], redundant: frame.redundant[i],
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

  of(fn, variable, isRedundant) {
    const key = fn ? -fn : 2 * variable + isRedundant;
    let stamp = this.known.get(key);
    if (!stamp) {
      stamp = document.createElement("canvas");
      stamp.width = stamp.height = 2 * Math.ceil(ROOM * this.scale);
      const context = stamp.getContext("2d");
      context.translate(stamp.width / 2, stamp.height / 2);
      context.scale(this.scale, this.scale);
      drawFace(context, fn, variable, this.palette, this.scale, isRedundant);
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
    this.frame = EMPTY_FRAME;
    this.transition = null;
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
    this.draw();
  }

  setPalette(palette) {
    this.palette = palette;
    this.stamps.clear();
    this.draw();
  }

  showRedundant(isShown) {
    this.isRedundantShown = isShown;
    this.schedule();
  }

  // Go to a tree and what a step did, in so many milliseconds.
  show(tree, step, duration) {
    const before = this.currentFrame(), beforeCamera = this.currentCamera();
    this.tree = tree;
    this.step = step;
    this.frame = frameOf(tree);
    this.camera = this.isHeld ? beforeCamera : this.fitted(this.frame);
    const isMoving = duration > 0 && (before !== this.frame || !this.camera.isSame(beforeCamera));
    this.transition = isMoving
      ? { frames: new Transition(before, this.frame), from: beforeCamera, start: performance.now(), duration }
      : null;
    this.schedule();
  }

  finish() {
    this.transition = null;
  }

  progress() {
    return this.transition ? (performance.now() - this.transition.start) / this.transition.duration : 1;
  }

  currentFrame() {
    return this.transition ? this.transition.frames.at(this.progress()) : this.frame;
  }

  currentCamera() {
    return this.transition ? this.transition.from.mixed(this.camera, eased(this.progress())) : this.camera;
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

  // The camera that shows all of a frame: nodes as large as they can be, and spread where that leaves room.
  fitted(frame) {
    const { left, right, bottom } = this.boundsOf(frame), across = right - left;
    const free = this.height - this.ceiling;
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

  schedule() {
    if (!this.request) this.request = requestAnimationFrame(this.draw);
  }

  draw() {
    this.request = 0;
    if (!this.width || !this.palette) return;
    const { context, palette, ratio } = this;
    const frame = this.currentFrame(), camera = this.currentCamera();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = palette.panel;
    context.fillRect(0, 0, this.width, this.height);
    if (frame === EMPTY_FRAME) this.drawNothing();
    const around = this.around(frame, camera);
    this.drawEdges(frame, around);
    this.drawNodes(frame, around);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    if (this.step) {
      const resting = this.transition ? this.around(this.frame, this.camera) : around;
      new Marks(context, palette, around, resting, this.type).paint(this.step);
    }
    if (this.progress() >= 1) this.transition = null;
    else this.schedule();
  }

  around(frame, camera) {
    return new Surroundings(frame, camera, this.width, this.height, this.ceiling);
  }

  drawNothing() {
    const { context, palette } = this;
    context.strokeStyle = palette.edge;
    context.lineWidth = 2;
    context.setLineDash(DASHES);
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
    const faded = [];
    context.beginPath();
    for (const edge of frame.edges) {
      const [a, b, opacity] = edge;
      if (opacity < 1) {
        faded.push(edge);
        continue;
      }
      context.moveTo(x[a], y[a]);
      context.lineTo(x[b], y[b]);
    }
    context.stroke();
    for (const [a, b, opacity] of faded) {
      context.globalAlpha = opacity;
      context.beginPath();
      context.moveTo(x[a], y[a]);
      context.lineTo(x[b], y[b]);
      context.stroke();
    }
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
      const stamp = stamps.of(frame.fn[i], frame.variable[i], isRedundant), half = stamp.width / 2;
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
    this.canvas.dataset.held = "true";
    this.schedule();
  }

  fit() {
    this.finish();
    this.isHeld = false;
    delete this.canvas.dataset.held;
    this.camera = this.fitted(this.frame);
    this.schedule();
  }
}
