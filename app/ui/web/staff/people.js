// The calls that have not ended, by whom they ask about: after an outage many are in doubt, and one decision is for all.
import {alertDialog, button, dialog, el} from "../dom.js";
import {icon} from "../icons.js";
import {grouped} from "../screens/answer.js";
import {callRow} from "./calls.js";
import {money} from "../words.js";
import {pinSheet} from "./pin.js";

/** @typedef {PersonCall & {person: number}} Listed */

/** @typedef {{resend: Listed[], give_up: Listed[]}} Decision */

const kPage = 50;

/** What the operator has chosen in the list, which is drawn anew with every snapshot. */
const view = {
  /** @type {"all" | CallState} */
  filter: "all",
  /** @type {Set<string>} references */
  chosen: new Set(),
  from: 0,
};

/** Somebody else may look at it next. */
export function forgetChoice() {
  view.filter = "all";
  view.chosen.clear();
  view.from = 0;
}

/** @param {PersonCall[]} calls */
const sum = (calls) => calls.reduce((total, {hundredths = 0}) => total + hundredths, 0);

/**
 * One call is sent again for each question that has no answer yet, the newest; the others are given up.
 * @param {Listed[]} calls @returns {Decision}
 */
export function onceForEach(calls) {
  /** @type {Map<string, Listed>} */
  const newest = new Map();
  for (const call of calls) {
    if (call.answered_by !== undefined || call.hundredths === undefined) continue;
    const question = `${call.person} ${call.question}`;
    const before = newest.get(question);
    if (before === undefined || call.age_seconds < before.age_seconds) newest.set(question, call);
  }
  const resend = [...newest.values()];
  return {resend, give_up: calls.filter((call) => !resend.includes(call))};
}

/** @param {Listed[]} calls */
const references = (calls) => calls.map(({reference}) => reference);

/** @param {App} app @param {Decision} decision @param {(reply: Reply) => void} done */
async function decide(app, {resend, give_up}, done) {
  const reply = await app.command("operator.decide", {
    resend: references(resend),
    give_up: references(give_up),
    price: sum(resend),
    attempts: resend.reduce((total, {attempts}) => total + attempts, 0),
    confirmed: true,
  });
  if (reply.status === 204) view.chosen.clear();
  done(reply);
}

/**
 * Asks what to do, with its price, before it is done.
 * @param {App} app @param {string} currency @param {"once" | "resend" | "give_up"} what
 * @param {Decision} decision @param {(reply: Reply) => void} done
 */
function decisionButton(app, currency, what, decision, done) {
  const {t} = app;
  const [again, gone] = [decision.resend.length, decision.give_up.length];
  const cost = money(sum(decision.resend), currency);
  const ask = () =>
    alertDialog(
      app,
      t(`people.${what}_title`, {count: again + gone}),
      [
        t(`people.${what}_text`, {again, gone}),
        ...(again > 0 ? [t("people.price", {price: cost})] : []),
      ],
      t(`people.${what}`),
      () => decide(app, decision, done),
    );
  return button(t(`people.${what}`), ask, {
    class: "small",
    "data-key": what,
    disabled: again + gone === 0,
  });
}

/**
 * @param {App} app @param {Listed[]} unknown @param {boolean} areChosen @param {() => void} draw
 */
function chooseAll({t}, unknown, areChosen, draw) {
  const all = el("input", {
    type: "checkbox",
    id: "choose-all",
    "data-key": "choose-all",
    checked: unknown.length > 0 && areChosen,
    disabled: unknown.length === 0,
    onchange: () => {
      view.chosen = new Set(all.checked ? references(unknown) : []);
      draw();
    },
  });
  return el(
    "label",
    {class: "choose", for: "choose-all"},
    all,
    el("span", {}, t("people.choose_all", {count: unknown.length})),
  );
}

/** @param {App} app @param {People} people @param {() => void} draw @param {(reply: Reply) => void} done */
function decisions(app, {list, currency}, draw, done) {
  const {t} = app;
  const unknown = listed(list).filter(({state}) => state === "unknown");
  // What somebody else has decided meanwhile is chosen no more.
  for (const reference of view.chosen)
    if (!unknown.some((call) => call.reference === reference)) view.chosen.delete(reference);
  const chosen = unknown.filter(({reference}) => view.chosen.has(reference));
  const again = chosen.filter(({hundredths}) => hundredths !== undefined);
  return el(
    "div",
    {class: "decide"},
    chooseAll(app, unknown, chosen.length === unknown.length, draw),
    el(
      "p",
      {role: "status"},
      t("people.chosen", {
        count: chosen.length,
        people: new Set(chosen.map(({person}) => person)).size,
      }),
    ),
    el(
      "div",
      {class: "stick-actions"},
      decisionButton(app, currency, "once", onceForEach(chosen), done),
      decisionButton(app, currency, "resend", {resend: again, give_up: []}, done),
      decisionButton(app, currency, "give_up", {resend: [], give_up: chosen}, done),
    ),
  );
}

/** @param {People["list"]} list @returns {Listed[]} */
const listed = (list) =>
  list.flatMap(({calls}, person) => calls.map((call) => ({...call, person})));

