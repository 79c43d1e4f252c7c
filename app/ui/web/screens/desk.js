// A clerk's desk: ask, see the answer, look after the queue. Dense, calm, and whole by keyboard.
import {alertDialog, button, el, setText} from "../dom.js";
import {age} from "../frame.js";
import {icon} from "../icons.js";
import {grouped, kSigns} from "./answer.js";
import {reasonText} from "./reason.js";
import {callRow, pill} from "../staff/calls.js";
import {money} from "../words.js";

/** The sentences for what stands in the way. @type {Record<Exclude<DeskProblem, "asked_before">, Key>} */
const kProblems = {
  number: "desk.bad_number",
  phone: "desk.bad_phone",
  reason: "desk.bad_reason",
  consent: "desk.no_consent",
  id_number: "desk.bad_id_number",
  test_number: "number.test_number_in_production",
  queue_full: "stopped.queue_full_text",
  held: "desk.because.held",
  spend_cap: "desk.because.spend_cap",
  not_ready: "stopped.not_ready_text",
  no_answer: "desk.answer_gone",
  not_possible: "desk.not_possible",
};

/** @param {App} app @param {CommandProblem | null} problem @param {string} otherwise */
const sentence = ({t}, problem, otherwise = "") =>
  problem !== null && problem in kProblems
    ? t(kProblems[/** @type {keyof typeof kProblems} */ (problem)])
    : otherwise;

/** The same was asked not long ago, and asking again is billed again. @param {App} app @param {Reply} reply @param {string} price @param {() => void} again */
function askedBefore(app, {reference, seconds}, price, again) {
  const {t} = app;
  // What became of it, where it is still listed.
  const before = app.snapshot.desk?.queue.find((call) => call.reference === reference);
  const text = t("desk.asked_before_text", {
    reference: grouped(reference),
    age: age(app, seconds),
    price,
  });
  const became = before && el("p", {}, pill(app, before));
  alertDialog(app, t("desk.asked_before"), [text, became], t("desk.ask_again"), again);
}

/**
 * What a clerk chooses from; null: types.
 * @param {App} app @param {Snapshot} snapshot @param {AskedField} name
 */
function choicesFor(app, {reasons, desk}, name) {
  if (name === "reason")
    return (reasons ?? []).map((item) => ({code: item.code, text: reasonText(app, item)}));
  return name === "type" ? (desk?.types ?? []).map((type) => ({code: type, text: type})) : null;
}

/** @param {App} app @param {Snapshot} snapshot @param {AskedField} name @param {boolean} isFirst */
function askedField(app, snapshot, name, isFirst) {
  const attributes = {
    name,
    id: `ask-${name}`,
    required: true,
    autocomplete: "off",
    autofocus: isFirst,
  };
  const choices = choicesFor(app, snapshot, name);
  return el(
    "label",
    {for: `ask-${name}`},
    el("span", {}, app.t(`field.${name}`)),
    choices !== null
      ? el(
          "select",
          attributes,
          ...(choices.length > 1 ? [el("option", {value: ""}, "–")] : []),
          ...choices.map(({code, text}) =>
            el("option", {value: code, selected: code === snapshot.reason}, text),
          ),
        )
      : el("input", {
          ...attributes,
          inputmode: name === "id_number" ? "text" : "numeric",
          dir: "ltr",
          // A number that is pasted in groups is longer than its digits.
          maxlength: 40,
        }),
  );
}

/** Whoever comes before the camera is asked on the screen. @param {App} app */
function consentBox({t}) {
  const box = el("input", {type: "checkbox", id: "ask-consent"});
  const root = el(
    "label",
    {class: "choose", for: "ask-consent"},
    box,
    el("span", {}, t("desk.consent")),
  );
  return {
    root,
    /** @param {Task} task */
    startAnew(task) {
      root.hidden = task === "verify";
      box.checked = false;
    },
    /** What goes with the question. @returns {{consent?: true}} */
    given: () => (box.checked ? {consent: true} : {}),
  };
}

