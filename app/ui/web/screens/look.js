import {button, el} from "../dom.js";
import {icon} from "../icons.js";

/** @param {App} app @returns {View} */
export function look(app) {
  const {t, snapshot} = app;
  const price = snapshot.agent?.price;
  const picture = (/** @type {number} */ i) =>
    el(
      "li",
      {},
      el("img", {
        src: `/pictures/${i}?s=${encodeURIComponent(snapshot.session)}`,
        alt: t("look.picture", {number: i + 1}),
      }),
    );
  return {
    root: el(
      "section",
      {class: "screen look"},
      el(
        "div",
        {class: "words"},
        el("h1", {}, t("look.title")),
        el("p", {class: "lead"}, t("look.lead")),
        price && el("p", {class: "costs"}, t("desk.costs", {price})),
      ),
      el("ul", {class: "picture pictures"}, ...[0, 1, 2, 3, 4].map(picture)),
      el(
        "div",
        {class: "actions two"},
        button(t("look.retake"), () => app.command("retake"), {class: "second"}, icon("again")),
        button(t("look.send"), () => app.command("send"), {class: "first"}, icon("send")),
      ),
    ),
    back: true,
    stop: true,
    says: () => ["look.title", "look.lead", "look.how_said"],
  };
}
