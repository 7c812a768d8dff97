// The practice round is a plain form whose pictures can be zoomed.

import "./page.js";
import { view } from "./viewer.js";

const form = document.querySelector("form.work");
view(form);
let players;
if (form.querySelector("[data-page-browser]")) import("./pages.js").then(({ browse }) => browse(form));
if (form.querySelector("[data-clip]")) import("./player.js").then(({ Players }) => (players = new Players(form)));
if (matchMedia("(hover: hover)").matches) form.querySelector(".asked input, .asked textarea")?.focus();
document.addEventListener("keydown", (event) => {
  const { target, key } = event;
  const isOwn = target.matches("input:not([type=range]), textarea, select, button, a, summary");
  if (!isOwn && !event.ctrlKey && !event.metaKey && players?.key(key)) event.preventDefault();
});
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});
