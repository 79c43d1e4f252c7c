// A ring for times and progress: empties or fills, and never flashes.
import {el, setText, svg} from "../dom.js";

export class Ring {
  constructor() {
    this.arc = svg("circle", {
      class: "ring-arc",
      cx: 50,
      cy: 50,
      r: 44,
      pathLength: 1,
      transform: "rotate(-90 50 50)",
    });
    this.root = svg(
      "svg",
      {class: "ring", viewBox: "0 0 100 100", "aria-hidden": "true"},
      svg("circle", {class: "ring-track", cx: 50, cy: 50, r: 44}),
      this.arc,
    );
    this.set(1);
  }

  /** @param {number} share 0..1 */
  set(share) {
    this.arc.setAttribute("stroke-dasharray", `${Math.max(0, Math.min(1, share)).toFixed(3)} 1`);
  }
}

/** Remembers the largest number of seconds seen, which is the whole ring. */
export class CountDown extends Ring {
  total = 1;

  /** @param {number} seconds */
  show(seconds) {
    this.total = Math.max(this.total, seconds);
    this.set(seconds / this.total);
  }
}

/** Ends a screen, and shows when it ends by itself. @param {App} app @param {"first" | "second"} look */
export function finishButton(app, look) {
  const ring = new CountDown();
  const seconds = el("span", {class: "count"});
  return {
    root: el(
      "button",
      {type: "button", class: `${look} finish`, onclick: () => app.command("finish")},
      el("span", {class: "counter"}, ring.root, seconds),
      el("span", {}, app.t("answer.finish")),
    ),
    /** @param {number} left seconds */
    show(left) {
      ring.show(left);
      setText(seconds, String(left));
    },
  };
}
