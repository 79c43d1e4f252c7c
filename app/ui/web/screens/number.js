import {button, el, setAttribute, setText} from "../dom.js";
import {icon} from "../icons.js";
import {keypad} from "../parts/keypad.js";
import {KeyBurst, ninIn} from "../parts/scanner.js";
import {kNinGroups, spaced, spelled} from "../parts/spelled.js";

const kDigits = 11;

/** @param {App} app @returns {View} */
export function number(app) {
  const {t} = app;
  const cells = Array.from({length: kDigits}, (_, i) =>
    el("span", {class: kNinGroups.includes(i) ? "cell group" : "cell"}),
  );
  const problem = el("p", {class: "problem", id: "problem"});
  const next = button(
    t("frame.next"),
    () => app.command("next"),
    {class: "first", "aria-describedby": "problem"},
    icon("next"),
  );
  const finger = el(
    "button",
    {
      type: "button",
      class: "key",
      "aria-label": t("number.delete"),
      onclick: () => app.command("delete"),
    },
    icon("erase"),
  );
  const read = el(
    "button",
    {type: "button", class: "key", "aria-label": t("number.read"), onclick: () => readOut()},
    icon("sound"),
  );
  const heading = el("h1", {}, t("number.title"));
  const hint = el("p", {class: "lead"}, t("number.hint"));
  const scan = button(
    t("number.scan"),
    () => app.command("scan", {on: !app.snapshot.number?.scanning}),
    {class: "second"},
    icon("scan"),
  );
  const keys = keypad((digit) => app.command("digit", {digit}), {
    left: read,
    right: finger,
    label: t("number.keys"),
  });
  const slip = el("div", {class: "slip", hidden: true});
  const places = el("div", {class: "cells", dir: "ltr", role: "img"}, ...cells);
  // What a scanner read that held no number; the daemon knows nothing of it.
  let unreadable = false;

  const readOut = () => app.voice.speak(spelled(app.snapshot.number?.digits ?? "", kNinGroups));

  function take(/** @type {string} */ text) {
    const digits = ninIn(text);
    unreadable = digits === null;
    if (digits !== null) app.command("number", {digits});
    else update(app.snapshot);
  }

  const burst = new KeyBurst({
    digit: (digit) => app.command("digit", {digit}),
    reading: take,
    enter: () => app.command("next"),
  });

  /** @param {boolean} scanning */
  function showSlip(scanning) {
    if (slip.hidden !== scanning) return;
    slip.hidden = !scanning;
    keys.hidden = scanning;
    slip.replaceChildren(
      ...(scanning ? [el("img", {src: `/preview?${Date.now()}`, alt: ""}), icon("corners")] : []),
    );
    setText(heading, t(scanning ? "number.scan_title" : "number.title"));
    setText(hint, t(scanning ? "number.scan_hint" : "number.hint"));
    setText(/** @type {Element} */ (scan.lastChild), t(scanning ? "number.type" : "number.scan"));
    if (scanning) app.voice.speak(["number.scan_title", "number.scan_hint"]);
  }

  /** @param {Snapshot} snapshot */
  function update({number: state}) {
    const digits = state?.digits ?? "";
    cells.forEach((cell, i) => {
      setText(cell, digits[i] ?? "");
      cell.classList.toggle("next", i === digits.length);
    });
    setAttribute(
      places,
      "aria-label",
      digits === "" ? t("number.none") : spaced(digits, kNinGroups),
    );
    scan.hidden = state?.scanning === undefined;
    showSlip(state?.scanning ?? false);
    next.disabled = digits.length !== kDigits || state?.problem === "test_number_in_production";
    finger.disabled = digits === "";
    read.disabled = digits === "" || !app.voice.on;
    const wrong = state?.problem ?? (unreadable ? "unreadable_slip" : null);
    const text =
      wrong === null ? t("number.entered", {count: digits.length}) : t(`number.${wrong}`);
    if (wrong !== null && text !== problem.textContent) app.voice.speak([`number.${wrong}`]);
    setText(problem, text);
    problem.classList.toggle("bad", wrong !== null);
    app.announce(text);
    if (digits !== "") unreadable = false;
  }

  return {
    root: el(
      "section",
      {class: "screen number"},
      el("div", {class: "words"}, heading, hint, places, problem),
      el("div", {class: "picture"}, keys, slip),
      el("div", {class: "actions two"}, scan, next),
    ),
    back: true,
    stop: true,
    update,
    says: ({number: state}) =>
      state?.scanning
        ? ["number.scan_title", "number.scan_hint"]
        : ["number.title", "number.hint", "number.how_said"],
    key: (event) => {
      if (event.key === "Backspace") {
        app.command("delete");
        return true;
      }
      // Enter on a button presses that button.
      if (
        event.key === "Enter" &&
        burst.text === "" &&
        document.activeElement instanceof HTMLButtonElement
      )
        return false;
      return burst.key(event);
    },
    paste: take,
    gone: () => slip.replaceChildren(),
  };
}
