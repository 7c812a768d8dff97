// Clips: played alone or in step, and counted. A full play covers 98 % of a clip while the page is visible, at no
// more than the clip's own speed. What was played survives a reload; the server decides whether it is enough.

const FULL = 0.98;
const FRAME = 1 / 24;

/** All clips of one item. `onChange` is called when something was counted that should not be lost. */
export class Players {
  constructor(element, onChange = () => {}) {
    this.onChange = onChange;
    this.clips = [...element.querySelectorAll("[data-clip]")].map((figure) => new Clip(figure, this));
    const bar = element.querySelector("[data-joint]");
    const pair = this.clips.filter((clip) => clip.figure.closest(".pair-side"));
    this.joint = bar && pair.length === 2 ? new Joint(bar, pair) : null;
  }

  /** The first play button: where the keyboard begins. */
  get first() {
    return this.joint?.button ?? this.clips[0]?.button;
  }

  evidence() {
    return this.clips.map((clip) => clip.evidence());
  }

  /** The first clip that has not been played as often as asked. */
  owed() {
    return this.clips.find((clip) => clip.counted < clip.needed);
  }

  state() {
    return Object.fromEntries(this.clips.map((clip) => [clip.name, clip.seen]));
  }

  restore(state = {}) {
    for (const clip of this.clips) if (state[clip.name]) clip.restore(state[clip.name]);
  }

  pause() {
    for (const clip of this.clips) clip.media.pause();
  }

  /** Space plays or pauses, the comma and the full stop step; true where the key was one of these. */
  key(key) {
    const target = this.joint ?? this.clips[0];
    if (key === " ") target.toggle();
    else if (key === "," || key === ".") target.step(key === "." ? 1 : -1);
    else return false;
    return true;
  }
}

/** What a bar of controls does, for one clip or for both. */
class Bar {
  wire(bar) {
    this.bar = bar;
    this.button = bar.querySelector("[data-play]");
    this.seekBar = bar.querySelector("[data-seek]");
    this.button.addEventListener("click", () => this.toggle());
    this.seekBar.addEventListener("input", (event) => {
      event.stopPropagation();
      this.seek(this.seekBar.value / 1000);
    });
    for (const button of bar.querySelectorAll("[data-step]")) button.addEventListener("click", () => this.step(Number(button.dataset.step)));
    bar.hidden = false;
  }

  draw(time, duration, isPlaying) {
    const label = isPlaying ? this.button.dataset.saysPause : this.button.dataset.saysPlay;
    this.bar.classList.toggle("playing", isPlaying);
    this.button.setAttribute("aria-label", label);
    const words = this.button.querySelector("[data-says]");
    if (words) words.textContent = label;
    if (document.activeElement !== this.seekBar || isPlaying) this.seekBar.value = duration ? (1000 * time) / duration : 0;
    const text = `${clock(time, duration)} / ${clock(duration, duration)}`;
    this.seekBar.setAttribute("aria-valuetext", text);
    this.bar.querySelector("[data-time]").textContent = text;
  }
}

class Clip extends Bar {
  constructor(figure, players) {
    super();
    this.figure = figure;
    this.players = players;
    this.media = figure.querySelector("video, audio");
    this.name = this.media.getAttribute("src").split("/").pop();
    this.needed = Number(figure.dataset.full);
    this.failures = 0;
    this.isTogether = false;
    this.isTail = false;
    this.at = null;
    this.target = null;
    // `alone` and `together` are the stretches that the current play has covered.
    this.seen = { full_plays: 0, full_plays_together: 0, seeks: 0, steps: 0, seconds: 0, fastest: 0, alone: [], together: [] };
    this.media.controls = false;
    this.media.preload = "auto";
    this.wire(figure.querySelector(".player"));
    this.listen();
    this.show();
  }

  listen() {
    const { media, figure } = this;
    const on = (names, act) => names.split(" ").forEach((name) => media.addEventListener(name, act));
    on("play", () => this.began());
    on("pause ended", () => {
      this.watch();
      this.at = null;
      this.show();
      this.players.onChange();
    });
    on("seeking", () => (this.at = null));
    on("seeked", () => {
      // It may have played on before this is heard: the stretch begins where it was sent.
      if (!media.paused) this.from(Math.min(media.currentTime, this.target ?? Infinity));
      this.target = null;
      this.show();
    });
    on("loadedmetadata timeupdate", () => this.show());
    on("loadeddata", () => this.loaded());
    on("error", () => this.failed());
    if (media.error) this.failed();
    media.addEventListener("click", () => this.toggle());
    document.addEventListener("visibilitychange", () => {
      this.watch();
      this.at = null;
      if (document.visibilityState === "visible" && !media.paused) this.from(media.currentTime);
    });
    figure.querySelector("[data-again]").addEventListener("click", () => {
      figure.querySelector(".unloaded").hidden = true;
      media.load();
    });
    figure.querySelector("[data-without]").addEventListener("click", ({ target }) => {
      const { form } = target;
      form.requestSubmit(form.querySelector("button[name=_media_failed]"));
    });
  }

  loaded() {
    this.figure.querySelector(".unloaded").hidden = true;
    this.bar.hidden = false;
  }

  failed() {
    this.failures += 1;
    this.figure.querySelector(".unloaded").hidden = false;
    this.bar.hidden = true;
  }

  toggle() {
    this.isTogether = false;
    // One of several is heard at a time.
    if (this.media.paused && this.figure.closest(".several")) this.players.pause();
    if (this.media.paused) this.play();
    else this.media.pause();
  }

  play() {
    if (this.media.ended) this.move(0);
    else this.from(this.media.currentTime);
    return this.media.play().catch(() => this.show());
  }

  seek(share) {
    this.seen.seeks += 1;
    this.move(share * (this.media.duration || 0));
  }

