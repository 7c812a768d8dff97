// Texts that stay at hand: the page of a link opens beside the work, and the work stays where it is.

const texts = new Map();
let drawer;
let opener;

/** Opens the text of a link, or closes it when it is open already. */
export async function toggle(link) {
  if (drawer && !drawer.hidden && drawer.dataset.of === link.pathname) return close();
  opener = link;
  const text = await load(link);
  // Without a connection the browser says so on the page of its own.
  if (!text) return location.assign(link.href);
  drawer ??= make();
  drawer.dataset.of = link.pathname;
  drawer.querySelector("[data-text]").replaceChildren(document.importNode(text, true));
  drawer.hidden = false;
  drawer.scrollTop = 0;
  drawer.focus();
}

/** Fetches the text of a link once; only its article is taken. */
export async function load(link) {
  if (texts.has(link.pathname)) return texts.get(link.pathname);
  try {
    const reply = await fetch(link.href);
    const article = new DOMParser().parseFromString(await reply.text(), "text/html").querySelector("main article");
    if (reply.ok && article) texts.set(link.pathname, article);
  } catch {
    return null;
  }
  return texts.get(link.pathname);
}

function make() {
  const { closes, atHand } = document.querySelector("[data-closes]").dataset;
  const made = document.createElement("aside");
  made.className = "drawer-text";
  made.tabIndex = -1;
  made.setAttribute("aria-label", atHand);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "icon";
  button.textContent = "×";
  button.setAttribute("aria-label", closes);
  button.title = `${closes} (Esc)`;
  button.addEventListener("click", close);
  const text = document.createElement("div");
  text.dataset.text = "";
  made.append(button, text);
  made.addEventListener("keydown", (event) => event.key === "Escape" && close());
  document.querySelector("main").prepend(made);
  return made;
}

function close() {
  drawer.hidden = true;
  (opener.closest("dialog") ? document.querySelector("[data-opens=help]") : opener)?.focus();
}