/** @param {App} app */
function askForm(app) {
  const {t, snapshot} = app;
  const {tasks} = /** @type {Desk} */ (snapshot.desk);
  let {name: question, price} = tasks[0];
  const fields = el("div", {class: "fields"});
  const problem = el("p", {class: "problem bad", role: "alert", dir: "auto"});
  const ask = el("button", {class: "first"}, icon("send"), el("span", {}, t("desk.ask")));
  const tabs = tasks.map((task) =>
    button(t(`task.${task.name}`), () => choose(task), {class: "tab"}),
  );
  const costs = el("p", {class: "costs"});
  const consent = consentBox(app);
  const choose = (/** @type {Desk["tasks"][0]} */ task) => {
    question = task.name;
    price = task.price;
    setText(costs, t("desk.costs", {price}));
    tasks.forEach((other, i) => tabs[i].setAttribute("aria-pressed", String(other === task)));
    fields.replaceChildren(
      ...task.fields.map((name, i) => askedField(app, snapshot, name, i === 0)),
    );
    consent.startAnew(task.name);
    setText(problem, "");
    if (root.isConnected)
      /** @type {HTMLElement} */ (fields.querySelector("input, select")).focus();
  };
  const send = async (/** @type {Commands["ask"]} */ values) => {
    setText(problem, "");
    const reply = await app.command("ask", values);
    if (reply.problem === "asked_before")
      askedBefore(app, reply, price, () => send({...values, confirmed: true}));
    else setText(problem, sentence(app, reply.problem, reply.error));
    if (reply.status === 204) root.reset();
  };
  const submit = (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    send({...Object.fromEntries(new FormData(root)), question, ...consent.given()});
  };
  const root = el(
    "form",
    // What is wrong is said in our own words, in the clerk's language.
    {class: "card ask", novalidate: true, onsubmit: submit},
    el("h2", {}, t("desk.question")),
    el("div", {class: "tabs", role: "group", "aria-label": t("desk.question")}, ...tabs),
    el("div", {class: "ask-row"}, fields, ask),
    consent.root,
    costs,
    problem,
  );
  choose(tasks[0]);
  return {
    root,
    /** @param {Desk} now */
    update(now) {
      ask.disabled = now.asking;
      setText(/** @type {Element} */ (ask.lastChild), t(now.asking ? "desk.asking" : "desk.ask"));
      if (now.problem) setText(problem, sentence(app, now.problem));
    },
  };
}

/** What a clerk is told, who is not the person it is about. @param {App} app @param {Answer} answer */
function told({t}, {kind, reason}) {
  const because = reason && reason !== "service_error" ? t(`desk.because.${reason}`) : "";
  return kind === "kept"
    ? `${because} ${t("desk.kept_text")}`.trim()
    : because || t(`desk.${kind}_text`);
}

/** @param {App} app @param {DeskAnswer} answer */
function answerCard(app, answer) {
  const {t} = app;
  return [
    el(
      "div",
      {class: "answer-head"},
      el("span", {class: "seal"}, icon(kSigns[answer.kind])),
      el(
        "div",
        {},
        el("p", {class: "answer-task"}, t(`task.${answer.question}`)),
        el("h2", {}, t(`answer.${answer.kind}`)),
        el("p", {}, told(app, answer)),
      ),
      answer.photo
        ? el("img", {
            class: "answer-photo",
            src: `/answer-photo?s=${encodeURIComponent(app.snapshot.session)}`,
            alt: t("desk.photo"),
          })
        : null,
    ),
    el(
      "dl",
      {},
      el("dt", {}, t("column.reference")),
      el("dd", {dir: "ltr"}, grouped(answer.reference)),
      ...answer.fields.flatMap(({name, value}) => {
        const key = `field.${/** @type {keyof English["field"]} */ (name)}`;
        return [
          el("dt", {}, app.has(key) ? t(key) : el("bdi", {}, name)),
          el("dd", {}, el("bdi", {}, value)),
        ];
      }),
    ),
    button(t("desk.dismiss"), () => app.command("dismiss"), {class: "second"}, icon("check")),
  ];
}

/** Draws a part only where what it shows has changed. */
function onChange() {
  let shown = "";
  return (/** @type {unknown} */ value, /** @type {() => void} */ draw) => {
    const text = JSON.stringify(value);
    if (shown === text) return;
    shown = text;
    draw();
  };
}

