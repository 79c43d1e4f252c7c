// The contract between the program and its page: what the program sends, and which commands it takes. It is not served.
// The C++ enumerations of app/session/model are made from the names below, and tests/web/page_contract_test.mjs finds
// what the program sends and this file lacks, what it names and nobody sends, and what the page never reads.

// --- Names; CMake makes these ones into C++, in the same order ---

type ScreenName =
  | "welcome"
  | "consent"
  | "number"
  | "reason"
  // The same was asked here before.
  | "repeated"
  | "camera"
  // Somebody cannot do what is asked.
  | "cannot"
  | "look"
  | "waiting"
  | "answer"
  | "stopped"
  // For staff.
  | "locked"
  | "desk"
  | "operator";

type NumberProblem =
  | "too_short"
  | "test_number_in_production"
  // A slip was held to the camera. Its code holds no number:
  | "unreadable_slip"
  // It holds several, and nothing tells which one counts.
  | "two_numbers"
  // No code was seen in time.
  | "no_slip"
  | "no_camera";

// Why the camera gives no picture.
type CameraTrouble = "away" | "black" | "frozen";

type WaitingStage = "sealing" | "queued" | "sending" | "checking";

// What became of the same check that was asked for here before.
type EarlierCheck =
  // It is kept, and not answered yet.
  | "waiting"
  // There is a verdict, which is told to nobody but who has the reference.
  | "answered"
  | "refused"
  // It ended, or was lost, without a verdict.
  | "no_answer";

type AnswerKind = "verified" | "not_verified" | "kept" | "unknown" | "refused";

type AnswerReason =
  | "no_match"
  | "no_record"
  | "number"
  | "pictures"
  | "network"
  | "gateway"
  | "service_busy"
  | "service_error"
  | "access"
  | "spend_cap"
  | "held"
  | "clock";

type ReceiptState = "printing" | "printed" | "failed";

// Why a visit ended before anything was asked.
type StopReason =
  | "declined"
  // Somebody who cannot do it is helped by the staff.
  | "needs_help"
  | "capture_timeout"
  | "camera_away"
  | "queue_full"
  | "spend_cap"
  // A person must mend the kiosk or its access first.
  | "held"
  | "not_ready"
  | "not_set_up";

type NetworkState = "unknown" | "up" | "down";

// Why a command was refused.
// second_needed: what is dangerous takes the PIN of another operator, too. Of the first operator's name and PIN: bad_name;
// weak_pin, which is guessed soon; taken, somebody is operator already.
type PinProblem =
  | "wrong"
  | "locked_out"
  | "no_pin"
  | "failed"
  | "second_needed"
  | "bad_name"
  | "weak_pin"
  | "taken";
// What the intake of calls found in the way.
type IntakeProblem = "queue_full" | "held" | "spend_cap";
type DeskProblem =
  | IntakeProblem
  | "number"
  | "phone"
  | "id_number"
  | "reason"
  | "consent"
  | "test_number"
  | "not_ready"
  | "asked_before"
  | "no_answer"
  | "not_possible";
type CommandProblem = PinProblem | DeskProblem;

// --- Names that belong to another part of the program ---

type Mode = "kiosk" | "branch" | "handheld";
// Those that have a sentence, and the two that need none of their own.
type Prompt = keyof English["prompt"];
type Guidance = keyof English["guide"] | "none" | "follow_prompt";
// Those that have a sentence.
type Task = keyof English["task"];
type CallState = Exclude<keyof English["state"], Verdict>;
type Verdict = "verified" | "not_verified" | "rejected" | "given_up";
type Billed = "no" | "maybe" | "yes";
type PartState = "good" | "warning" | "bad" | "checking";

// --- What the program sends ---

