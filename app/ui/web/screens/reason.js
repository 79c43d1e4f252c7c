import {button, el} from "../dom.js";
import {icon} from "../icons.js";

const kFirst = 4;

// Which sign a reason has, for whoever does not read.
const kSigns = new Map([
  ["ACCOUNT_OPENING", "bank"],
  ["ACCOUNT_UPDATE", "pencil"],
  ["LOAN_APPLICATION", "coins"],
  ["SIM_REGISTRATION", "sim"],
  ["EMPLOYMENT", "briefcase"],
  ["TENANCY", "house"],
  ["BENEFIT_PAYMENT", "wallet"],
  ["AGE_CHECK", "calendar"],
]);

/** The key of a reason that the catalogues know. @param {App} app @param {Reason} reason */
function keyOf({has}, {code}) {
  /** @type {`reasons.${keyof English["reasons"]}`} */
  const key = `reasons.${/** @type {keyof English["reasons"]} */ (code)}`;
  return has(key) ? key : null;
}

/** The catalogue's words for a reason, else the label of the service. @param {App} app @param {Reason} reason */
export function reasonText(app, reason) {
  const key = keyOf(app, reason);
  return key === null ? reason.label || reason.code : app.t(key);
}

/** @param {App} app @param {Reason} item */
const tile = (app, item) =>
  el(
    "button",
    {
      type: "button",
      class: "tile",
      "aria-pressed": String(item.code === app.snapshot.reason),
      onclick: () => app.command("reason", {code: item.code}),
    },
    icon(kSigns.get(item.code) ?? "list"),
    el("span", {}, reasonText(app, item)),
    icon("next"),
  );

/**
 * All tiles where there is room, else four, and the next ones in their place: nobody scrolls to find theirs.
 * @param {App} app @param {HTMLElement[]} tiles
 */
function pages({t}, tiles) {
  const list = el("div", {class: "picture tiles"});
  let from = 0;
  const isTooLong = () =>
    [list, list.closest("main")].some(
      (box) => box !== null && box.scrollHeight > box.clientHeight + 1,
    );
  const place = () => {
    list.replaceChildren(...tiles);
    more.hidden = true;
    if (tiles.length <= kFirst || !isTooLong()) return;
    list.replaceChildren(...tiles.slice(from, from + kFirst));
    more.hidden = false;
  };
  const more = button(
    t("reason.more"),
    () => {
      from = from + kFirst < tiles.length ? from + kFirst : 0;
      place();
      tiles[from].focus();
    },
    {class: "second"},
  );
  return {
    list,
    more,
    place,
    /** The reasons whose tiles are shown. @param {Reason[]} all one for each tile */
    shown: (all) => (more.hidden ? all : all.slice(from, from + kFirst)),
  };
}

/** @param {App} app @returns {View} */
export function reason(app) {
  const reasons = app.snapshot.reasons ?? [];
  const tiles = reasons.map((item) => tile(app, item));
  const {list, more, place, shown} = pages(app, tiles);
  // Larger letters take more room.
  const letters = new ResizeObserver(place);
  return {
    root: el(
      "section",
      {class: "screen reason"},
      el(
        "div",
        {class: "words"},
        el("h1", {}, app.t("reason.title")),
        el("p", {class: "lead"}, app.t("reason.lead")),
      ),
      list,
      el("div", {class: "actions"}, more),
    ),
    back: true,
    stop: true,
    placed: () => {
      place();
      letters.observe(tiles[0] ?? list);
    },
    says: () => [
      "reason.title",
      "reason.lead",
      ...shown(reasons).flatMap((item) => keyOf(app, item) ?? []),
    ],
    gone: () => letters.disconnect(),
  };
}
