import {button, el, setText} from "../dom.js";
import {icon} from "../icons.js";
import {referenceCard, referenceSaid, resultFrom} from "../parts/reference.js";
import {finishButton} from "../parts/ring.js";

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

/** What the answer is, and what it is about. @param {App} app @param {VisitAnswer} state */
function verdict(app, state) {
  const {t} = app;
  return el(
    "div",
    {class: "picture verdict"},
    el("span", {class: "seal"}, icon(kSigns[state.kind])),
    el("h1", {}, t(`answer.${state.kind}`)),
    el("p", {class: "lead"}, t(why(state))),
    state.kind === "kept" && el("p", {class: "result"}, t(resultFrom(app))),
    state.number_end && el("p", {}, t("answer.number_end", {digits: state.number_end})),
    state.price && el("p", {class: "costs"}, t("answer.costs", {price: state.price})),
  );
}

/** What the person may do differently. @param {App} app @param {VisitAnswer} state */
function otherWays(app, {other_number, new_pictures}) {
  const way = (
    /** @type {"change_number" | "new_pictures"} */ key,
    /** @type {string} */ drawing,
    /** @type {() => void} */ press,
  ) => button(app.t(`answer.${key}`), press, {class: "second"}, icon(drawing));
  return [
    other_number && way("change_number", "card", () => app.command("change_number")),
    new_pictures && way("new_pictures", "camera", () => app.command("retake")),
  ];
}

/** @param {App} app @returns {View} */
export function answer(app) {
  const {t} = app;
  const state = app.snapshot.answer;
  if (state === undefined) return {root: el("section")};
  const finish = finishButton(app, "first");
  const receipt = button(
    t("answer.receipt"),
    () => app.command("receipt"),
    {class: "second"},
    icon("print"),
  );
  // What to do with the reference, or what became of its receipt.
  const keep = el("p", {role: "status"}, t("answer.keep"));
  return {
    root: el(
      "section",
      {class: `screen answer ${state.kind}`},
      verdict(app, state),
      referenceCard(app, state.reference, keep),
      el(
        "div",
        {class: "actions two"},
        ...otherWays(app, state),
        state.receipt && receipt,
        finish.root,
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
      finish.show(now?.seconds_left ?? 0);
      receipt.disabled = now?.printing === "printing" || now?.printing === "printed";
      if (now?.printing === undefined) return;
      const text = t(`answer.${now.printing}`);
      if (keep.textContent !== text && now.printing !== "printing")
        app.voice.speak([`answer.${now.printing}`]);
      setText(keep, text);
    },
  };
}
