// The operator's console. Words from the program itself (parts, measures, log) are English and shown as they are.
import {button, el, setAttribute, setText} from "../dom.js";
import {icon} from "../icons.js";
import {tabs} from "../staff/tabs.js";

/** @type {Tab[]} */
const kTabs = ["ready", "queue", "ledger", "camera", "vault", "staff", "log", "setup"];

// What has a place of its own in a panel: it stays there when the panel is drawn anew.
const kFocus = "button, input, select, textarea, [tabindex]";
const kScrolls = ".scroll, .calls, .parts";

/** @param {HTMLElement} panel @param {() => void} draw */
function inPlace(panel, draw) {
  const find = (/** @type {string} */ selector) =>
    /** @type {HTMLElement[]} */ ([...panel.querySelectorAll(selector)]);
  const focused = find(kFocus).findIndex((element) => element === document.activeElement);
  // What names itself is found again wherever it went.
  const key = find(kFocus)[focused]?.dataset.key;
  const tops = [panel, ...find(kScrolls)].map(({scrollTop}) => scrollTop);
  draw();
  [panel, ...find(kScrolls)].forEach((element, i) => {
    element.scrollTop = tops[i] ?? 0;
  });
  if (focused < 0 || panel.contains(document.activeElement)) return;
  const again = find(kFocus).find(({dataset}) => key !== undefined && dataset.key === key);
  (again ?? find(kFocus)[focused])?.focus({preventScroll: true});
}

/** The names of the panels, of which the arrow keys choose one. @param {App} app */
function tabList(app) {
  const {t} = app;
  const choices = kTabs.map((name) =>
    button(t(`operator.${name}`), () => app.command("operator.tab", {tab: name}), {
      class: "tab",
      role: "tab",
      id: `tab-${name}`,
      "aria-controls": "panel",
    }),
  );
  const turn = (/** @type {KeyboardEvent} */ event) => {
    const by = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (by === undefined) return;
    const at = choices.findIndex((choice) => choice === document.activeElement);
    choices[(at + by + choices.length) % choices.length].focus();
  };
  return {
    root: el(
      "div",
      {class: "tabs", role: "tablist", "aria-label": t("operator.title"), onkeydown: turn},
      ...choices,
    ),
    /** @param {Tab} tab */
    show(tab) {
      kTabs.forEach((name, i) => {
        setAttribute(choices[i], "aria-selected", String(name === tab));
        choices[i].tabIndex = name === tab ? 0 : -1;
      });
    },
  };
}

/** @param {App} app @returns {View} */
export function operator(app) {
  const {t} = app;
  const choices = tabList(app);
  const problem = el("p", {class: "problem bad", role: "status", dir: "auto"});
  const signedIn = el("p", {class: "signed-in"});
  const panel = el("div", {class: "panel", id: "panel", role: "tabpanel", tabindex: 0});
  let shows = "";
  // What an operator chooses in a panel, and the program does not know, is drawn at the same place, too.
  panel.addEventListener("redraw", (event) =>
    inPlace(panel, /** @type {CustomEvent<() => void>} */ (event).detail),
  );
  return {
    root: el(
      "section",
      {class: "screen operator staff"},
      el(
        "div",
        {class: "desk-top"},
        el("h1", {}, t("operator.title")),
        signedIn,
        button(
          t("operator.close"),
          () => app.command("operator.close"),
          {class: "quiet"},
          icon("cross"),
        ),
      ),
      choices.root,
      problem,
      panel,
    ),
    update: ({operator: state, user}) => {
      if (state === undefined) return;
      setText(signedIn, user ?? "");
      choices.show(state.tab);
      const text = JSON.stringify(state);
      if (text === shows) return;
      const fresh = shows === "" || JSON.parse(shows).tab !== state.tab;
      shows = text;
      setAttribute(panel, "aria-labelledby", `tab-${state.tab}`);
      setText(problem, state.problem);
      const draw = () => tabs[state.tab](app, state, panel, fresh);
      if (fresh) (panel.replaceChildren(), draw());
      else inPlace(panel, draw);
    },
    gone: () => panel.replaceChildren(),
  };
}
