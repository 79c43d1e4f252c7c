// Letters for a kiosk without a keyboard: they go into the field that has the focus, which they leave there.
import {el, setAttribute, setText} from "../dom.js";
import {drawnKey} from "./keypad.js";

const kRows = ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm", "@._-/:+=!#$%&*?"];

/** @typedef {HTMLInputElement | HTMLTextAreaElement} Field */

/** @param {App} app */
export function keyboard({t}) {
  let upper = false;
  /** @type {Field | null} */
  let field = null;
  const type = (/** @type {string} */ text) => {
    if (field === null) return;
    const {selectionStart, selectionEnd, value} = field;
    // A field of another kind than text tells no place.
    const [from, to] = [selectionStart ?? value.length, selectionEnd ?? value.length];
    const start = text === "" && from === to ? Math.max(from - 1, 0) : from;
    field.setRangeText(text, start, to, "end");
    field.dispatchEvent(new Event("input", {bubbles: true}));
  };
  const key = (/** @type {string} */ text, /** @type {() => void} */ press, more = {}) =>
    el("button", {type: "button", class: "key letter", onclick: press, ...more}, text);
  const letters = kRows.map((row) =>
    [...row].map((letter) => key(letter, () => type(upper ? letter.toUpperCase() : letter))),
  );
  const shiftKey = key("⇧", () => {
    upper = !upper;
    setAttribute(shiftKey, "aria-pressed", String(upper));
    for (const each of letters.flat())
      setText(
        each,
        upper ? (each.textContent ?? "").toUpperCase() : (each.textContent ?? "").toLowerCase(),
      );
  });
  setAttribute(shiftKey, "aria-label", t("setup.shift"));
  const eraseKey = drawnKey("erase", t("number.delete"), () => type(""), "key letter");
  const spaceKey = key(" ", () => type(" "), {
    "aria-label": t("setup.space"),
    class: "key letter space",
  });
  letters[3] = [shiftKey, ...letters[3], eraseKey];
  letters[4].push(spaceKey);
  const root = el(
    "div",
    {
      class: "keyboard",
      role: "group",
      "aria-label": t("setup.keyboard"),
      dir: "ltr",
      // The field keeps the focus, and its place.
      onpointerdown: (/** @type {PointerEvent} */ event) => event.preventDefault(),
    },
    ...letters.map((row) => el("div", {class: "keyboard-row"}, ...row)),
  );
  return {
    root,
    /** The keys write into these from now on, whichever was touched last. @param {Field[]} fields */
    follow(fields) {
      for (const each of fields) each.addEventListener("focus", () => (field = each));
      field = fields[0] ?? null;
    },
  };
}