// The whole state of the page, sent anew with every change. What does not belong to the screen is absent. What people read
// are keys of the catalogues in words/, but for the labels that the service gives its reasons.
interface Snapshot {
  revision: number;
  // Opaque, and new for each person: a command must bring it back.
  session: string;
  mode: Mode;
  screen: ScreenName;
  environment: "sandbox" | "production";
  online: boolean;
  language: string;
  sound: boolean;
  // Whether there are recordings of this language.
  voice: boolean;
  // On `welcome`: the languages that there are recordings of, whose names are spoken in turn.
  voices?: string[];
  brand: {name: string; primary: string; accent: string; logo: boolean};
  // On `welcome`: why nothing can be asked now.
  closed?: StopReason;
  // On `welcome` and `stopped`: when a spending cap is over, "2026-11-20T15:42:10Z"; absent where nobody knows.
  opens_at?: string;
  // While the warning is up: until everything is erased.
  idle?: {seconds: number};
  // The longest that pictures stay here, sealed, and then the answer, 0: not at all. programs: what other programs of the
  // bank may get; absent where none is told of anything.
  // text: the bank's own, in that language; absent where idkiosk's is in force.
  consent?: {
    keep_hours: number;
    answer_hours: number;
    programs?: "result" | "data";
    text?: string;
    language?: string;
  };
  // scanning: whether the camera looks for a slip; absent where this kiosk cannot.
  number?: {digits: string; problem: null | NumberProblem; scanning?: boolean};
  reasons?: Reason[];
  // The code of the one that is chosen.
  reason?: string;
  // starts_in: seconds until the first picture; absent once it has started. step: pictures kept, 0 to 5. held: how much of
  // the time that a picture needs has passed, 0 to 1. restarted: why it began anew just now. light: what the white around
  // the face goes to, "#ff607c", and how slowly; absent: it is white. gentle: whether colours follow each other slowly;
  // absent where there are none.
  camera?: {
    starts_in?: number;
    prompt: Prompt;
    guidance: Guidance;
    step: number;
    held: number;
    trouble: null | CameraTrouble;
    restarted: null | "lost" | "not_shown" | "recording" | "no_light";
    light?: {colour: string; fade_ms: number};
    gentle?: boolean;
  };
  // The challenges that may be left out here, and those that are already. gentle: absent where the screen shows no colours.
  cannot?: {challenges: Prompt[]; left_out: Prompt[]; gentle?: boolean};
  // reference: absent until the check is kept.
  waiting?: {stage: WaitingStage; long: boolean; reference?: string};
  answer?: VisitAnswer;
  stopped?: {why: StopReason; can_retry: boolean; seconds_left: number};
  repeated?: {became: EarlierCheck};
  // On every screen of a handheld. price: of one check, which the agent decides about.
  agent?: {
    battery: number | null;
    waiting: number;
    last_delivery_seconds: number | null;
    price: string;
  };
  // seconds: until a PIN is judged again; 0: at once. people: who may sign in; absent where there is nobody to choose from.
  locked?: {seconds: number; people?: string[]};
  // The same of the operator's console, where it may open.
  operators?: string[];
  // Nobody is operator yet, and the kiosk is not set up: whoever comes chooses a name and a PIN.
  first_operator?: true;
  // Of staff, who is signed in.
  user?: string;
  desk?: Desk;
  operator?: Operator;
}

interface Reason {
  code: string;
  label: string;
}

interface Answer {
  kind: AnswerKind;
  // Six letters and digits: "KD7Q2M".
  reference: string;
  reason?: AnswerReason;
}

// number_end: the last digits of the number that the answer is about. other_number, new_pictures: what the person may do
// differently, which is a call of its own. price: of that, before an agent, who decides about it. receipt: whether one can be printed. printing: absent until somebody asks for one.
interface VisitAnswer extends Answer {
  seconds_left: number;
  number_end?: string;
  other_number?: true;
  new_pictures?: true;
  price?: string;
  receipt: boolean;
  printing?: ReceiptState;
}

// photo: whether /answer-photo has one.
interface DeskAnswer extends Answer {
  question: Task;
  fields: {name: string; value: string}[];
  photo: boolean;
}

interface Call {
  reference: string;
  state: CallState;
  verdict?: Verdict;
  question: Task;
  age_seconds: number;
  attempts: number;
  // Of sending it again; absent where that is not possible.
  price?: string;
}

// answered: its answer can be opened.
interface DeskCall extends Call {
  answered: boolean;
}

// text: why it stands as it stands.
interface OperatorCall extends Call {
  text: string;
}

// hundredths: the price as a number; absent where it cannot be sent again. spent: what its attempts cost, or may have
// cost. times: that the same was asked. answered_by: the call that got the verdict meanwhile. case: the asker's own number.
interface PersonCall extends OperatorCall {
  hundredths?: number;
  spent: string;
  times: number;
  answered_by?: string;
  operator?: string;
  case?: string;
}

// Those that have not ended, by whom they ask about. number: masked, "701 **** **89"; "" where the question is erased.
// left_out: how many more there are. shown: the whole number that somebody gave the PIN for, for ten seconds. reply: what
// the service's operator said, before anybody has agreed to it; wrong: some of its lines that decide nothing,
// each with why, and how many more there are. receipt: of the person who was erased last, in lines.
interface People {
  problem: string;
  currency: string;
  left_out: number;
  list: {number: string; calls: PersonCall[]}[];
  shown?: {reference: string; number: string};
  reply?: {file: string; text: string; wrong: string[]; more_wrong: number};
  receipt?: string;
}

