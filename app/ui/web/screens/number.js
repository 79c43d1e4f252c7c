import {button, el, setAttribute, setText} from "../dom.js";
import {icon} from "../icons.js";
import {drawnKey, keypad} from "../parts/keypad.js";
import {KeyBurst, ninIn} from "../parts/scanner.js";
import {kNinGroups, spaced, spelled} from "../parts/spelled.js";

const kDigits = 11;

/** A cell for each digit. @param {App} app */
function digitCells({t}) {
  const cells = Array.from({length: kDigits}, (_, i) =>
    el("span", {class: kNinGroups.includes(i) ? "cell group" : "cell"}),
  );
  const root = el("div", {class: "cells", dir: "ltr", role: "img"}, ...cells);
  return {
    root,
    /** @param {string} digits */
    show(digits) {
      cells.forEach((cell, i) => {
        setText(cell, digits[i] ?? "");
        cell.classList.toggle("next", i === digits.length);
      });
      setAttribute(
        root,
        "aria-label",
        digits === "" ? t("number.none") : spaced(digits, kNinGroups),
      );
    },
  };
}

/** The keys, with one that reads the number out and one that erases a digit. @param {App} app */
function numberKeys(app) {
  const {t} = app;
  const readOut = () => app.voice.speak(spelled(app.snapshot.number?.digits ?? "", kNinGroups));
  const read = drawnKey("sound", t("number.read"), readOut);
  const erase = drawnKey("erase", t("number.delete"), () => app.command("delete"));
  return {
    root: keypad((digit) => app.command("digit", {digit}), {
      left: read,
      right: erase,
      label: t("number.keys"),
    }),
    /** @param {string} digits */
    update(digits) {
      erase.disabled = digits === "";
      read.disabled = digits === "" || !app.voice.on;
    },
  };
}

/**
 * The question, which a slip before the camera answers in place of the keys.
 * @param {App} app @param {HTMLElement} keys
 */
function question(app, keys) {
  const {t} = app;
  const heading = el("h1", {}, t("number.title"));
  const hint = el("p", {class: "lead"}, t("number.hint"));
  const scan = button(
    t("number.scan"),
    () => app.command("scan", {on: !app.snapshot.number?.scanning}),
    {class: "second"},
    icon("scan"),
  );
  const slip = el("div", {class: "slip", hidden: true});

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

  return {
    heading,
    hint,
    scan,
    slip,
    /** @param {boolean | undefined} scanning undefined where this kiosk cannot */
    update(scanning) {
      scan.hidden = scanning === undefined;
      showSlip(scanning ?? false);
    },
  };
}

/** What is wrong with the number, or how much of it there is. @param {App} app */
function problemLine(app) {
  const root = el("p", {class: "problem", id: "problem"});
  return {
    root,
    /** @param {NumberProblem | null} wrong @param {number} count */
    show(wrong, count) {
      const text = wrong === null ? app.t("number.entered", {count}) : app.t(`number.${wrong}`);
      if (wrong !== null && text !== root.textContent) app.voice.speak([`number.${wrong}`]);
      setText(root, text);
      root.classList.toggle("bad", wrong !== null);
      app.announce(text);
    },
  };
}

/** What a keyboard types, and a scanner. @param {App} app @param {(text: string) => void} take */
function typing(app, take) {
  const burst = new KeyBurst({
    digit: (digit) => app.command("digit", {digit}),
    reading: take,
    enter: () => app.command("next"),
  });
  return (/** @type {KeyboardEvent} */ event) => {
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
  };
}

/** @param {App} app @returns {View} */
export function number(app) {
  const cells = digitCells(app);
  const keys = numberKeys(app);
  const {heading, hint, scan, slip, update: updateQuestion} = question(app, keys.root);
  const problem = problemLine(app);
  const next = button(
    app.t("frame.next"),
    () => app.command("next"),
    {class: "first", "aria-describedby": "problem"},
    icon("next"),
  );
  // What a scanner read that held no number; the daemon knows nothing of it.
  let unreadable = false;

  function take(/** @type {string} */ text) {
    const digits = ninIn(text);
    unreadable = digits === null;
    if (digits !== null) app.command("number", {digits});
    else update(app.snapshot);
  }

  /** @param {Snapshot} snapshot */
  function update({number: state}) {
    const digits = state?.digits ?? "";
    cells.show(digits);
    updateQuestion(state?.scanning);
    next.disabled = digits.length !== kDigits || state?.problem === "test_number_in_production";
    keys.update(digits);
    problem.show(state?.problem ?? (unreadable ? "unreadable_slip" : null), digits.length);
    if (digits !== "") unreadable = false;
  }

  return {
    root: el(
      "section",
      {class: "screen number"},
      el("div", {class: "words"}, heading, hint, cells.root, problem.root),
      el("div", {class: "picture"}, keys.root, slip),
      el("div", {class: "actions two"}, scan, next),
    ),
    back: true,
    stop: true,
    update,
    says: ({number: state}) =>
      state?.scanning
        ? ["number.scan_title", "number.scan_hint"]
        : ["number.title", "number.hint", "number.how_said"],
    key: typing(app, take),
    paste: take,
    gone: () => slip.replaceChildren(),
  };
}
