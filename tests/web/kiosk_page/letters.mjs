// Which letters of a person's screen are smaller than they may be, measured inside the page: returns them, in words. Staff sit
// before theirs.
export function letters({least, around}) {
  const wrong = [];
  const open = [...document.querySelectorAll("dialog[open]")].at(-1);
  if (document.querySelector("main .staff, .pin-sheet") !== null) return wrong;
  for (const root of open ? [open] : [...document.body.children]) {
    for (const element of [root, ...root.querySelectorAll("*")]) {
      if (!(element instanceof HTMLElement)) continue;
      if (!element.checkVisibility({visibilityProperty: true})) continue;
      // The bar of a field agent, who holds it in their hands.
      if (element.closest(".agent")) continue;
      if (element.closest(".hidden") || getComputedStyle(element).clipPath.startsWith("inset(50%"))
        continue;
      const text = [...element.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map((node) => node.textContent.trim())
        .join("");
      if (text === "") continue;
      const size = parseFloat(getComputedStyle(element).fontSize);
      const wanted = element.closest("header, footer") ? around : least;
      if (size + 0.05 < wanted) {
        const place = [element.parentElement, element]
          .map((each) => [each.tagName.toLowerCase(), ...each.classList].join("."))
          .join(" > ");
        wrong.push(`${place} has letters of ${size.toFixed(1)}: “${text.slice(0, 30)}”`);
      }
    }
  }
  return wrong;
}
