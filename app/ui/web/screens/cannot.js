// Somebody cannot do what the camera asks for: other challenges, the staff, or an end, and no blame.
import {button, el} from "../dom.js";
import {icon} from "../icons.js";
import {headIn} from "../parts/head.js";

/** @param {Prompt} challenge */
const named = (challenge) =>
  /** @type {`cannot.${keyof English["cannot"] & Prompt}`} */ (`cannot.${challenge}`);

/** What can be left out. @param {App} app @param {NonNullable<Snapshot["cannot"]>} state */
function tilesFor(app, {challenges, left_out, gentle}) {
  const {t} = app;
  const tiles = challenges.map((challenge) => {
    const drawing = headIn("tile-head");
    drawing.head.show(challenge);
    return el(
      "button",
      {
        type: "button",
        class: "tile",
        "aria-pressed": String(left_out.includes(challenge)),
        onclick: () => app.command("leave_out", {challenge}),
      },
      drawing.root,
      el("span", {}, t(named(challenge))),
    );
  });
  // Nobody need look at quick colours.
  if (gentle !== undefined) {
    tiles.push(
      el(
        "button",
        {
          type: "button",
          class: "tile",
          "aria-pressed": String(gentle),
          onclick: () => app.command("light", {gentle: true}),
        },
        el("span", {class: "tile-colours", "aria-hidden": "true"}),
        el("span", {}, t("cannot.colours")),
      ),
    );
  }
  return tiles;
}

/** @param {App} app @returns {View} */
export function cannot(app) {
  const {t} = app;
  const state = app.snapshot.cannot ?? {challenges: [], left_out: []};
  const {challenges, gentle} = state;
  const tiles = tilesFor(app, state);
  return {
    root: el(
      "section",
      {class: "screen cannot"},
      el(
        "div",
        {class: "words"},
        el("h1", {}, t("cannot.title")),
        el("p", {class: "lead"}, t(tiles.length > 0 ? "cannot.lead" : "cannot.lead_staff")),
      ),
      el("div", {class: "picture tiles"}, ...tiles),
      el(
        "div",
        {class: "actions two"},
        button(
          t("cannot.staff"),
          () => app.command("ask_staff"),
          {class: "second"},
          icon("person"),
        ),
        button(t("cannot.again"), () => app.command("back"), {class: "first"}, icon("camera")),
      ),
    ),
    back: true,
    stop: true,
    says: () => [
      "cannot.title",
      tiles.length > 0 ? "cannot.lead" : "cannot.lead_staff",
      ...challenges.map(named),
      ...(gentle === undefined ? [] : /** @type {const} */ (["cannot.colours"])),
      "cannot.staff",
      "cannot.again",
    ],
  };
}
