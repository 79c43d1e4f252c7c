// The panels of the operator's console, one function each: draws `panel` anew from what the daemon says.
import {alertDialog, button, el} from "../dom.js";
import {localTime} from "../frame.js";
import {icon} from "../icons.js";
import {ledger} from "./ledger.js";
import {preview} from "./preview.js";
import {queue} from "./queue.js";
import {withSecond} from "./second.js";
import {setup} from "./setup.js";
import {table} from "./table.js";

/** @typedef {(app: App, state: Operator, panel: HTMLElement, fresh: boolean) => void} Draw */

/** @type {Record<PartState | "set" | "missing", string>} */
const kSigns = {
  good: "check",
  warning: "warning",
  bad: "cross",
  checking: "clock",
  set: "check",
  missing: "cross",
};

/** @param {App} app @param {PartState | "set" | "missing"} state */
const mark = ({t}, state) =>
  el(
    "span",
    {class: `pill pill-${state}`},
    icon(kSigns[state]),
    el("span", {}, t(`operator.${state}`)),
  );

/** @type {Draw} */
function ready(app, {ready: state}, panel) {
  panel.replaceChildren(
    el(
      "ul",
      {class: "parts"},
      ...(state?.parts ?? []).map((part) =>
        el(
          "li",
          {},
          mark(app, part.state),
          el("strong", {}, part.name),
          el("span", {dir: "auto"}, part.text, part.mend ? el("em", {}, ` ${part.mend}`) : null),
        ),
      ),
    ),
    button(
      app.t("operator.again"),
      () => app.command("operator.tab", {tab: "ready"}),
      {class: "second"},
      icon("again"),
    ),
  );
}

/** @type {Draw} */
function camera({t}, {camera: state}, panel, fresh) {
  if (state === undefined) return;
  if (fresh) {
    panel.replaceChildren(
      el(
        "div",
        {class: "camera-view"},
        el("div", {class: "camera-picture"}, preview(t("operator.camera"))),
        el("div", {class: "measures"}),
      ),
    );
  }
  const share = (
    /** @type {number} */ value,
    /** @type {number} */ low,
    /** @type {number} */ high,
  ) => Math.max(0, Math.min(1, (value - low) / (high - low || 1)));
  panel
    .querySelector(".measures")
    ?.replaceChildren(
      el(
        "dl",
        {},
        el("dt", {}, t("column.source")),
        el("dd", {dir: "ltr"}, state.source),
        el("dt", {}, t("column.format")),
        el("dd", {dir: "ltr"}, state.format),
        el("dt", {}, t("column.detector")),
        el("dd", {dir: "ltr"}, state.detector),
      ),
      state.trouble
        ? el("p", {class: "problem bad", role: "status", dir: "auto"}, state.trouble)
        : "",
      el(
        "ul",
        {class: "meters"},
        ...state.measures.map(({name, value, unit, low, high, good, limits}) =>
          el(
            "li",
            {class: good ? "good" : "bad"},
            icon(good ? "check" : "cross"),
            el("span", {}, name),
            el("meter", {min: 0, max: 1, value: share(value, low, high), "aria-label": name}),
            el("span", {dir: "ltr"}, `${value} ${unit} `, el("small", {}, limits)),
          ),
        ),
      ),
    );
}

/** @type {Draw} */
function vault(app, {vault: state}, panel) {
  if (state === undefined) return;
  const problem = el("p", {class: "problem bad", role: "alert", dir: "auto"});
  panel.replaceChildren(
    el("p", {class: "notice"}, icon("warning"), el("span", {dir: "auto"}, state.text)),
    el(
      "ul",
      {class: "parts"},
      ...state.entries.map((entry) =>
        el("li", {}, mark(app, entry.state), el("strong", {}, entry.name)),
      ),
    ),
    problem,
    button(app.t("operator.erase"), () => confirmErase(app, problem), {class: "danger erase"}),
  );
}

/**
 * Asks before everything is erased.
 * @param {App} app @param {HTMLElement} problem
 */
function confirmErase(app, problem) {
  const {t} = app;
  const erase = async () => {
    const reply = await withSecond(app, (second) =>
      app.command("operator.erase", {confirmed: true, ...second}),
    );
    problem.textContent = reply.error;
  };
  alertDialog(
    app,
    t("operator.erase_title"),
    [t("operator.erase_text")],
    t("operator.erase"),
    erase,
  );
}

/** @type {Draw} */
function staff(app, {staff: state}, panel) {
  if (state === undefined) return;
  const {t} = app;
  panel.replaceChildren(
    el(
      "p",
      {class: "notice"},
      icon(state.two_persons ? "check" : "warning"),
      el("span", {}, t(state.two_persons ? "operator.two_persons" : "operator.one_person")),
    ),
    el(
      "ul",
      {class: "parts"},
      ...state.people.map(({name, role, signed_in}) =>
        el(
          "li",
          {},
          el("span", {}, t(role === "clerk" ? "operator.clerk" : "operator.title")),
          el("strong", {}, name),
          el("span", {}, signed_in ? t("operator.signed_in") : ""),
        ),
      ),
    ),
  );
}

/** @type {Draw} */
function log(app, {log: state}, panel) {
  panel.replaceChildren(
    table(
      app,
      ["time", "level", "note"],
      (state?.lines ?? []).map(({time, level, text}) => [localTime(time), level, text]),
      app.t("operator.log"),
    ),
  );
}

/** @type {Record<Tab, Draw>} */
export const tabs = {ready, queue, ledger, camera, vault, staff, log, setup};
