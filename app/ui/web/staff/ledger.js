// The console's ledger: the hours, a month's books, and an invoice held against them.
import {button, el} from "../dom.js";
import {localTime} from "../frame.js";
import {money} from "../words.js";
import {hourChart} from "./chart.js";
import {stickCard} from "./stick.js";
import {table} from "./table.js";

const kPage = 50;
// How far back the months go.
const kMonths = 13;

/** "2026-11", this month and those before it. */
function months() {
  const now = new Date();
  return Array.from({length: kMonths}, (_, i) => {
    const month = new Date(now.getFullYear(), now.getMonth() - i, 1);
    return `${month.getFullYear()}-${String(month.getMonth() + 1).padStart(2, "0")}`;
  });
}

/** @param {App} app @param {Books} books */
function questions(app, {month, endpoint, operator, endpoints, operators}) {
  const {t} = app;
  const ask = (/** @type {Partial<Commands["operator.books"]>} */ change) =>
    app.command("operator.books", {month, endpoint, operator, from: 0, ...change});
  const choice = (
    /** @type {"month" | "endpoint" | "operator"} */ name,
    /** @type {string} */ chosen,
    /** @type {string[]} */ values,
  ) => {
    const select = el(
      "select",
      {
        id: `books-${name}`,
        "data-key": `books ${name}`,
        onchange: () => ask({[name]: select.value}),
      },
      el("option", {value: ""}, t("people.all")),
      ...[...new Set([...values, ...(chosen ? [chosen] : [])])].map((value) =>
        el("option", {value, selected: value === chosen}, value),
      ),
    );
    return el("label", {for: `books-${name}`}, el("span", {}, t(`column.${name}`)), select);
  };
  return el(
    "div",
    {class: "fields"},
    choice("month", month, months()),
    choice(
      "endpoint",
      endpoint,
      endpoints.map(({key}) => key),
    ),
    choice("operator", operator, operators),
  );
}

/** @param {App} app @param {Books} books */
function sums(app, {total, endpoints}) {
  const {t} = app;
  const row = (/** @type {LedgerSum} */ sum, /** @type {string} */ name) => [
    name,
    String(sum.attempts),
    String(sum.billed),
    money(sum.price, sum.currency),
    String(sum.maybe),
    money(sum.maybe_price, sum.currency),
  ];
  return table(
    app,
    ["endpoint", "attempts", "billed", "price", "maybe", "maybe_price"],
    [
      ...endpoints.map((sum) => row(sum, sum.key)),
      ...total.map((sum) => row(sum, t("books.total"))),
    ],
    t("books.sums"),
  );
}

/** @param {App} app @param {Books} books */
function attempts(app, {rows, from, count, month, endpoint, operator}) {
  const {t} = app;
  const turn = (/** @type {number} */ to, /** @type {"before" | "after"} */ name) =>
    button(
      t(`people.${name}`),
      () => app.command("operator.books", {month, endpoint, operator, from: to}),
      {class: "small", "data-key": name, disabled: to < 0 || to >= count},
    );
  return [
    table(
      app,
      ["time", "reference", "endpoint", "operator", "stage", "status", "billed", "price", "note"],
      rows.map((row) => [
        localTime(row.time),
        row.reference,
        row.endpoint,
        row.operator,
        row.stage,
        row.status === null ? "–" : String(row.status),
        t(`billed.${row.billed}`),
        row.price,
        row.text,
      ]),
      t("operator.ledger"),
    ),
    el(
      "div",
      {class: "pager"},
      turn(from - kPage, "before"),
      el(
        "span",
        {role: "status"},
        t("people.page", {from: Math.min(from + 1, count), to: from + rows.length, count}),
      ),
      turn(from + kPage, "after"),
    ),
  ];
}

/** @param {App} app @param {Books["match"]} match */
function invoice(app, match) {
  if (match === undefined) return "";
  const {t} = app;
  return el(
    "div",
    {class: "card"},
    el("h2", {}, t(match.all ? "books.match_all" : "books.match_not")),
    el(
      "dl",
      {},
      ...match.counts.flatMap(({finding, count}) => [
        el("dt", {}, finding),
        el("dd", {}, String(count)),
      ]),
      ...match.sums.flatMap(({currency, invoiced, billed, maybe}) => [
        el("dt", {}, t("books.invoiced")),
        el("dd", {}, el("bdi", {dir: "ltr"}, money(invoiced, currency))),
        el("dt", {}, t("books.billed")),
        el(
          "dd",
          {},
          el("bdi", {dir: "ltr"}, `${money(billed, currency)} (+ ${money(maybe, currency)}?)`),
        ),
      ]),
    ),
    ...match.bad_lines.map((line) => el("p", {class: "problem bad", dir: "auto"}, line)),
    match.differences.length > 0 &&
      table(
        app,
        ["note", "line", "time", "price", "reference", "endpoint"],
        match.differences.map(
          ([finding, line, at, cost, invoiced, here, reference, , price, billed, , endpoint]) => [
            finding,
            line,
            localTime(at || here),
            cost ? money(cost, invoiced) : price && money(price, billed),
            reference,
            endpoint,
          ],
        ),
        t("books.differences"),
      ),
    el(
      "p",
      {class: "muted"},
      t("books.difference_count", {shown: match.differences.length, count: match.difference_count}),
    ),
  );
}

/** @type {import("./tabs.js").Draw} */
export function ledger(app, {ledger: state, books, stick}, panel) {
  if (state === undefined) return;
  const {t} = app;
  panel.replaceChildren(
    ...(books
      ? [
          el(
            "div",
            {class: "card"},
            el("h2", {}, t("books.title")),
            books.problem &&
              el("p", {class: "problem bad", role: "alert", dir: "auto"}, books.problem),
            questions(app, books),
            sums(app, books),
          ),
          invoice(app, books.match),
          stickCard(
            app,
            stick,
            [
              {
                text: t("books.export"),
                press: () => app.command("operator.export", {what: "ledger"}),
              },
              ...(books.match
                ? [
                    {
                      text: t("books.export_differences"),
                      press: () => app.command("operator.export", {what: "differences"}),
                    },
                  ]
                : []),
            ],
            {
              text: (file) => t("books.match", {file}),
              press: (file) => app.command("operator.match", {file}),
            },
            "csv",
          ),
          ...attempts(app, books),
        ]
      : []),
    el(
      "ul",
      {class: "figures"},
      el("li", {}, el("strong", {}, String(state.calls)), el("span", {}, t("operator.calls"))),
      el(
        "li",
        {},
        el("strong", {}, el("bdi", {dir: "ltr"}, money(state.spend, state.currency))),
        el("span", {}, t("operator.spend")),
      ),
    ),
    hourChart(app, state),
  );
}
