// Every state that the page can be asked to show, as the daemon's snapshots.
import {kUpright} from "./scripted_daemon.mjs";
import {catalogue, screens} from "./words.mjs";

const brand = {name: "First Savings Bank", primary: "#0b5d3b", accent: "#f2b705", logo: false};
const base = {
  session: "s1",
  mode: "kiosk",
  environment: "production",
  online: true,
  language: "en",
  sound: true,
  voice: true,
  brand,
};

const codes = [
  "ACCOUNT_OPENING",
  "ACCOUNT_UPDATE",
  "LOAN_APPLICATION",
  "SIM_REGISTRATION",
  "EMPLOYMENT",
  "TENANCY",
  "BENEFIT_PAYMENT",
  "VISA_RENEWAL",
];
const reasons = codes.map((code) => ({code, label: `Label of ${code}`}));
const agent = {battery: 64, waiting: 3, last_delivery_seconds: 1500, price: "100.00 NGN"};
const camera = {
  prompt: "selfie",
  guidance: "none",
  step: 0,
  held: 0.6,
  trouble: null,
  restarted: null,
  gentle: false,
};
const answer = {kind: "verified", reference: "KD7Q2M", seconds_left: 14, receipt: true};

const call = (reference, state, question, age_seconds, more = {}) => ({
  reference,
  state,
  question,
  age_seconds,
  attempts: state === "pending" || state === "held" ? 0 : 1,
  answered: false,
  ...more,
});
const calls = [
  call("P4N8XA", "sending", "verify", 4),
  call("KD7Q2M", "done", "verify", 190, {verdict: "verified", answered: true}),
  call("W2M5TB", "unknown", "nin", 1260, {price: "100.00 NGN"}),
  call("QMWNWM", "pending", "verify", 2500),
  call("T7H3LD", "done", "phone", 5400, {verdict: "not_verified"}),
  call("B6V2KE", "held", "check", 9000),
  call("M1X7SF", "done", "nin-phone", 90000, {verdict: "rejected"}),
  call("H3C9PG", "expired", "verify", 260000),
];
const desk = {
  tasks: [
    {name: "verify", fields: ["nin", "reason"], price: "100.00 NGN"},
    {name: "check", fields: ["type", "id_number"], price: "100.00 NGN"},
    {name: "phone", fields: ["phone"], price: "50.00 NGN"},
    {name: "nin", fields: ["nin", "reason"], price: "100.00 NGN"},
    {name: "nin-phone", fields: ["phone", "reason"], price: "100.00 NGN"},
  ],
  types: ["nin", "passport"],
  today: {calls: 14, spend: "1 400.00", currency: "NGN"},
  queue: calls,
  network: "up",
  camera: "ready",
  asking: false,
  problem: null,
  answer: null,
};
const fields = [
  {name: "name", value: "Amina Sample"},
  {name: "service_reference", value: "IDN-20261120-000042"},
  {name: "Born", value: "1990-01-31"},
  {name: "<b>Note</b>", value: "<img src=x onerror=alert(1)>"},
];
const hours = Array.from({length: 24}, (_, i) => {
  const count = [0, 0, 0, 0, 0, 0, 0, 1, 4, 9, 12, 11, 7, 6, 10, 13, 8, 5, 2, 0, 0, 0, 0, 0][i];
  return {
    from: `2026-11-20T${String(i).padStart(2, "0")}:00:00Z`,
    calls: count,
    spend: count * 100,
  };
});
const operators = {
  ready: {
    parts: [
      {
        name: "Camera",
        state: "good",
        text: "Synthetic sitter, 1280x720, 30 pictures a second.",
        mend: "",
      },
      {name: "Face model", state: "good", text: "YuNet 2023mar, its SHA-256 is right.", mend: ""},
      {
        name: "Service",
        state: "warning",
        text: "The sandbox answers in 210 ms; its certificate ends in 12 days.",
        mend: "Renew it before then.",
      },
      {
        name: "Vault",
        state: "bad",
        text: "There is no API key.",
        mend: "Run the set-up, or 'idkiosk vault set api_key'.",
      },
      {name: "Queue", state: "checking", text: "", mend: ""},
      {name: "Disk", state: "good", text: "3.1 GB free, 4 MB kept for answers.", mend: ""},
    ],
  },
  queue: {
    open: [
      {state: "unknown", count: 1},
      {state: "damaged", count: 0},
      {state: "pending", count: 4},
      {state: "held", count: 1},
      {state: "sending", count: 1},
    ],
    ended_count: 214,
    holds: [
      {
        id: "lookup_nin:access",
        text: "lookup_nin: status 403 after 210 ms. Ask the service's operator for access.",
        liftable: true,
      },
      {id: "all:spend_cap", text: "billing.calls_per_hour = 60 is reached.", liftable: false},
    ],
    ended: calls
      .filter(({state}) => state === "done" || state === "expired")
      .map(({answered, ...item}) => ({...item, text: ""})),
  },
  ledger: {
    currency: "NGN",
    calls: 88,
    spend: "8 800.00",
    hours,
  },
  camera: {
    source: "synthetic",
    format: "MJPEG 1280x720 at 30",
    detector: "yunet",
    trouble: "",
    measures: [
      {
        name: "Face area",
        value: 0.21,
        unit: "",
        low: 0.15,
        high: 0.5,
        good: true,
        limits: "0.15 to 0.5",
      },
      {name: "Yaw", value: 4, unit: "deg", low: -15, high: 15, good: true, limits: "-15 to 15"},
      {name: "Luma", value: 41, unit: "", low: 50, high: 220, good: false, limits: "50 to 220"},
      {
        name: "Sharpness",
        value: 88,
        unit: "",
        low: 30,
        high: 300,
        good: true,
        limits: "at least 30",
      },
    ],
  },
  staff: {
    two_persons: true,
    people: [
      {name: "Adaeze.Okafor", role: "clerk", signed_in: false},
      {name: "Amina", role: "operator", signed_in: true},
      {name: "Bello", role: "operator", signed_in: false},
    ],
  },
  vault: {
    text: "A key file lies beside the vault: it gives no protection if the whole disk is stolen.",
    entries: [
      {name: "api_key", state: "set"},
      {name: "user_id", state: "set"},
      {name: "password", state: "missing"},
    ],
  },
  log: {
    lines: [
      {
        time: "2026-11-20T15:42:10Z",
        level: "info",
        text: "queue: KD7Q2M answered: verified (status 200)",
      },
      {
        time: "2026-11-20T15:40:02Z",
        level: "warn",
        text: "queue: W2M5TB is unknown: timed out after 60 s",
      },
    ],
  },
  setup: {
    provisioned: true,
    text: "",
    bundle: "support-20261120.tar",
    scanning: false,
    second_needed: false,
  },
};

