// Calls as rows: what a clerk and an operator see of the queue.
import {button, dialog, el} from "../dom.js";
import {age} from "../frame.js";
import {icon} from "../icons.js";
import {grouped} from "../screens/answer.js";

/** The sign beside the word and colour of a state. @type {Record<string, string>} */
const kSigns = {
  pending: "clock", sending: "send", done: "check", unknown: "question", held: "hand", cancelled: "cross", expired: "cross",
  verified: "check", not_verified: "cross", rejected: "hand",
};

/** @param {App} app @param {Call} call */
export function pill(app, {state, verdict}) {
  const name = state === "done" && verdict ? verdict : state;
  return el("span", {class: `pill pill-${name}`}, icon(kSigns[name]), el("span", {}, app.t(`state.${name}`)));
}

/** @param {App} app @param {string} question */
export const task = (app, question) => app.has(`task.${question}`) ? app.t(`task.${question}`) : question;

/** Asks before anything that may cost money or lose a call. @param {App} app @param {"resend" | "give_up"} what @param {Call} call @param {string | undefined} price */
function confirm(app, what, call, price) {
  const {t} = app;
  const text = what === "give_up" ? t("desk.give_up_text") : price ? t("desk.resend_price", {price}) : t("desk.resend_text");
  const sheet = dialog("confirm",
    el("h2", {id: "confirm-title"}, t(`desk.${what}_title`, {reference: grouped(call.reference)})),
    el("p", {id: "confirm-text"}, text),
    el("div", {class: "actions two"},
      button(t("frame.back"), () => sheet.close(), {class: "second", autofocus: true}),
      button(t(`desk.${what}`), () => {
        sheet.close();
        app.command(what, {reference: call.reference, ...what === "resend" ? {confirmed: true} : {}});
      }, {class: "danger"})));
  sheet.setAttribute("role", "alertdialog");
  sheet.setAttribute("aria-labelledby", "confirm-title");
  sheet.setAttribute("aria-describedby", "confirm-text");
}

/** @param {App} app @param {Call[]} calls @param {{price?: string, decide: boolean}} options */
export function callRows(app, calls, {price, decide}) {
  const {t} = app;
  return calls.map((call) => el("li", {class: "call"},
    el("strong", {class: "call-reference", dir: "ltr"}, grouped(call.reference)),
    el("span", {class: "call-task"}, task(app, call.question)),
    pill(app, call),
    el("span", {class: "call-age"}, age(app, call.age_seconds)),
    call.text ? el("span", {class: "call-text"}, call.text) : null,
    decide && call.state === "unknown" ? el("span", {class: "call-actions"},
      button(t("desk.resend"), () => confirm(app, "resend", call, call.price ?? price), {class: "small"}),
      button(t("desk.give_up"), () => confirm(app, "give_up", call, price), {class: "small"})) : null));
}
