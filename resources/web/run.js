// The run as data: the pictures and words of its iterations, unpacked as gpviz/export/packed_items.py says.

async function inflated(element) {
  const text = atob(element.textContent), bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate")));
}

// Numbers of which each but the first is stored as how much larger it is than the one before.
function summed(steps) {
  let sum = 0;
  return steps.map((step) => (sum += step));
}

// Iterations are numbered from 0 on among those that the page has; `times` are their numbers in the run.
class Run {
  constructor(data) {
    Object.assign(this, data);
    this.times = summed(data.times);
    this.last = this.times.length - 1;
    this.items = data.items.map((packed) => ({ packed }));
    this.numbers = { index: -1, list: [] };
  }

  // The one at this time, or the last one before it.
  indexOf(time) {
    let low = 0, high = this.last;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // What there is to draw; the same item is the same object in every list.
  itemsAt(index) {
    const { numbers } = this, whole = index - (index % this.keyframeEvery);
    if (numbers.index > index || numbers.index < whole) Object.assign(numbers, { index: whole - 1, list: [] });
    while (numbers.index < index) {
      numbers.index += 1;
      for (const [start, gone, ...steps] of this.lists[numbers.index]) {
        numbers.list = [...numbers.list.slice(0, start), ...summed(steps), ...numbers.list.slice(start + gone)];
      }
    }
    return numbers.list.map((number) => this.itemOf(number));
  }

  itemOf(number) {
    const item = this.items[number];
    if (item.packed) {
      const [key, look, text, ...points] = item.packed;
      const [shape, fill, stroke, width, isDashed, opacity, font, anchor, isFixed, isLabel, enter, leave, delay] =
        this.looks[look];
      Object.assign(item, {
        key: this.keys[key], shape, fill, stroke, width, isDashed, opacity, font, anchor, isFixed, isLabel, enter, leave,
        delay, text: this.texts[text], points: points.map((value) => value / this.perPixel), packed: null,
      });
    }
    return item;
  }

  // The next iteration from there, forwards or backwards, that brought another tree; else the last or the first one.
  changeFrom(index, way) {
    do index += way; while (index > 0 && index < this.last && !this.isChange(index));
    return Math.min(Math.max(index, 0), this.last);
  }

  isChange(index) {
    const verdict = this.verdicts[index];
    return verdict === "improved" || verdict === "neutral";
  }
}
