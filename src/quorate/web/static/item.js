// One item on the page: its pictures (zoom and pan by wheel, pinch, buttons and keys; what to do when one fails to load),
// what really stands there, which a picture or a clip says for itself, and the keys that answer what is asked of it.

import { isAnswered, isFilled } from "./page.js";

const MOST = 8;
const SHORT = 60;
const TYPED = "input[type=text], input[type=search], input[type=number], textarea, select";
const CHOSEN = "[type=radio], [type=checkbox]:not([data-cannot], [data-instead])";

/** Makes every picture in an element zoomable, and returns functions that say what was shown. */
export function view(element) {
  return [...element.querySelectorAll("[data-viewer]")].map((figure) => new Viewer(figure));
}

class Viewer {
  constructor(figure) {
    this.figure = figure;
    this.frame = figure.querySelector(".frame");
    this.image = figure.querySelector("img");
    this.unloaded = figure.querySelector(".unloaded");
    this.started = performance.now();
    this.failures = 0;
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    this.pointers = new Map();
    this.listen();
    if (this.image.complete) this.image.naturalWidth ? this.loaded() : this.failed();
  }

  listen() {
    const { frame, image, figure } = this;
    image.addEventListener("load", () => this.loaded());
    image.addEventListener("error", () => this.failed());
    figure.querySelector("[data-again]").addEventListener("click", () => this.again());
    figure.querySelector("[data-without]").addEventListener("click", ({ target }) => {
      // A button that sends must not come before the one that Enter presses: this one stands in for it.
      const { form } = target;
      form.requestSubmit(form.querySelector("button[name=_media_failed]"));
    });
    for (const button of figure.querySelectorAll("[data-zoom]")) {
      button.addEventListener("click", () => this.press(button.dataset.zoom));
    }
    frame.tabIndex = 0;
    frame.setAttribute("role", "group");
    frame.setAttribute("aria-label", image.alt);
    frame.addEventListener("keydown", (event) => this.key(event));
    frame.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    frame.addEventListener("pointerdown", (event) => this.down(event));
    frame.addEventListener("pointermove", (event) => this.move(event));
    for (const name of ["pointerup", "pointercancel"]) frame.addEventListener(name, (event) => this.up(event));
    frame.addEventListener("dblclick", (event) => this.zoom(this.scale > 1 ? 0 : 2.5, event.clientX, event.clientY));
  }

  loaded() {
    this.milliseconds ??= Math.round(performance.now() - this.started);
    this.unloaded.hidden = true;
    this.frame.classList.remove("failed");
    this.figure.querySelector(".zoom").hidden = false;
  }

  failed() {
    this.failures += 1;
    this.unloaded.hidden = false;
    this.frame.classList.add("failed");
    this.figure.querySelector(".zoom").hidden = true;
  }

  again() {
    this.unloaded.hidden = true;
    // The same address again: a query would be another name for the same picture.
    const address = this.image.src;
    this.image.removeAttribute("src");
    this.image.src = address;
    this.frame.focus();
  }

  /** What the browser really showed of this picture. */
  evidence() {
    const { image } = this;
    const ok = image.complete && image.naturalWidth > 0;
    const seen = { name: image.src.split("/").pop(), ok, failures: this.failures, zoomed: this.zoomed ?? 1 };
    if (ok) Object.assign(seen, { width: image.naturalWidth, height: image.naturalHeight, ms: this.milliseconds ?? 0 });
    const box = this.frame.getBoundingClientRect();
    return { ...seen, shown_width: Math.round(box.width), shown_height: Math.round(box.height) };
  }

  press(what) {
    const box = this.frame.getBoundingClientRect();
    const factor = { in: 1.5, out: 1 / 1.5, fit: 0 }[what];
    this.zoom(factor, box.left + box.width / 2, box.top + box.height / 2);
  }

  /** Zooms around a point of the page; a factor of 0 fits the picture again. */
  zoom(factor, pageX, pageY) {
    const box = this.frame.getBoundingClientRect();
    const before = this.scale;
    this.scale = factor ? Math.min(MOST, Math.max(1, before * factor)) : 1;
    const ratio = this.scale / before;
    this.x = (pageX - box.left) * (1 - ratio) + this.x * ratio;
    this.y = (pageY - box.top) * (1 - ratio) + this.y * ratio;
    this.zoomed = Math.max(this.zoomed ?? 1, Math.round(this.scale * 100) / 100);
    this.draw();
  }

