// The practice round is a plain form whose pictures can be zoomed and whose clips are played as in the work.

import "./page.js";
import { Keys, isMoving, isTyping, onPage, view } from "./item.js";

const form = document.querySelector("form.work");
const viewers = view(form);
const keys = new Keys(form.querySelector(".asked"));
form.querySelector(".failed").hidden = true;
const notice = form.querySelector("[data-notice]");
// What was played survives a reload, and a page that comes back because an answer was missing.
const key = `quorate${new URL(form.action).pathname}/played`;
let players;
if (form.querySelector("[data-page-browser]")) import("./pages.js").then(({ browse }) => browse(form));
if (form.querySelector("[data-clip]")) import("./player.js").then(({ Players }) => {
  players = new Players(form, () => sessionStorage.setItem(key, JSON.stringify(players.state())));
  players.restore(JSON.parse(sessionStorage.getItem(key) ?? "{}"));
});
if (matchMedia("(hover: hover)").matches) form.querySelector(".asked input, .asked textarea")?.focus({ preventScroll: true });
document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  if (key === "Enter" && target.matches("input") && keys.goOn(target)) return event.preventDefault();
  if (isTyping(target)) return key === "Escape" ? target.blur() : undefined;
  if (!isMoving(target, key) && keys.press(key)) return event.preventDefault();
  const isPressed = key === " " && target.matches("a, button, summary, [type=checkbox], [type=radio]:not(:checked)");
  if (!isPressed && players?.key(key)) event.preventDefault();
});
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});

// Before anything else hears of it: a form that has to wait for a clip is not sent.
form.addEventListener("submit", (event) => {
  const owed = event.submitter?.formNoValidate ? null : players?.owed();
  if (!owed) {
    const media = [...viewers.map((viewer) => viewer.evidence()), ...(players?.evidence() ?? [])];
    form.elements._evidence.value = JSON.stringify({ ...onPage(form.querySelector(".stimulus"), form.querySelector(".asked")), media });
    return;
  }
  event.preventDefault();
  event.stopImmediatePropagation();
  notice.firstElementChild.textContent = owed.figure.dataset.owed;
  notice.hidden = false;
  owed.button.focus();
}, { capture: true });