/** Network, camera, and the day so far. @param {App} app */
function stateLine({t}) {
  const root = el("ul", {class: "lights", "aria-label": t("frame.state")});
  const draw = onChange();
  const light = (
    /** @type {string} */ drawing,
    /** @type {Key} */ name,
    /** @type {boolean} */ good,
  ) => el("li", {class: good ? "good" : "bad"}, icon(drawing), el("span", {}, t(name)));
  return {
    root,
    /** @param {Desk} now */
    update({network, camera, today}) {
      const {calls, spend, currency} = today;
      draw([network, camera, today], () =>
        root.replaceChildren(
          light(
            network === "down" ? "offline" : "network",
            `desk.network_${network}`,
            network === "up",
          ),
          light("camera", `desk.camera_${camera}`, camera === "ready"),
          el("li", {}, el("span", {}, t("desk.today", {calls}))),
          el("li", {}, el("span", {}, t("desk.spend", {spend: money(spend, currency)}))),
        ),
      );
    },
  };
}

/** The answer to what was asked last. @param {App} app */
function answerPart(app) {
  const {t} = app;
  const root = el("div", {class: "card answer-card"});
  const draw = onChange();
  return {
    root,
    /** @param {Desk} now */
    update({answer}) {
      draw(answer, () => {
        root.className = `card answer-card ${answer?.kind ?? "empty"}`;
        root.replaceChildren(
          ...(answer ? answerCard(app, answer) : [el("p", {class: "empty"}, t("desk.no_answer"))]),
        );
        if (answer) app.announce(`${t(`answer.${answer.kind}`)}. ${told(app, answer)}`);
      });
    },
  };
}

/** The calls of this desk, and what is looked for among them. @param {App} app */
function queuePart(app) {
  const {t} = app;
  const filter = el("input", {
    type: "search",
    id: "filter",
    autocomplete: "off",
    dir: "ltr",
    oninput: () => list(app.snapshot.desk),
  });
  const failed = el("p", {class: "problem bad", role: "alert", dir: "auto"});
  const rows = el("ul", {class: "calls"});
  const draw = onChange();
  const tell = (/** @type {Reply} */ reply) =>
    setText(failed, sentence(app, reply.problem, reply.error));
  const row = (/** @type {DeskCall} */ call) =>
    callRow(app, call, {
      done: tell,
      show: ({reference}) => app.command("show", {reference}).then(tell),
    });

  /** @param {Desk | undefined} now */
  function list(now) {
    const wanted = filter.value.replace(/\s/g, "").toUpperCase();
    const calls = (now?.queue ?? []).filter(({reference}) => reference.includes(wanted));
    draw([calls, wanted === ""], () => {
      // Whoever goes through the list by keyboard stays where he is.
      const at =
        document.activeElement instanceof HTMLElement
          ? document.activeElement.dataset.key
          : undefined;
      rows.replaceChildren(
        ...(calls.length === 0
          ? [el("li", {class: "empty"}, t(wanted ? "desk.not_found" : "desk.none"))]
          : calls.map(row)),
      );
      if (at) /** @type {HTMLElement | null} */ (rows.querySelector(`[data-key="${at}"]`))?.focus();
    });
  }

  return {
    root: el(
      "div",
      {class: "card desk-queue"},
      el(
        "div",
        {class: "queue-head"},
        el("h2", {}, t("desk.queue")),
        el("label", {for: "filter"}, icon("search"), el("span", {}, t("desk.filter"))),
        filter,
      ),
      failed,
      rows,
    ),
    update: list,
  };
}

/** @param {App} app @returns {View} */
export function desk(app) {
  const form = askForm(app);
  const state = stateLine(app);
  const answer = answerPart(app);
  const queue = queuePart(app);
  return {
    root: el(
      "section",
      {class: "screen desk staff"},
      el("div", {class: "desk-top"}, el("h1", {}, app.t("desk.title")), state.root),
      el("div", {class: "desk-left"}, form.root, answer.root),
      queue.root,
    ),
    update: ({desk: now}) => {
      if (now === undefined) return;
      form.update(now);
      queue.update(now);
      state.update(now);
      answer.update(now);
    },
  };
}
