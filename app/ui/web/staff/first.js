// A kiosk that nobody is operator of: whoever sets it up chooses their name and, twice, their PIN. By touch alone.
import {button, el, setText} from "../dom.js";
import {keyboard} from "../parts/keyboard.js";
import {pinSheet} from "./pin.js";

/** @type {Reply} */
const kGoesOn = {status: 204, error: "", problem: null, seconds: 0, reference: ""};

/**
 * Asks for the name, with keys for whoever has no keyboard.
 * @param {App} app @param {() => void} next @param {() => void} close
 */
function nameForm(app, next, close) {
  const {t} = app;
  const problem = el("p", {class: "problem bad", role: "alert", dir: "auto"});
  const name = el("input", {
    id: "first-name",
    dir: "ltr",
    maxlength: 32,
    autocomplete: "off",
    spellcheck: "false",
  });
  const keys = keyboard(app);
  keys.follow([name]);
  // Where they do not fit beside the rest, they come when asked for.
  keys.root.hidden = window.matchMedia("(max-width: 43.74em), (max-height: 43.74em)").matches;
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    setText(problem, /^[A-Za-z0-9._-]+$/.test(name.value) ? "" : t("pin.bad_name"));
    if (problem.textContent === "") next();
  };
  const root = el(
    "form",
    {class: "name-sheet", onsubmit: submit},
    el("h1", {tabindex: -1}, t("pin.first")),
    el("p", {}, t("pin.first_text")),
    el("label", {for: "first-name"}, el("span", {}, t("pin.name")), name),
    problem,
    el(
      "div",
      {class: "actions two"},
      button(t("frame.close"), close, {class: "second"}),
      el("button", {class: "first"}, t("frame.next")),
    ),
    keys.root,
    button(t("setup.keyboard"), () => (keys.root.hidden = !keys.root.hidden), {class: "quiet"}),
  );
  return {root, name, problem};
}

/** @param {App} app @param {() => void} close */
export function firstOperatorSheet(app, close) {
  const {t} = app;
  let pin = "";
  const root = el("div", {class: "first-operator"});
  const named = nameForm(app, () => askPin(null), close);

  const show = (/** @type {HTMLElement} */ part) => {
    root.replaceChildren(part);
    const first = part.querySelector("input") ?? part.querySelector("h1");
    first?.focus();
  };
  const askName = () => show(named.root);
  /** @param {PinProblem | "differ" | null} why */
  const askPin = (why) => {
    const sheet = pinSheet(app, {
      title: t("pin.choose"),
      text: t("pin.choose_text"),
      enter: async (chosen) => {
        pin = chosen;
        askAgain();
        return kGoesOn;
      },
      close,
    });
    show(sheet.root);
    sheet.tell(why, 0);
  };
  const askAgain = () =>
    show(pinSheet(app, {title: t("pin.repeat"), enter: enterAgain, close}).root);
  const enterAgain = async (/** @type {string} */ again) => {
    const chosen = pin;
    pin = "";
    if (again !== chosen) {
      askPin("differ");
      return kGoesOn;
    }
    const reply = await app.command("operator.first", {name: named.name.value, pin: chosen});
    const why = /** @type {PinProblem | null} */ (reply.problem);
    if (reply.status !== 403) return reply;
    if (why === "weak_pin") askPin(why);
    else {
      setText(named.problem, why === null ? reply.error : t(`pin.${why}`));
      askName();
    }
    return kGoesOn;
  };
  return {root, askName};
}
