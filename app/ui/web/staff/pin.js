// A name, where there are several, and the PIN, by touch or keyboard. A PIN is never shown, and forgotten with each try.
import {button, el, setText} from "../dom.js";
import {drawnKey, keypad} from "../parts/keypad.js";

const kLongest = 12;

/** Whose PIN opened this page last: they only type it the next time. */
let last = "";

/** The PIN as it is typed: never shown, and forgotten as soon as it is taken. */
function typedPin() {
  let pin = "";
  const dots = el("div", {class: "pin-dots", "aria-hidden": "true"});
  const set = (/** @type {string} */ now) => {
    pin = now;
    dots.replaceChildren(
      ...Array.from({length: Math.max(6, pin.length)}, (_, i) =>
        el("span", {class: i < pin.length ? "full" : ""}),
      ),
    );
  };
  set("");
  return {
    dots,
    add: (/** @type {string} */ digit) => set(pin.length < kLongest ? pin + digit : pin),
    erase: () => set(pin.slice(0, -1)),
    take: () => {
      const taken = pin;
      set("");
      return taken;
    },
  };
}

/** What stands in the way of a PIN, and how long yet. @param {App} app */
function problemLine({t}) {
  const root = el("p", {class: "problem bad", role: "alert"});
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let second;
  /** @param {PinProblem | "differ" | null} name @param {number} seconds */
  const tell = (name, seconds) => {
    clearTimeout(second);
    const over = name === "locked_out" && seconds <= 0;
    setText(root, name === null || over ? "" : t(`pin.${name}`, {seconds}));
    if (name === "locked_out" && !over) second = setTimeout(() => tell(name, seconds - 1), 1000);
  };
  return {root, tell};
}

/**
 * Whose PIN is asked for, and by which sentence.
 * @param {App} app @param {string} title @param {() => void} changed
 */
function personChoice({t}, title, changed) {
  /** Who is asked for the PIN; "": nobody has said yet, or nobody need. */
  let name = "";
  /** @type {string[]} */
  let people = [];
  /** @type {string | null} */
  let shown = null;
  const heading = el("h1", {tabindex: -1, autofocus: true});
  const who = el("p", {class: "pin-who"});
  const names = el("div", {class: "people", role: "group", "aria-label": t("pin.who")});

  const isChoosing = () => name === "" && people.length > 0;
  const first = () => /** @type {HTMLElement | null} */ (names.querySelector("button"));
  const nameLikely = () =>
    people.find((each) => each === last) ?? (people.length === 1 ? people[0] : "");
  /** Asks this person for the PIN; "": asks who it is. @param {string} chosen */
  const ask = (chosen) => {
    name = chosen;
    changed();
    setText(heading, isChoosing() ? t("pin.who") : title);
    who.replaceChildren(
      ...(name === "" ? [] : [el("strong", {}, name)]),
      ...(name !== "" && people.length > 1
        ? [button(t("pin.other"), () => (ask(""), first()?.focus()), {class: "quiet"})]
        : []),
    );
  };
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
  /** Goes to the first name with this letter. @param {string} letter */
  const goTo = (letter) => {
    const begins = (/** @type {Element} */ each) =>
      each.textContent?.toLowerCase().startsWith(letter.toLowerCase());
    const found = [...names.children].find(begins);
    if (letter.length === 1 && found instanceof HTMLElement) found.focus();
  };
  return {heading, who, names, chosen: () => name, isChoosing, setPeople, goTo};
}

/**
 * @param {App} app
 * @param {{title: string, text?: string, enter: (pin: string, name?: string) => Promise<Reply>, people?: string[], close?: () => void}} options
 */
export function pinSheet(app, {title, text, enter, people = [], close}) {
  const {t} = app;
  const typed = typedPin();
  const {root: problem, tell} = problemLine(app);
  const person = personChoice(app, title, () => {
    typed.take();
    tell(null, 0);
    root.classList.toggle("choosing", person.isChoosing());
  });
  const press = (/** @type {string} */ digit) => {
    typed.add(digit);
    tell(null, 0);
  };
  const open = async () => {
    const pin = typed.take();
    if (pin === "") return;
    const reply = await enter(pin, person.chosen() === "" ? undefined : person.chosen());
    if (reply.status === 204) last = person.chosen();
    if (reply.status === 403) tell(/** @type {PinProblem | null} */ (reply.problem), reply.seconds);
  };
  const type = (/** @type {KeyboardEvent} */ event) => {
    if (person.isChoosing()) return person.goTo(event.key);
    if (/^\d$/.test(event.key)) press(event.key);
    else if (event.key === "Backspace") typed.erase();
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
    person.heading.focus();
    type(event);
    return true;
  };
  const root = el(
    "div",
    {class: "pin-sheet", onkeydown: type},
    person.heading,
    text && el("p", {class: "pin-text"}, text),
    person.names,
    person.who,
    typed.dots,
    problem,
    keypad(press, {
      label: title,
      left: drawnKey("erase", t("number.delete"), typed.erase),
      right: drawnKey("check", t("pin.open"), open, "key enter"),
    }),
    close ? button(t("frame.close"), close, {class: "quiet"}) : null,
  );
  person.setPeople(people);
  return {root, tell, setPeople: person.setPeople, key};
}