  move(time) {
    this.target = Math.min(Math.max(0, time), this.media.duration || 0);
    this.media.currentTime = this.target;
  }

  step(direction) {
    this.media.pause();
    this.seen.steps += 1;
    this.move(this.media.currentTime + direction * FRAME);
  }

  began() {
    if (this.at === null && !this.media.seeking) this.from(this.media.currentTime);
    const tick = () => {
      if (this.media.paused) return;
      this.watch();
      this.show();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  }

  /** A stretch begins here. */
  from(time) {
    if (this.isTail && time < this.media.duration * 0.9) this.isTail = false;
    this.at = time;
    this.since = performance.now();
  }

  /** Counts what has been played since the last look, where it can have been seen. */
  watch() {
    const { media, seen } = this;
    if (this.at === null || media.seeking || document.visibilityState !== "visible") return;
    const [from, to, now] = [this.at, media.currentTime, performance.now()];
    const passed = (now - this.since) / 1000;
    [this.at, this.since] = [to, now];
    // A jump that took no time was not watched.
    if (to <= from || to - from > passed * media.playbackRate + 0.25) return;
    seen.fastest = Math.max(seen.fastest, media.playbackRate);
    if (media.playbackRate > 1) return;
    seen.seconds = Math.round((seen.seconds + to - from) * 1000) / 1000;
    if (!this.isTail) this.cover(this.isTogether ? "together" : "alone", from, to);
  }

  cover(how, from, to) {
    const { seen, media } = this;
    seen[how] = merged([...seen[how], [from, to]]);
    const covered = seen[how].reduce((sum, [one, other]) => sum + other - one, 0);
    if (covered < FULL * media.duration) return;
    seen[how === "alone" ? "full_plays" : "full_plays_together"] += 1;
    // What is left of this play belongs to no other.
    seen[how] = [];
    this.isTail = true;
    this.show();
    this.players.onChange();
  }

  get counted() {
    const { full_plays: alone, full_plays_together: together } = this.seen;
    return alone + ("countsTogether" in this.figure.dataset ? together : 0);
  }

  restore(seen) {
    this.seen = { ...this.seen, ...seen };
    this.show();
  }

  show() {
    const { media } = this;
    this.draw(media.currentTime, media.duration || 0, !media.paused);
    this.players.joint?.show();
    const passes = this.figure.querySelector(".passes");
    if (!passes) return;
    passes.hidden = false;
    passes.querySelectorAll("[data-pass]").forEach((pass, number) => {
      const isDone = number < this.counted;
      if (pass.classList.contains("done") === isDone) return;
      pass.classList.toggle("done", isDone);
      if (isDone) pass.setAttribute("aria-label", `${pass.textContent}: ${pass.dataset.saysDone}`);
      else pass.removeAttribute("aria-label");
    });
  }

  /** What the browser really played of this clip. */
  evidence() {
    const { media, seen, name } = this;
    const { alone, together, ...counts } = seen;
    const box = this.figure.querySelector(".screen").getBoundingClientRect();
    return {
      name, ok: media.readyState >= 2, failures: this.failures, duration: media.duration || 0, ...counts,
      width: media.videoWidth ?? 0, height: media.videoHeight ?? 0, shown_width: Math.round(box.width), shown_height: Math.round(box.height),
    };
  }
}

/** Both clips of a pair, in step. */
class Joint extends Bar {
  constructor(bar, clips) {
    super();
    this.clips = clips;
    this.wire(bar);
    this.show();
  }

  get duration() {
    return Math.max(...this.clips.map(({ media }) => media.duration || 0));
  }

  get isPlaying() {
    return this.clips.some((clip) => clip.isTogether && !clip.media.paused);
  }

  get time() {
    return Math.max(...this.clips.map(({ media }) => media.currentTime));
  }

  toggle() {
    if (this.isPlaying) {
      for (const { media } of this.clips) media.pause();
      return;
    }
    const isOver = this.clips.every(({ media }) => media.ended);
    const time = isOver ? 0 : Math.min(...this.clips.filter(({ media }) => !media.ended).map(({ media }) => media.currentTime));
    for (const clip of this.clips) {
      clip.media.pause();
      clip.isTogether = true;
      if (clip.media.currentTime !== time && time < clip.media.duration) clip.move(time);
    }
    for (const clip of this.clips) if (isOver || !clip.media.ended) clip.play();
  }

  seek(share) {
    const time = share * this.duration;
    for (const clip of this.clips) {
      clip.seen.seeks += 1;
      clip.move(time);
    }
  }

  step(direction) {
    const time = this.time;
    for (const clip of this.clips) {
      clip.media.pause();
      clip.seen.steps += 1;
      clip.move(time + direction * FRAME);
    }
  }

  show() {
    // The second follows the first where they drift apart.
    const [one, other] = this.clips.map(({ media }) => media);
    const isRunning = this.isPlaying && !one.paused && !other.paused && !one.seeking && !other.seeking;
    if (isRunning && Math.abs(one.currentTime - other.currentTime) > 0.2) this.clips[1].move(one.currentTime);
    this.draw(this.time, this.duration, this.isPlaying);
  }
}

/** Stretches joined where they touch or overlap, in their order. */
function merged(stretches) {
  const found = [];
  for (const [from, to] of stretches.sort((a, b) => a[0] - b[0])) {
    const last = found.at(-1);
    if (last && from <= last[1] + 0.05) last[1] = Math.max(last[1], to);
    else found.push([from, to]);
  }
  return found;
}

/** Minutes and seconds; of a short clip, tenths of a second. */
function clock(seconds, duration) {
  if (duration < 10) return seconds.toFixed(1);
  const whole = Math.floor(seconds);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}
