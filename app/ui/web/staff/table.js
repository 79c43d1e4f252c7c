// A table that a screen reader finds, and that scrolls by itself where it is wide. Each cell is read in its own direction: a
// time, or an amount, stays as it is in Arabic.
import {el} from "../dom.js";

/** @param {App} app @param {(keyof English["column"])[]} columns @param {(Node | string)[][]} rows @param {string} name */
export function table({t}, columns, rows, name) {
  const heads = columns.map((column) => t(`column.${column}`));
  return el(
    "div",
    {class: "scroll", tabindex: 0, role: "region", "aria-label": name},
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", {scope: "col"}, head)))),
      el(
        "tbody",
        {},
        ...rows.map((row) =>
          el(
            "tr",
            {},
            ...row.map((cell, i) => el("td", {"data-head": heads[i]}, el("bdi", {}, cell))),
          ),
        ),
      ),
    ),
  );
}