interface LedgerSum {
  key: string;
  currency: string;
  attempts: number;
  billed: number;
  maybe: number;
  price: string;
  maybe_price: string;
}

// month: "2026-11", or "" for all. from: the place of the first row, from the newest on; count: of all. operators: of the
// month. match: an invoice held against it; differences: in the order of the command line's CSV, at most 200 of
// difference_count.
interface Books {
  problem: string;
  month: string;
  endpoint: string;
  operator: string;
  from: number;
  count: number;
  operators: string[];
  total: LedgerSum[];
  endpoints: LedgerSum[];
  rows: {
    time: string;
    reference: string;
    endpoint: string;
    operator: string;
    stage: string;
    status: number | null;
    billed: Billed;
    price: string;
    text: string;
  }[];
  match?: {
    all: boolean;
    bad_lines: string[];
    counts: {finding: string; count: number}[];
    sums: {currency: string; invoiced: string; billed: string; maybe: string}[];
    differences: string[][];
    difference_count: number;
  };
}

interface Desk {
  // What can be asked here, what a clerk fills in for it, and what it costs each time.
  tasks: {name: Task; fields: AskedField[]; price: string}[];
  // Of the numbers that the task `check` takes.
  types: string[];
  today: {calls: number; spend: string; currency: string};
  queue: DeskCall[];
  network: NetworkState;
  camera: "ready" | "away";
  asking: boolean;
  problem: null | IntakeProblem;
  answer: DeskAnswer | null;
}

// liftable: a person may say that calls go on.
interface OperatorHold {
  id: string;
  text: string;
  liftable: boolean;
}

interface CallsInState {
  state: CallState;
  count: number;
}

// Of the tabs only the open one is sent, once it is known. problem: why it cannot be shown; "" if it can.
interface Operator {
  tab: Tab;
  problem: string;
  ready?: {parts: {name: string; state: PartState; text: string; mend: string}[]};
  queue?: {
    // Of calls that have not ended, in the order in which they are shown.
    open: CallsInState[];
    ended_count: number;
    holds: OperatorHold[];
    // The newest of those that have.
    ended: OperatorCall[];
  };
  people?: People;
  books?: Books;
  // Of the tabs that use it. files: those that the tab can read. written: the file that was put there last. said: what
  // came of a reply.
  stick?: {files: string[]; written: string; said: string};
  ledger?: {
    currency: string;
    calls: number;
    spend: string;
    hours: {from: string; calls: number; spend: number}[];
  };
  // trouble: why there are no measures; "" while there are.
  camera?: {
    source: string;
    format: string;
    detector: string;
    trouble: string;
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
  vault?: {text: string; entries: {name: string; state: "set" | "missing"}[]};
  // two_persons: what is dangerous takes two of them.
  staff?: {
    two_persons: boolean;
    people: {name: string; role: "clerk" | "operator"; signed_in: boolean}[];
  };
  log?: {lines: {time: string; level: string; text: string}[]};
  // bundle: the path of the support bundle that was written last. scanning: the camera looks for the code of a message.
  // second_needed: what was scanned waits for another operator.
  setup?: {
    provisioned: boolean;
    text: string;
    bundle: string | null;
    scanning: boolean;
    second_needed: boolean;
  };
}
type Tab = Exclude<keyof Operator, "tab" | "problem" | "people" | "books" | "stick">;

// --- What the page sends: {session, do: NAME, ...} ---

interface Commands {
  // Everywhere. still_here: what counts down begins anew.
  language: {language: string};
  sound: {on: boolean};
  still_here: {};

  // On `welcome`: to consent; to stopped where nothing can be asked (no reasons known, no camera, queue full, spend cap
  // reached, queue held), which is looked at again before the camera opens.
  start: {language: string};
  // On `consent`: to the number; to stopped.
  agree: {};
  decline: {};
  // On `number`. `number` comes from a keyboard or a scanner. `scan` looks through the camera for the code of a slip, and
  // fills the number in; any other command of this screen ends it.
  digit: {digit: string};
  delete: {};
  number: {digits: string};
  scan: {on: boolean};
  // On `number`, only with 11 digits that may be sent; on `reason`, only with a reason.
  next: {};
  // On `reason`: to the camera; to repeated where the same was asked here within billing.duplicate_window.
  reason: {code: string};
  // On `repeated`: to the camera.
  go_on: {};
  // From `consent` to `look`: a step back; ends the visit and erases everything.
  back: {};
  stop: {};
  // On `camera` and `cannot`: whether the screen's colours follow each other slowly; to the camera.
  light: {gentle: boolean};
  // On `camera`, and on `stopped` where can_retry: to cannot.
  cannot: {};
  // On `cannot`: back to the camera, which asks for this no more; to stopped, where the staff helps.
  leave_out: {challenge: Prompt};
  ask_staff: {};
  // On `look`; on `answer`, where new_pictures.
  retake: {};
  // On `answer`, where other_number: to the number.
  change_number: {};
  send: {};
  // On `stopped`, where can_retry.
  retry: {};
  // On `answer`, where receipt: prints one, or tries again where that failed.
  receipt: {};
  // On `waiting`, `answer` and `stopped`: to the welcome; a call that was handed in stays.
  finish: {};

