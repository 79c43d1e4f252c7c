import {button, el} from "../dom.js";
import {icon} from "../icons.js";
import {direction} from "../words.js";

/** @typedef {NonNullable<Snapshot["consent"]>} Consent */

/**
 * What other programs of the bank may get.
 * @param {Consent} consent @returns {"consent.programs_result" | "consent.programs_data" | undefined}
 */
const toldTo = ({programs}) => programs && `consent.programs_${programs}`;

/** The bank's own text, as it wrote it. @param {string} text @param {string} [language] */
const ownText = (text, language) =>
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

/** What is agreed to, point by point. @param {App} app @param {Consent} consent */
function facts({t, snapshot}, consent) {
  const {keep_hours, answer_hours} = consent;
  const told = toldTo(consent);
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
  return el(
    "ul",
    {class: "picture facts", tabindex: 0, "aria-label": t("consent.title")},
    row("camera", "consent.what", t("consent.what_text")),
    row("shield", "consent.why", t("consent.why_text")),
    row(
      "person",
      "consent.who",
      t("consent.who_text", {name: snapshot.brand.name}),
      told && t(told),
    ),
    row(
      "clock",
      "consent.keep",
      t("consent.keep_text", {hours: keep_hours}),
      answer_hours > 0 && t("consent.answer_text", {hours: answer_hours}),
    ),
    row("back", "consent.change", t("consent.change_text")),
  );
}

/**
 * The points of facts() as they are spoken: recorded beforehand, with neither name nor hours.
 * @param {Consent} consent
 */
function factsSaid(consent) {
  const told = toldTo(consent);
  return /** @type {const} */ ([
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
    ...(consent.answer_hours > 0 ? /** @type {const} */ (["consent.answer_said"]) : []),
    "consent.change",
    "consent.change_text",
    "consent.how_said",
  ]);
}

/** @param {App} app @returns {View} */
export function consent(app) {
  const {t} = app;
  const state = app.snapshot.consent ?? {keep_hours: 72, answer_hours: 24};
  const {text, language} = state;
  // Where the bank has no text in the person's language, it is in another.
  const isOther = language !== undefined && language !== app.snapshot.language;
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
      text ? ownText(text, language) : facts(app, state),
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
    says: () =>
      text
        ? ["consent.title", isOther ? "consent.own_other" : "consent.own_said", "consent.how_said"]
        : [...factsSaid(state)],
  };
}
