// What is looked at on every screen, run inside the page: returns what is wrong, in words.

// Targets are at least this large, in CSS pixels; keys of a keypad larger.
export const kTarget = 48;
export const kKey = 96;

export function inspect({kTarget, kKey, staff}) {
  const wrong = [];
  const open = [...document.querySelectorAll("dialog[open]")].at(-1);
  const root = open ?? document.body;
  const visible = (element) =>
    element.checkVisibility({visibilityProperty: true}) && element.closest(".hidden") === null;
  const name = (element) =>
    `${element.tagName.toLowerCase()}.${[...element.classList].join(".")} “${element.textContent.trim().slice(0, 40)}”`;
  const scrolls = (element) => ["auto", "scroll"].includes(getComputedStyle(element).overflowY);
  const inScroller = (element) =>
    element.parentElement?.closest(
      ".calls, .panel, .scroll, .desk, .desk-left, .sheet, .tiles, .own-text",
    ) !== null;

  for (const element of root.querySelectorAll("*")) {
    if (!(element instanceof HTMLElement) || !visible(element)) continue;
    const box = element.getBoundingClientRect();
    if (box.width === 0) continue;
    // A scroller may be higher than its window, never wider.
    if (box.left < -1 || box.right > innerWidth + 1)
      wrong.push(`${name(element)} is beside the screen`);
    if (!inScroller(element) && (box.top < -1 || box.bottom > innerHeight + 1))
      wrong.push(`${name(element)} is below the screen`);
    if (
      element.scrollWidth > element.clientWidth + 1 &&
      element.clientWidth > 0 &&
      !element.matches("select, input, .scroll, .stage")
    ) {
      wrong.push(
        `${name(element)} is wider than its box: ${element.scrollWidth} > ${element.clientWidth}`,
      );
    }
    if (
      element.scrollHeight > element.clientHeight + 2 &&
      element.clientHeight > 0 &&
      !scrolls(element) &&
      !element.matches(
        "select, input, .stage, .slip, h1, h2, strong, span, em, p, .problem, .count",
      )
    ) {
      wrong.push(
        `${name(element)} is higher than its box: ${element.scrollHeight} > ${element.clientHeight}`,
      );
    }
  }
  const parts = [...document.querySelectorAll(".screen > *, .sheet > *")].filter(visible);
  for (const one of parts) {
    for (const other of parts) {
      if (
        one === other ||
        one.parentElement !== other.parentElement ||
        one.compareDocumentPosition(other) & 2
      )
        continue;
      const a = one.getBoundingClientRect();
      const b = other.getBoundingClientRect();
      const over = Math.min(
        Math.min(a.right, b.right) - Math.max(a.left, b.left),
        Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
      );
      if (over > 1)
        wrong.push(`${name(one)} and ${name(other)} overlap by ${over.toFixed(0)} pixels`);
    }
  }
  const main = document.querySelector("main");
  if (!staff && main.scrollHeight > main.clientHeight + 1)
    wrong.push(`the screen is ${main.scrollHeight - main.clientHeight} pixels too high`);
  for (const target of root.querySelectorAll("button, input, select, textarea, a")) {
    if (!visible(target)) continue;
    const {width, height} = target.getBoundingClientRect();
    const least = target.classList.contains("key") ? kKey : kTarget;
    if (width < least - 0.5 || height < least - 0.5)
      wrong.push(`${name(target)} is ${width.toFixed(0)} by ${height.toFixed(0)} pixels`);
  }
  for (const band of [...document.querySelectorAll(".band")].filter(visible)) {
    const {left, top, width, height} = band.getBoundingClientRect();
    if (!band.contains(document.elementFromPoint(left + width / 2, top + height / 2)) && !open)
      wrong.push(`${name(band)} is covered`);
    if (open && open.getBoundingClientRect().top < top + height - 1)
      wrong.push(`${name(band)} is under the question`);
  }
  const unsaid = document.body.innerText.match(/\b[a-z]+\.[a-z_]+\b(?!\.(?:js|tar))/);
  if (unsaid && !staff) wrong.push(`a key instead of a sentence: ${unsaid[0]}`);
  const holder = document.body.innerText.match(/\{\w+\}/);
  if (holder) wrong.push(`an empty placeholder: ${holder[0]}`);
  return wrong;
}
