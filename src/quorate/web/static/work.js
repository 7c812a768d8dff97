// The workspace: the next item is here before it is asked for, and nothing that was typed is lost.

import { check, live, say } from "./page.js";
import { Outbox, drafts, revisions } from "./outbox.js";
import { Keys, isMoving, isTyping, onPage, view } from "./item.js";

const main = document.querySelector("[data-workspace]");
const form = main.querySelector("form.work");
const grid = main.querySelector("[data-grid]");
const bar = document.querySelector(".bar");
const notice = form.querySelector("[data-notice]");
const submitButton = form.querySelector("[data-submit]");
const { root } = main.dataset;
const warning = form.querySelector("[data-warned]");

const BESIDE = matchMedia("(min-width: 1181px)");

const kept = drafts(root);
const known = revisions(root);
const places = new Map();
let current;
let answered = Number(main.dataset.answered);
let total = Number(bar.querySelector("[data-total]").textContent);
let pauseAt = Number(main.dataset.pauseAt);
let isWaiting = false;
let clock;

// ---- Items: what is held here, and which is shown

function hold({ assignment, position, revision, answered: isAnswered, unshown, html, content }) {
  if (!content) {
    const template = document.createElement("template");
    template.innerHTML = html;
    content = template.content;
  }
  // Taken into the document, so that its pictures load now and not when it is shown.
  const nodes = document.importNode(content, true);
  const place = {
    assignment, position: Number(position), revision: Number(revision), answered: Boolean(isAnswered), isUnshown: Boolean(unshown),
    stimulus: nodes.querySelector(".stimulus"), asked: nodes.querySelector(".asked"),
  };
  places.set(assignment, place);
  return place;
}

function holdFirst() {
  current = {
    assignment: form.dataset.assignment, position: Number(form.dataset.position),
    revision: Number(form.elements._revision.value), answered: Boolean(cell(form.dataset.assignment)?.classList.contains("done")),
    stimulus: form.querySelector(".stimulus"), asked: form.querySelector(".asked"),
    warned: [...(warning?.querySelectorAll("li") ?? [])].map((line) => line.textContent),
  };
  places.set(current.assignment, current);
  for (const template of main.querySelectorAll("template[data-held]")) {
    const { held, position, revision } = template.dataset;
    hold({ assignment: held, position, revision, content: template.content });
  }
}

function show(place, { push = true } = {}) {
  if (current !== place) {
    current.players?.pause();
    current.stimulus.replaceWith(place.stimulus);
    current.asked.replaceWith(place.asked);
  }
  current = place;
  isWaiting = false;
  submitButton.disabled = false;
  tell("");
  showWarning(place);
  place.viewers ??= view(place.stimulus);
  place.keys ??= new Keys(place.asked);
  startClips(place);
  showJudged(place);
  if (!place.isBrowsed && place.stimulus.querySelector("[data-page-browser]")) import("./pages.js").then(({ browse }) => browse(place.stimulus));
  place.isBrowsed = true;
  form.action = `${root}/work/${place.assignment}`;
  form.dataset.assignment = place.assignment;
  form.elements._revision.value = place.revision;
  restore(place);
  live(place.asked);
  showAround(place);
  if (push) history.pushState(null, "", form.action);
  clock = { since: performance.now(), visible: 0, from: visibleNow(), hidden: 0 };
  if (matchMedia("(hover: hover)").matches) (place.players?.first ?? firstField())?.focus({ preventScroll: true });
  else scrollTo(0, 0);
}

/** What does not fit together in the answers, where the study says so before the rater goes on. */
function showWarning({ warned = [] }) {
  if (!warning) return;
  warning.querySelector("ul").replaceChildren(...warned.map((sentence) => Object.assign(document.createElement("li"), { textContent: sentence })));
  warning.hidden = !warned.length;
}

/** Of a long conversation what is judged, or to be answered, is in view first, with as much of what was said before it as fits. */
function showJudged(place) {
  const chat = place.stimulus.querySelector(".chat");
  const judged = chat?.querySelector(".judged") ?? chat?.lastElementChild;
  const before = judged?.previousElementSibling;
  if (before) chat.scrollTop = Math.max(before.offsetTop - 8, judged.offsetTop - chat.clientHeight / 2);
}

