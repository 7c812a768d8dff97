// The desk's tables can be sorted and filtered; a page that waits for something looks again.

for (const table of document.querySelectorAll("table[data-sorts]")) {
  const body = table.tBodies[0];
  for (const [column, head] of [...table.tHead.rows[0].cells].entries()) {
    if ("plain" in head.dataset || body.rows.length < 2) continue;
    const button = document.createElement("button");
    button.className = "sorter";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => sort(table, column, head));
  }
}

function sort(table, column, head) {
  const isDown = head.getAttribute("aria-sort") === "ascending";
  for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", isDown ? "descending" : "ascending");
  const compare = new Intl.Collator("en", { numeric: true }).compare;
  const value = (row) => row.cells[column].dataset.value ?? row.cells[column].textContent.trim();
  const rows = [...table.tBodies[0].rows].sort((a, b) => (isDown ? -1 : 1) * compare(value(a), value(b)));
  table.tBodies[0].append(...rows);
}

for (const field of document.querySelectorAll("[data-filters]")) {
  field.hidden = false;
  field.addEventListener("input", () => {
    const wanted = field.value.toLowerCase();
    for (const row of document.getElementById(field.dataset.filters).tBodies[0].rows) {
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
    }
  });
}

const waits = document.querySelector("[data-reloads]");
if (waits) setTimeout(() => location.assign(location.pathname), Number(waits.dataset.reloads));
