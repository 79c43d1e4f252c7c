import {button, el} from "../dom.js";
import {icon} from "../icons.js";
import {direction} from "../words.js";

/** @param {App} app @returns {View} */
export function consent(app) {
  const {t} = app;
  const {name} = app.snapshot.brand;
  const {keep_hours, answer_hours, programs, text, language} = app.snapshot.consent ?? {
    keep_hours: 72,
    answer_hours: 24,
  };
  /** @type {"consent.programs_result" | "consent.programs_data" | undefined} */
  const told = programs && `consent.programs_${programs}`;
  const row = (
    /** @type {string} */ drawing,
    /** @type {Key} */ key,
    /** @type {(string | undefined | false)[]} */ ...sentences
  ) =>
    el(
      "li",
      {},
      icon(drawing),
      el("div", {}, el("h2", {}, t(key)), el("p", {}, sentences.filter(Boolean).join(" "))),
    );
  // The bank's own, as it wrote it: where it has none in the person's language, in another.
  const isOther = language !== undefined && language !== app.snapshot.language;
  const own =
    text &&
    el(
      "div",
      {
        class: "picture own-text",
        lang: language,
        dir: direction(language ?? ""),
        tabindex: 0,
        role: "document",
      },
      ...text
        .split(/\n\s*\n/)
        .filter((part) => part.trim() !== "")
        .map((part) => el("p", {}, part.trim())),
    );
  return {
    root: el(
      "section",
      {class: "screen consent"},
      el(
        "div",
        {class: "words"},
        el("h1", {}, t("consent.title")),
        ...(isOther ? [el("p", {class: "notice"}, icon("question"), t("consent.own_other"))] : []),
      ),
      own ||
        el(
          "ul",
          {class: "picture facts", tabindex: 0, "aria-label": t("consent.title")},
          row("camera", "consent.what", t("consent.what_text")),
          row("shield", "consent.why", t("consent.why_text")),
          row("person", "consent.who", t("consent.who_text", {name}), told && t(told)),
          row(
            "clock",
            "consent.keep",
            t("consent.keep_text", {hours: keep_hours}),
            answer_hours > 0 && t("consent.answer_text", {hours: answer_hours}),
          ),
          row("back", "consent.change", t("consent.change_text")),
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
    says: () =>
      own
        ? ["consent.title", isOther ? "consent.own_other" : "consent.own_said", "consent.how_said"]
        : [
            "consent.title",
            "consent.what",
            "consent.what_text",
            "consent.why",
            "consent.why_text",
            "consent.who",
            "consent.who_said",
            ...(told ? [told] : []),
            "consent.keep",
            "consent.keep_said",
            ...(answer_hours > 0 ? /** @type {const} */ (["consent.answer_said"]) : []),
            "consent.change",
            "consent.change_text",
            "consent.how_said",
          ],
  };
}