  // On `locked`: to the desk, or to the welcome of a handheld.
  unlock: {pin: string; name?: string};
  // On the desk, and on a handheld wherever it is unlocked: nothing of anybody stays, but for what was handed in.
  lock: {};
  // On `desk`. Asks what desk.tasks offers; what takes pictures leads to the camera and back. Refused as an IntakeProblem,
  // spend_cap with the seconds until it is over; as consent, where nothing shows it to the person and the clerk does not
  // say that they have agreed; as asked_before, with the reference of that call and the seconds since,
  // unless confirmed.
  ask: {
    question: Task;
    nin?: string;
    phone?: string;
    type?: string;
    id_number?: string;
    reason?: string;
    confirmed?: true;
    consent?: true;
  };
  // Wipes the answer.
  dismiss: {};
  // Opens the sealed answer of a call, in memory alone.
  show: {reference: string};
  // On the desk, and in the operator's queue: decides about an unknown call. attempts: as they were shown.
  resend: {reference: string; attempts: number; confirmed: true};
  give_up: {reference: string};

  // Everywhere but on `camera` and `waiting`: erases the visit and opens the operator's console.
  "operator.unlock": {pin: string; name?: string};
  // Where first_operator: makes this the name and the PIN of the first operator, and opens the console.
  "operator.first": {name: string; pin: string};
  // On `operator`: back to the welcome, or to locked; also by itself when nobody touches it for 2 minutes.
  "operator.close": {};
  // `ready` looks at everything anew.
  "operator.tab": {tab: Tab};
  // Lifts one of the queue's holds: one call goes first, and may be billed.
  "operator.lift": {hold: string; confirmed: true};
  // Decides about calls in doubt, all at once. price, attempts: of all that is sent again, as the operator was told; the price
  // in hundredths.
  "operator.erase_person": {nin: string; confirmed: true};
  "operator.decide": {
    resend: string[];
    give_up: string[];
    price: number;
    attempts: number;
    confirmed: true;
  };
  // Shows the whole number that a call asks about, for ten seconds, with the PIN of whoever is signed in; it is put down who
  // saw it.
  "operator.number": {reference: string; pin: string};
  // Which part of the ledger is shown; "": all.
  "operator.books": {month: string; endpoint: string; operator: string; from: number};
  // Writes a file to the memory stick: the attempts in doubt, the ledger as it is shown, or what an invoice has otherwise.
  "operator.export": {what: "unknown" | "ledger" | "differences" | "receipt"};
  // Reads what the service's operator said of attempts in doubt, from the stick; confirmed: and takes it.
  "operator.reply": {file: string; confirmed?: true};
  // Holds an invoice on the stick against the ledger of the month that is shown.
  "operator.match": {file: string};
  // Looks at the stick again.
  "operator.stick": {ending: "csv" | "json"};
  // An onboarding message: as text, as a file on the stick, or the one that was scanned; and what it lacks. Tried at the
  // service, without a billed call, before anything is stored. Refused as second_needed where it takes another operator,
  // before the service is asked: their name, and their PIN.
  "operator.provision": {
    message?: string;
    file?: string;
    login?: string;
    password?: string;
    user_id?: string;
    api_key?: string;
    second?: string;
    pin?: string;
  };
  // Looks through the camera for the code of an onboarding message, and sets the kiosk up from it.
  "operator.scan": {on: boolean};
  // Erases every secret and every waiting call. Refused as second_needed, as above.
  "operator.erase": {confirmed: true; second?: string; pin?: string};
  // Writes a support bundle once every part has been looked at.
  "operator.bundle": {};
}

type AskedField = Exclude<keyof Commands["ask"], "question" | "confirmed" | "consent">;

// What came of a command. status: 204 done; 202 it goes on, and the snapshot tells what comes of it; 503 it was not
// done, and will not be; 400 the arguments make no sense; 403 refused; 409 another session, or not
// possible on this screen; 0 no answer. seconds: until trying again makes sense, or since when.
interface Reply {
  status: number;
  error: string;
  problem: CommandProblem | null;
  seconds: number;
  reference: string;
}
