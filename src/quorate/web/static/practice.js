// The practice round is a plain form whose pictures can be zoomed.

import "./page.js";
import { view } from "./viewer.js";

const form = document.querySelector("form.work");
view(form);
if (matchMedia("(hover: hover)").matches) form.querySelector(".asked input, .asked textarea")?.focus();
form.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});
