// A name, where there are several, and the PIN, by touch or keyboard. A PIN is never shown, and forgotten with each try.
import {button, el, setText} from "../dom.js";
import {icon} from "../icons.js";
import {keypad} from "../parts/keypad.js";

const kLongest = 12;

/** Whose PIN opened this page last: they only type it the next time. */
let last = "";

/**
 * @param {App} app
 * @param {{title: string, text?: string, enter: (pin: string, name?: string) => Promise<Reply>, people?: string[], close?: () => void}} options
 */
export function pinSheet(app, {title, text, enter, people = [], close}) {
  const {t} = app;
  let pin = "";
  /** Who is asked for the PIN; "": nobody has said yet, or nobody need. */
  let name = "";
  const dots = el("div", {class: "pin-dots", "aria-hidden": "true"});
  const problem = el("p", {class: "problem bad", role: "alert"});
  const heading = el("h1", {tabindex: -1, autofocus: true});
  const who = el("p", {class: "pin-who"});
  const names = el("div", {class: "people", role: "group", "aria-label": t("pin.who")});
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
    const reply = await enter(tried, name === "" ? undefined : name);
    if (reply.status === 204) last = name;
    if (reply.status === 403) tell(/** @type {PinProblem | null} */ (reply.problem), reply.seconds);
  };
  show();
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let second;
  /** What stands in the way of a PIN, and how long yet. @param {PinProblem | "differ" | null} name @param {number} seconds */
  const tell = (name, seconds) => {
    clearTimeout(second);
    const over = name === "locked_out" && seconds <= 0;
    setText(problem, name === null || over ? "" : t(`pin.${name}`, {seconds}));
    if (name === "locked_out" && !over) second = setTimeout(() => tell(name, seconds - 1), 1000);
  };
  const isChoosing = () => name === "" && people.length > 0;
  /** Asks this person for the PIN; "": asks who it is. @param {string} chosen */
  const ask = (chosen) => {
    name = chosen;
    pin = "";
    show();
    tell(null, 0);
    root.classList.toggle("choosing", isChoosing());
    setText(heading, isChoosing() ? t("pin.who") : title);
    who.replaceChildren(
      ...(name === "" ? [] : [el("strong", {}, name)]),
      ...(name !== "" && people.length > 1
        ? [button(t("pin.other"), () => (ask(""), first()?.focus()), {class: "quiet"})]
        : []),
    );
  };
  const first = () => /** @type {HTMLElement | null} */ (names.querySelector("button"));
  const nameLikely = () =>
    people.find((each) => each === last) ?? (people.length === 1 ? people[0] : "");
  const type = (/** @type {KeyboardEvent} */ event) => {
    if (isChoosing()) {
      const begins = (/** @type {Element} */ each) =>
        each.textContent?.toLowerCase().startsWith(event.key.toLowerCase());
      const found = [...names.children].find(begins);
      if (event.key.length === 1 && found instanceof HTMLElement) found.focus();
      return;
    }
    if (/^\d$/.test(event.key)) press(event.key);
    else if (event.key === "Backspace") erase();
    else if (
      event.key === "Enter" &&
      !(event.target instanceof HTMLButtonElement && event.target.classList.contains("quiet"))
    )
      open();
    else return;
    event.preventDefault();
  };
  /** Takes a digit or letter that was typed while the focus was elsewhere. @param {KeyboardEvent} event */
  const key = (event) => {
    const isInside = event.target instanceof Node && root.contains(event.target);
    if (isInside || !/^[\p{L}\d]$/u.test(event.key)) return false;
    heading.focus();
    type(event);
    return true;
  };
  const root = el(
    "div",
    {class: "pin-sheet", onkeydown: type},
    heading,
    text && el("p", {class: "pin-text"}, text),
    names,
    who,
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
  /** @type {string | null} */
  let shown = null;
  /** Who may be asked for a PIN; what is being typed stays where that is the same. @param {string[]} now */
  const setPeople = (now) => {
    if (shown === now.join(" ")) return;
    shown = now.join(" ");
    people = now;
    names.replaceChildren(
      ...people.map((each) => button(each, () => (ask(each), heading.focus()), {class: "second"})),
    );
    ask(people.includes(name) ? name : nameLikely());
  };
  setPeople(people);
  return {root, tell, setPeople, key};
}