// What an outage leaves: eight people, some of whom asked more than once, and more calls than one page holds.
const people = Array.from({length: 8}, (_, person) => ({
  number: person === 7 ? "" : `70${person} **** **8${person}`,
  calls: Array.from({length: 9}, (_, i) => ({
    reference: `${"KMNPQRTV"[person]}${"23456789A"[i]}2M5T`,
    state: i < 3 ? "unknown" : i === 3 ? "held" : "pending",
    question: i % 2 === 0 ? "verify" : "nin",
    age_seconds: 600 * (i + 1),
    text: i === 0 ? "The answer was cut short after the request had been sent." : "",
    ...(person === 7 ? {} : {price: "100.00 NGN", hundredths: 10000}),
    attempts: i < 3 ? i + 1 : 0,
    spent: `${100 * (i < 3 ? i + 1 : 0)}.00`,
    times: i < 3 ? 3 : 1,
    ...(i === 1 ? {answered_by: "KRXQRP"} : {}),
    ...(i === 2 ? {operator: "amina", case: "2026-4711"} : {}),
  })),
}));
const sum = {
  currency: "NGN",
  attempts: 44,
  billed: 40,
  price: "4000.00",
  maybe: 2,
  maybe_price: "200.00",
};
const attempt = (reference, stage, status, billed, text) => ({
  time: "2026-11-20T15:42:10Z",
  reference,
  endpoint: "lookup_nin",
  operator: "amina",
  stage,
  status,
  billed,
  price: "100.00 NGN",
  text,
});
const more = {
  queue: {
    people: {problem: "", currency: "NGN", left_out: 12, list: people},
    stick: {files: ["reply.csv"], written: "unknown.csv", said: ""},
  },
  ledger: {
    books: {
      problem: "",
      month: "2026-11",
      endpoint: "",
      operator: "",
      from: 0,
      count: 120,
      operators: ["amina", "tunde"],
      total: [{key: "total", ...sum}],
      endpoints: [
        {key: "verify", ...sum},
        {key: "lookup_nin", ...sum},
      ],
      rows: [
        attempt("KD7Q2M", "answered", 200, "yes", "verified"),
        attempt("W2M5TB", "sent", null, "maybe", "lost"),
        attempt("QMWNWM", "not_sent", null, "no", "not_connected"),
      ],
    },
    stick: {files: ["invoice-2026-11.csv", "reply.csv"], written: "", said: ""},
  },
  setup: {stick: {files: ["onboarding.json"], written: "", said: ""}},
};
const match = {
  all: false,
  bad_lines: ["line 7: column price: '1,234' may mean two amounts"],
  counts: [
    {finding: "matched", count: 38},
    {finding: "unknown_here", count: 1},
  ],
  sums: [{currency: "NGN", invoiced: "3900.00", billed: "3800.00", maybe: "200.00"}],
  differences: [
    [
      "unknown_here",
      "12",
      "2026-11-20T15:42:10Z",
      "100.00",
      "NGN",
      "",
      "IDN-42",
      "",
      "",
      "",
      "",
      "verify",
    ],
  ],
  difference_count: 1,
};

