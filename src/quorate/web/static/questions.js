// Questions that answer to each other: shown or required by condition, sliders, tags with their sides.
// A refresh reads everything from the form, so that it is right after a click, a restored draft or a revision.

/** Brings the questions in an element in line with what is answered. */
export function refresh(element) {
  const answers = new Map();
  for (const question of element.querySelectorAll("[data-question]")) {
    if (question.dataset.applies) {
      question.hidden = !holds(JSON.parse(question.dataset.applies), answers);
      question.querySelector("[data-condition-note]").hidden = true;
    }
    if (question.dataset.requiredWhen) {
      const isRequired = holds(JSON.parse(question.dataset.requiredWhen), answers);
      if (isRequired) question.dataset.required = question.dataset.requiredIf;
      else delete question.dataset.required;
      question.querySelector("[data-optional]").hidden = isRequired;
    }
    for (const range of question.querySelectorAll("[data-slides]")) slide(range);
    for (const tags of question.querySelectorAll("[data-sides-of], [data-most]")) settle(tags, answers);
    for (const anchor of question.querySelectorAll("[data-anchor]")) {
      anchor.classList.toggle("chosen", Boolean(question.querySelector(`input[value="${CSS.escape(anchor.dataset.anchor)}"]:checked`)));
    }
    answers.set(question.dataset.question, given(question));
  }
}

/** What the fields of a question say, as the page sends it; a hidden question says nothing. */
function given(question) {
  if (question.hidden || question.querySelector("[data-cannot]:checked")) return [];
  return [...question.querySelectorAll("[name]")]
    .filter((field) => !field.matches("[data-of]") && (field.matches("[type=radio], [type=checkbox]") ? field.checked : field.value.trim()))
    .map((field) => field.value);
}

function holds(tree, answers) {
  if (tree.all) return tree.all.every((part) => holds(part, answers));
  if (tree.any) return tree.any.some((part) => holds(part, answers));
  if (tree.not) return !holds(tree.not, answers);
  const values = answers.get(tree.ask) ?? [];
  if (!values.length) return tree.empty;
  return tree.in ? values.some((value) => tree.in.includes(value)) : !values.some((value) => tree.out.includes(value));
}

/** A slider stands in for a number field, and has no mark until it was moved. */
function slide(range) {
  const number = range.parentElement.querySelector("input[type=number]");
  range.hidden = false;
  range.classList.toggle("untouched", !number.value);
  if (number.value) range.value = number.value;
}

/** Tags: the main one need not be chosen again, no more than allowed, and a side for each where nobody lost. */
function settle(tags, answers) {
  const most = Number(tags.dataset.most ?? Infinity);
  const isTie = tags.dataset.sidesOf !== undefined && answers.get(tags.dataset.sidesOf)?.[0] === "tie";
  const rows = [...tags.querySelectorAll("[data-tag]")].map((row) => ({
    row, main: row.querySelector("[data-primary]"), also: row.querySelector("[data-secondary]"), side: row.querySelector("[data-of]"),
  }));
  for (const { main, also } of rows) if (main?.checked) also.checked = false;
  const chosen = rows.filter(({ also }) => also.checked).length;
  for (const { row, main, also, side } of rows) {
    also.disabled = Boolean(main?.checked) || (!also.checked && chosen >= most);
    row.classList.toggle("chosen", Boolean(main?.checked || also.checked));
    if (side) side.hidden = !(isTie && (main?.checked || also.checked));
  }
}

document.addEventListener("input", ({ target }) => {
  const question = target.closest?.("[data-question]");
  if (!question) return;
  if (target.matches("[data-slides]")) target.parentElement.querySelector("input[type=number]").value = target.value;
  if (target.matches("[data-cannot]") && target.checked) clear(question);
  else if (!target.matches("[data-cannot]")) for (const cannot of question.querySelectorAll("[data-cannot]")) cannot.checked = false;
  refresh(question.closest("form"));
}, { capture: true });

function clear(question) {
  for (const field of question.querySelectorAll("[name]:not([data-cannot])")) {
    if (field.matches("[type=radio], [type=checkbox]")) field.checked = false;
    else field.value = "";
  }
}

for (const form of document.querySelectorAll("form")) refresh(form);
