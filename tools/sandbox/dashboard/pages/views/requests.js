import {read} from "../api.js";
import {figure, h, table, tag, time} from "../dom.js";

function status(row) {
  if (row.status === 0) return tag("none", "bad");
  return tag(row.status, row.status < 300 ? "good" : row.status < 500 ? "warn" : "bad");
}

export async function requestsView({session, again}) {
  const {rows, count} = await read("requests");
  return [
    h("h1", null, "Request log"),
    h(
      "p",
      {class: "lead"},
      session.trainer
        ? "Every request to the service, also those that did not say who sent them. Numbers of people are kept as a digest only."
        : "The requests of this account. Numbers of people are kept as a digest only.",
    ),
    h(
      "div",
      {class: "figures"},
      figure(count.received, "received"),
      figure(count.posts, "of them POST"),
      figure(count.billed, "billed"),
    ),
    h("p", null, h("button", {type: "button", class: "button second", onclick: again}, "Refresh")),
    table(
      [
        {title: "Time", cell: (row) => time(row.time), kind: "tight"},
        {
          title: "Request",
          cell: (row) => [
            h(
              "code",
              null,
              row.endpoint === "unknown" ? `${row.method} ${row.path}` : row.endpoint,
            ),
            row.message ? h("div", {class: "quiet"}, row.message) : null,
          ],
        },
        {title: "Status", cell: status},
        {title: "Billed", cell: (row) => (row.billed ? "Yes" : "No")},
        {title: "Fault", cell: (row) => (row.fault ? tag(row.fault, "warn") : "")},
        {title: "Person", cell: (row) => h("code", {title: row.subject}, row.subject.slice(0, 8))},
        {
          title: "Bytes",
          number: true,
          cell: (row) => row.body_bytes.toLocaleString("en-GB").replaceAll(",", "\u2009"),
        },
      ],
      rows,
      {caption: "Request log", empty: "No request came yet."},
    ),
  ];
}
