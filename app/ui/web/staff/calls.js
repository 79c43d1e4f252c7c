// Calls as rows: what a clerk and an operator see of the queue.
import {alertDialog, button, el} from "../dom.js";
import {age} from "../frame.js";
import {icon} from "../icons.js";
import {grouped} from "../screens/answer.js";

/**
 * The sign beside the word of each state, and their colour in staff.css.
 * @type {Record<CallState | Verdict, [sign: string, tone: "good" | "bad" | "info" | "warning" | "muted"]>}
 */
const kLooks = {
  pending: ["clock", "info"],
  sending: ["send", "info"],
  done: ["check", "good"],
  unknown: ["question", "warning"],
  held: ["hand", "warning"],
  cancelled: ["cross", "muted"],
  expired: ["cross", "muted"],
  damaged: ["warning", "warning"],
  given_up: ["cross", "muted"],
  verified: ["check", "good"],
  not_verified: ["cross", "bad"],
  rejected: ["hand", "warning"],
};

/** @param {App} app @param {Call} call */
export function pill(app, {state, verdict}) {
  const name = state === "done" && verdict ? verdict : state;
  const [sign, tone] = kLooks[name];
  return el(
    "span",
    {class: `pill pill-${name} pill-${tone}`},
    icon(sign),
    el("span", {}, app.t(`state.${name}`)),
  );
}

/**
 * Asks before anything that may cost money or lose a call.
 * @param {App} app @param {"resend" | "give_up"} what @param {Call} call @param {(reply: Reply) => void} [done]
 */
function confirm(app, what, {reference, attempts, price}, done) {
  const {t} = app;
  const text =
    what === "give_up"
      ? t("desk.give_up_text")
      : price
        ? t("desk.resend_price", {price})
        : t("desk.resend_text");
  const title = t(`desk.${what}_title`, {reference: grouped(reference)});
  alertDialog(app, title, [text], t(`desk.${what}`), async () =>
    done?.(
      await (what === "resend"
        ? app.command("resend", {reference, attempts, confirmed: true})
        : app.command("give_up", {reference})),
    ),
  );
}

/**
 * @param {App} app @param {Call | DeskCall | OperatorCall} call
 * @param {{show?: (call: Call) => void, done?: (reply: Reply) => void, choice?: HTMLElement | null, facts?: string[]}} [options]
 * facts: what else is known of it; choice: chooses it.
 */
export function callRow(app, call, {show, done, choice = null, facts = []} = {}) {
  const {t} = app;
  const act = (
    /** @type {"resend" | "give_up" | "show"} */ what,
    /** @type {() => void} */ press,
  ) =>
    button(t(`desk.${what}`), press, {
      class: "small",
      "data-key": `${what} ${call.reference}`,
      "aria-label": `${t(`desk.${what}`)} ${grouped(call.reference)}`,
    });
  const actions = [];
  // Without its pictures it can only be given up.
  if (call.state === "unknown" && call.price)
    actions.push(act("resend", () => confirm(app, "resend", call, done)));
  if (call.state === "unknown")
    actions.push(act("give_up", () => confirm(app, "give_up", call, done)));
  return el(
    "li",
    {class: "call"},
    el(
      "span",
      {class: "call-reference"},
      choice,
      el("strong", {dir: "ltr"}, grouped(call.reference)),
    ),
    el("span", {class: "call-task"}, t(`task.${call.question}`)),
    pill(app, call),
    el("span", {class: "call-age"}, age(app, call.age_seconds)),
    show && "answered" in call && call.answered
      ? el(
          "span",
          {class: "call-show"},
          act("show", () => show(call)),
        )
      : null,
    facts.length > 0
      ? el(
          "span",
          {class: "call-text"},
          ...facts.flatMap((fact, i) => [i > 0 && " · ", el("bdi", {}, fact)]),
        )
      : null,
    actions.length > 0 ? el("span", {class: "call-actions"}, ...actions) : null,
  );
}
