// The reference of a check that is kept: large, as a square code, and letter by letter for whoever listens.
import {el} from "../dom.js";
import {qrPicture} from "./qr.js";
import {kReferenceGroups, spaced, spelled} from "./spelled.js";

/** @param {App} app @param {string} reference "KD7Q2M" @param {HTMLElement} below what to do with it */
export function referenceCard({t}, reference, below) {
  const letters = [...reference].map((letter, i) =>
    el("span", {class: kReferenceGroups.includes(i) ? "group" : ""}, letter),
  );
  return el(
    "div",
    {class: "words reference"},
    el(
      "div",
      {},
      el("h2", {}, t("answer.reference")),
      el(
        "p",
        {
          class: "letters",
          dir: "ltr",
          role: "img",
          "aria-label": spaced(reference, kReferenceGroups),
        },
        ...letters,
      ),
      below,
    ),
    qrPicture(reference, t("answer.code")),
  );
}

/** How somebody learns the result who leaves without it. @param {App} app @returns {"answer.result" | "answer.result_agent"} */
export const resultFrom = ({snapshot}) =>
  snapshot.mode === "handheld" ? "answer.result_agent" : "answer.result";

/** The keys of what is said of it. @param {string} reference @returns {("answer.reference" | import("./spelled.js").Spelled)[]} */
export const referenceSaid = (reference) => [
  "answer.reference",
  ...spelled(reference, kReferenceGroups),
];
