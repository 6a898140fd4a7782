// Where the page is in the run, how it plays on, and what its keys and buttons do.

const SPEEDS = [0.1, 0.2, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 250];
const USUAL_SPEED = 2, LATE_MS = 250, WRITE_AFTER_MS = 300;
const MOTION_SHARE = 0.7, LONGEST_MOTION_MS = 1500;
const $ = (id) => document.getElementById(id);

class Player {
  constructor(run, onMoved, onPlaying) {
    Object.assign(this, { run, onMoved, onPlaying });
    this.cursor = 0;
    this.isPlaying = false;
    this.speed = USUAL_SPEED;
    this.meanWeight = run.weights.reduce((sum, weight) => sum + weight, 0) / run.weights.length;
  }

  // How many milliseconds this step gets. Slow steps all get the same, others what they weigh.
  timeOf(index) {
    const weight = this.speed >= 1 ? this.run.weights[index] / this.meanWeight : 1;
    return (1000 * weight) / this.speed;
  }

  move(index, isMoving) {
    const wanted = Math.min(Math.max(index, 0), this.run.last);
    if (wanted === this.cursor) return;
    this.cursor = wanted;
    this.onMoved(isMoving ? Math.min(MOTION_SHARE * this.timeOf(wanted), LONGEST_MOTION_MS) : 0);
  }

  // Go somewhere by hand; where keys repeat, nothing moves on the way.
  goTo(index, isFast = false) {
    this.pause();
    this.move(index, !isFast);
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  play() {
    if (this.isPlaying || !this.run.last) return;
    if (this.cursor === this.run.last) this.move(0, false);
    this.isPlaying = true;
    this.left = 0; // of the time of the step on show
    this.since = performance.now();
    this.onPlaying();
    requestAnimationFrame(() => this.tick());
  }

  pause() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.onPlaying();
  }

  setSpeed(speed) {
    this.speed = speed;
    this.onPlaying();
  }

  tick() {
    if (!this.isPlaying) return;
    const now = performance.now();
    this.left -= Math.min(now - this.since, LATE_MS); // after a long delay nothing leaps
    this.since = now;
    let next = this.cursor;
    while (this.left <= 0 && next < this.run.last) this.left += this.timeOf(++next);
    this.move(next, true);
    if (this.left <= 0) this.pause();
    else requestAnimationFrame(() => this.tick());
  }
}

