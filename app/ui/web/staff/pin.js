// A PIN, by touch or keyboard. It is never shown, and forgotten with each try.
import {button, el, setText} from "../dom.js";
import {icon} from "../icons.js";
import {keypad} from "../parts/keypad.js";

const kLongest = 12;

/**
 * @param {App} app
 * @param {{title: string, enter: (pin: string) => Promise<Reply>, close?: () => void}} options
 */
export function pinSheet(app, {title, enter, close}) {
  const {t} = app;
  let pin = "";
  const dots = el("div", {class: "pin-dots", "aria-hidden": "true"});
  const problem = el("p", {class: "problem bad", role: "alert"});
  const show = () =>
    dots.replaceChildren(
      ...Array.from({length: Math.max(6, pin.length)}, (_, i) =>
        el("span", {class: i < pin.length ? "full" : ""}),
      ),
    );
  const press = (/** @type {string} */ digit) => {
    if (pin.length < kLongest) pin += digit;
    tell(null, 0);
    show();
  };
  const erase = () => {
    pin = pin.slice(0, -1);
    show();
  };
  const open = async () => {
    if (pin === "") return;
    const tried = pin;
    pin = "";
    show();
    const reply = await enter(tried);
    if (reply.status === 403) tell(/** @type {PinProblem | null} */ (reply.problem), reply.seconds);
  };
  show();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let second;
  /** What stands in the way of a PIN, and how long yet. @param {PinProblem | null} name @param {number} seconds */
  const tell = (name, seconds) => {
    clearTimeout(second);
    const over = name === "locked_out" && seconds <= 0;
    setText(problem, name === null || over ? "" : t(`pin.${name}`, {seconds}));
    if (name === "locked_out" && !over) second = setTimeout(() => tell(name, seconds - 1), 1000);
  };
  const root = el(
    "div",
    {
      class: "pin-sheet",
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (/^\d$/.test(event.key)) press(event.key);
        else if (event.key === "Backspace") erase();
        else if (
          event.key === "Enter" &&
          !(event.target instanceof HTMLButtonElement && event.target.classList.contains("quiet"))
        )
          open();
        else return;
        event.preventDefault();
      },
    },
    el("h1", {tabindex: -1, autofocus: true}, title),
    dots,
    problem,
    keypad(press, {
      label: title,
      left: el(
        "button",
        {type: "button", class: "key", "aria-label": t("number.delete"), onclick: erase},
        icon("erase"),
      ),
      right: el(
        "button",
        {type: "button", class: "key enter", "aria-label": t("pin.open"), onclick: open},
        icon("check"),
      ),
    }),
    close ? button(t("frame.close"), close, {class: "quiet"}) : null,
  );
  return {root, tell};
}
