import {button, el} from "../dom.js";
import {icon} from "../icons.js";

/**
 * The same was asked here before. Whoever stands there may be anybody: what became of it is told, and no verdict.
 * @param {App} app @returns {View}
 */
export function repeated(app) {
  const {t} = app;
  const became = app.snapshot.repeated?.became ?? "waiting";
  // Checking again is billed again, so nobody is led to it. Where there is an answer, or will be one, nothing is left to do
  // here; where there is none, both ways are as good.
  const helps = became === "refused" || became === "no_answer";
  const price = app.snapshot.agent?.price;
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
        price && el("p", {class: "costs"}, t("answer.costs", {price})),
      ),
      el(
        "div",
        {class: "words"},
        el("p", {class: "notice"}, icon("person"), el("span", {}, t("repeated.staff"))),
      ),
      el(
        "div",
        {class: "actions two"},
        button(t("repeated.go_on"), () => app.command("go_on"), {class: "second"}, icon("camera")),
        button(
          t("answer.finish"),
          () => app.command("stop"),
          {class: helps ? "second" : "first"},
          icon("check"),
        ),
      ),
    ),
    back: true,
    stop: true,
    says: () => ["repeated.title", `repeated.${became}`, "repeated.staff"],
  };
}
