// The curve of the error, by the logarithm of error + 1, with the improvements, the rejected offspring and a cursor.

const MOST_POWERS_OF_TWO = 12;
const MOST_POINTS = 3000; // more than that are summed up, pixel by pixel
const MOST_DOTS = 1500;
const DOT_DISTANCE = 12; // in pixels: iterations so far apart are dots one by one

function niceStep(smallest) {
  if (smallest <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(smallest) + 1e-12);
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= smallest * (1 - 1e-9));
}

// The errors 2^k - 1 as long as they are few, since these are what conjunctions are wrong on; else 10^k.
function errorTicks(top, most) {
  if (top <= MOST_POWERS_OF_TWO + 0.5) {
    const step = Math.max(1, Math.ceil(top / most - 1e-9)), ticks = [[0, "0"]];
    for (let level = Math.floor(top + 1e-9); level >= step; level -= step) ticks.push([level, grouped(2 ** level - 1)]);
    return ticks;
  }
  const digits = top / Math.log2(10);
  const step = [1, 2, 3, 6, 9, 12].find((each) => each >= digits / most) || 10 * Math.ceil(digits / most / 10);
  const ticks = [[0, "0"]];
  for (let power = step; power <= digits; power += step) ticks.push([power * Math.log2(10), `10${superscript(power)}`]);
  return ticks;
}

// A canvas over the iterations of a run, which are chosen by pointing; a line marks the one on show.
class Scale {
  constructor(canvas, cursor, run, onChosen) {
    Object.assign(this, { canvas, cursor, run });
    this.context = canvas.getContext("2d");
    this.palette = null;
    this.iteration = run.first;
    this.left = this.right = 0;
    const choose = (event) => onChosen(this.iterationAt(event.offsetX));
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      canvas.setPointerCapture(event.pointerId);
      choose(event);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (canvas.hasPointerCapture(event.pointerId)) choose(event);
    });
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    if (!width || !height || !this.palette) return;
    const ratio = window.devicePixelRatio || 1;
    Object.assign(this, { width, height });
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.context.clearRect(0, 0, width, height);
    this.paint();
    this.show(this.iteration);
  }

  setPalette(palette) {
    this.palette = palette;
    this.resize();
  }

  placeOf(iteration) {
    const share = this.run.length ? (iteration - this.run.first) / this.run.length : 0.5;
    return this.left + share * (this.width - this.left - this.right);
  }

  iterationAt(x) {
    const share = (x - this.left) / Math.max(this.width - this.left - this.right, 1);
    return this.run.first + Math.round(Math.min(Math.max(share, 0), 1) * this.run.length);
  }

  show(iteration) {
    this.iteration = iteration;
    this.cursor.style.transform = `translateX(${this.placeOf(iteration).toFixed(1)}px)`;
  }
}

class Curve extends Scale {
  constructor(...wiring) {
    super(...wiring);
    let top = 1;
    this.isBlank = true;
    for (let t = this.run.first; t <= this.run.last; t++) {
      const level = this.run.levelAt(t);
      if (!Number.isNaN(level)) this.isBlank = false;
      if (level > top) top = level;
    }
    for (const [t, level] of this.rejected()) if (t >= this.run.first && level > top) top = level;
    this.topLevel = top;
  }

  get isRoomy() {
    return this.run.length * DOT_DISTANCE <= this.width - this.left - this.right;
  }

  heightOf(level) {
    return this.bottom - (level / this.topLevel) * (this.bottom - this.top);
  }

  // The rejected offspring with their errors, as long as they are few enough to be seen one by one.
  * rejected() {
    const { run } = this;
    if (run.length > MOST_POINTS) return;
    for (let t = Math.max(run.first, run.base + 1); t <= run.last; t++) {
      if (run.verdictAt(t) === WORSE) yield [t, run.offspringLevelAt(t)];
    }
  }

  paint() {
    const { context, palette, height } = this;
    const type = Math.max(0.75 * typeSize(), 11);
    this.top = 8;
    this.bottom = height - 2 * type;
    const ticks = errorTicks(this.topLevel, Math.max(Math.floor((this.bottom - this.top) / (1.5 * type)), 1));
    context.font = `${type}px ${FONT}`;
    this.left = 12 + Math.max(...ticks.map(([, text]) => context.measureText(text).width));
    this.right = 14;
    this.paintAxes(ticks);
    context.fillStyle = palette.worse;
    const side = this.isRoomy ? 5 : 3;
    for (const [t, level] of this.rejected()) {
      context.fillRect(this.placeOf(t) - side / 2, this.heightOf(level) - side / 2, side, side);
    }
    this.paintLine();
    if (this.isBlank) this.paintNothing();
    else if (this.isRoomy) this.paintSingle();
    this.paintImprovements();
  }

