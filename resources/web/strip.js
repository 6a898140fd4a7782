// The error curve and below it a mark for each step, on one axis of time with one cursor.

const ORDER = ["unchanged", "too_large", "worse", "neutral", "improved"]; // what matters most is painted last
const TAKEN = { right: 18, above: 12, marks: 30, below: 18 };
const CLOSE = 5; // pixels between iterations; where they are closer, marks of one kind have a row of their own
const ROWS = { improved: -6, neutral: 4, unchanged: 10, worse: 10, too_large: 10 };

class Strip {
  constructor(run, slider, onChosen) {
    Object.assign(this, { run, slider });
    this.canvas = slider.querySelector("canvas");
    this.context = this.canvas.getContext("2d");
    const choose = (event) => onChosen(this.indexAt(event.offsetX));
    this.canvas.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      this.canvas.setPointerCapture(event.pointerId);
      choose(event);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (this.canvas.hasPointerCapture(event.pointerId)) choose(event);
    });
  }

  get first() { return this.run.times[0]; }
  get span() { return this.run.times[this.run.last] - this.first; }
  get apart() { return (this.width - this.left - TAKEN.right) / Math.max(this.span, 1); }

  x(time) {
    const share = this.span ? (time - this.first) / this.span : 0.5;
    return this.left + share * (this.width - this.left - TAKEN.right);
  }

  y(level) {
    const bottom = this.height - TAKEN.below - TAKEN.marks;
    return bottom - (level / this.run.topLevel) * (bottom - TAKEN.above);
  }

  // The nearest iteration.
  indexAt(x) {
    const time = this.first + ((x - this.left) / (this.width - this.left - TAKEN.right)) * this.span;
    const { times, last } = this.run, index = this.run.indexOf(time);
    return index < last && times[index + 1] - time < time - times[index] ? index + 1 : index;
  }

  // Everything right of the cursor is yet to come, and faint.
  show(index) {
    const x = this.x(this.run.times[index]);
    this.slider.style.setProperty("--now", `${x.toFixed(1)}px`);
    this.slider.style.setProperty("--to-come", `${(x + Math.min(this.apart / 2, 9)).toFixed(1)}px`);
  }

  paint() {
    const { canvas, context } = this, ratio = window.devicePixelRatio || 1;
    const style = getComputedStyle(document.documentElement);
    this.colour = (name) => style.getPropertyValue(`--${name.replace("_", "-")}`);
    this.width = canvas.clientWidth;
    this.height = canvas.clientHeight;
    canvas.width = Math.round(this.width * ratio);
    canvas.height = Math.round(this.height * ratio);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = `12px ${FAMILIES.words}`;
    this.left = 22 + Math.max(...this.run.errorTicks.map(([, text]) => context.measureText(text).width));
    this.paintStuck();
    this.paintAxes();
    this.paintCurve();
    this.paintMarks();
    this.paintFlags();
  }

  paintStuck() {
    const { context, run } = this;
    context.fillStyle = this.colour("stuck_fill");
    for (const [start, end] of run.stuck) {
      context.fillRect(this.x(start), 0, Math.max(this.x(end) - this.x(start), 2), this.height - TAKEN.below);
    }
  }

  paintAxes() {
    const { context, run } = this;
    Object.assign(context, { strokeStyle: this.colour("border"), fillStyle: this.colour("muted"), lineWidth: 1 });
    Object.assign(context, { textAlign: "right", textBaseline: "middle" });
    for (const [level, text] of run.errorTicks) {
      const y = Math.round(this.y(level)) + 0.5;
      this.line([this.left, y, this.width - TAKEN.right, y]);
      context.fillText(text, this.left - 8, y);
    }
    Object.assign(context, { textAlign: "center", textBaseline: "bottom" });
    let free = 0;
    for (const [time, text] of run.timeTicks) {
      const half = context.measureText(text).width / 2, x = Math.min(this.x(time), this.width - half - 2);
      if (x - half < free) continue;
      context.fillText(text, x, this.height - 2);
      free = x + half + 12;
    }
  }

  paintCurve() {
    const { context, run } = this;
    Object.assign(context, { strokeStyle: this.colour("text"), lineWidth: 2, lineJoin: "round" });
    context.beginPath();
    let before = null;
    run.levels.forEach((level, index) => {
      if (level !== null) {
        const x = this.x(run.times[index]), y = this.y(level);
        if (before === null) context.moveTo(x, y);
        else context.lineTo(x, this.y(before));
        context.lineTo(x, y);
      }
      before = level;
    });
    context.stroke();
    context.fillStyle = this.colour("improved");
    run.verdicts.forEach((verdict, index) => {
      if (verdict === "improved") this.disc(this.x(run.times[index]), this.y(run.levels[index]), 3.5);
    });
  }

  paintMarks() {
    const { run, apart } = this;
    const size = Math.min(Math.max(apart / 14, 0.4), 1), middle = this.height - TAKEN.below - TAKEN.marks / 2 + 3;
    for (const wanted of ORDER) {
      run.verdicts.forEach((verdict, index) => {
        if (verdict !== wanted) return;
        this.mark(verdict, this.x(run.times[index]), middle + (apart < CLOSE ? ROWS[verdict] : 0), size);
      });
    }
  }

  mark(verdict, x, y, size) {
    const { context } = this, arm = 4 * size;
    context.strokeStyle = context.fillStyle = this.colour(verdict);
    context.lineWidth = size < 1 ? 1 : 1.6;
    if (verdict === "improved") {
      const reach = Math.max(9 * size, 6);
      this.polygon([x, y - reach, x + reach, y + 0.9 * reach, x - reach, y + 0.9 * reach]);
    } else if (verdict === "neutral") this.disc(x, y, 4.5 * size);
    else if (verdict === "unchanged") this.disc(x, y, 2 * size);
    else if (verdict === "too_large") context.strokeRect(x - arm, y - arm, 2 * arm, 2 * arm);
    else {
      this.line([x - arm, y - arm, x + arm, y + arm]);
      this.line([x - arm, y + arm, x + arm, y - arm]);
    }
  }

  paintFlags() {
    this.context.fillStyle = this.colour("accent");
    for (const [time] of this.run.bookmarks) {
      const x = this.x(time);
      this.polygon([x - 5, 0, x + 5, 0, x + 5, 10, x, 6, x - 5, 10]);
    }
  }

  line(points) {
    this.trace(points);
    this.context.stroke();
  }

  polygon(points) {
    this.trace(points);
    this.context.fill();
  }

  trace([x, y, ...rest]) {
    const { context } = this;
    context.beginPath();
    context.moveTo(x, y);
    for (let i = 0; i < rest.length; i += 2) context.lineTo(rest[i], rest[i + 1]);
  }

  disc(x, y, radius) {
    const { context } = this;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fill();
  }
}