const prompts = [...catalogue("en").keys()].filter((key) => key.startsWith("prompt."));
const cameras = {
  ...Object.fromEntries(
    prompts.map((key, i) => {
      const prompt = key.slice("prompt.".length);
      const asked = {prompt, guidance: "follow_prompt", step: Math.min(i, 5), held: 0};
      return [`camera-${prompt}`, i === 0 ? {} : asked];
    }),
  ),
  "camera-good": {prompt: "look_up", step: 3, held: 0.35},
  "camera-ready": {starts_in: 2, guidance: "no_face", held: 0},
  "camera-again": {guidance: "no_face", held: 0, restarted: "lost"},
  "camera-dark": {guidance: "more_light", held: 0},
  "camera-colours": {guidance: "none", light: {colour: "#ff607c", fade_ms: 150}},
  "camera-no-light": {guidance: "no_face", held: 0, restarted: "no_light"},
  "camera-trouble": {trouble: "black", held: 0},
};
const answers = {
  "answer-verified": {},
  "answer-not-verified": {
    kind: "not_verified",
    reason: "no_match",
    number_end: "901",
    other_number: true,
    new_pictures: true,
  },
  "answer-kept": {kind: "kept", reason: "network"},
  "answer-printing": {printing: "printing"},
  "answer-print-failed": {kind: "kept", reason: "network", printing: "failed"},
  "answer-unknown": {kind: "unknown", reason: "service_error"},
  "answer-refused": {
    kind: "refused",
    reason: "number",
    receipt: false,
    number_end: "901",
    other_number: true,
  },
};
const each = (table, make) =>
  Object.fromEntries(Object.entries(table).map(([name, value]) => [name, make(value)]));

