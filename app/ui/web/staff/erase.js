// A person wants that nothing of them is kept here: an operator types their NIN, and gives them the receipt.
import {button, dialog, el, setText} from "../dom.js";
import {icon} from "../icons.js";
import {keypad} from "../parts/keypad.js";

const kDigits = 11;

/** Asks for the number, and erases. @param {App} app */
function askWho(app) {
  const {t} = app;
  let nin = "";
  const typed = el("output", {class: "typed", dir: "ltr", "aria-live": "polite"});
  const problem = el("p", {class: "problem bad", role: "alert", dir: "auto"});
  const erase = async () => {
    if (nin.length !== kDigits) return setText(problem, t("number.too_short"));
    const reply = await app.command("operator.erase_person", {nin, confirmed: true});
    if (reply.status === 204) sheet.close();
    else setText(problem, reply.error);
  };
  const show = () => {
    setText(problem, "");
    setText(typed, [nin.slice(0, 3), nin.slice(3, 7), nin.slice(7)].join(" ").trim() || "—");
  };
  const press = (/** @type {string} */ digit) => {
    if (nin.length < kDigits) nin += digit;
    show();
  };
  const back = () => {
    nin = nin.slice(0, -1);
    show();
  };
  show();
  const sheet = dialog(
    "pin erase-person",
    el(
      "div",
      {
        class: "pin-sheet",
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (/^\d$/.test(event.key)) press(event.key);
          else if (event.key === "Backspace") back();
          else return;
          event.preventDefault();
        },
      },
      el("h1", {tabindex: -1, autofocus: true}, t("people.erase_title")),
      el("p", {}, t("people.erase_text")),
      typed,
      problem,
      keypad(press, {
        label: t("field.nin"),
        right: el(
          "button",
          {type: "button", class: "key", "aria-label": t("number.delete"), onclick: back},
          icon("erase"),
        ),
      }),
      el(
        "div",
        {class: "actions two"},
        button(t("frame.back"), () => sheet.close(), {class: "second"}),
        button(t("people.erase_yes"), erase, {class: "danger"}),
      ),
    ),
  );
  sheet.setAttribute("aria-label", t("people.erase_title"));
}

/** What an operator does for somebody who asks for it, and the receipt of who came last. @param {App} app @param {string | undefined} receipt */
export const eraseCard = (app, receipt) =>
  el(
    "div",
    {class: "card"},
    el("h2", {}, app.t("people.erase")),
    receipt && el("pre", {class: "receipt", role: "status", dir: "ltr", tabindex: 0}, receipt),
    el(
      "div",
      {class: "stick-actions"},
      button(app.t("people.erase_open"), () => askWho(app), {
        class: "small",
        "data-key": "erase-person",
      }),
    ),
  );
