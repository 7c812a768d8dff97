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
// Below the number where there is room, else above it; and always whole within the window.
function beside(at) {
  const left = Math.min(Math.max(8, at.left), innerWidth - panel.offsetWidth - 8);
  const below = at.bottom + panel.offsetHeight + 8 < innerHeight;
  const top = below ? at.bottom + 6 : at.top - panel.offsetHeight - 6;
  panel.style.left = `${left + scrollX}px`;
  panel.style.top = `${Math.min(Math.max(8, top), Math.max(8, innerHeight - panel.offsetHeight - 8)) + scrollY}px`;
}
new ResizeObserver(() => { if (asked && !panel.hidden) beside(asked.getBoundingClientRect()); }).observe(panel);
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
  const rows = answersBehind(row.id);
  panel.replaceChildren(list, ...(rows ? [rows] : []), foot);
  panel.setAttribute("aria-label", row.cells[0].firstChild.textContent);
  panel.hidden = false;
  asked = link;
  beside(link.getBoundingClientRect());
  away.focus({ preventScroll: true });
  return true;
}

// ---- the answers behind a number, what was shown there, and back
const MANY_ANSWERS = 200;
function element(name, content = "", className = "") {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(content);
  return made;
}
function pressed(content, does) {
  const button = element("button", content);
  button.type = "button";
  button.addEventListener("click", does);
  return button;
}
// What stands in the page is read when the first number is asked for, not before.
let held;
const study = () => (held ??= read(JSON.parse(document.getElementById("explored")?.textContent ?? "null")));
// Answers stand by question in columns; here each is [question, item, who, value, right, systems].
function read(found) {
  if (!found) return found;
  found.answers = found.answers.flatMap(({ item, who, value, values, right, system, systems }, question) => item.map((_, place) =>
    [question, item[place], who[place], values[value[place]], right ? right[place] === "1" : null, systems?.[system[place]] ?? []]));
  return found;
}
function isOf(of, [question, item, who, , , systems]) {
  if (question !== of.q) return false;
  if (of.by && study().fields[of.by][item] !== of.stratum) return false;
  if (of.systems && !of.systems.every((system) => systems.includes(system))) return false;
  const isJudge = study().judges.includes(who);
  return isJudge ? who === of.judge : !of.who || of.who.includes(who);
}
function answer([, , , value, right]) {
  const cell = element("td", value);
  if (right !== null) {
    const mark = element("span", right ? " ✓" : " ✗", `mark ${right ? "right" : "wrong"}`);
    mark.setAttribute("aria-label", right ? words.right : words.wrong);
    cell.append(mark);
  }
  return cell;
}
const named = (who) => study().people[who] + (study().judges.includes(who) ? ` (${words.judge})` : "");
function answersBehind(id) {
  const of = study()?.of[id];
  if (!of || (of.by && !(of.by in study().fields))) return null;
  const found = study().answers.filter((row) => isOf(of, row));
  if (!found.length) return null;
  const part = element("details", "", "behind");
  const title = element("summary", words.rows);
  title.append(element("span", ` · ${study().questions[of.q][1]}`, "quiet"));
  part.append(title);
  part.addEventListener("toggle", () => {
    if (part.childElementCount > 1) return;
    const table = element("table");
    for (const row of found.slice(0, MANY_ANSWERS)) {
      const line = element("tr");
      const place = element("th", pressed(study().items[row[1]], () => lookAt(row[1], part.parentElement)));
      place.scope = "row";
      line.append(place, element("td", named(row[2])), answer(row));
      table.append(line);
    }
    part.append(table);
    if (found.length > MANY_ANSWERS) part.append(element("p", words.more.replace("{n}", MANY_ANSWERS).replace("{of}", found.length)));
  });
  return part;
}
function lookAt(item, from) {
  const was = [...from.childNodes];
  const look = element("div", "", "item");
  look.append(element("h4", study().items[item]));
  study().sections.forEach((title, section) => {
    const asked = study().questions.map((_, place) => place).filter((place) => study().questions[place][0] === section);
    const about = study().answers.filter(([question, of]) => of === item && asked.includes(question));
    if (!about.length) return;
    if (study().sections.length > 1) look.append(element("h5", title));
    for (const one of study().shown[item][section]) {
      if (one.picture) {
        const picture = element("img");
        [picture.src, picture.alt] = [one.picture, one.file];
        look.append(picture);
      } else look.append(element("p", one.text ?? one.file, one.text ? "shown" : "shown file"));
    }
    for (const question of asked) {
      const mine = about.filter((row) => row[0] === question);
      if (!mine.length) continue;
      look.append(element("p", study().questions[question][1], "asked"));
      const table = element("table");
      for (const row of mine) {
        const line = element("tr");
        const who = element("th", named(row[2]));
        who.scope = "row";
        line.append(who, answer(row));
        table.append(line);
      }
      look.append(table);
    }
  });
  const back = pressed(words.back, () => { from.replaceChildren(...was); from.querySelector(".behind summary").focus(); });
  const foot = element("p");
  foot.append(back, pressed(words.close, () => close(true)));
  from.replaceChildren(look, foot);
  from.scrollTop = 0;
  back.focus({ preventScroll: true });
}

main.addEventListener("click", (event) => {
  const link = event.target.closest(".scroll td a[href^='#'], .scroll th a[href^='#']");
  if (!link || link.closest(".evidence") || event.metaKey || event.ctrlKey) return;
  if (show(link)) event.preventDefault();
});
addEventListener("keydown", (event) => { if (event.key === "Escape" && !panel.hidden) close(true); });
addEventListener("pointerdown", (event) => { if (!panel.hidden && !panel.contains(event.target)) close(false); });

// ---- the contents: beside the page where there is room, else folded; which part is being read
const wide = matchMedia("(min-width: 80rem)");
const list = document.querySelector("nav.contents details");
const place = () => { list.open = wide.matches; };
wide.addEventListener("change", place);
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
