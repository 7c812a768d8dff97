// What the report's page can do beyond being read: sort and filter tables, show where a number comes from, open folds.
"use strict";

const words = JSON.parse(document.getElementById("words").textContent);
const main = document.querySelector("main");

// ---- folds: what a link or a printer needs is open
function unfold(element) {
  for (let fold = element?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
}
function follow() {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target) { unfold(target); target.scrollIntoView(); }
}
addEventListener("hashchange", follow);
let folded = [];
addEventListener("beforeprint", () => {
  folded = [...document.querySelectorAll("details:not([open])")];
  folded.forEach((fold) => { fold.open = true; });
});
addEventListener("afterprint", () => folded.forEach((fold) => { fold.open = false; }));

// ---- tables: sorted by a column, reduced to rows that hold a word
const text = (cell) => (cell?.firstChild?.textContent ?? "").trim();
function numeric(word) {
  const found = word.replace(/[,\s]/g, "").replace("−", "-").match(/-?\d*\.?\d+/);
  return found ? parseFloat(found[0]) : NaN;
}
function compare(a, b) {
  const [x, y] = [numeric(a), numeric(b)];
  if (!isNaN(x) && !isNaN(y)) return x - y;
  if (isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1;
  return a.localeCompare(b, document.documentElement.lang, { numeric: true });
}
function sortable(table) {
  const body = table.tBodies[0];
  const asWritten = [...body.rows];
  for (const head of table.tHead.rows[0].querySelectorAll("th")) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const next = { none: "ascending", ascending: "descending", descending: "none" }[head.ariaSort ?? "none"];
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      if (next !== "none") head.ariaSort = next;
      const rows = next === "none" ? asWritten : [...asWritten].sort((one, other) => {
        const order = compare(text(one.cells[head.cellIndex]), text(other.cells[head.cellIndex]));
        return next === "ascending" ? order : -order;
      });
      body.append(...rows);
    });
  }
}
function filterable(table) {
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = words.filter;
  field.setAttribute("aria-label", `${words.filter}: ${table.closest("[aria-label]")?.getAttribute("aria-label") ?? ""}`);
  field.className = "filter";
  const told = document.createElement("span");
  told.setAttribute("role", "status");
  const tools = document.createElement("div");
  tools.className = "tools";
  tools.append(field, told);
  table.closest(".scroll").before(tools);
  const rows = [...table.tBodies[0].rows];
  field.addEventListener("input", () => {
    const sought = field.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      row.hidden = !row.textContent.toLowerCase().includes(sought);
      shown += !row.hidden;
    }
    told.textContent = sought ? words.shown.replace("{n}", shown).replace("{of}", rows.length) : "";
  });
}
const FEW_ROWS = 3, MANY_ROWS = 12;
for (const table of main.querySelectorAll(".scroll > table")) {
  if (table.closest(".confusion")) continue;
  const n = table.tBodies[0].rows.length;
  if (n >= FEW_ROWS) sortable(table);
  if (n >= MANY_ROWS) filterable(table);
}

// ---- a number: where it comes from, beside it
const panel = document.createElement("div");
panel.className = "panel";
panel.setAttribute("role", "dialog");
panel.hidden = true;
document.body.append(panel);
let asked = null;
function close(back) {
  panel.hidden = true;
  if (back) asked?.focus();
}
function show(link) {
  const row = document.getElementById(decodeURIComponent(link.hash.slice(1)));
  if (!row) return false;
  const list = document.createElement("dl");
  const heads = row.closest("table").tHead.rows[0].cells;
  for (const cell of row.cells) {
    const [name, value] = [document.createElement("dt"), document.createElement("dd")];
    name.textContent = heads[cell.cellIndex].textContent;
    value.append(...[...cell.childNodes].map((node) => node.cloneNode(true)));
    list.append(name, value);
  }
  const [more, away] = [document.createElement("a"), document.createElement("button")];
  more.href = link.hash;
  more.textContent = words.row;
  more.addEventListener("click", () => close(false));
  away.type = "button";
  away.textContent = words.close;
  away.addEventListener("click", () => close(true));
  const foot = document.createElement("p");
  foot.append(more, away);
  panel.replaceChildren(list, foot);
  panel.setAttribute("aria-label", row.cells[0].firstChild.textContent);
  panel.hidden = false;
  const at = link.getBoundingClientRect();
  const left = Math.min(Math.max(8, at.left), innerWidth - panel.offsetWidth - 8);
  const below = at.bottom + panel.offsetHeight + 8 < innerHeight;
  panel.style.left = `${left + scrollX}px`;
  panel.style.top = `${(below ? at.bottom + 6 : Math.max(8, at.top - panel.offsetHeight - 6)) + scrollY}px`;
  asked = link;
  away.focus({ preventScroll: true });
  return true;
}
main.addEventListener("click", (event) => {
  const link = event.target.closest(".scroll td a[href^='#'], .scroll th a[href^='#']");
  if (!link || link.closest(".evidence") || event.metaKey || event.ctrlKey) return;
  if (show(link)) event.preventDefault();
});
addEventListener("keydown", (event) => { if (event.key === "Escape" && !panel.hidden) close(true); });
addEventListener("pointerdown", (event) => { if (!panel.hidden && !panel.contains(event.target)) close(false); });

// ---- the contents: beside the page where there is room, else folded; which part is being read
const beside = matchMedia("(min-width: 80rem)");
const list = document.querySelector("nav.contents details");
const place = () => { list.open = beside.matches; };
beside.addEventListener("change", place);
place();
const contents = new Map([...document.querySelectorAll("nav.contents a")].map((link) => [link.hash.slice(1), link]));
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    for (const link of contents.values()) link.removeAttribute("aria-current");
    contents.get(entry.target.id)?.setAttribute("aria-current", "true");
  }
}, { rootMargin: "-10% 0px -80% 0px" });
for (const id of contents.keys()) {
  const part = document.getElementById(id);
  if (part) seen.observe(part);
}
follow();
