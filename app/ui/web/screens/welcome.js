import {el, setText, svg} from "../dom.js";
import {opensAt} from "../frame.js";
import {glyph, icon} from "../icons.js";
import {offeredLanguages} from "../words.js";

/** A face in an oval, within the ring that fills while pictures are taken. */
function portrait() {
  return svg(
    "svg",
    {class: "portrait", viewBox: "0 0 200 200", "aria-hidden": "true"},
    svg("circle", {class: "portrait-track", cx: 100, cy: 100, r: 92}),
    svg("circle", {
      class: "portrait-ring",
      cx: 100,
      cy: 100,
      r: 92,
      pathLength: 1,
      "stroke-dasharray": "0.72 1",
      transform: "rotate(-90 100 100)",
    }),
    svg("path", {
      class: "portrait-body",
      d: "M42 164c6-32 28-44 58-44s52 12 58 44a86 86 0 01-116 0z",
    }),
    svg("path", {class: "portrait-neck", d: "M84 112h32v18a16 12 0 01-32 0z"}),
    svg("ellipse", {class: "portrait-face", cx: 100, cy: 84, rx: 34, ry: 42}),
    svg("path", {
      class: "portrait-hair",
      d: "M64 82c-4-52 76-52 72 0-4-22-16-28-36-28s-32 6-36 28z",
    }),
    svg("path", {class: "portrait-mouth", d: "M86 100c8 9 20 9 28 0M87 80v2M113 80v2"}),
    svg("circle", {class: "portrait-badge", cx: 156, cy: 154, r: 26}),
    glyph("check", {class: "portrait-check", transform: "translate(138 136) scale(1.5)"}),
  );
}

/** What this is, and what it costs. @param {App} app */
function hero({t, snapshot}) {
  // An agent decides whether to begin; who is alone at a kiosk does not pay.
  const price = snapshot.agent?.price;
  return el(
    "div",
    {class: "picture hero"},
    portrait(),
    el(
      "div",
      {class: "hero-words"},
      el("h1", {}, t("welcome.title")),
      el("p", {}, t("welcome.lead")),
      price && el("p", {class: "costs"}, t("answer.costs", {price})),
    ),
  );
}

/**
 * What keeps this kiosk from asking anything; whoever touches a language reads it there, too.
 * @param {App} app
 */
function closedNotice(app) {
  const {t} = app;
  const why = el("span");
  const root = el("p", {class: "notice closed", role: "status"}, icon("warning"), why);
  return {
    root,
    /** @param {Snapshot} snapshot */
    update({closed: reason, opens_at}) {
      root.hidden = reason === undefined;
      if (reason !== undefined)
        setText(
          why,
          opens_at
            ? `${t(`stopped.${reason}_text`)} ${opensAt(app, opens_at)}`
            : `${t(`stopped.${reason}`)}. ${t(`stopped.${reason}_text`)}`,
        );
    },
  };
}

/** The three steps of a visit. @param {App} app */
function path({t}) {
  const step = (/** @type {string} */ drawing, /** @type {Key} */ key) =>
    el("li", {}, icon(drawing), el("span", {}, t(key)));
  return el(
    "ol",
    {class: "path"},
    step("card", "welcome.step_number"),
    step("camera", "welcome.step_face"),
    step("check", "welcome.step_answer"),
  );
}

/** A button for each language, in its own words, which begins the visit. @param {App} app */
const languageButtons = (app) =>
  offeredLanguages().map(({code, name, start}) =>
    el(
      "button",
      {
        type: "button",
        class: "tongue",
        lang: code,
        onclick: () => app.command("start", {language: code}),
      },
      el("strong", {}, name),
      el("span", {}, start),
    ),
  );

/** @param {App} app @returns {View} */
export function welcome(app) {
  const {t} = app;
  const closed = closedNotice(app);
  const languages = languageButtons(app);
  return {
    root: el(
      "section",
      {class: "screen welcome"},
      hero(app),
      el("div", {class: "words"}, closed.root, path(app)),
      el(
        "div",
        {class: "actions"},
        el("h2", {id: "choose"}, t("welcome.choose")),
        el("div", {class: "tongues", role: "group", "aria-labelledby": "choose"}, ...languages),
      ),
    ),
    says: ({closed: reason}) =>
      reason === undefined
        ? [
            "welcome.title",
            "welcome.lead",
            "welcome.step_number",
            "welcome.step_face",
            "welcome.step_answer",
            "welcome.choose",
          ]
        : [`stopped.${reason}`, `stopped.${reason}_text`],
    names: ({voices, closed: reason}) =>
      reason !== undefined
        ? []
        : offeredLanguages().flatMap(({code}, i) =>
            voices?.includes(code)
              ? [
                  {
                    language: code,
                    key: /** @type {"welcome.here"} */ ("welcome.here"),
                    mark: languages[i],
                  },
                ]
              : [],
          ),
    update: closed.update,
  };
}
