// Calls and spend by hour, as bars and a line of SVG, with the same figures for screen readers.
import {el, svg} from "../dom.js";
import {localTime} from "../frame.js";
import {money} from "../words.js";

const kWide = 720;
const kHigh = 200;
const kBase = 172;
const kTop = 16;

/** A round number at or above `value`: 1, 2 or 5 times a power of ten. @param {number} value */
function roundUp(value) {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)));
  return power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10);
}

/** @param {App} app @param {NonNullable<Operator["ledger"]>} ledger */
export function hourChart({t}, {hours, currency}) {
  const most = roundUp(Math.max(...hours.map(({calls}) => calls)));
  const dearest = roundUp(Math.max(...hours.map(({spend}) => spend)));
  const left = 40;
  const right = 64;
  const step = (kWide - left - right) / Math.max(hours.length, 1);
  const height = (/** @type {number} */ share) => (kBase - kTop) * share;
  const middle = (/** @type {number} */ i) => left + step * (i + 0.5);
  const text = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {string} */ words,
    anchor = "middle",
  ) => svg("text", {x, y, "text-anchor": anchor}, words);
  const lines = [0, 0.5, 1].flatMap((share) => [
    svg("path", {class: "chart-line", d: `M${left} ${kBase - height(share)}H${kWide - right}`}),
    // There are no half calls.
    text(
      left - 8,
      kBase - height(share) + 5,
      Number.isInteger(most * share) ? String(most * share) : "",
      "end",
    ),
    text(kWide - right + 8, kBase - height(share) + 5, String(dearest * share), "start"),
  ]);
  const bars = hours.map(({calls}, i) =>
    svg("rect", {
      class: "chart-bar",
      x: left + step * i + step * 0.18,
      width: step * 0.64,
      y: kBase - height(calls / most),
      height: height(calls / most),
      rx: 2,
    }),
  );
  const spend = hours
    .map(
      (hour, i) =>
        `${i === 0 ? "M" : "L"}${middle(i).toFixed(1)} ${(kBase - height(hour.spend / dearest)).toFixed(1)}`,
    )
    .join("");
  const clock = (/** @type {string} */ from) => localTime(from).slice(11, 16);
  const names = hours.flatMap(({from}, i) =>
    i % 3 === 0 ? [text(middle(i), kHigh - 8, clock(from))] : [],
  );
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
        "aria-label":
          hours
            .filter(({calls}) => calls > 0)
            .map(
              ({from, calls, spend: spent}) =>
                `${clock(from)}: ${calls}, ${money(Math.round(spent * 100), currency)}`,
            )
            .join("; ") || t("operator.nothing"),
      },
      ...lines,
      ...bars,
      svg("path", {class: "chart-spend", d: spend}),
      ...names,
    ),
  );
}
