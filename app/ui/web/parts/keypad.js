// Twelve large keys. The left and right places of the last row are the caller's.
import {el} from "../dom.js";
import {icon} from "../icons.js";

/**
 * A key with a drawing. @param {string} drawing @param {string} label for screen readers
 * @param {() => void} press @param {string} [look]
 */
export const drawnKey = (drawing, label, press, look = "key") =>
  el("button", {type: "button", class: look, "aria-label": label, onclick: press}, icon(drawing));

/**
 * @param {(digit: string) => void} press
 * @param {{left?: HTMLElement, right: HTMLElement, label: string}} options
 */
export function keypad(press, {left, right, label}) {
  const key = (/** @type {string} */ digit) =>
    el("button", {type: "button", class: "key", onclick: () => press(digit)}, digit);
  return el(
    "div",
    {class: "keypad", role: "group", "aria-label": label, dir: "ltr"},
    ..."123456789".split("").map(key),
    left ?? el("span"),
    key("0"),
    right,
  );
}
