// What the daemon sends: the types of one UiSnapshot, as the page reads it. Not part of what is served.

type Mode = "kiosk" | "branch" | "handheld";
type ScreenName =
  | "welcome"
  | "consent"
  | "number"
  | "reason"
  | "repeated"
  | "camera"
  | "look"
  | "waiting"
  | "answer"
  | "stopped"
  | "locked"
  | "desk"
  | "operator";
type Kind = "verified" | "not_verified" | "kept" | "unknown" | "refused";
// A word of CountsOf in app/queue/call_record.h. Each has its sentence under `state`.
type CallState = string;

interface Field {
  name: string;
  value: string;
}
interface Reason {
  code: string;
  label: string;
}
interface Lockout {
  problem: null | "wrong" | "locked_out";
  seconds?: number;
}

interface Answer {
  kind: Kind;
  reference: string;
  reason?: string | null;
  seconds_left?: number;
  receipt?: boolean;
  printing?: "printing" | "printed" | "failed";
  fields?: Field[];
  photo?: boolean;
  question?: string;
}

interface Call {
  reference: string;
  state: CallState;
  verdict?: "verified" | "not_verified" | "rejected" | "given_up";
  question: string;
  age_seconds: number;
  attempts?: number;
  text?: string;
  // Of sending it again; absent where that is not possible. answered: its answer can be opened.
  price?: string;
  answered?: boolean;
}

interface Desk {
  tasks: string[];
  types: string[];
  today: {calls: number; spend?: string; currency?: string};
  queue: Call[];
  network: "up" | "down" | "unknown";
  camera: "ready" | "away" | "busy";
  asking: boolean;
  problem: null | string;
  answer: Answer | null;
}

interface Operator {
  tab: string;
  problem?: string;
  ready?: {
    parts: {
      name: string;
      state: "good" | "warning" | "bad" | "checking";
      text: string;
      mend: string;
    }[];
  };
  queue?: {counts: Partial<Record<CallState, number>>; calls: Call[]};
  ledger?: {
    currency: string;
    calls: number;
    spend: string;
    hours: {from: string; calls: number; spend: number}[];
    rows: {
      time: string;
      reference: string;
      stage: string;
      status: number | null;
      billed: "no" | "maybe" | "yes";
      text: string;
    }[];
  };
  camera?: {
    source: string;
    format: string;
    detector: string;
    trouble?: string;
    measures: {
      name: string;
      value: number;
      unit: string;
      low: number;
      high: number;
      good: boolean;
      limits: string;
    }[];
  };
  vault?: {
    kind: "file" | "tpm";
    text: string;
    entries: {name: string; state: "set" | "missing"; age_seconds?: number}[];
  };
  log?: {lines: {time: string; level: string; text: string}[]};
  setup?: {provisioned: boolean; text: string; bundle: string | null};
}

interface Snapshot {
  revision: number;
  session: string;
  mode: Mode;
  screen: ScreenName;
  environment: "sandbox" | "production";
  online: boolean;
  language: string;
  sound: boolean;
  // Whether there are recordings of this language.
  voice: boolean;
  brand: {name: string; primary: string; accent: string; logo: boolean};
  idle?: {seconds: number};
  consent?: {keep_hours: number};
  // scanning: absent where this kiosk cannot look for a slip.
  number?: {digits: string; problem: null | string; scanning?: boolean};
  reasons?: Reason[];
  reason?: string;
  camera?: {
    prompt: string;
    guidance: string;
    step: number;
    held: number;
    trouble: null | "away" | "black" | "frozen" | "busy";
    restarted: boolean;
  };
  waiting?: {stage: "sealing" | "queued" | "sending" | "checking"; long: boolean};
  answer?: Answer;
  stopped?: {why: string; can_retry: boolean; seconds_left?: number};
  agent?: {
    battery: number | null;
    waiting: number;
    last_delivery_seconds: number | null;
    locked: boolean;
  };
  locked?: Lockout;
  desk?: Desk;
  operator?: Operator;
}

// One screen, built once and then told of every snapshot until another screen, session or language comes.
interface View {
  root: HTMLElement;
  // What of the frame's buttons is possible here.
  back?: boolean;
  stop?: boolean;
  update?(snapshot: Snapshot): void;
  // The sentences to be spoken when the screen appears, and again when asked.
  says?(snapshot: Snapshot): string[];
  // True: the key is used up.
  key?(event: KeyboardEvent): boolean;
  // Text that an agent has copied from elsewhere.
  paste?(text: string): void;
  gone?(): void;
}

interface Reply {
  status: number;
  problem: string | null;
  seconds: number;
  error: string;
  reference: string;
}

// What every screen may use.
interface App {
  snapshot: Snapshot;
  t(key: string, values?: Record<string, string | number>): string;
  has(key: string): boolean;
  command(name: string, fields?: Record<string, unknown>): Promise<Reply>;
  // For screen readers, without moving the focus.
  announce(text: string): void;
  voice: import("./voice.js").Voice;
}
