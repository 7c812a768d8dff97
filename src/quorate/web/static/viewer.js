// Pictures: zoom and pan by wheel, pinch, buttons and keys; what to do when one fails to load; and what really stands on
// the page, which a picture or a clip says for itself.

const MOST = 8;
const SHORT = 60;

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
