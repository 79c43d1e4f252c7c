import {button, el} from "../dom.js";
import {opensAt} from "../frame.js";
import {icon} from "../icons.js";
import {finishButton} from "../parts/ring.js";

/** @type {Record<StopReason, string>} */
const kSigns = {
  capture_timeout: "clock",
  camera_away: "camera",
  not_ready: "warning",
  not_set_up: "warning",
  queue_full: "warning",
  spend_cap: "clock",
  held: "warning",
  declined: "hand",
  needs_help: "person",
};

/** @param {App} app @returns {View} */
export function stopped(app) {
  const {t} = app;
  const state = app.snapshot.stopped;
  if (state === undefined) return {root: el("section")};
  const finish = finishButton(app, state.can_retry ? "second" : "first");
  const retry = button(
    t("stopped.retry"),
    () => app.command("retry"),
    {class: "first"},
    icon("again"),
  );
  retry.hidden = !state.can_retry;
  // There is nothing to leave, and nothing to erase.
  const bare = state.why === "not_set_up";
  // Whoever may try again is still known here.
  const erased = !bare && !state.can_retry;
  finish.root.hidden = bare;
  return {
    root: el(
      "section",
      {class: `screen stopped${bare ? " bare" : ""}`},
      el(
        "div",
        {class: "picture verdict"},
        el("span", {class: "seal"}, icon(kSigns[state.why])),
        el("h1", {}, t(`stopped.${state.why}`)),
        el("p", {class: "lead"}, t(`stopped.${state.why}_text`)),
        app.snapshot.opens_at && el("p", {}, opensAt(app, app.snapshot.opens_at)),
      ),
      el(
        "div",
        {class: "words"},
        erased && el("p", {class: "notice"}, icon("shield"), el("span", {}, t("stopped.erased"))),
      ),
      el("div", {class: "actions two"}, finish.root, retry),
    ),
    more: !bare,
    cannot: state.can_retry && state.why === "capture_timeout",
    says: () =>
      erased
        ? [`stopped.${state.why}`, `stopped.${state.why}_text`, "stopped.erased"]
        : [`stopped.${state.why}`, `stopped.${state.why}_text`],
    update: ({stopped: now}) => finish.show(now?.seconds_left ?? 0),
  };
}
