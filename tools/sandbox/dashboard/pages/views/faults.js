import {read, remove, send} from "../api.js";
import {errorBox, field, form, h, select, table} from "../dom.js";

const kinds = [
  ["status", "Answer with a status", "The answer is an error with the status you choose."],
  ["delay", "Answer late", "The answer is right, but waits."],
  [
    "drop-before-body",
    "Drop before the body",
    "The connection closes when the headers are there. Nothing is carried out or billed.",
  ],
  [
    "drop-after-body",
    "Drop after the body",
    "The request is carried out and billed, then the connection closes without an answer.",
  ],
  ["reset", "Reset", "The same, but the connection is reset."],
  ["cut", "Cut the answer", "Half of the answer arrives, then the connection closes."],
  ["html", "A page instead of JSON", "Status 200 with a sign-in page, as a captive portal gives."],
  [
    "anothers-answer",
    "Another's answer",
    "The answer's attemptId is another attempt's than the request's.",
  ],
  ["wrong-type", "Wrong types", "JSON whose text and numbers have changed places."],
  ["stale-token", "Stale token", "The access token dies before it is looked at: 401."],
];
const label = Object.fromEntries(kinds.map(([kind, text]) => [kind, text]));

function describe(fault) {
  return [
    fault.kind === "status" ? `status ${fault.status}` : null,
    fault.delay_ms ? `${fault.delay_ms} ms late` : null,
    fault.every > 1 ? `every ${fault.every} requests` : null,
    fault.probability < 1
      ? `with a chance of ${Math.round(fault.probability * 1000) / 10} %`
      : null,
    fault.billed === undefined ? null : fault.billed ? "billed" : "not billed",
  ]
    .filter(Boolean)
    .join(", ");
}

const times = (fault) =>
  fault.count === 0 ? `${fault.hits}, until switched off` : `${fault.hits} of ${fault.count}`;

const number = (text) => (text.trim() === "" ? undefined : Number(text));

// The fault of a form's values. Throws where one is not a number.
function faultOf(values) {
  const fault = {
    kind: values.kind,
    endpoint: values.endpoint,
    count: number(values.count),
    every: number(values.every),
    delay_ms: number(values.delay_ms),
    probability: values.probability.trim() === "" ? undefined : Number(values.probability) / 100,
    billed: values.billed === "" ? undefined : values.billed === "yes",
    status: values.kind === "status" ? number(values.status) : undefined,
  };
  for (const [name, value] of Object.entries(fault)) {
    if (Number.isNaN(value)) throw new Error(`“${values[name]}” is not a number.`);
  }
  return fault;
}

// What goes wrong, with a word about it, and the status, which one kind alone has.
function kindFields() {
  const status = field(
    "Status",
    h("input", {name: "status", class: "short", inputmode: "numeric", value: "500"}),
  );
  const about = h("span");
  const kind = select("kind", kinds, {
    onchange() {
      about.textContent = kinds.find(([name]) => name === kind.value)[2];
      status.hidden = kind.value !== "status";
    },
  });
  about.textContent = kinds[0][2];
  return {kind: field("What goes wrong", kind, about), status};
}

// What hardly any fault needs.
function moreFields() {
  return h(
    "details",
    null,
    h("summary", null, "More"),
    h(
      "div",
      {class: "row"},
      field(
        "Delay in ms",
        h("input", {name: "delay_ms", class: "short", inputmode: "numeric"}),
        "Goes with any kind",
      ),
      field(
        "Chance in %",
        h("input", {name: "probability", class: "short", inputmode: "decimal"}),
        "Empty: always",
      ),
      field(
        "Only every n-th",
        h("input", {name: "every", class: "short", inputmode: "numeric"}),
        "Empty: each one",
      ),
      field(
        "Billed",
        select("billed", [
          ["", "As its answer"],
          ["yes", "Yes"],
          ["no", "No"],
        ]),
        "Verifications only",
      ),
    ),
  );
}

function faultForm(session, added) {
  const {kind, status} = kindFields();
  return form(
    async (values) => added(await send("faults", faultOf(values))),
    kind,
    h(
      "div",
      {class: "row"},
      field(
        "Endpoint",
        select("endpoint", [
          ["any", "Any endpoint"],
          ...session.endpoints.map(({name}) => [name, name]),
        ]),
      ),
      status,
      field(
        "How often",
        h("input", {name: "count", class: "short", inputmode: "numeric", value: "1"}),
        "0: until switched off",
      ),
    ),
    moreFields(),
    h("button", {class: "button"}, "Switch on"),
  );
}

// act(work): does it, and shows the faults that there are then.
function faultTable(faults, act) {
  const switchOff = ({id}) => act(() => remove("faults", {id}));
  return table(
    [
      {
        title: "What goes wrong",
        cell: (fault) => [label[fault.kind], h("div", {class: "quiet"}, describe(fault))],
      },
      {title: "Endpoint", cell: (fault) => h("code", null, fault.endpoint)},
      {title: "Hits", cell: times},
      {
        title: "",
        cell: (fault) =>
          h(
            "button",
            {type: "button", class: "text-button", onclick: () => switchOff(fault)},
            "Switch off",
          ),
      },
    ],
    faults,
    {caption: "Faults", empty: "No fault is switched on: the sandbox answers as it should."},
  );
}

export async function faultsView({session}) {
  const list = h("div", {"aria-live": "polite"});
  const act = async (work) => {
    try {
      show(await work());
    } catch (error) {
      list.prepend(errorBox(error));
    }
  };
  function show({faults}) {
    list.replaceChildren(
      faultTable(faults, act),
      h(
        "p",
        {class: "buttons"},
        faults.length > 0 &&
          h(
            "button",
            {type: "button", class: "button second", onclick: () => act(() => remove("faults"))},
            "Switch all off",
          ),
        h(
          "button",
          {type: "button", class: "button second", onclick: () => act(() => read("faults"))},
          "Refresh",
        ),
      ),
    );
  }
  show(await read("faults"));
  return [
    h("h1", null, "Faults"),
    h(
      "p",
      {class: "lead"},
      "What the network and the service can do to a caller. Faults hit every customer of this sandbox.",
    ),
    list,
    h("h2", null, "Switch a fault on"),
    faultForm(session, show),
  ];
}
