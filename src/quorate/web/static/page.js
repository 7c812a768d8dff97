// What every page has: light or dark, dialogs, copying, answers that are missing, and a form that is sent once.

const root = document.documentElement;

for (const button of document.querySelectorAll("[data-theme-switch]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    // A cookie and not the storage: the server writes it into the page, so that no page flashes in the other theme.
    document.cookie = `quorate_theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=lax`;
  });
}

for (const opener of document.querySelectorAll("[data-opens]")) {
  opener.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    document.getElementById(opener.dataset.opens).showModal();
  });
}

// A text that stays at hand opens beside the work; its script comes when it is asked for.
document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[data-drawer]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  link.closest("dialog")?.close();
  (await import("./drawer.js")).toggle(link);
});
const ahead = document.querySelector("a[data-drawer=ahead]");
// What has to stay at hand is fetched while there is a connection.
if (ahead) addEventListener("load", () => setTimeout(async () => (await import("./drawer.js")).load(ahead), 500));

for (const button of document.querySelectorAll("[data-copies]")) {
  if (!navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copies).textContent);
    button.textContent = button.dataset.copied;
  });
}

/** Questions that answer to each other need a script of their own; most pages do not. */
export function live(element) {
  const parts = "[data-applies], [data-required-when], [data-cannot], [data-slides], [data-tag], [data-anchor]";
  if (element.querySelector(parts)) import("./questions.js").then(({ refresh }) => refresh(element));
}
live(document);

// At the end nothing of the rater stays in this browser: everything has arrived.
for (const { dataset } of document.querySelectorAll("[data-clears]")) {
  for (const key of Object.keys(localStorage)) if (key.startsWith(dataset.clears)) localStorage.removeItem(key);
}

/** Whether every question that needs an answer has one; the first that has none says so and gets the focus. */
export function check(element) {
  let isRight = true;
  for (const question of element.querySelectorAll("[data-question]:not([hidden])")) {
    const sentence = question.dataset.required && !isAnswered(question) ? question.dataset.required : "";
    say(question, sentence, isRight);
    if (sentence) isRight = false;
  }
  return isRight;
}

/** Whether each part of a question has an answer, such as both sides of a pair. */
export function isAnswered(question) {
  if (question.querySelector("[data-cannot]:checked")) return true;
  const parts = question.querySelectorAll("[data-part]");
  return [...(parts.length ? parts : [question])].every(isFilled);
}

/** Whether a part of a question has an answer. */
export function isFilled(part) {
  return [...part.querySelectorAll("input[name], textarea, select")].some((field) =>
    field.type === "radio" || field.type === "checkbox" ? field.checked : field.value.trim());
}

/** Says at a question what is wrong with its answer; nothing takes it back. */
export function say(question, sentence, withFocus = true) {
  const place = question.querySelector(".wrong");
  place.textContent = sentence;
  place.hidden = !sentence;
  const field = question.querySelector("input:not([hidden]), textarea, select");
  if (!sentence) return field.removeAttribute("aria-invalid");
  field.setAttribute("aria-invalid", "true");
  if (withFocus) field.focus();
}

// "I cannot tell" and a typed answer exclude each other.
document.addEventListener("input", ({ target }) => {
  const question = target.closest?.("[data-question]");
  if (!question) return;
  say(question, "", false);
  const instead = question.querySelector("[data-instead]");
  if (!instead) return;
  if (target === instead) {
    for (const field of question.querySelectorAll("input[type=text], textarea")) {
      if (instead.checked) [field.dataset.typed, field.value] = [field.value, ""];
      else field.value ||= field.dataset.typed ?? "";
    }
  } else if (target.value) instead.checked = false;
});

for (const form of document.querySelectorAll("form[method=post]:not([data-assignment])")) {
  form.addEventListener("submit", (event) => {
    const isWithout = event.submitter?.formNoValidate;
    if (form.dataset.sent || (!isWithout && !check(form))) event.preventDefault();
    // A form whose page stays (a download, another tab) can be sent again.
    else if (!form.target && !form.querySelector("[data-repeats]")) form.dataset.sent = "1";
  });
}
// What is chosen or typed on a page of the way is kept until it is sent: a reload or another language loses nothing.
for (const form of document.querySelectorAll("form[data-keeps]")) {
  const key = `quorate${new URL(form.action).pathname}`;
  const isFresh = !form.querySelector(".wrong:not([hidden])");
  const kept = new Map(isFresh ? JSON.parse(localStorage.getItem(key) ?? "[]") : []);
  for (const field of form.querySelectorAll("[name]:not([type=hidden])")) {
    if (field.matches("[type=radio], [type=checkbox]")) field.checked ||= kept.get(field.name)?.includes(field.value) ?? false;
    else field.value ||= kept.get(field.name)?.[0] ?? "";
  }
  live(form);
  form.addEventListener("input", () => {
    const names = [...new Set([...form.querySelectorAll("[name]:not([type=hidden])")].map((field) => field.name))];
    const data = new FormData(form);
    localStorage.setItem(key, JSON.stringify(names.map((name) => [name, data.getAll(name)]).filter(([, values]) => values.some(Boolean))));
  });
  form.addEventListener("submit", (event) => event.defaultPrevented || localStorage.removeItem(key));
}

// A page that comes back from the browser's memory can be sent again.
addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll("form[data-sent]")) delete form.dataset.sent;
});

// The first thing that the server found wrong gets the focus.
document.querySelector(".wrong:not([hidden])")?.closest(".question")?.querySelector("input, textarea, select")?.focus();
