// Elements, without ever parsing text as markup.

const kSvg = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | null | undefined | false} Child */

/** @param {Element} element @param {Record<string, unknown>} attributes @param {Child[]} children */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const child of children) if (child) element.append(child);
}

/**
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, unknown>} [attributes] @param {Child[]} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  fill(element, attributes, children);
  return element;
}

/** @param {string} tag @param {Record<string, unknown>} [attributes] @param {Child[]} children @returns {SVGElement} */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(kSvg, tag);
  fill(element, attributes, children);
  return element;
}

/** Changes nothing where the text is there already. @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {Element} element @param {string} name @param {string | null} value */
export function setAttribute(element, name, value) {
  if (value === null) element.removeAttribute(name);
  else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** @param {string} text @param {() => void} press @param {Record<string, unknown>} [attributes] @param {Child} [icon] */
export function button(text, press, attributes = {}, icon = null) {
  return el("button", {type: "button", onclick: press, ...attributes}, icon, el("span", {}, text));
}

/** A question over everything, which holds the focus. @param {string} name @param {Child[]} children */
export function dialog(name, ...children) {
  const element = el("dialog", {class: name}, el("div", {class: "sheet"}, ...children));
  element.addEventListener("close", () => element.remove());
  document.body.append(element);
  element.showModal();
  return element;
}

/**
 * Asks before anything that may cost money or lose something. @param {App} app @param {string} title
 * @param {Child[]} texts each a sentence, or an element @param {string} yes @param {() => void} press
 */
export function alertDialog({t}, title, texts, yes, press) {
  const sheet = dialog(
    "confirm",
    el("h2", {id: "confirm-title"}, title),
    el(
      "div",
      {id: "confirm-text"},
      ...texts.map((text) => (typeof text === "string" ? el("p", {}, text) : text)),
    ),
    el(
      "div",
      {class: "actions two"},
      button(t("frame.back"), () => sheet.close(), {class: "second", autofocus: true}),
      button(
        yes,
        () => {
          sheet.close();
          press();
        },
        {class: "danger"},
      ),
    ),
  );
  sheet.setAttribute("role", "alertdialog");
  sheet.setAttribute("aria-labelledby", "confirm-title");
  sheet.setAttribute("aria-describedby", "confirm-text");
  return sheet;
}
