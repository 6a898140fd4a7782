// The timeline: what became of every iteration, by height, symbol and colour; bookmarks are flags above it.

const FLAG = 9;
const HEIGHTS = [1, 0.75, 0.5, 0.34, 0.2]; // by verdict: how much of the strip's height it fills
const WITH_SYMBOLS = 14; // cells of so many pixels have the symbols of their verdicts
const SYMBOL = 0.46, HATCH = [5, 2]; // a symbol's share of the height; the hatching's period, and its gap

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

  // One bar for each iteration, around its place.
  paintCells(width) {
    const { context, run, palette } = this;
    const gap = width >= 4 ? 1 : 0, height = this.bottom - this.top;
    for (let t = run.first; t <= run.last; t++) {
      const verdict = run.verdictAt(t), left = this.placeOf(t) - width / 2;
      if (verdict === null) {
        context.fillStyle = palette.border;
        context.fillRect(left, this.top, width - gap, height);
        continue;
      }
      this.paintBar(verdict, left, width - gap);
      if (width >= WITH_SYMBOLS) this.paintSymbol(verdict, left + (width - gap) / 2, width);
    }
  }

  // A bar as high as its verdict is good; what left the tree unchanged is hatched.
  paintBar(verdict, left, width) {
    const { context, palette, bottom } = this;
    const height = HEIGHTS[verdict] * (bottom - this.top), top = bottom - height;
    context.fillStyle = palette.ofVerdict(verdict);
    if (verdict !== UNCHANGED) {
      context.fillRect(left, top, width, height);
      return;
    }
    context.fillRect(left, top, width, 1);
    context.save();
    context.beginPath();
    context.rect(left, top, width, height);
    context.clip();
    const [period, empty] = HATCH;
    for (let x = Math.floor((left - height) / period) * period; x < left + width; x += period) {
      context.beginPath();
      context.moveTo(x, top);
      context.lineTo(x + period - empty, top);
      context.lineTo(x + period - empty + height, bottom);
      context.lineTo(x + height, bottom);
      context.fill();
    }
    context.restore();
  }

  // The symbol of a verdict, in its bar where that has room for it, else above.
  paintSymbol(verdict, x, width) {
    const { context, palette, bottom } = this;
    const height = bottom - this.top, bar = HEIGHTS[verdict] * height, colour = palette.ofVerdict(verdict);
    const size = Math.min(SYMBOL * height, width - 3), isInside = verdict !== UNCHANGED && bar > SYMBOL * height;
    context.save();
    context.fillStyle = context.strokeStyle = isInside ? palette.on(colour) : colour;
    context.translate(x, bottom - (isInside ? bar / 2 : bar + size / 2));
    context.scale(size / 14, size / 14);
    drawVerdictSymbol(context, VERDICTS[verdict].symbol);
    context.restore();
  }

  // For each column of pixels a bar of the best verdict in it, so that no improvement is lost.
  paintColumns(columns) {
    const { run } = this;
    for (let column = 0; column < columns; column++) {
      const [start, end] = [column, column + 1].map((edge) => (
        run.first + Math.floor((edge * (run.length + 1)) / columns)));
      let best = Infinity;
      for (let t = Math.max(start, run.base + 1); t < end; t++) best = Math.min(best, run.verdictAt(t));
      if (best <= TOO_LARGE) this.paintBar(best, this.left + column, 1);
    }
  }
}
