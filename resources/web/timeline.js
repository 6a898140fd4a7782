// The timeline: what became of every iteration, in the colours of the verdicts; bookmarks are flags above it.

const FLAG = 9;
const ORDER = [IMPROVED, NEUTRAL, UNCHANGED, WORSE, TOO_LARGE];

class Timeline extends Scale {
  // Each iteration has a cell, and its place is the middle of that.
  placeOf(iteration) {
    const share = (iteration - this.run.first + 0.5) / (this.run.length + 1);
    return this.left + share * (this.width - this.left - this.right);
  }

  iterationAt(x) {
    const share = (x - this.left) / Math.max(this.width - this.left - this.right, 1);
    return this.run.first + Math.floor(Math.min(Math.max(share, 0), 0.9999999) * (this.run.length + 1));
  }

  paint() {
    const { context, run, height } = this;
    this.left = this.right = 10;
    this.top = FLAG + 3;
    this.bottom = height - 3;
    const width = this.width - this.left - this.right;
    if (run.length < width) this.paintCells(width / (run.length + 1));
    else this.paintColumns(Math.floor(width));
    context.fillStyle = this.palette.accent;
    for (const [iteration] of run.bookmarks) {
      const x = this.placeOf(iteration);
      context.beginPath();
      context.moveTo(x - 4, 0);
      context.lineTo(x + 4, 0);
      context.lineTo(x + 4, FLAG);
      context.lineTo(x, FLAG - 4);
      context.lineTo(x - 4, FLAG);
      context.fill();
    }
  }

  // One cell for each iteration, around its place.
  paintCells(width) {
    const { context, run, palette } = this;
    const gap = width >= 4 ? 1 : 0;
    for (let t = run.first; t <= run.last; t++) {
      const verdict = run.verdictAt(t);
      context.fillStyle = verdict === null ? palette.border : palette.ofVerdict(verdict);
      context.fillRect(this.placeOf(t) - width / 2, this.top, width - gap, this.bottom - this.top);
    }
  }

  // For each column of pixels the shares of the verdicts; an improvement is rare and always to be seen.
  paintColumns(columns) {
    const { context, run, palette } = this;
    const height = this.bottom - this.top;
    for (let column = 0; column < columns; column++) {
      const [start, end] = [column, column + 1].map((edge) => (
        run.first + Math.floor((edge * (run.length + 1)) / columns)));
      const counts = [0, 0, 0, 0, 0];
      for (let t = Math.max(start, run.base + 1); t < end; t++) counts[run.verdictAt(t)] += 1;
      let y = this.top;
      for (const verdict of ORDER) {
        const share = (counts[verdict] / Math.max(end - start, 1)) * height;
        context.fillStyle = palette.ofVerdict(verdict);
        context.fillRect(this.left + column, y, 1, share);
        y += share;
      }
      if (counts[IMPROVED]) {
        context.fillStyle = palette.improved;
        context.fillRect(this.left + column, this.top, 1, height);
      }
    }
  }
}