/** @param {App} app @param {string} reference */
function askForNumber(app, reference) {
  const sheet = dialog(
    "pin",
    pinSheet(app, {
      title: app.t("people.number_title"),
      enter: async (pin) => {
        const reply = await app.command("operator.number", {reference, pin});
        if (reply.status === 204) sheet.close();
        return reply;
      },
      close: () => sheet.close(),
    }).root,
  );
  sheet.setAttribute("aria-label", app.t("people.number_title"));
}

/** @param {App} app @param {People} people @param {Listed} call */
function personHead(app, {list, shown}, {person, reference}) {
  const {t} = app;
  const {number, calls} = list[person];
  const isShown = shown !== undefined && calls.some((each) => each.reference === shown.reference);
  return el(
    "li",
    {class: "person"},
    icon("person"),
    el("strong", {dir: "ltr"}, isShown ? shown.number : number || t("people.erased")),
    el("span", {class: "call-age"}, t("people.calls", {count: calls.length})),
    number && !isShown
      ? button(t("people.number"), () => askForNumber(app, reference), {
          class: "small",
          "data-key": `number ${person}`,
          "aria-label": `${t("people.number")} ${number}`,
        })
      : null,
  );
}

/** What is known of a call besides its state. @param {App} app @param {string} currency @param {PersonCall} call */
function facts({t}, currency, call) {
  /** @type {string[]} */
  const known = [];
  if (call.answered_by) known.push(t("people.answered_by", {reference: grouped(call.answered_by)}));
  if (call.times > 1) known.push(t("people.times", {count: call.times}));
  if (call.attempts > 0)
    known.push(t("people.attempts", {count: call.attempts, spent: money(call.spent, currency)}));
  if (call.operator) known.push(call.operator);
  if (call.case) known.push(t("people.case", {case: call.case}));
  if (call.text) known.push(call.text);
  return known;
}

/**
 * Whether a call in doubt is one of those that are decided about.
 * @param {App} app @param {Listed} call @param {() => void} draw
 */
const choiceBox = ({t}, {reference}, draw) =>
  el("input", {
    type: "checkbox",
    class: "choice-box",
    "data-key": `choose ${reference}`,
    "aria-label": t("people.choose", {reference: grouped(reference)}),
    checked: view.chosen.has(reference),
    onchange: () => {
      if (!view.chosen.delete(reference)) view.chosen.add(reference);
      draw();
    },
  });

/**
 * Each call, and whom it is about before the first of theirs.
 * @param {App} app @param {People} people @param {Listed[]} page @param {() => void} draw
 * @param {(reply: Reply) => void} done
 */
function callRows(app, people, page, draw, done) {
  let person = -1;
  return page.flatMap((call) => {
    const head = call.person === person ? [] : [personHead(app, people, call)];
    person = call.person;
    const choice = call.state === "unknown" ? choiceBox(app, call, draw) : null;
    return [...head, callRow(app, call, {done, choice, facts: facts(app, people.currency, call)})];
  });
}

/**
 * Which of the calls are shown, and the way to the others.
 * @param {App} app @param {number} count @param {() => void} draw
 */
function pager({t}, count, draw) {
  const turn = (/** @type {number} */ by, /** @type {"before" | "after"} */ name) =>
    button(
      t(`people.${name}`),
      () => {
        view.from += by;
        draw();
      },
      {
        class: "small",
        "data-key": name,
        disabled: view.from + by < 0 || view.from + by >= count,
      },
    );
  return el(
    "div",
    {class: "pager"},
    turn(-kPage, "before"),
    el(
      "span",
      {role: "status"},
      t("people.page", {
        from: Math.min(view.from + 1, count),
        to: Math.min(view.from + kPage, count),
        count,
      }),
    ),
    turn(kPage, "after"),
  );
}

/** @param {App} app @param {People} people @param {() => void} draw @param {(reply: Reply) => void} done */
function rows(app, people, draw, done) {
  const {t} = app;
  const calls = listed(people.list).filter(
    ({state}) => view.filter === "all" || state === view.filter,
  );
  view.from = Math.min(view.from, Math.max(calls.length - 1, 0));
  view.from -= view.from % kPage;
  const page = calls.slice(view.from, view.from + kPage);
  return [
    el(
      "ul",
      {class: "calls people"},
      ...callRows(app, people, page, draw, done),
      page.length === 0 && el("li", {class: "empty"}, t("desk.none")),
    ),
    pager(app, calls.length, draw),
    people.left_out > 0
      ? el(
          "p",
          {class: "notice"},
          icon("warning"),
          el("span", {}, t("people.left_out", {count: people.left_out})),
        )
      : "",
  ];
}

/** @param {App} app @param {CallsInState[]} open @param {() => void} draw */
export function filters({t}, open, draw) {
  const choose = (/** @type {"all" | CallState} */ name, /** @type {string} */ text) =>
    button(
      text,
      () => {
        view.filter = name;
        view.from = 0;
        draw();
      },
      {class: "tab", "aria-pressed": String(view.filter === name), "data-key": `filter ${name}`},
    );
  return el(
    "div",
    {class: "tabs", role: "group", "aria-label": t("people.filter")},
    choose("all", t("people.all")),
    ...open.map(({state, count}) => choose(state, `${t(`state.${state}`)} ${count}`)),
  );
}

/**
 * @param {App} app @param {People} people @param {() => void} draw draws it all anew
 * @param {(reply: Reply) => void} done
 */
export const peopleList = (app, people, draw, done) => [
  decisions(app, people, draw, done),
  ...rows(app, people, draw, done),
];
