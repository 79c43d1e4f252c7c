import {read} from "../api.js";
import {figure, h, money, table, tag, time} from "../dom.js";

const outcomes = {
  verified: ["Verified", "good"],
  not_verified: ["Not verified", "warn"],
  not_found: ["No record", "warn"],
  rejected: ["Rejected", "bad"],
  failed: ["Failed", "bad"],
};

export async function ledgerView({again}) {
  const {rows, sum} = await read("ledger");
  const count = (name) => sum.by_outcome[name]?.count ?? 0;
  return [
    h("h1", null, "Billing"),
    h(
      "p",
      {class: "lead"},
      "One row for every verification that was billed. A failed one costs the same, and so does one that was rejected with 400.",
    ),
    h(
      "div",
      {class: "figures"},
      figure(sum.count, "billed"),
      figure(money(sum.amount), "amount"),
      figure(count("verified"), "verified"),
      figure(sum.count - count("verified"), "not verified, rejected or failed"),
    ),
    h("p", null, h("button", {type: "button", class: "button second", onclick: again}, "Refresh")),
    table(
      [
        {title: "Time", cell: (row) => time(row.time), kind: "tight"},
        {title: "Endpoint", cell: (row) => h("code", null, row.endpoint)},
        {title: "Outcome", cell: (row) => tag(...(outcomes[row.outcome] ?? [row.outcome]))},
        {title: "Status", number: true, cell: (row) => row.status},
        {
          title: "Reference",
          cell: (row) => h("code", null, row.reference || "none"),
          kind: "tight",
        },
        {title: "Amount", number: true, cell: (row) => money(row.amount)},
      ],
      rows,
      {caption: "Billing ledger", empty: "Nothing was billed yet."},
    ),
    rows.length < sum.count
      ? h("p", {class: "quiet"}, `The newest ${rows.length} of ${sum.count} rows.`)
      : null,
  ].filter(Boolean);
}
