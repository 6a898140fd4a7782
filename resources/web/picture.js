// Draws items as elements of an SVG image, and keeps them in step with the list on show.

const TAGS = { disc: "circle", box: "rect", polygon: "polygon", line: "polyline", text: "text" };
const GEOMETRY = { disc: ["cx", "cy", "r"], box: ["x", "y", "width", "height", "rx"], text: ["x", "y", "font-size"] };
const FAMILIES = {
  words: "Inter, system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif",
  maths: "'STIX Two Math', 'Cambria Math', 'DejaVu Serif', serif",
};
const MOST_ZOOM = 12;

function colourOf(name) {
  return name ? `var(--${name.replace(/[_/]/g, "-")})` : "none";
}

function attributesOf(item, dash) {
  const { shape, points } = item, found = { fill: colourOf(item.fill), opacity: item.opacity };
  if (GEOMETRY[shape]) GEOMETRY[shape].forEach((name, i) => (found[name] = points[i]));
  else found.points = points.join(" ");
  if (item.width && item.stroke) {
    Object.assign(found, { stroke: colourOf(item.stroke), "stroke-width": item.width });
    if (item.isDashed) found["stroke-dasharray"] = dash.map((part) => (part * item.width) / 2).join(" ");
  }
  if (shape === "text") Object.assign(found, { class: item.font, "text-anchor": item.anchor });
  return found;
}

// One image. What is not fixed can be moved and zoomed.
class Picture {
  constructor(svg, run) {
    Object.assign(this, { svg, run, items: [], drawn: [], motion: null });
    [this.width, this.height] = run.size;
    svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.groups = [false, true].map(() => svg.appendChild(this.element("g")));
    this.elements = new Map();
    this.isCalm = matchMedia("(prefers-reduced-motion: reduce)");
    this.fit();
    this.listen();
  }

  element(tag) {
    return document.createElementNS(this.svg.namespaceURI, tag);
  }

  // Show these items from now on, and move there in so much time, from where everything is.
  show(items, milliseconds) {
    const before = this.drawn;
    this.items = items;
    const isMoving = milliseconds >= this.run.motion.shortest && !this.isCalm.matches && before.length;
    this.motion = isMoving ? new Motion(before, items, this.run.motion) : null;
    if (isMoving) this.tick(this.motion, performance.now(), milliseconds);
    else this.draw(atRest(items));
  }

  tick(motion, start, milliseconds) {
    if (motion !== this.motion) return;
    const share = (performance.now() - start) / milliseconds;
    if (share < 1) {
      this.draw(atRest(motion.at(share)));
      requestAnimationFrame(() => this.tick(motion, start, milliseconds));
    } else {
      this.motion = null;
      this.draw(atRest(this.items));
    }
  }

  // Bring the elements in line with the items; what is drawn already is left as it is.
  draw(items) {
    this.drawn = items;
    const [moving, fixed] = this.groups, places = new Map([[moving, moving.firstChild], [fixed, fixed.firstChild]]);
    const gone = new Set(this.elements.values());
    for (const item of items) {
      if (this.isTooSmall(item)) continue;
      const group = item.isFixed ? fixed : moving, id = idOf(item);
      let element = this.elements.get(id);
      if (!element) {
        element = this.element(TAGS[item.shape]);
        element.attributesShown = {};
        this.elements.set(id, element);
      }
      gone.delete(element);
      if (element.item !== item) this.update(element, item);
      let place = places.get(group);
      if (place === element) place = element.nextSibling;
      else group.insertBefore(element, place);
      places.set(group, place);
    }
    for (const element of gone) {
      element.remove();
      this.elements.delete(idOf(element.item));
    }
  }

  update(element, item) {
    const shown = element.attributesShown, wanted = attributesOf(item, this.run.dash);
    for (const name in shown) if (!(name in wanted)) element.removeAttribute(name);
    for (const name in wanted) if (wanted[name] !== shown[name]) element.setAttribute(name, wanted[name]);
    if (item.shape === "text" && element.textContent !== item.text) element.textContent = item.text;
    Object.assign(element, { item, attributesShown: wanted });
  }

  isTooSmall(item) {
    return item.isLabel && item.shape === "text" && item.points[2] * this.zoom < this.run.leastLabel;
  }

  // The camera: a point of the tree at the upper left corner, and how much larger the tree is.
  look(left, top, zoom) {
    Object.assign(this, { left, top, zoom });
    this.groups[0].setAttribute("transform", `scale(${zoom}) translate(${-left} ${-top})`);
    if (!this.motion) this.draw(atRest(this.items));
  }

  fit() {
    this.look(0, 0, 1);
  }

  zoomAt(event, factor) {
    const [x, y] = this.pointOf(event), zoom = Math.min(Math.max(this.zoom * factor, 1), MOST_ZOOM);
    if (zoom === 1) this.fit();
    else this.look(this.left + x / this.zoom - x / zoom, this.top + y / this.zoom - y / zoom, zoom);
  }

  // Where the pointer is, in pixels of the picture.
  pointOf({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
    return [x, y];
  }

  listen() {
    let held = null;
    this.svg.addEventListener("wheel", (event) => {
      if (window !== window.parent && !event.ctrlKey) return; // a page around this one is scrolled
      event.preventDefault();
      this.zoomAt(event, Math.exp(-event.deltaY / 400));
    });
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.button || this.zoom === 1) return;
      this.svg.setPointerCapture(event.pointerId);
      held = this.pointOf(event);
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (!held || !this.svg.hasPointerCapture(event.pointerId)) return;
      const [x, y] = this.pointOf(event);
      this.look(this.left + (held[0] - x) / this.zoom, this.top + (held[1] - y) / this.zoom, this.zoom);
      held = [x, y];
    });
    this.svg.addEventListener("lostpointercapture", () => (held = null));
  }
}