  draw() {
    const { clientWidth: width, clientHeight: height } = this.frame;
    this.x = Math.min(0, Math.max(width * (1 - this.scale), this.x));
    this.y = Math.min(0, Math.max(height * (1 - this.scale), this.y));
    this.image.style.transform = this.scale > 1 ? `translate(${this.x}px, ${this.y}px) scale(${this.scale})` : "";
    this.frame.classList.toggle("zoomed", this.scale > 1);
  }

  key(event) {
    const press = { "+": "in", "=": "in", "-": "out", 0: "fit" }[event.key];
    const step = { ArrowLeft: [64, 0], ArrowRight: [-64, 0], ArrowUp: [0, 64], ArrowDown: [0, -64] }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || (!press && !step)) return;
    if (press) this.press(press);
    else if (this.scale > 1) {
      this.x += step[0];
      this.y += step[1];
      this.draw();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  wheel(event) {
    // On narrow pages the wheel scrolls the page; with Ctrl, and from a touchpad's pinch, it zooms everywhere.
    if (!event.ctrlKey && matchMedia("(max-width: 760px)").matches) return;
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0025)), event.clientX, event.clientY);
  }

  down(event) {
    this.pointers.set(event.pointerId, event);
    if (this.scale > 1) {
      this.frame.setPointerCapture(event.pointerId);
      this.frame.classList.add("dragging");
    }
  }

  move(event) {
    const before = this.pointers.get(event.pointerId);
    if (!before) return;
    const other = [...this.pointers.values()].find((pointer) => pointer.pointerId !== event.pointerId);
    if (other) {
      const ratio = distance(event, other) / (distance(before, other) || 1);
      this.zoom(ratio || 1, (event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2);
    } else if (this.scale > 1) {
      this.x += event.clientX - before.clientX;
      this.y += event.clientY - before.clientY;
      this.draw();
    }
    this.pointers.set(event.pointerId, event);
  }

  up(event) {
    this.pointers.delete(event.pointerId);
    this.frame.classList.remove("dragging");
  }
}

function distance(one, other) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}

/** What the server can hold against what it meant to show. */
export function onPage(stimulus, asked) {
  const item = stimulus.querySelector(".item-name")?.textContent.trim();
  const options = {};
  for (const question of asked.querySelectorAll(".choice[data-question]")) {
    options[question.dataset.question] = [...question.querySelectorAll(".options label > span")].map((words) => letters(words).slice(0, SHORT).join(""));
  }
  const sides = [...stimulus.querySelectorAll(".pair-side")].filter((side) => !side.querySelector("[data-viewer], [data-clip]"));
  return { item, options, ...(sides.length && { sides: sides.map(ends) }) };
}

/** How the words on one side begin, and how they end. */
function ends(side) {
  const words = [...side.children].filter((part) => !part.matches(".pair-label")).flatMap(letters);
  return [words.slice(0, SHORT).join(""), words.slice(-SHORT).join("")];
}

function letters(element) {
  return Array.from(element.textContent.replace(/\s+/g, " ").trim());
}

// ---- Keys: a key answers the open question and leads to the next one; typing is left alone

/** Whether keys belong to what is typed in this element. */
export function isTyping(element) {
  return element.matches(TYPED);
}

/**
 * The keyboard's place among the questions of one item: a question, or the part of it that stands for one side.
 *
 * It is the first open one, until the rater goes elsewhere: with Tab, with Backspace (one back), or by a click, after
 * which it is the next open one. Once all are answered it stays at the last, which a key then corrects.
 */
export class Keys {
  constructor(asked) {
    this.asked = asked;
    this.at = null;
    asked.addEventListener("focusin", ({ target }) => (this.at = this.partOf(target)));
    // Arrows in a row of points come as clicks, too, without a pointer: there the place stays.
    asked.addEventListener("click", ({ target, isTrusted, detail }) => {
      if (isTrusted && detail && target.matches("[type=radio]")) this.at = this.next(this.partOf(target)) ?? this.at;
    });
  }

