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

/** The steps of a check, of which one moves. @param {App} app */
function stages({t}) {
  const steps = kSteps.map(([drawing, key]) =>
    el(
      "li",
      {},
      el("span", {class: "moving", "aria-hidden": "true"}, icon(drawing)),
      el("span", {}, t(key)),
      icon("check"),
    ),
  );
  return {
    root: el("ol", {class: "stages"}, ...steps),
    /** @param {WaitingStage} stage */
    show(stage) {
      steps.forEach((step, i) => {
        step.classList.toggle("done", i < kStep[stage]);
        step.classList.toggle("now", i === kStep[stage]);
      });
    },
  };
}

/** What is said once the check is kept. @param {string} reference */
const keptSaid = (reference) => [...referenceSaid(reference), /** @type {const} */ ("answer.keep")];

/** What is said once it takes long. @param {App} app */
const longSaid = (app) => [/** @type {const} */ ("waiting.long"), resultFrom(app)];

/** @param {App} app @returns {View} */
export function waiting(app) {
  const {t} = app;
  const now = el("p", {class: "lead"});
  const steps = stages(app);
  const leave = el(
    "div",
    {class: "notice", hidden: true},
    icon("clock"),
    el("p", {}, t("waiting.long"), " ", t(resultFrom(app))),
  );
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
      el("div", {class: "words"}, el("h1", {}, t("waiting.title")), now, kept),
      el("div", {class: "picture"}, steps.root, leave),
      el("div", {class: "actions"}, go),
    ),
    says: ({waiting: state}) => {
      if (state === undefined) return [];
      return [
        "waiting.title",
        `waiting.${state.stage}`,
        ...(state.reference ? keptSaid(state.reference) : []),
        ...(state.long ? longSaid(app) : []),
      ];
    },
    update: ({waiting: state}) => {
      if (state === undefined) return;
      const text = t(`waiting.${state.stage}`);
      if (now.textContent !== "" && now.textContent !== text)
        app.voice.speak([`waiting.${state.stage}`]);
      setText(now, text);
      steps.show(state.stage);
      if (state.reference && !kept.hasChildNodes()) {
        kept.append(referenceCard(app, state.reference, el("p", {}, t("answer.keep"))));
      }
      if (state.long && leave.hidden) {
        app.voice.speak([...keptSaid(state.reference ?? ""), ...longSaid(app)]);
      }
      leave.hidden = go.hidden = !state.long;
      app.announce(state.long ? `${text} ${t("waiting.long")} ${t(resultFrom(app))}` : text);
    },
  };
}
