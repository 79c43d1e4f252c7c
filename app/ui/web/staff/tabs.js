// The panels of the operator's console, one function each: draws `panel` anew from what the daemon says.
import {button, dialog, el} from "../dom.js";
import {localTime} from "../frame.js";
import {icon} from "../icons.js";
import {callRows} from "./calls.js";
import {hourChart} from "./chart.js";
import {withSecond} from "./second.js";

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

/** @param {App} app @param {(keyof English["column"])[]} columns @param {(Node | string)[][]} rows @param {string} name */
function table({t}, columns, rows, name) {
  const heads = columns.map((column) => t(`column.${column}`));
  return el(
    "div",
    {class: "scroll", tabindex: 0, role: "region", "aria-label": name},
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", {scope: "col"}, head)))),
      el("tbody", {}, ...rows.map((row) => el("tr", {}, ...row.map((cell) => el("td", {}, cell))))),
    ),
  );
}

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
          el("span", {}, part.text, part.mend ? el("em", {}, ` ${part.mend}`) : null),
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

/**
 * Asks before something is done that cannot be undone.
 * @param {App} app @param {{title: string, text: string, yes: string, act: () => void}} question
 */
function confirm({t}, {title, text, yes, act}) {
  const sheet = dialog(
    "confirm",
    el("h2", {id: "confirm-title"}, title),
    el("p", {id: "confirm-text"}, text),
    el(
      "div",
      {class: "actions two"},
      button(t("frame.back"), () => sheet.close(), {class: "second", autofocus: true}),
      button(yes, () => (sheet.close(), act()), {class: "danger"}),
    ),
  );
  sheet.setAttribute("role", "alertdialog");
  sheet.setAttribute("aria-labelledby", "confirm-title");
  sheet.setAttribute("aria-describedby", "confirm-text");
}

/**
 * Asks before a hold is lifted: one call goes out, and may be billed.
 * @param {App} app @param {string} hold
 */
const confirmLift = (app, hold) =>
  confirm(app, {
    title: app.t("operator.lift_title", {hold}),
    text: app.t("operator.lift_text"),
    yes: app.t("operator.lift"),
    act: () => app.command("operator.lift", {hold, confirmed: true}),
  });

/** @param {App} app @param {OperatorHold[]} holds */
function holdRows(app, holds) {
  return holds.map(({id, text, liftable}) =>
    el(
      "li",
      {class: "call"},
      el("strong", {class: "hold-id", dir: "ltr"}, id),
      el("span", {class: "call-text"}, text),
      liftable
        ? el(
            "span",
            {class: "call-actions"},
            button(app.t("operator.lift"), () => confirmLift(app, id), {
              class: "small",
              "data-key": `lift ${id}`,
              "aria-label": `${app.t("operator.lift")} ${id}`,
            }),
          )
        : null,
    ),
  );
}

/** @type {Draw} */
function queue(app, {queue: state}, panel) {
  if (state === undefined) return;
  const {counts, holds, calls} = state;
  const names = /** @type {(keyof typeof counts)[]} */ (Object.keys(counts));
  panel.replaceChildren(
    el(
      "ul",
      {class: "figures"},
      ...names.map((name) =>
        el(
          "li",
          {},
          el("strong", {}, String(counts[name])),
          el("span", {}, app.t(`state.${name}`)),
        ),
      ),
    ),
    holds.length > 0 ? el("ul", {class: "calls"}, ...holdRows(app, holds)) : "",
    el(
      "ul",
      {class: "calls"},
      ...(calls.length > 0
        ? callRows(app, calls)
        : [el("li", {class: "empty"}, app.t("desk.none"))]),
    ),
  );
}