/** Clips need a script of their own, which most studies do not. */
async function startClips(place) {
  if (place.players || !place.stimulus.querySelector("[data-clip]")) return;
  const { Players } = await import("./player.js");
  if (place.players) return;
  place.players = new Players(place.stimulus, () => place === current && keep());
  place.players.restore(kept.get(place.assignment)?.media);
  if (place === current && matchMedia("(hover: hover)").matches) place.players.first?.focus({ preventScroll: true });
}

function showAround(place) {
  bar.querySelector("[data-position]").textContent = place.position;
  bar.querySelector("[data-total]").textContent = total;
  const progress = bar.querySelector("progress");
  progress.max = total;
  progress.value = answered;
  document.title = `${place.position} / ${total} · ${main.dataset.title}`;
  main.querySelector("[data-live]").textContent = fill(main.dataset.saysItem, { n: place.position, total });
  for (const link of grid?.querySelectorAll("[aria-current]") ?? []) link.removeAttribute("aria-current");
  cell(place.assignment)?.setAttribute("aria-current", "true");
  cell(place.assignment)?.scrollIntoView({ block: "nearest" });
  const previous = form.querySelector("[data-previous]");
  const before = order().filter((other) => other.position < place.position).at(-1);
  if (!previous) return;
  if (before) previous.href = `${root}/work/${before.assignment}`;
  else previous.removeAttribute("href");
  previous.toggleAttribute("aria-disabled", !before);
}

/** Every item that this page knows of, in its order. */
function order() {
  const all = new Map([...places.values()].map((place) => [place.assignment, place]));
  for (const link of grid?.querySelectorAll("[data-cell]") ?? []) {
    const { cell: assignment, position } = link.dataset;
    const { classList } = link;
    if (!all.has(assignment)) all.set(assignment, { assignment, position: Number(position), answered: classList.contains("done"), isUnshown: classList.contains("unshown") });
  }
  return [...all.values()].sort((a, b) => a.position - b.position);
}

function nextOpen() {
  const open = order().filter((place) => !place.answered && !place.isUnshown && place !== current);
  return open.find((place) => place.position > current.position) ?? open[0];
}

async function open(assignment, options) {
  const place = places.get(assignment);
  if (place && !place.isOld) return show(place, options);
  try {
    const reply = await fetch(`${root}/work/${assignment}`, { headers: { accept: "application/json" } });
    const content = await reply.json();
    if (!reply.ok) return tell(content.message, () => location.assign(content.url ?? root + "/"));
    const [first] = content.places.map((one) => (places.has(one.assignment) && !places.get(one.assignment).isOld ? places.get(one.assignment) : hold(one)));
    show(first, options);
  } catch {
    tell(main.dataset.saysUnheld);
  }
}

function cell(assignment) {
  return grid?.querySelector(`[data-cell="${CSS.escape(assignment)}"]`);
}

/** An item is open, done, or could not be shown: then it is no answer, and comes again at the end. */
function mark(place, is) {
  place.answered = is === "done";
  place.isUnshown = is === "unshown";
  for (const name of ["done", "unshown"]) cell(place.assignment)?.classList.toggle(name, is === name);
}

// ---- Answers: kept, sent, acknowledged

const outbox = new Outbox(root, { send, onReply, onState });

function submit(event) {
  event.preventDefault();
  if (isWaiting) return;
  const isFailed = event.submitter?.name === "_media_failed";
  if (!isFailed && (!check(current.asked) || owes())) return;
  const fields = [...new FormData(form)].filter(([name]) => !name.startsWith("_"));
  // What was answered before stands.
  if (isFailed && current.answered) return showNext() || location.assign(`${root}/`);
  if (isFailed) fields.push(["_media_failed", "1"]);
  keep();
  const isFirst = !current.answered && !isFailed;
  outbox.add({ key: newKey(), assignment: current.assignment, revision: current.revision, fields, evidence: evidence(), isFirst, isFailed });
  mark(current, isFailed ? "unshown" : "done");
  if (isFirst) answered += 1;
  // Where the server may warn, it is heard first.
  if (warning || (isFirst && answered >= pauseAt) || !showNext()) waitForServer();
  outbox.flush(true);
}

