// Calls and spend by hour, as bars and a line of SVG, with the same figures for screen readers.
import {el, svg} from "../dom.js";
import {localTime} from "../frame.js";
import {money} from "../words.js";

const kWide = 720;
const kHigh = 200;
const kBase = 172;
const kTop = 16;
const kLeft = 40;
const kRight = 64;

/** @typedef {NonNullable<Operator["ledger"]>["hours"]} Hours */

/** A round number at or above `value`: 1, 2 or 5 times a power of ten. @param {number} value */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10);
}

/** @param {Hours} hours */
const stepOf = (hours) => (kWide - kLeft - kRight) / Math.max(hours.length, 1);

/** The middle of an hour's place. @param {Hours} hours @param {number} i */
const middle = (hours, i) => kLeft + stepOf(hours) * (i + 0.5);

/** @param {number} share 0..1 */
const height = (share) => (kBase - kTop) * share;

/**
 * @param {number} x @param {number} y @param {string} words
 * @param {"start" | "middle" | "end"} anchor
 */
const text = (x, y, words, anchor) => svg("text", {x, y, "text-anchor": anchor}, words);

/** @param {string} from */
const clock = (from) => localTime(from).slice(11, 16);

/**
 * Lines across, with calls at their left and spend at their right.
 * @param {number} most @param {number} dearest
 */
const lines = (most, dearest) =>
  [0, 0.5, 1].flatMap((share) => [
    svg("path", {class: "chart-line", d: `M${kLeft} ${kBase - height(share)}H${kWide - kRight}`}),
    // There are no half calls.
    text(
      kLeft - 8,
      kBase - height(share) + 5,
      Number.isInteger(most * share) ? String(most * share) : "",
      "end",
    ),
    text(kWide - kRight + 8, kBase - height(share) + 5, String(dearest * share), "start"),
  ]);

/** @param {Hours} hours @param {number} most */
const callBars = (hours, most) =>
  hours.map(({calls}, i) =>
    svg("rect", {
      class: "chart-bar",
      x: kLeft + stepOf(hours) * i + stepOf(hours) * 0.18,
      width: stepOf(hours) * 0.64,
      y: kBase - height(calls / most),
      height: height(calls / most),
      rx: 2,
    }),
  );

/** @param {Hours} hours @param {number} dearest */
function spendLine(hours, dearest) {
  const places = hours.map(
    ({spend}, i) =>
      `${middle(hours, i).toFixed(1)} ${(kBase - height(spend / dearest)).toFixed(1)}`,
  );
  return svg("path", {
    class: "chart-spend",
    d: places.map((place, i) => `${i === 0 ? "M" : "L"}${place}`).join(""),
  });
}

/** What the drawing shows, for screen readers. @param {Hours} hours @param {string} currency */
const inWords = (hours, currency) =>
  hours
    .filter(({calls}) => calls > 0)
    .map(
      ({from, calls, spend}) =>
        `${clock(from)}: ${calls}, ${money(Math.round(spend * 100), currency)}`,
    )
    .join("; ");

/** @param {App} app @param {NonNullable<Operator["ledger"]>} ledger */
export function hourChart({t}, {hours, currency}) {
  const most = roundUp(Math.max(...hours.map(({calls}) => calls)));
  const dearest = roundUp(Math.max(...hours.map(({spend}) => spend)));
  return el(
    "figure",
    {class: "chart", dir: "ltr"},
    el(
      "figcaption",
      {},
      t("operator.by_hour"),
      el("span", {class: "legend legend-calls"}, t("operator.calls")),
      el("span", {class: "legend legend-spend"}, `${t("operator.spend")} (${currency})`),
    ),
    svg(
      "svg",
      {
        viewBox: `0 0 ${kWide} ${kHigh}`,
        role: "img",
        "aria-label": inWords(hours, currency) || t("operator.nothing"),
      },
      ...lines(most, dearest),
      ...callBars(hours, most),
      spendLine(hours, dearest),
      ...hours.map(
        ({from}, i) => i % 3 === 0 && text(middle(hours, i), kHigh - 8, clock(from), "middle"),
      ),
    ),
  );
}
