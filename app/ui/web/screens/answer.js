import {button, el, setText} from "../dom.js";
import {icon} from "../icons.js";
import {qrPicture} from "../parts/qr.js";
import {CountDown} from "../parts/ring.js";
import {kReferenceGroups, spaced, spelled} from "../parts/spelled.js";

/** Sign, word and colour say the same. @type {Record<Kind, string>} */
export const kSigns = {
  verified: "check",
  not_verified: "cross",
  kept: "clock",
  unknown: "question",
  refused: "hand",
};

/** "KD7Q2M" as "KD7 Q2M". @param {string} reference */
export const grouped = (reference) => `${reference.slice(0, 3)} ${reference.slice(3)}`;

/** What a person is told beside the word. @param {App} app @param {Answer} answer */
export function why(app, {kind, reason}) {
  return app.t(reason && app.has(reason) ? reason : `answer.${kind}_text`);
}

/** @param {App} app @returns {View} */
export function answer(app) {
  const {t} = app;
  const state = app.snapshot.answer;
  if (state === undefined) return {root: el("section")};
  const ring = new CountDown();
  const seconds = el("span", {class: "count"});
  const finish = el(
    "button",
    {type: "button", class: "first finish", onclick: () => app.command("finish")},
    el("span", {class: "counter"}, ring.root, seconds),
    el("span", {}, t("answer.finish")),
  );
  const receipt = button(
    t("answer.receipt"),
    () => {
      app.command("receipt");
    },
    {class: "second"},
    icon("print"),
  );
  receipt.hidden = !state.receipt;
  // What to do with the reference, or what became of its receipt.
  const keep = el("p", {role: "status"}, t("answer.keep"));
  const letters = [...state.reference].map((letter, i) =>
    el("span", {class: kReferenceGroups.includes(i) ? "group" : ""}, letter),
  );
  return {
    root: el(
      "section",
      {class: `screen answer ${state.kind}`},
      el(
        "div",
        {class: "picture verdict"},
        el("span", {class: "seal"}, icon(kSigns[state.kind])),
        el("h1", {}, t(`answer.${state.kind}`)),
        el("p", {class: "lead"}, why(app, state)),
      ),
      el(
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
              "aria-label": spaced(state.reference, kReferenceGroups),
            },
            ...letters,
          ),
          keep,
        ),
        qrPicture(state.reference, t("answer.code")),
      ),
      el("div", {class: "actions two"}, receipt, finish),
    ),
    says: () => [
      `answer.${state.kind}`,
      state.reason && app.has(state.reason) ? state.reason : `answer.${state.kind}_text`,
      "answer.reference",
      ...spelled(state.reference, kReferenceGroups),
    ],
    update: ({answer: now}) => {
      const left = now?.seconds_left ?? 0;
      ring.show(left);
      setText(seconds, String(left));
      receipt.disabled = now?.printing === "printing" || now?.printing === "printed";
      const said = now?.printing ? `answer.${now.printing}` : "answer.keep";
      if (keep.textContent !== t(said) && now?.printing !== "printing") app.voice.speak([said]);
      setText(keep, t(said));
    },
  };
}