function start(run) {
  const root = document.documentElement, isDarkSystem = matchMedia("(prefers-color-scheme: dark)");
  const picture = new Picture($("picture"), run);
  const strip = new Strip(run, $("strip"), (index) => player.goTo(index, true));
  const player = new Player(run, show, showPlaying);
  let writing = 0;

  function show(milliseconds) {
    const { cursor } = player, time = run.times[cursor];
    picture.show(run.itemsAt(cursor), milliseconds);
    $("picture").setAttribute("aria-label", run.texts[run.names[cursor]]);
    $("words").textContent = run.texts[run.words[cursor]];
    $("position").textContent = `t = ${time.toLocaleString("en")} of ${run.length.toLocaleString("en")}`;
    $("strip").setAttribute("aria-valuenow", time);
    $("strip").setAttribute("aria-valuetext", `Iteration ${time}`);
    $("bookmarks").value = run.bookmarks.some(([marked]) => marked === time) ? time : "";
    strip.show(cursor);
    for (const id of ["previous", "previous-change"]) $(id).setAttribute("aria-disabled", cursor === 0);
    for (const id of ["next", "next-change"]) $(id).setAttribute("aria-disabled", cursor === run.last);
    clearTimeout(writing); // browsers refuse an address that changes with each frame
    writing = setTimeout(writeAddress, WRITE_AFTER_MS);
  }

  function writeAddress() {
    if (location.protocol !== "about:") history.replaceState(null, "", `#t=${run.times[player.cursor]}`);
  }

  function readAddress() {
    const found = /^#t=(\d+)$/.exec(location.hash);
    if (found) player.goTo(run.indexOf(Number(found[1])), true);
  }

  function showPlaying() {
    const { isPlaying, speed } = player, name = isPlaying ? "Pause" : "Play";
    $("play").setAttribute("aria-label", name);
    $("play").title = `${name} (Space)`;
    $("play").classList.toggle("is-playing", isPlaying);
    const text = speed < 1 ? `a step in ${Math.round(1 / speed)} s` : speed === 1 ? "a step a second" : `${speed} steps a second`;
    $("speed").value = SPEEDS.indexOf(speed);
    $("speed").setAttribute("aria-valuetext", text);
    $("speed-text").textContent = text;
    $("words").setAttribute("aria-live", isPlaying && speed > 1 ? "off" : "polite");
  }

  function changeSpeed(by) {
    player.setSpeed(SPEEDS[Math.min(Math.max(SPEEDS.indexOf(player.speed) + by, 0), SPEEDS.length - 1)]);
  }

  function switchTheme() {
    const isDark = root.dataset.theme ? root.dataset.theme === "dark" : isDarkSystem.matches;
    root.dataset.theme = isDark ? "light" : "dark";
    strip.paint();
  }

  const commands = {
    previous: (isFast) => player.goTo(player.cursor - 1, isFast),
    next: (isFast) => player.goTo(player.cursor + 1, isFast),
    "previous-change": (isFast) => player.goTo(run.changeFrom(player.cursor, -1), isFast),
    "next-change": (isFast) => player.goTo(run.changeFrom(player.cursor, 1), isFast),
    first: () => player.goTo(0),
    last: () => player.goTo(run.last),
    play: () => player.toggle(),
    slower: () => changeSpeed(-1),
    faster: () => changeSpeed(1),
    fit: () => picture.fit(),
    theme: switchTheme,
    keys: () => ($("keys-dialog").open ? $("keys-dialog").close() : $("keys-dialog").showModal()),
  };
  const keys = {
    " ": "play", ArrowRight: "next", ArrowLeft: "previous", PageDown: "next", PageUp: "previous", Home: "first",
    End: "last", "+": "faster", "=": "faster", "-": "slower", "?": "keys", t: "theme", T: "theme", f: "fit", F: "fit",
    0: "fit",
  };
  const shifted = { ArrowRight: "next-change", ArrowLeft: "previous-change" };

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const command = (event.shiftKey && shifted[event.key]) || keys[event.key];
    if (!command || ($("keys-dialog").open && command !== "keys")) return;
    // A button that has the focus is pressed by Space, and sliders and lists have keys of their own.
    if (event.key === " " && event.target.closest?.("button, select")) return;
    if (event.target.matches?.("input, select") && /^(Arrow|Page|Home|End)/.test(event.key)) return;
    event.preventDefault();
    commands[command](event.repeat);
  }

  for (const [id, command] of Object.entries(commands)) $(id)?.addEventListener("click", () => command(false));
  $("close-keys").addEventListener("click", commands.keys);
  $("play").disabled = !run.last;
  $("speed").max = SPEEDS.length - 1;
  $("speed").addEventListener("input", () => player.setSpeed(SPEEDS[$("speed").value]));
  $("strip").setAttribute("aria-valuemin", run.times[0]);
  $("strip").setAttribute("aria-valuemax", run.times[run.last]);
  for (const [time, note] of run.bookmarks) $("bookmarks").add(new Option(`t = ${time.toLocaleString("en")} ${note}`, time));
  $("bookmarks").hidden = !run.bookmarks.length;
  $("bookmarks").addEventListener("change", () => player.goTo(run.indexOf(Number($("bookmarks").value))));
  addEventListener("keydown", onKey);
  addEventListener("hashchange", readAddress);
  isDarkSystem.addEventListener("change", () => strip.paint());
  new ResizeObserver(() => {
    strip.paint();
    strip.show(player.cursor);
  }).observe($("strip"));
  strip.paint();
  show(0);
  showPlaying();
  readAddress();
  window.gpviz = { run, player, picture, strip, Motion };
}

async function open() {
  if (!window.DecompressionStream) {
    $("words").textContent = "This browser is too old for the page; please open it in a newer one.";
    return;
  }
  const fonts = [...document.querySelectorAll("[data-family]")].map(async (element) => {
    const { family, weight } = element.dataset;
    document.fonts.add(await new FontFace(family, await (await inflated(element)).arrayBuffer(), { weight }).load());
  });
  const [data] = await Promise.all([inflated($("data")).then((response) => response.json()), ...fonts]);
  start(new Run(data));
}

open();
