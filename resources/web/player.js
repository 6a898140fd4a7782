// Where the page is in the run, and how it plays on.

const SPEEDS = [0.05, 0.1, 0.2, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 250, 500, 1000, 2000, 5000];
const FASTEST_ANIMATED = 30, FRAMES_A_SECOND = 60, TRANSITION_MS = 250, LATE_SECONDS = 0.25;
const MOTION_SHARE = 0.7, SLOW_MOTION_SHARE = 0.9; // of the time of a step; a slow one rests on its way as well

function speedText(speed) {
  if (speed < 1) return `1 step in ${Math.round(1 / speed)} s`;
  return speed === 1 ? "1 step/s" : `${grouped(speed)} steps/s`;
}

// Told to `onMoved` is how long the way there may take; `onPlaying` is told when it begins or ends.
class Player {
  constructor(run, onMoved, onPlaying) {
    Object.assign(this, { run, onMoved, onPlaying });
    this.cursor = run.first;
    this.isPlaying = false;
    this.place = SPEEDS.indexOf(2);
    this.tick = this.tick.bind(this);
  }

  get speed() {
    return SPEEDS[this.place];
  }

  // Whether steps outrun frames, so that nobody could read what each of them did.
  get isOutrunning() {
    return this.isPlaying && this.speed > FRAMES_A_SECOND;
  }

  move(iteration, duration) {
    const wanted = Math.min(Math.max(Math.round(iteration), this.run.first), this.run.last);
    if (wanted === this.cursor) return;
    this.cursor = wanted;
    this.onMoved(duration);
  }

  // Go somewhere by hand; where keys repeat, nothing glides.
  goTo(iteration, isFast = false) {
    this.pause();
    this.move(iteration, isFast ? 0 : TRANSITION_MS);
  }

  step(by, isFast = false) {
    this.goTo(this.cursor + by, isFast);
  }

  nextAccepted(isFast = false) {
    this.goTo(this.run.changeAfter(this.cursor) ?? this.run.last, isFast);
  }

  previousAccepted(isFast = false) {
    this.goTo(this.run.changeBefore(this.cursor) ?? this.run.first, isFast);
  }

  play() {
    if (this.isPlaying || !this.run.length) return;
    if (this.cursor === this.run.last) this.move(this.run.first, 0);
    this.isPlaying = true;
    this.owed = 1; // the first step is due at once
    this.since = performance.now();
    this.onPlaying();
    requestAnimationFrame(this.tick);
  }

  pause() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    this.onPlaying();
  }

  toggle() {
    if (this.isPlaying) this.pause();
    else this.play();
  }

  setPlace(place) {
    this.place = Math.min(Math.max(place, 0), SPEEDS.length - 1);
    this.onPlaying();
  }

  tick() {
    if (!this.isPlaying) return;
    const now = performance.now();
    // After a long delay only a part is caught up, so that nothing leaps.
    const late = Math.max(LATE_SECONDS, 1 / this.speed);
    this.owed += Math.min((now - this.since) / 1000, late) * this.speed;
    this.since = now;
    const due = Math.floor(this.owed);
    this.owed -= due;
    if (due) {
      const share = this.speed <= 1 ? SLOW_MOTION_SHARE : MOTION_SHARE;
      this.move(this.cursor + due, this.speed > FASTEST_ANIMATED ? 0 : Math.round((1000 * share) / this.speed));
    }
    if (this.cursor >= this.run.last) this.pause();
    else requestAnimationFrame(this.tick);
  }
}