/** Goes on to the next open item, if it is here. */
function showNext() {
  const place = places.get(nextOpen()?.assignment);
  if (!place || place.isOld) return false;
  show(place);
  return true;
}

/** Whether a clip has to be played first; says so, and leads there. */
function owes() {
  const owed = current.answered ? null : current.players?.owed();
  if (!owed) return false;
  tell(owed.figure.dataset.owed);
  owed.button.focus();
  return true;
}

function waitForServer() {
  isWaiting = true;
  submitButton.disabled = true;
  bar.querySelector("progress").value = answered;
}

function send(entry) {
  const fields = {};
  for (const [name, value] of entry.fields) (fields[name] ??= []).push(value);
  const { key, revision, evidence } = entry;
  const held = [...places.values()].filter((place) => !place.isOld && !place.answered).map((place) => place.assignment);
  const body = JSON.stringify({ csrf: form.elements._csrf.value, key, revision, fields, evidence, held });
  const headers = { accept: "application/json", "content-type": "application/json" };
  return fetch(`${root}/work/${entry.assignment}`, { method: "POST", body, headers, keepalive: true, redirect: "error" });
}

function onReply(entry, status, content, left) {
  if (status === 200) stored(entry, content, left);
  else if (status === 422) refused(entry, content.errors);
  else if (status === 409) left409(entry, content);
  // What was typed is still in its field, to be shortened.
  else if (status === 413) refused(entry, { "": content.message });
  else tell(content.message || fill(main.dataset.saysServer, { n: left }), status === 401 ? null : () => location.reload());
}

function stored(entry, content, left) {
  const place = places.get(entry.assignment);
  if (place) place.revision = content.revision;
  if (place === current) form.elements._revision.value = content.revision;
  if (!left || !outbox.entries().some((other) => other.assignment === entry.assignment)) kept.remove(entry.assignment);
  known.set(entry.assignment, content.revision);
  for (const one of content.places) if (!places.has(one.assignment) || places.get(one.assignment).isOld) hold(one);
  total = content.total;
  if (place) place.warned = content.warned;
  // The picture is asked for anew when it comes again.
  if (place && entry.isFailed) place.isOld = true;
  if (content.warned.length) return lookAgain(place, content);
  if (left) return;
  answered = content.answered;
  pauseAt = content.pause_at;
  if (content.url) return location.assign(content.url);
  bar.querySelector("progress").value = answered;
  if (isWaiting) goOn(content);
}

/** Back to the item whose answers do not fit together: they are stored, and can be changed or sent again as they are. */
function lookAgain(place, content) {
  answered = content.answered;
  if (!place) return location.assign(`${root}/work`);
  show(place, { push: place !== current });
  warning.scrollIntoView({ block: "nearest" });
}

function goOn() {
  const next = nextOpen();
  // A new batch has other thumbnails: the whole page comes anew.
  if (!next || (grid && !cell(next.assignment))) location.assign(`${root}/work`);
  else open(next.assignment);
}

function refused(entry, errors) {
  const place = places.get(entry.assignment);
  if (entry.isFirst) answered -= 1;
  if (!place) return open(entry.assignment);
  mark(place, entry.isFirst || entry.isFailed ? "open" : "done");
  show(place);
  let isFirst = true;
  for (const [question, sentence] of Object.entries(errors)) {
    // What is said of no question is said beside the buttons.
    if (!place.asked.querySelector(`[data-question="${CSS.escape(question)}"]`)) tell(sentence);
    else say(place.asked.querySelector(`[data-question="${CSS.escape(question)}"]`), sentence, isFirst);
    isFirst = false;
  }
}

function left409(entry, content) {
  const place = places.get(entry.assignment);
  if (!content.is_work) return tell(content.message, () => location.assign(content.url ?? `${root}/`));
  if (place) {
    place.isOld = true;
    show(place, { push: place !== current });
  }
  submitButton.disabled = true;
  tell(content.message, () => newest(entry.assignment));
}

function newest(assignment) {
  kept.remove(assignment);
  places.get(assignment).isOld = true;
  open(assignment, { push: false });
}

