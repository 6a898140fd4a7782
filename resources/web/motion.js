// The way from one list of items to the next, as gpviz/picture/motion.py has it; its numbers come with the data.

const EASES = {
  steady: (share) => share,
  gentle: (share) => share * share * (3 - 2 * share),
  braking: (share) => 1 - (1 - share) ** 2,
};

function progress([begin, whole, ease], share, delay = 0) {
  const start = Math.min(Math.max(begin, delay), 1), length = Math.min(whole, 1 - start);
  return share <= start || length <= 0 ? 0 : EASES[ease](Math.min((share - start) / length, 1));
}

function idOf(item) {
  return `${item.shape} ${item.key}`;
}

// What is to be seen of these in a picture that does not move.
function atRest(items) {
  return items.filter((item) => item.enter !== "flash" && item.opacity > 0);
}

class Motion {
  constructor(before, after, table) {
    Object.assign(this, { before, after, table });
    this.old = new Map(before.map((item) => [idOf(item), item]));
    this.new = new Set(after.map(idOf));
  }

  // What has the same key and shape in both moves. What goes keeps its place in the order of painting.
  at(share) {
    if (share <= 0) return this.before;
    if (share >= 1) return this.after;
    const moved = progress(this.table.move, share), gone = progress(this.table.leave, share), leaving = new Map();
    let kept = null;
    for (const item of this.before) {
      if (this.new.has(idOf(item))) kept = idOf(item);
      else if (item.leave === "switch" ? share < this.table.switchAt : gone < 1 && item.enter !== "flash") {
        leaving.set(kept, [...(leaving.get(kept) ?? []), this.leaving(item, gone)]);
      }
    }
    const found = leaving.get(null) ?? [];
    for (const item of this.after) {
      const now = this.shown(this.old.get(idOf(item)), item, share, moved);
      if (now.opacity > 0) found.push(now);
      found.push(...(leaving.get(idOf(item)) ?? []));
    }
    return found;
  }

  shown(old, item, share, moved) {
    const { flash, enter, shake, sway, swings } = this.table;
    if (item.enter === "flash") {
      const turn = progress(flash, share, item.delay);
      return { ...item, opacity: turn < 1 ? item.opacity * Math.sin(Math.PI * turn) : 0, enter: "fade" };
    }
    if (item.enter === "switch") return share < this.table.switchAt ? (old ?? { ...item, opacity: 0 }) : item;
    let now = item;
    if (!old) now = this.entering(item, progress(enter, share, item.delay));
    else if (old !== item) now = this.moving(old, item, moved);
    if (item.enter !== "shake") return now;
    const turn = progress(shake, share, item.delay);
    return shifted(now, sway * Math.sin(2 * Math.PI * swings * turn) * (1 - turn), 0);
  }

  // A kept item glides, and what cannot glide switches in the middle.
  moving(old, item, share) {
    const { points, fill, stroke, isDashed, text } = share < 0.5 ? old : item;
    const mix = (a, b) => a + (b - a) * share, canGlide = old.points.length === item.points.length;
    return {
      ...item, fill, stroke, isDashed,
      points: canGlide ? item.points.map((value, i) => mix(old.points[i], value)) : points,
      width: mix(old.width, item.width),
      opacity: mix(old.opacity, item.opacity),
      text: item.enter === "roll" ? counted(old.text, item.text, share) : text,
    };
  }

  entering(item, share) {
    return item.enter === "grow" ? this.scaled(item, share) : { ...item, opacity: item.opacity * share };
  }

  leaving(item, share) {
    if (item.leave === "switch") return item;
    if (item.leave === "shrink") return this.scaled(item, 1 - share);
    const now = item.leave === "fall" ? shifted(item, 0, this.table.fall * share) : item;
    return { ...now, opacity: item.opacity * (1 - share) };
  }

  // The item in another size, about its own middle.
  scaled(item, scale) {
    if (scale <= 0) return { ...item, opacity: 0 };
    const { points, shape } = item, smaller = 1 - scale;
    let now;
    if (shape === "disc") now = [points[0], points[1], points[2] * scale];
    else if (shape === "text") {
      now = [points[0], points[1] - this.table.textMiddle * points[2] * smaller, points[2] * scale];
    } else if (shape === "box") {
      const [x, y, width, height, corner] = points;
      now = [x + (smaller * width) / 2, y + (smaller * height) / 2, width * scale, height * scale, corner * scale];
    } else {
      const middles = [0, 1].map((odd) => {
        const values = points.filter((_, i) => i % 2 === odd);
        return (Math.min(...values) + Math.max(...values)) / 2;
      });
      now = points.map((value, i) => middles[i % 2] + (value - middles[i % 2]) * scale);
    }
    return { ...item, points: now, width: item.width * scale };
  }
}

function shifted(item, dx, dy) {
  const isPath = item.shape === "polygon" || item.shape === "line";
  return { ...item, points: item.points.map((value, i) => (isPath || i < 2 ? value + (i % 2 ? dy : dx) : value)) };
}

// The number on the way from one to another, where both are written with all their digits.
function counted(old, text, share) {
  if (old === text) return text;
  const isNumber = (each) => /^\d{1,3}(,\d{3})*$/.test(each);
  if (!isNumber(old) || !isNumber(text)) return share < 0.5 ? old : text;
  const [start, end] = [old, text].map((each) => Number(each.replaceAll(",", "")));
  return Math.round(start + (end - start) * share).toLocaleString("en");
}