  /** What is asked now, in its order; a condition may have hidden a question since. */
  parts() {
    return [...this.asked.querySelectorAll("[data-question]:not([hidden])")].flatMap((question) => {
      const parts = [...question.querySelectorAll("[data-part]")];
      return parts.length ? parts : [question];
    });
  }

  partOf(element) {
    return element.closest("[data-part]") ?? element.closest("[data-question]");
  }

  /** Whether the keyboard stops here: at what is open, but for what is optional and takes more than one key. */
  isStop(part) {
    const question = part.closest("[data-question]");
    const isOne = part.querySelector("[type=radio]") && !part.querySelector("[data-tag]");
    return (isOne || question.dataset.required) && !question.querySelector("[data-cannot]:checked") && !isFilled(part);
  }

  /** The next place to stop at: behind this one, else what was left open before it and has to be answered. */
  next(part = null) {
    const parts = this.parts();
    const behind = parts.slice(parts.indexOf(part) + 1).find((one) => this.isStop(one));
    return behind ?? parts.find((one) => this.isStop(one) && one !== part && one.closest("[data-question]").dataset.required) ?? null;
  }

  /** Goes to a place: its answer, or where it is to be answered. */
  goTo(part) {
    const field = part.querySelector("input:checked") ?? part.querySelector("input:not([hidden], [data-cannot]), textarea, select");
    field?.focus();
    part.closest("[data-question]").scrollIntoView({ block: "nearest" });
  }

  /** Takes a key that answers; false where it answers nothing. */
  press(key) {
    if (key === "Backspace") return this.back();
    const open = this.next();
    const here = this.at?.isConnected && !this.at.closest("[hidden]") ? this.at : (open ?? this.partOf(document.activeElement) ?? this.parts()[0]);
    const named = (part) => part?.querySelector(`[data-keys~="${CSS.escape(key)}"]`);
    if (!here) return false;
    if (named(here)) return this.choose(here, named(here));
    if (/^[0-9]$/.test(key)) return this.count(here, Number(key));
    // A side may be said again from anywhere; the arrows belong to what has the focus.
    const other = key.startsWith("Arrow") ? [open] : [open, ...this.parts()];
    const part = other.find((one) => named(one));
    return part ? this.choose(part, named(part)) : false;
  }

  /** A digit where no option bears it: the option at that place, the tag at that place, or a number to type. */
  count(part, digit) {
    const number = part.querySelector("input[type=number]");
    if (number) return number.focus(), false;
    const tag = part.querySelectorAll("[data-tag]")[digit - 1];
    if (tag) return this.tag(part, tag);
    // A point of a scale is chosen by its own key alone.
    if (part.querySelector("[data-tag]") || part.matches("[data-keyed]")) return false;
    const option = part.querySelectorAll(CHOSEN)[digit - 1];
    return option ? this.choose(part, option) : false;
  }

  /** The first key says the main reason, where one is asked for; more keys say the others. */
  tag(part, tag) {
    const main = tag.querySelector("[type=radio]");
    if (main && !part.querySelector("[type=radio]:checked")) return this.choose(part, main);
    return this.choose(part, tag.querySelector("[data-secondary]"));
  }

  choose(part, option) {
    option.focus();
    option.click();
    const next = option.type === "radio" ? this.next(part) : null;
    if (next) this.goTo(next);
    return true;
  }

  back() {
    const parts = this.parts();
    const from = this.at ?? this.next();
    const before = parts[(from ? parts.indexOf(from) : parts.length) - 1];
    if (before) this.goTo(before);
    return Boolean(before);
  }

  /** On to the next open question from one that is answered; false where there is none, and all can be sent. */
  goOn(element) {
    const part = this.partOf(element);
    const question = part?.closest("[data-question]");
    if (!part || !this.asked.contains(part) || (question.dataset.required && !isAnswered(question))) return false;
    const next = this.next(part);
    if (next) this.goTo(next);
    return Boolean(next);
  }
}

/** Whether the arrows move along what has the focus, as everywhere. */
export function isMoving(target, key) {
  if (!key.startsWith("Arrow") || !target.matches("[type=radio], [type=range]")) return false;
  return !target.closest("[data-part]")?.querySelector(`[data-keys~="${key}"]`);
}
