// The console's queue: what is held, whom the calls that wait are about, and what has ended.
import {alertDialog, button, el, setText} from "../dom.js";
import {callRow} from "./calls.js";
import {eraseCard} from "./erase.js";
import {filters, forgetChoice, peopleList} from "./people.js";
import {stickCard} from "./stick.js";

/** @param {App} app @param {OperatorHold[]} holds */
function holdRows(app, holds) {
  const {t} = app;
  // One call goes out, and may be billed.
  const lift = (/** @type {string} */ hold) =>
    alertDialog(
      app,
      t("operator.lift_title", {hold}),
      [t("operator.lift_text")],
      t("operator.lift"),
      () => app.command("operator.lift", {hold, confirmed: true}),
    );
  return holds.map(({id, text, liftable}) =>
    el(
      "li",
      {class: "call"},
      el("strong", {class: "hold-id"}, el("bdi", {dir: "ltr"}, id)),
      el("span", {class: "call-text"}, el("bdi", {}, text)),
      liftable
        ? el(
            "span",
            {class: "call-actions"},
            button(t("operator.lift"), () => lift(id), {
              class: "small",
              "data-key": `lift ${id}`,
              "aria-label": `${t("operator.lift")} ${id}`,
            }),
          )
        : null,
    ),
  );
}

/** The file that was read, until the operator is asked about it: what it says comes with a snapshot. */
let read = "";

/** Before it is taken. @param {App} app @param {People["reply"]} reply */
function askAboutReply(app, reply) {
  if (read === "" || reply?.file !== read) return;
  read = "";
  const {t} = app;
  const {file} = reply;
  alertDialog(
    app,
    t("stick.reply_title", {file}),
    [reply.text, ...reply.wrong, reply.more_wrong > 0 && `+ ${reply.more_wrong}`],
    t("stick.take"),
    () => app.command("operator.reply", {file, confirmed: true}),
  );
}

/** @param {App} app @param {Operator} state */
const stick = (app, state) =>
  stickCard(
    app,
    state.stick,
    [
      {
        text: app.t("stick.unknown"),
        press: () => app.command("operator.export", {what: "unknown"}),
      },
      ...(state.people?.receipt
        ? [
            {
              text: app.t("stick.receipt"),
              press: () => app.command("operator.export", {what: "receipt"}),
            },
          ]
        : []),
    ],
    {
      text: (file) => app.t("stick.reply", {file}),
      press: async (file) => {
        const reply = await app.command("operator.reply", {file});
        if (reply.status === 204) read = file;
        askAboutReply(app, app.snapshot.operator?.people?.reply);
        return reply;
      },
    },
    "csv",
  );

/** @type {import("./tabs.js").Draw} */
export function queue(app, state, panel, fresh) {
  if (fresh) {
    forgetChoice();
    read = "";
  }
  const {queue: shown, people} = state;
  if (shown === undefined) return;
  const {open, ended_count, holds, ended} = shown;
  const {t} = app;
  const problem = el("p", {class: "problem bad", role: "alert", dir: "auto"}, people?.problem);
  const done = (/** @type {Reply} */ reply) => setText(problem, reply.error);
  const drawAll = () =>
    panel.dispatchEvent(new CustomEvent("redraw", {detail: () => queue(app, state, panel, false)}));
  askAboutReply(app, people?.reply);
  panel.replaceChildren(
    holds.length > 0 ? el("ul", {class: "calls"}, ...holdRows(app, holds)) : "",
    el(
      "div",
      {class: "card"},
      el("h2", {}, t("people.title")),
      filters(app, open, drawAll),
      problem,
      ...(people ? peopleList(app, people, drawAll, done) : []),
    ),
    stick(app, state),
    people ? eraseCard(app, people.receipt) : "",
    el(
      "div",
      {class: "card"},
      el("h2", {}, t("people.ended")),
      el(
        "ul",
        {class: "calls"},
        ...ended.map((call) => callRow(app, call, {facts: call.text ? [call.text] : []})),
        ended.length === 0 && el("li", {class: "empty"}, t("desk.none")),
      ),
      el(
        "p",
        {class: "muted"},
        t("people.ended_count", {
          shown: ended.length,
          count: ended_count,
        }),
      ),
    ),
  );
}
