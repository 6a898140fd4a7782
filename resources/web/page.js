// Puts the page together: what the buttons and keys do, and what is shown of the iteration under the cursor.

const $ = (id) => document.getElementById(id);

function start() {
  const run = new Run(JSON.parse($("data").textContent));
  const root = document.documentElement;
  const picture = new Picture($("tree"));
  const player = new Player(run, show, showPlaying);
  const curve = new Curve($("curve"), $("curve-cursor"), run, scrub);
  const timeline = new Timeline($("strip"), $("strip-cursor"), run, scrub);
  const isCalm = matchMedia("(prefers-reduced-motion: reduce)");
  const isDarkSystem = matchMedia("(prefers-color-scheme: dark)");
  const bookmarks = run.bookmarks.map(([iteration, note]) => bookmarkButton(iteration, note));

  function show(duration = 0) {
    const { cursor } = player;
    showState(stateAt(run, cursor));
    const step = run.stepAt(cursor), tree = run.treeAt(cursor);
    picture.show(tree, player.isOutrunning ? null : step, cursor, isCalm.matches ? 0 : duration);
    curve.show(cursor);
    timeline.show(cursor);
    setText("iteration", cursor ? `Iteration ${grouped(cursor)}` : "The start");
    setText("told", tell(run, cursor));
    setText("caption", captionOf(run, cursor));
    const position = positionText(run, cursor);
    setText("position", position);
    const slider = $("timeline");
    slider.setAttribute("aria-valuenow", cursor);
    slider.setAttribute("aria-valuetext", position);
    showVerdict(step);
    showEnds();
    for (const [iteration, button] of bookmarks) {
      if ((iteration === cursor) !== button.hasAttribute("aria-current")) {
        button.toggleAttribute("aria-current", iteration === cursor);
      }
    }
    if (!player.isPlaying) describeTree(tree);
  }

  function showState(state) {
    const { dataset } = $("stage"), kind = state === null ? "" : state.kind, words = state === null ? "" : state.body;
    if (dataset.state === kind && dataset.words === words) return;
    Object.assign(dataset, { state: kind, words });
    const title = document.createElement("b");
    if (state !== null) title.textContent = state.title;
    $("state").replaceChildren(...(state === null ? [] : [title, ` ${words}`]));
    reserveTop();
  }

  // The tree keeps clear of the banner.
  function reserveTop() {
    const { height, bottom } = $("state").getBoundingClientRect();
    picture.ceiling = height && bottom - $("tree").getBoundingClientRect().top;
  }

  function setText(id, text) {
    const element = $(id);
    if (element.firstChild?.data !== text) element.textContent = text;
  }

  function showVerdict(step) {
    const chip = $("verdict");
    const verdict = step === null ? "" : verdictWord(step);
    if (chip.dataset.verdict === verdict) return;
    chip.dataset.verdict = verdict;
    chip.hidden = step === null;
    if (step === null) return;
    chip.textContent = `${VERDICTS[step.verdict].symbol} ${verdict}`;
    chip.className = `chip ${VERDICTS[step.verdict].colour}`;
  }

  function showEnds() {
    const isFirst = player.cursor === run.first, isLast = player.cursor === run.last;
    for (const id of ["first", "previous-accepted", "previous"]) $(id).setAttribute("aria-disabled", isFirst);
    for (const id of ["last", "next-accepted", "next"]) $(id).setAttribute("aria-disabled", isLast);
  }

  function describeTree(tree) {
    const size = tree === null ? "The empty tree" : `A tree with ${leavesText(tree.leaves)}`;
    const formula = tree !== null && tree.leaves <= LARGEST_FORMULA ? `: ${formulaOf(tree, UNICODE)}` : "";
    $("tree").setAttribute("aria-label", size + formula);
  }

  function showPlaying() {
    const { isPlaying, speed } = player;
    const button = $("play");
    button.setAttribute("aria-label", isPlaying ? "Pause" : "Play");
    button.title = isPlaying ? "Pause (Space)" : "Play (Space)";
    button.classList.toggle("is-playing", isPlaying);
    $("speed").value = player.place;
    $("speed").setAttribute("aria-valuetext", speedText(speed));
    setText("speed-text", speedText(speed));
    // What changes several times a second is not to be read out.
    $("told").setAttribute("aria-live", isPlaying && speed > 0.5 ? "off" : "polite");
    if (!isPlaying) {
      const { cursor } = player, tree = run.treeAt(cursor);
      if (picture.step === null) picture.show(tree, run.stepAt(cursor), cursor, 0);
      describeTree(tree);
    }
  }

  function scrub(iteration) {
    player.goTo(iteration, true);
  }

  function bookmarkButton(iteration, note) {
    const button = document.createElement("button");
    const number = document.createElement("b");
    number.textContent = `t = ${grouped(iteration)}`;
    if (note) {
      const words = document.createElement("bdi"); // whichever way it is written, the number stays where it is
      words.textContent = note;
      button.append(number, " ", words);
    } else {
      button.append(number);
    }
    button.type = "button";
    button.addEventListener("click", () => player.goTo(iteration));
    const entry = document.createElement("li");
    entry.append(button);
    $("bookmark-list").append(entry);
    return [iteration, button];
  }

  function isDark() {
    const chosen = root.dataset.theme;
    return chosen ? chosen === "dark" : isDarkSystem.matches;
  }

  function showTheme() {
    const palette = paletteOf(root);
    for (const { colour } of VERDICTS) root.style.setProperty(`--on-${colour}`, palette.on(palette[colour]));
    picture.setPalette(palette);
    curve.setPalette(palette);
    timeline.setPalette(palette);
    $("theme").setAttribute("aria-label", isDark() ? "Use light colours" : "Use dark colours");
    $("theme").title = isDark() ? "Light colours (T)" : "Dark colours (T)";
  }

  function switchTheme() {
    root.dataset.theme = isDark() ? "light" : "dark";
    showTheme();
  }

  function switchRedundant() {
    picture.showRedundant(!picture.isRedundantShown);
    $("redundant").setAttribute("aria-pressed", picture.isRedundantShown);
  }

  const commands = {
    first: () => player.goTo(run.first),
    "previous-accepted": (isFast) => player.previousAccepted(isFast),
    previous: (isFast) => player.step(-1, isFast),
    play: () => player.toggle(),
    next: (isFast) => player.step(1, isFast),
    "next-accepted": (isFast) => player.nextAccepted(isFast),
    last: () => player.goTo(run.last),
    slower: () => player.setPlace(player.place - 1),
    faster: () => player.setPlace(player.place + 1),
    theme: switchTheme,
    redundant: switchRedundant,
    fit: () => picture.fit(),
    "zoom-in": () => picture.zoom(1.25),
    "zoom-out": () => picture.zoom(0.8),
    keys: () => ($("keys-dialog").open ? $("keys-dialog").close() : $("keys-dialog").showModal()),
  };
  const keys = {
    " ": "play", ArrowRight: "next", ArrowLeft: "previous", PageDown: "next", PageUp: "previous", Home: "first",
    End: "last", "+": "faster", "=": "faster", "-": "slower", "?": "keys", t: "theme", T: "theme", f: "fit", F: "fit",
    0: "fit", r: "redundant", R: "redundant",
  };
  const shifted = { ArrowRight: "next-accepted", ArrowLeft: "previous-accepted" };

  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const command = (event.shiftKey && shifted[event.key]) || keys[event.key];
    const isDialogOpen = $("keys-dialog").open;
    if (!command || (isDialogOpen && command !== "keys")) return;
    const { target } = event;
    // A button that has the focus is pressed by Space, and a slider has its own arrows.
    if (event.key === " " && target.closest?.("button")) return;
    if (target.matches?.("input") && /^(Arrow|Page|Home|End)/.test(event.key)) return;
    event.preventDefault();
    commands[command](event.repeat);
  }

  function resize() {
    reserveTop();
    picture.resize();
    curve.resize();
    timeline.resize();
  }

  for (const [id, command] of Object.entries(commands)) $(id)?.addEventListener("click", () => command(false));
  $("close-keys").addEventListener("click", () => $("keys-dialog").close());
  $("play").disabled = !run.length;
  $("speed").max = SPEEDS.length - 1;
  $("speed").addEventListener("input", () => player.setPlace(Number($("speed").value)));
  $("timeline").setAttribute("aria-valuemin", run.first);
  $("timeline").setAttribute("aria-valuemax", run.last);
  $("bookmarks").hidden = !bookmarks.length;
  addEventListener("keydown", onKey);
  isDarkSystem.addEventListener("change", showTheme);
  new ResizeObserver(resize).observe($("desk"));
  showTheme();
  showPlaying();
  show();
  resize();
  run.prepare();

  window.gpviz = {
    run,
    player,
    picture,
    curve,
    formulaAt: (iteration) => formulaOf(run.treeAt(iteration)),
    tellAt: (iteration) => tell(run, iteration),
    captionAt: (iteration) => captionOf(run, iteration),
    positionAt: (iteration) => positionText(run, iteration),
    calloutAt: (iteration) => (iteration > run.base ? calloutText(calloutOf(run.stepAt(iteration))) : ""),
    pictureAt: (iteration, isProposal = false) => {
      const picture = pictureOfStep(run.stepAt(iteration), run.treeAt(iteration), isProposal);
      const { x, y, index } = layoutOf(picture.tree, picture.other);
      const sorted = (uids) => [...uids].sort((a, b) => a - b);
      return {
        formula: formulaOf(picture.tree),
        ghosts: sorted(picture.ghosts),
        leaving: sorted(picture.leaving),
        bridges: sorted(bridgesOf(picture)),
        ringed: picture.ringed,
        other: picture.other,
        isCrossed: picture.isCrossed,
        about: placesOf(picture),
        places: [...index].map(([uid, i]) => [uid, x[i], y[i]]),
      };
    },
    stateAt: (iteration) => stateAt(run, iteration),
    redundantAt: (iteration) => [...redundantIn(run.treeAt(iteration))],
    goTo: (iteration) => player.goTo(iteration, true),
    get cursor() { return player.cursor; },
    get isMoving() { return picture.motion !== null; },
  };
}

start();
