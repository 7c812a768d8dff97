// What really stands on the page: which item, its options in their order, and words side by side. Pictures and clips
// say for themselves what they showed.

const SHORT = 60;

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
