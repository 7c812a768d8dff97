// A PDF whose page is not known: its pages one at a time, in the same frame, where they can be zoomed.

export function browse(element) {
  for (const browser of element.querySelectorAll("[data-page-browser]")) {
    const image = browser.parentElement.querySelector("img");
    const links = [...browser.querySelectorAll("[data-page]")];
    const turn = (to) => {
      const link = links[Math.min(links.length - 1, Math.max(0, to))];
      for (const other of links) other.removeAttribute("aria-current");
      link.setAttribute("aria-current", "page");
      link.scrollIntoView({ block: "nearest", inline: "nearest" });
      image.src = link.href;
    };
    const at = () => links.findIndex((link) => link.hasAttribute("aria-current"));
    links.forEach((link, number) => link.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      turn(number);
    }));
    for (const button of browser.querySelectorAll("[data-turn]")) {
      button.hidden = false;
      button.addEventListener("click", () => turn(at() + Number(button.dataset.turn)));
    }
  }
}
