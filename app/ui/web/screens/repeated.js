import {button, el} from "../dom.js";
import {icon} from "../icons.js";

/**
 * The same was asked here before. Whoever stands there may be anybody, so nothing is told of what came of it.
 * @param {App} app @returns {View}
 */
export function repeated(app) {
  const {t} = app;
  return {
    root: el(
      "section",
      {class: "screen stopped"},
      el(
        "div",
        {class: "picture verdict"},
        el("span", {class: "seal"}, icon("again")),
        el("h1", {}, t("repeated.title")),
        el("p", {class: "lead"}, t("repeated.text")),
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
        button(t("frame.stop"), () => app.command("stop"), {class: "first"}, icon("cross")),
      ),
    ),
    back: true,
    says: () => ["repeated.title", "repeated.text", "repeated.staff"],
  };
}
