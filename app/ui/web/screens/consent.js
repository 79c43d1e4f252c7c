import {button, el} from "../dom.js";
import {icon} from "../icons.js";

/** @param {App} app @returns {View} */
export function consent(app) {
  const {t} = app;
  const values = {name: app.snapshot.brand.name, hours: app.snapshot.consent?.keep_hours ?? 72};
  const row = (/** @type {string} */ drawing, /** @type {"what" | "why" | "who" | "keep"} */ key) =>
    el(
      "li",
      {},
      icon(drawing),
      el(
        "div",
        {},
        el("h2", {}, t(`consent.${key}`)),
        el("p", {}, t(`consent.${key}_text`, values)),
      ),
    );
  return {
    root: el(
      "section",
      {class: "screen consent"},
      el("div", {class: "words"}, el("h1", {}, t("consent.title"))),
      el(
        "ul",
        {class: "picture facts"},
        row("camera", "what"),
        row("shield", "why"),
        row("person", "who"),
        row("clock", "keep"),
      ),
      el(
        "div",
        {class: "actions two"},
        button(
          t("consent.decline"),
          () => app.command("decline"),
          {class: "second"},
          icon("cross"),
        ),
        button(t("consent.agree"), () => app.command("agree"), {class: "first"}, icon("check")),
      ),
    ),
    back: true,
    stop: true,
    // What is spoken is recorded beforehand: it says neither name nor hours.
    says: () => [
      "consent.title",
      "consent.what_text",
      "consent.why_text",
      "consent.who_said",
      "consent.keep_said",
    ],
  };
}