function onState(state, n) {
  const save = bar.querySelector("[data-save]");
  const isLate = ["offline", "server", "refused"].includes(state);
  const { saysSaved: saved, saysSaving: saving, saysOffline, saysOfflineOne, saysServer, saysServerOne } = main.dataset;
  const text = { saved, saving, offline: n === 1 ? saysOfflineOne : saysOffline }[state] ?? (n === 1 ? saysServerOne : saysServer);
  save.textContent = fill(text, { n });
  save.classList.toggle("late", isLate);
  // Without the server nobody is warned now: the rater goes on, and hears of it when the answer has arrived.
  if (isLate && isWaiting && warning && answered < pauseAt && showNext()) return;
  if (state === "offline" && isWaiting) tell(main.dataset.saysEnd);
  if (state === "saved" && !submitButton.disabled) tell("");
}

/** Tells the rater something beside the buttons, with a way out where there is one. */
function tell(message, onPress) {
  const [text, button] = notice.children;
  text.textContent = message;
  notice.hidden = !message;
  button.hidden = !onPress;
  button.onclick = onPress ?? null;
}

// ---- Drafts

function keep() {
  const fields = [...new FormData(form)].filter(([name, value]) => !name.startsWith("_") && value);
  const media = current.players?.state() ?? kept.get(current.assignment)?.media;
  kept.set(current.assignment, { revision: current.revision, fields, media });
}

function restore(place) {
  const draft = kept.get(place.assignment);
  if (!draft) return;
  const values = new Map(draft.fields);
  for (const field of place.asked.querySelectorAll("[name]")) {
    if (field.type === "radio") field.checked = values.get(field.name) === field.value;
    else if (field.type === "checkbox") field.checked = draft.fields.some(([name, value]) => name === field.name && value === field.value);
    else field.value = values.get(field.name) ?? "";
  }
}

// ---- Evidence: how long it was looked at, and what was really shown

function visibleNow() {
  return document.visibilityState === "visible" ? performance.now() : null;
}

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") clock.from = performance.now();
  else {
    clock.hidden += 1;
    if (clock.from !== null) clock.visible += performance.now() - clock.from;
    clock.from = null;
  }
});

function evidence() {
  const now = performance.now();
  const visible = clock.visible + (clock.from === null ? 0 : now - clock.from);
  const seconds = (milliseconds) => Math.round(milliseconds) / 1000;
  return {
    seconds: seconds(now - clock.since), visible_seconds: seconds(visible), hidden: clock.hidden,
    position: current.position, ...onPage(current.stimulus, current.asked),
    media: [...current.viewers.map((viewer) => viewer.evidence()), ...(current.players?.evidence() ?? [])],
  };
}

// ---- Keys

function onKey(event) {
  const { target, key } = event;
  if (key === "Enter" && (event.ctrlKey || event.metaKey)) return form.requestSubmit(submitButton);
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  // Enter in one answer leads to the next that is open; when there is none, it sends.
  if (key === "Enter" && target.matches("input") && current.keys.goOn(target)) return event.preventDefault();
  if (isTyping(target)) return key === "Escape" ? target.blur() : undefined;
  if (!isMoving(target, key) && current.keys.press(key)) return event.preventDefault();
  // Space presses what it is on; anywhere else it plays.
  const isPressed = key === " " && target.matches("a, button, summary, [type=checkbox], [type=radio]:not(:checked)");
  if (!isPressed && current.players?.key(key)) return event.preventDefault();
  const action = {
    "?": () => document.getElementById("help").showModal(),
    "[": () => form.querySelector("[data-previous][href]")?.click(),
    g: toggleGrid, G: toggleGrid,
    "+": () => current.viewers[0]?.press("in"), "=": () => current.viewers[0]?.press("in"),
    "-": () => current.viewers[0]?.press("out"), 0: () => current.viewers[0]?.press("fit"),
  }[key];
  if (action) {
    event.preventDefault();
    action();
  } else if (key === "Enter" && !target.closest("a, button, input, summary")) form.requestSubmit(submitButton);
}

/** Where the answers begin: at the first that is open, else at the first of all. */
function firstField() {
  const first = current.keys.next() ?? current.asked.querySelector("[data-question]:not([hidden])");
  return first?.querySelector("input:checked") ?? first?.querySelector("input:not([hidden]), textarea, select");
}