const told = {
  welcome: {screen: "welcome", voices: ["en", "fr"]},
  "welcome-closed": {screen: "welcome", closed: "spend_cap", opens_at: "2026-11-20T15:42:10Z"},
  "welcome-no-camera": {screen: "welcome", closed: "camera_away"},
  "welcome-sandbox-offline": {screen: "welcome", environment: "sandbox", online: false},
  consent: {screen: "consent", consent: {keep_hours: 72, answer_hours: 24}},
  "consent-silent": {
    screen: "consent",
    consent: {keep_hours: 72, answer_hours: 24, programs: "data"},
    voice: false,
  },
  "number-empty": {screen: "number", number: {digits: "", problem: null, scanning: false}},
  number: {
    screen: "number",
    number: {digits: "70123456", problem: null, scanning: false},
    environment: "sandbox",
  },
  "number-wrong": {
    screen: "number",
    number: {digits: "70123456", problem: "too_short"},
    sound: false,
  },
  "number-two-numbers": {
    screen: "number",
    number: {digits: "", problem: "two_numbers", scanning: false},
  },
  "number-scan": {screen: "number", number: {digits: "", problem: null, scanning: true}},
  reason: {screen: "reason", reasons},
  ...each(cameras, (change) => ({screen: "camera", camera: {...camera, ...change}})),
  ...Object.fromEntries(
    ["waiting", "answered", "refused", "no_answer"].map((became) => [
      `repeated-${became}`,
      {screen: "repeated", repeated: {became}},
    ]),
  ),
  cannot: {
    screen: "cannot",
    cannot: {challenges: ["look_up", "smile"], left_out: ["smile"], gentle: false},
    environment: "sandbox",
    online: false,
  },
  "cannot-nothing": {screen: "cannot", cannot: {challenges: [], left_out: []}},
  "consent-own": {
    screen: "consent",
    consent: {
      keep_hours: 72,
      answer_hours: 24,
      // A bank's lawyers wrote it: longer than any screen.
      text: `${"We take five pictures of your face and your number. ".repeat(12)}\n\n`.repeat(6),
      language: "en",
    },
  },
  "stopped-help": {
    screen: "stopped",
    stopped: {why: "needs_help", can_retry: false, seconds_left: 12},
  },
  look: {screen: "look", environment: "sandbox", online: false},
  "look-upright": {screen: "look", session: kUpright},
  "waiting-sealing": {screen: "waiting", waiting: {stage: "sealing", long: false}},
  waiting: {screen: "waiting", waiting: {stage: "sending", long: false, reference: "KD7Q2M"}},
  "waiting-long": {
    screen: "waiting",
    waiting: {stage: "checking", long: true, reference: "KD7Q2M"},
    online: false,
    environment: "sandbox",
  },
  ...each(answers, (change) => ({
    screen: "answer",
    answer: {...answer, ...change},
    environment: "sandbox",
  })),
  "stopped-held": {screen: "stopped", stopped: {why: "held", can_retry: false, seconds_left: 12}},
  "stopped-timeout": {
    screen: "stopped",
    stopped: {why: "capture_timeout", can_retry: true, seconds_left: 12},
  },
  "stopped-declined": {
    screen: "stopped",
    stopped: {why: "declined", can_retry: false, seconds_left: 12},
  },
  "stopped-not-set-up": {
    screen: "stopped",
    stopped: {why: "not_set_up", can_retry: false, seconds_left: 0},
    environment: "sandbox",
  },
  "stopped-first-operator": {
    screen: "stopped",
    stopped: {why: "not_set_up", can_retry: false, seconds_left: 0},
    first_operator: true,
  },
  "stopped-full": {
    screen: "stopped",
    stopped: {why: "queue_full", can_retry: false, seconds_left: 12},
    environment: "sandbox",
    online: false,
  },
  idle: {
    screen: "number",
    number: {digits: "70123456", problem: null},
    idle: {seconds: 9},
    environment: "sandbox",
    online: false,
  },
  // Everything that takes room from a screen, on each that has something to be touched.
  ...Object.fromEntries(
    Object.entries({
      "handheld-welcome": {screen: "welcome"},
      "handheld-welcome-closed": {screen: "welcome", closed: "spend_cap"},
      "handheld-consent": {
        screen: "consent",
        consent: {keep_hours: 72, answer_hours: 24, programs: "data"},
      },
      "handheld-reason": {screen: "reason", reasons},
      "handheld-repeated": {screen: "repeated", repeated: {became: "waiting"}},
      "handheld-look": {screen: "look"},
      "handheld-waiting": {
        screen: "waiting",
        waiting: {stage: "checking", long: true, reference: "KD7Q2M"},
      },
      "handheld-kept": {screen: "answer", answer: {...answer, ...answers["answer-kept"]}},
      "handheld-refused": {
        screen: "answer",
        answer: {...answer, ...answers["answer-refused"], price: "100.00 NGN", receipt: true},
      },
    }).map(([name, state]) => [
      name,
      {...state, mode: "handheld", agent, environment: "sandbox", online: false},
    ]),
  ),
  "handheld-number": {
    screen: "number",
    mode: "handheld",
    agent,
    number: {digits: "7012", problem: null},
    environment: "sandbox",
    online: false,
  },
  "handheld-camera": {
    screen: "camera",
    mode: "handheld",
    agent: {...agent, battery: 12, last_delivery_seconds: null},
    camera,
    online: false,
  },
  "handheld-not-verified": {
    screen: "answer",
    mode: "handheld",
    agent,
    answer: {...answer, ...answers["answer-not-verified"], price: "100.00 NGN"},
  },
  locked: {screen: "locked", mode: "handheld", agent, locked: {seconds: 0}},
  "locked-people": {
    screen: "locked",
    mode: "branch",
    locked: {
      seconds: 0,
      people: ["Adaeze.Okafor", "Amina", "Bello", "Chidi", "E0417", "Funmilayo"],
    },
  },
  "locked-out": {screen: "locked", mode: "branch", locked: {seconds: 30}},
  desk: {screen: "desk", mode: "branch", reasons, desk, environment: "sandbox"},
  "desk-answer": {
    screen: "desk",
    mode: "branch",
    reasons,
    environment: "sandbox",
    online: false,
    desk: {
      ...desk,
      network: "down",
      answer: {kind: "verified", reference: "KD7Q2M", question: "nin", fields, photo: true},
    },
  },
  ...Object.fromEntries(
    Object.entries(operators).map(([tab, state]) => [
      `operator-${tab}`,
      {
        screen: "operator",
        user: "Amina",
        operators: ["Amina", "Bello"],
        operator: {tab, problem: "", [tab]: state, ...more[tab]},
      },
    ]),
  ),
  "operator-number": {
    screen: "operator",
    operator: {
      tab: "queue",
      problem: "",
      queue: operators.queue,
      ...more.queue,
      people: {
        ...more.queue.people,
        shown: {reference: people[0].calls[0].reference, number: "70012345680"},
      },
    },
  },
  "operator-scan": {
    screen: "operator",
    operator: {
      tab: "setup",
      problem: "",
      setup: {provisioned: false, text: "", bundle: null, scanning: true, second_needed: false},
      stick: {files: [], written: "", said: ""},
    },
  },
  "operator-match": {
    screen: "operator",
    operator: {
      tab: "ledger",
      problem: "",
      ledger: operators.ledger,
      ...more.ledger,
      books: {...more.ledger.books, match},
    },
  },
};

const untold = screens.filter((name) => !Object.values(told).some(({screen}) => screen === name));
/** @type {Record<string, object>} name -> snapshot without revision and language; each screen has one */
export const scenes = {
  ...told,
  ...Object.fromEntries(untold.map((screen) => [screen, {screen}])),
};

let revision = 0;
export const snapshotOf = (name, change = {}) => ({
  ...base,
  ...scenes[name],
  revision: ++revision,
  ...change,
});
