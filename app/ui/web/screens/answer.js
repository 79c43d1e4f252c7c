import {button, el, setText} from "../dom.js";
import {icon} from "../icons.js";
import {referenceCard, referenceSaid, resultFrom} from "../parts/reference.js";
import {CountDown} from "../parts/ring.js";

/** Sign, word and colour say the same. @type {Record<AnswerKind, string>} */
export const kSigns = {
  verified: "check",
  not_verified: "cross",
  kept: "clock",
  unknown: "question",
  refused: "hand",
};

/** "KD7Q2M" as "KD7 Q2M". @param {string} reference */
export const grouped = (reference) => `${reference.slice(0, 3)} ${reference.slice(3)}`;

/** The sentence beside the word. @param {Answer} answer @returns {`answer.why.${AnswerReason}` | `answer.${AnswerKind}_text`} */
const why = ({kind, reason}) => (reason ? `answer.why.${reason}` : `answer.${kind}_text`);

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
  // What to do with the reference, or what became of its receipt.
  const keep = el("p", {role: "status"}, t("answer.keep"));
  const differently = (
    /** @type {"change_number" | "new_pictures"} */ key,
    /** @type {() => void} */ press,
  ) =>
    button(
      t(`answer.${key}`),
      press,
      {class: "second"},
      icon(key === "change_number" ? "card" : "camera"),
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
        el("p", {class: "lead"}, t(why(state))),
        state.kind === "kept" && el("p", {class: "result"}, t(resultFrom(app))),
        state.number_end && el("p", {}, t("answer.number_end", {digits: state.number_end})),
        state.price && el("p", {class: "costs"}, t("answer.costs", {price: state.price})),
      ),
      referenceCard(app, state.reference, keep),
      el(
        "div",
        {class: "actions two"},
        state.other_number && differently("change_number", () => app.command("change_number")),
        state.new_pictures && differently("new_pictures", () => app.command("retake")),
        state.receipt && receipt,
        finish,
      ),
    ),
    more: true,
    says: ({answer: now}) => [
      `answer.${state.kind}`,
      why(state),
      ...(state.kind === "kept" ? [resultFrom(app)] : []),
      ...referenceSaid(state.reference),
      now?.printing === undefined
        ? /** @type {const} */ ("answer.keep")
        : /** @type {`answer.${ReceiptState}`} */ (`answer.${now.printing}`),
    ],
    update: ({answer: now}) => {
      const left = now?.seconds_left ?? 0;
      ring.show(left);
      setText(seconds, String(left));
      receipt.disabled = now?.printing === "printing" || now?.printing === "printed";
      if (now?.printing === undefined) return;
      const text = t(`answer.${now.printing}`);
      if (keep.textContent !== text && now.printing !== "printing")
        app.voice.speak([`answer.${now.printing}`]);
      setText(keep, text);
    },
  };
}