/** @type {Draw} */
function ledger(app, {ledger: state}, panel) {
  if (state === undefined) return;
  const {t} = app;
  panel.replaceChildren(
    el(
      "ul",
      {class: "figures"},
      el("li", {}, el("strong", {}, String(state.calls)), el("span", {}, t("operator.calls"))),
      el(
        "li",
        {},
        el("strong", {dir: "ltr"}, state.spend),
        el("span", {}, `${t("operator.spend")} (${state.currency})`),
      ),
    ),
    hourChart(app, state),
    table(
      app,
      ["time", "reference", "stage", "status", "billed", "note"],
      state.rows.map((row) => [
        localTime(row.time),
        row.reference,
        row.stage,
        row.status === null ? "–" : String(row.status),
        t(`billed.${row.billed}`),
        row.text,
      ]),
      t("operator.ledger"),
    ),
  );
}

// A camera that was away and is back has another stream.
const kAgain = 1500;

/** @param {string} alt */
function preview(alt) {
  const image = el("img", {alt, src: `/preview?${Date.now()}`});
  image.addEventListener("error", () =>
    setTimeout(() => {
      if (image.isConnected) image.src = `/preview?${Date.now()}`;
    }, kAgain),
  );
  return image;
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
      state.trouble ? el("p", {class: "problem bad", role: "status"}, state.trouble) : "",
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
  const problem = el("p", {class: "problem bad", role: "alert"});
  panel.replaceChildren(
    el("p", {class: "notice"}, icon("warning"), el("span", {}, state.text)),
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
  confirm(app, {
    title: t("operator.erase_title"),
    text: t("operator.erase_text"),
    yes: t("operator.erase"),
    act: erase,
  });
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

// What a message looks like, with what the dashboard shows put in.
const kMessage = `{
  "base_url": "...",
  "environment": "production",
  "login": {"email": "...", "password": "..."},
  "user_id": "...",
  "api_key": "..."
}`;

/** @type {Draw} */
function setup(app, {setup: state}, panel, fresh) {
  const {t} = app;
  if (fresh) {
    const message = el("textarea", {
      id: "message",
      rows: 8,
      dir: "ltr",
      placeholder: kMessage,
      autocomplete: "off",
      spellcheck: "false",
    });
    const file = el("input", {
      type: "file",
      id: "file",
      class: "hidden",
      accept: ".json,.jsonc,.txt",
      onchange: async () => {
        message.value = (await file.files?.[0]?.text()) ?? "";
      },
    });
    const problem = el("p", {class: "problem bad", role: "alert"});
    panel.replaceChildren(
      el("p", {class: "setup-state notice"}),
      el(
        "form",
        {
          class: "card",
          onsubmit: async (/** @type {SubmitEvent} */ event) => {
            event.preventDefault();
            const reply = await withSecond(app, (second) =>
              app.command("operator.provision", {message: message.value, ...second}),
            );
            problem.textContent = reply.error;
            // It holds credentials: gone from the page as soon as the vault has them.
            if (reply.status === 204) message.value = file.value = "";
          },
        },
        el("h2", {}, t("setup.title")),
        el("label", {for: "message"}, t("setup.message")),
        message,
        file,
        el("label", {for: "file", class: "file"}, t("setup.file")),
        problem,
        el("button", {class: "first"}, t("setup.provision")),
      ),
      el(
        "div",
        {class: "card"},
        el("h2", {}, t("setup.bundle")),
        el("p", {}, t("setup.bundle_text")),
        button(t("setup.make"), () => app.command("operator.bundle"), {class: "second"}),
        el("p", {class: "bundle", role: "status"}),
      ),
    );
  }
  panel
    .querySelector(".setup-state")
    ?.replaceChildren(
      icon(state?.provisioned ? "check" : "warning"),
      el(
        "span",
        {},
        t(state?.provisioned ? "setup.provisioned" : "setup.not_provisioned"),
        state?.text ? ` ${state.text}` : "",
      ),
    );
  panel
    .querySelector(".bundle")
    ?.replaceChildren(state?.bundle ? t("setup.written", {file: state.bundle}) : "");
}

/** @type {Record<Tab, Draw>} */
export const tabs = {ready, queue, ledger, camera, vault, staff, log, setup};