// ---- The grid of thumbnails

function toggleGrid() {
  if (!grid) return;
  setGrid(grid.hidden);
  if (!isBeside()) grid.hidden || cell(current.assignment)?.focus();
  else kept.storage.setItem("quorate/grid", grid.hidden ? "closed" : "open");
}

function setGrid(isOpen) {
  grid.hidden = !isOpen;
  bar.querySelector("[data-grid-switch]").setAttribute("aria-expanded", isOpen);
  if (isOpen) loadSprite();
}

function isBeside() {
  return BESIDE.matches;
}

// A window that gets narrower or wider finds the grid as a page that was loaded so would.
function fitGrid() {
  setGrid(isBeside() && kept.storage.getItem("quorate/grid") !== "closed");
}

/** One picture for all thumbnails, fetched when the item's own picture is there. */
function loadSprite() {
  if (document.getElementById("sprite")) return;
  const { sprite, width, height } = grid.dataset;
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const image = document.createElementNS("http://www.w3.org/2000/svg", "image");
  for (const [name, value] of Object.entries({ id: "sprite", href: sprite, width, height })) image.setAttribute(name, value);
  svg.setAttribute("class", "sprite");
  svg.setAttribute("aria-hidden", "true");
  svg.append(image);
  grid.append(svg);
}

function startGrid() {
  const button = bar.querySelector("[data-grid-switch]");
  button.hidden = false;
  // Where it does not fit beside the work it comes and goes; without a script it stands below.
  grid.classList.add("drawer");
  button.addEventListener("click", toggleGrid);
  grid.addEventListener("click", (event) => {
    const link = event.target.closest("[data-cell]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(link.dataset.cell);
    if (!isBeside()) setGrid(false);
  });
  grid.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !isBeside()) setGrid(false), button.focus();
  });
  BESIDE.addEventListener("change", fitGrid);
  const isOpen = isBeside() && kept.storage.getItem("quorate/grid") !== "closed";
  grid.hidden = !isOpen;
  button.setAttribute("aria-expanded", isOpen);
  const picture = current.stimulus.querySelector("img");
  const load = () => grid.hidden || loadSprite();
  if (!picture || picture.complete) load();
  else for (const name of ["load", "error"]) picture.addEventListener(name, load, { once: true });
}

function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

/** A name for one send; such names sort by time, so that the store finds their place at the end of its index. */
function newKey() {
  const chance = [...crypto.getRandomValues(new Uint8Array(10))].map((byte) => byte.toString(16).padStart(2, "0"));
  return Date.now().toString(16).padStart(12, "0") + chance.join("");
}

// ---- Start

holdFirst();
// Without a script nobody notices that a picture is missing but the rater; here its own place says so.
form.querySelector(".failed").hidden = true;
if (grid) startGrid();
form.addEventListener("submit", submit);
form.addEventListener("input", () => {
  keep();
  bar.querySelector("[data-save]").textContent = main.dataset.saysDraft;
});
form.querySelector("[data-previous]")?.addEventListener("click", (event) => {
  event.preventDefault();
  const { href } = event.currentTarget;
  if (href) open(href.split("/").pop());
});
document.addEventListener("keydown", onKey);
addEventListener("popstate", () => {
  const assignment = location.pathname.split("/").pop();
  if (assignment !== current.assignment) open(assignment, { push: false });
});
// Another tab of this browser has answered something.
addEventListener("storage", ({ key, newValue }) => {
  if (!key?.startsWith(known.prefix) || !newValue) return;
  const place = places.get(key.slice(known.prefix.length));
  if (!place || place.revision >= Number(newValue)) return;
  place.isOld = true;
  mark(place, "done");
  if (place !== current) return;
  submitButton.disabled = true;
  tell(main.dataset.saysOtherTab, () => newest(place.assignment));
});
for (const entry of outbox.entries()) {
  const place = places.get(entry.assignment);
  if (place) mark(place, entry.isFailed ? "unshown" : "done");
}
show(current, { push: false });
const waiting = outbox.entries();
if (waiting.length) {
  if (waiting.some((entry) => entry.assignment === current.assignment)) waitForServer();
  outbox.flush(true);
}
