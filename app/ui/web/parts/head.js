// A drawn head that shows what is asked for. It moves in CSS; where motion is not wanted, it stands as it should end.
import {el, setAttribute, svg} from "../dom.js";

/** All of them one after the other, or one. @typedef {"tour" | Prompt} Pose */

export class Head {
  constructor() {
    const line = (/** @type {string} */ name, /** @type {string} */ d) =>
      svg("path", {class: `head-line ${name}`, d});
    this.root = svg(
      "svg",
      {class: "head", viewBox: "0 0 120 120", "aria-hidden": "true"},
      svg("path", {class: "head-body", d: "M10 122c2-25 22-32 50-32s48 7 50 32z"}),
      svg(
        "g",
        {class: "head-whole"},
        svg("path", {class: "head-skin", d: "M49 76h22v16a11 8 0 01-22 0z"}),
        svg(
          "g",
          {class: "head-ears"},
          svg("ellipse", {class: "head-skin", cx: 34.5, cy: 58, rx: 4.5, ry: 8}),
          svg("ellipse", {class: "head-skin", cx: 85.5, cy: 58, rx: 4.5, ry: 8}),
        ),
        svg("ellipse", {class: "head-skin", cx: 60, cy: 56, rx: 25, ry: 32}),
        svg("path", {
          class: "head-hair",
          d: "M34.500 55c-3-40 54-40 51 0-3-15-11-20-25.500-20s-22.500 5-25.500 20z",
        }),
        svg(
          "g",
          {class: "head-face"},
          line("", "M46 49q4.500-3 9 0M65 49q4.500-3 9 0"),
          svg("circle", {class: "head-eye", cx: 50.5, cy: 56, r: 2.3}),
          svg("circle", {class: "head-eye", cx: 69.5, cy: 56, r: 2.3}),
          line("", "M60 57l-3 10h5"),
          line("head-mouth", "M52 75q8 2 16 0"),
          line("head-smile", "M49.500 72.500q10.500 12 21 0"),
        ),
      ),
    );
  }

  /** @param {Pose} pose */
  show(pose) {
    setAttribute(this.root, "data-pose", pose);
  }
}

/** The head, as large as its place. @param {string} place */
export function headIn(place) {
  const head = new Head();
  return {head, root: el("div", {class: place}, head.root)};
}
