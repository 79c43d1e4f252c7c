import {button, el, setText} from "../dom.js";
import {icon} from "../icons.js";
import {referenceCard, referenceSaid, resultFrom} from "../parts/reference.js";

// How far each stage of the daemon's is on the three steps that are shown.
const kStep = {sealing: 0, queued: 1, sending: 1, checking: 2};
/** @type {[string, Key][]} */
const kSteps = [
  ["lock", "waiting.step_1"],
  ["send", "waiting.step_2"],
  ["search", "waiting.step_3"],
];

/** @param {App} app @returns {View} */
export function waiting(app) {
  const {t} = app;
  const heading = el("h1", {}, t("waiting.title"));
  const now = el("p", {class: "lead"});
  const steps = kSteps.map(([drawing, key]) =>
    el(
      "li",
      {},
      el("span", {class: "moving", "aria-hidden": "true"}, icon(drawing)),
      el("span", {}, t(key)),
      icon("check"),
    ),
  );
  const leave = el(
    "div",
    {class: "notice", hidden: true},
    icon("clock"),
    el("p", {}, t("waiting.long"), " ", t(resultFrom(app))),
  );
  /** @param {string} reference */
  const said = (reference) => [...referenceSaid(reference), /** @type {const} */ ("answer.keep")];
  const leaving = () => [/** @type {const} */ ("waiting.long"), resultFrom(app)];
  // Nobody leaves without it.
  const kept = el("div", {class: "kept-as"});
  const go = button(t("waiting.leave"), () => app.command("finish"), {
    class: "second",
    hidden: true,
  });
  return {
    root: el(
      "section",
      {class: "screen waiting"},
      el("div", {class: "words"}, heading, now, kept),
      el("div", {class: "picture"}, el("ol", {class: "stages"}, ...steps), leave),
      el("div", {class: "actions"}, go),
    ),
    says: ({waiting: state}) => {
      if (state === undefined) return [];
      return [
        "waiting.title",
        `waiting.${state.stage}`,
        ...(state.reference ? said(state.reference) : []),
        ...(state.long ? leaving() : []),
      ];
    },
    update: ({waiting: state}) => {
      if (state === undefined) return;
      const text = t(`waiting.${state.stage}`);
      if (now.textContent !== "" && now.textContent !== text)
        app.voice.speak([`waiting.${state.stage}`]);
      setText(now, text);
      steps.forEach((step, i) => {
        step.classList.toggle("done", i < kStep[state.stage]);
        step.classList.toggle("now", i === kStep[state.stage]);
      });
      if (state.reference && !kept.hasChildNodes()) {
        kept.append(referenceCard(app, state.reference, el("p", {}, t("answer.keep"))));
      }
      if (state.long && leave.hidden) {
        app.voice.speak([...said(state.reference ?? ""), ...leaving()]);
      }
      leave.hidden = go.hidden = !state.long;
      app.announce(state.long ? `${text} ${t("waiting.long")} ${t(resultFrom(app))}` : text);
    },
  };
}
