// The console's set-up: a code before the camera, a file on a stick, or letters; nothing is stored before it was tried.
import {button, el} from "../dom.js";
import {icon} from "../icons.js";
import {keyboard} from "../parts/keyboard.js";
import {preview} from "./preview.js";
import {withSecond} from "./second.js";
import {stickCard} from "./stick.js";

// What a message looks like, with what the dashboard shows put in.
const kMessage = `{
  "base_url": "...",
  "environment": "production",
  "login": {"email": "...", "password": "..."},
  "user_id": "...",
  "api_key": "..."
}`;

/** @type {("login" | "password" | "user_id" | "api_key")[]} */
const kTyped = ["login", "password", "user_id", "api_key"];

/** The message as text, and the file that fills it in. */
function messageInputs() {
  const message = el("textarea", {
    id: "message",
    rows: 4,
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
  return {message, file};
}

/** A message that was scanned, or lies on a stick, may lack what the dashboard alone shows. */
const typedInputs = () =>
  kTyped.map((name) =>
    el("input", {
      id: `setup-${name}`,
      name,
      dir: "ltr",
      type: name === "password" || name === "api_key" ? "password" : "text",
      autocomplete: "off",
      spellcheck: "false",
    }),
  );

/** @param {App} app @param {HTMLElement} problem */
function form(app, problem) {
  const {t} = app;
  const {message, file} = messageInputs();
  const typed = typedInputs();
  const keys = keyboard(app);
  keys.follow([message, ...typed]);
  keys.root.hidden = true;
  const provide = async (/** @type {Commands["operator.provision"]} */ what) => {
    problem.textContent = "";
    const values = Object.fromEntries(
      typed.filter(({value}) => value !== "").map(({name, value}) => [name, value]),
    );
    const reply = await withSecond(app, (second) =>
      app.command("operator.provision", {...what, ...values, ...second}),
    );
    problem.textContent = reply.error;
    // They hold credentials: gone from the page as soon as the vault has them.
    if (reply.status === 204) for (const each of [message, file, ...typed]) each.value = "";
    return reply;
  };
  const root = el(
    "form",
    {
      class: "card",
      onsubmit: (/** @type {SubmitEvent} */ event) => {
        event.preventDefault();
        provide(message.value === "" ? {} : {message: message.value});
      },
    },
    el("h2", {}, t("setup.rest")),
    el("label", {for: "message"}, t("setup.message")),
    message,
    file,
    el("label", {for: "file", class: "file"}, t("setup.file")),
    el(
      "div",
      {class: "fields"},
      ...typed.map((input, i) =>
        el("label", {for: input.id}, el("span", {}, t(`setup.${kTyped[i]}`)), input),
      ),
    ),
    problem,
    el(
      "div",
      {class: "stick-actions"},
      button(t("setup.keyboard"), () => (keys.root.hidden = !keys.root.hidden), {class: "small"}),
      el("button", {class: "first"}, t("setup.provision")),
    ),
    keys.root,
  );
  return {root, provide};
}

/** @param {App} app @param {Operator["setup"]} state @param {HTMLElement} scan */
function showScan(app, state, scan) {
  const {t} = app;
  const on = state?.scanning === true;
  if (scan.dataset.on === String(on)) return;
  scan.dataset.on = String(on);
  scan.replaceChildren(
    el("h2", {}, t("setup.title")),
    el("p", {}, t(on ? "setup.scan_hint" : "setup.scan_text")),
    button(
      t(on ? "setup.scan_stop" : "setup.scan"),
      () => app.command("operator.scan", {on: !on}),
      {class: "first"},
      icon(on ? "cross" : "scan"),
    ),
    on ? el("div", {class: "camera-picture"}, preview(t("operator.camera"))) : "",
  );
}

/** @type {(reply: Commands["operator.provision"]) => Promise<Reply>} */
let provide;

/** Whether another operator is being asked about what was scanned. */
let asks = false;

async function askSecond() {
  if (asks) return;
  asks = true;
  await provide({});
  asks = false;
}

/** @type {import("./tabs.js").Draw} */
export function setup(app, {setup: state, stick}, panel, fresh) {
  const {t} = app;
  if (fresh) {
    const typed = form(app, el("p", {class: "problem bad", role: "alert", dir: "auto"}));
    provide = typed.provide;
    panel.replaceChildren(
      el("p", {class: "setup-state notice", role: "status"}),
      el("div", {class: "card setup-scan"}),
      el("div", {class: "setup-stick"}),
      typed.root,
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
  const find = (/** @type {string} */ name) =>
    /** @type {HTMLElement} */ (panel.querySelector(name));
  find(".setup-state").replaceChildren(
    icon(state?.provisioned ? "check" : "warning"),
    el(
      "span",
      {},
      t(state?.provisioned ? "setup.provisioned" : "setup.not_provisioned"),
      state?.text ? " " : "",
      el("bdi", {}, state?.text),
    ),
  );
  showScan(app, state, find(".setup-scan"));
  if (state?.second_needed) askSecond();
  const card = stickCard(
    app,
    stick,
    [],
    {text: (file) => t("setup.from", {file}), press: (file) => provide({file})},
    "json",
  );
  find(".setup-stick").replaceChildren(card);
  find(".bundle").replaceChildren(state?.bundle ? t("setup.written", {file: state.bundle}) : "");
}