  paintAxes(ticks) {
    const { context, palette, run, width, bottom } = this;
    context.strokeStyle = palette.border;
    context.fillStyle = palette.muted;
    context.lineWidth = 1;
    context.textBaseline = "middle";
    context.textAlign = "right";
    context.beginPath();
    let lowest = Infinity;
    for (const [level, text] of ticks) {
      const y = Math.round(this.heightOf(level)) + 0.5;
      context.moveTo(this.left, y);
      context.lineTo(width - this.right, y);
      if (Math.abs(lowest - y) < 14) continue;
      lowest = y;
      context.fillText(text, this.left - 6, y);
    }
    context.stroke();
    context.textAlign = "center";
    context.textBaseline = "top";
    for (const { text, x } of this.iterationLabels()) context.fillText(text, x, bottom + 6);
  }

  // The first and the last iteration, and round numbers where there is room between them.
  iterationLabels() {
    const { context, run, width } = this;
    const labelOf = (t) => {
      const text = grouped(t), half = context.measureText(text).width / 2;
      const x = Math.min(this.placeOf(t), width - half - 2);
      return { t, text, x, left: x - half - 8, right: x + half + 8 };
    };
    const labels = [labelOf(run.first)], end = labelOf(run.last);
    const step = niceStep(run.length / Math.max(Math.floor((width - this.left) / 90), 2));
    for (let t = Math.ceil(run.first / step) * step; t < run.last; t += step) {
      const label = labelOf(t);
      if (label.left >= labels.at(-1).right && label.right <= end.left) labels.push(label);
    }
    if (run.length) labels.push(end);
    return labels;
  }

  paintLine() {
    const { context, palette, run } = this;
    context.strokeStyle = palette.curve;
    context.lineWidth = 2;
    context.lineJoin = "round";
    context.lineCap = "butt";
    context.beginPath();
    if (run.length <= MOST_POINTS) this.traceSteps();
    else this.traceColumns();
    context.stroke();
  }

  // Every iteration of a short run for itself; of one alone there is no line.
  paintSingle() {
    const { context, palette, run } = this;
    context.fillStyle = palette.curve;
    for (let t = run.first; t <= run.last; t++) {
      const level = run.levelAt(t);
      if (Number.isNaN(level)) continue;
      context.beginPath();
      context.arc(this.placeOf(t), this.heightOf(level), run.length ? 3 : 5, 0, 2 * Math.PI);
      context.fill();
    }
  }

  paintNothing() {
    const { context, palette } = this;
    context.fillStyle = palette.muted;
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillText("No tree has an error yet.", this.left + 12, (this.top + this.bottom) / 2);
  }

  traceSteps() {
    const { context, run } = this;
    let isBroken = true;
    for (let t = run.first; t <= run.last; t++) {
      const level = run.levelAt(t);
      if (Number.isNaN(level)) {
        isBroken = true;
        continue;
      }
      const x = this.placeOf(t), y = this.heightOf(level);
      if (isBroken) context.moveTo(x, y);
      else context.lineTo(x, this.heightOf(run.levelAt(t - 1)));
      context.lineTo(x, y);
      isBroken = false;
    }
  }

  // For each column of pixels the first, lowest, highest and last error.
  traceColumns() {
    const { context, run } = this;
    let column = -1, low = 0, high = 0, last = 0, isBroken = true;
    const close = () => {
      context.lineTo(column, this.heightOf(low));
      context.lineTo(column, this.heightOf(high));
      context.lineTo(column, this.heightOf(last));
    };
    for (let t = run.first; t <= run.last; t++) {
      const level = run.levelAt(t);
      if (Number.isNaN(level)) continue;
      const x = Math.round(this.placeOf(t));
      if (x !== column) {
        if (isBroken) context.moveTo(x, this.heightOf(level));
        else {
          close();
          context.lineTo(x, this.heightOf(last));
        }
        isBroken = false;
        [column, low, high] = [x, level, level];
      }
      if (level < low) low = level;
      if (level > high) high = level;
      last = level;
    }
    if (!isBroken) close();
  }

  paintImprovements() {
    const { context, palette, run } = this;
    const found = [];
    run.changes.forEach((t) => { if (t >= run.first && run.verdictAt(t) === IMPROVED) found.push(t); });
    if (found.length > MOST_DOTS) return;
    context.fillStyle = palette.improved;
    context.strokeStyle = palette.panel;
    context.lineWidth = 1.5;
    for (const t of found) {
      context.beginPath();
      context.arc(this.placeOf(t), this.heightOf(run.levelAt(t)), found.length > 200 ? 2.5 : 4.5, 0, 2 * Math.PI);
      context.stroke();
      context.fill();
    }
  }
}
