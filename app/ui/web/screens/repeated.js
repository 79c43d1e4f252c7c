import {button, el} from "../dom.js";
import {icon} from "../icons.js";

/**
 * The same was asked here before. Whoever stands there may be anybody: what became of it is told, and no verdict.
 * @param {App} app @returns {View}
 */
export function repeated(app) {
  const {t} = app;
  const became = app.snapshot.repeated?.became ?? "waiting";
  // Where nothing is to be waited for, checking again is what helps.
  const helps = became === "refused" || became === "no_answer";
  return {
    root: el(
      "section",
      {class: "screen stopped"},
      el(
        "div",
        {class: "picture verdict"},
        el("span", {class: "seal"}, icon("again")),
        el("h1", {}, t("repeated.title")),
        el("p", {class: "lead"}, t(`repeated.${became}`)),
      ),
      el(
        "div",
        {class: "words"},
        el("p", {class: "notice"}, icon("person"), el("span", {}, t("repeated.staff"))),
      ),
      el(
        "div",
        {class: "actions two"},
        button(
          t("repeated.go_on"),
          () => app.command("go_on"),
          {class: helps ? "first" : "second"},
          icon("camera"),
        ),
        button(
          t("frame.stop"),
          () => app.command("stop"),
          {class: helps ? "second" : "first"},
          icon("cross"),
        ),
      ),
    ),
    back: true,
    says: () => ["repeated.title", `repeated.${became}`, "repeated.staff"],
  };
}
