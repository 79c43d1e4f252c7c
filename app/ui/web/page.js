// The page: follows the daemon's snapshots and shows the screen each one names. It keeps nothing of a person itself.
import {Connection} from "./connection.js";
import {dialog, el} from "./dom.js";
import {Frame} from "./frame.js";
import {icon} from "./icons.js";
import {idleQuestion} from "./screens/idle.js";
import {firstOperatorSheet} from "./staff/first.js";
import {pinSheet} from "./staff/pin.js";
import {Voice} from "./voice.js";
import {hasWords, isLoaded, loadLanguage, words} from "./words.js";

/** @type {Snapshot} */
const kNothing = {
  revision: -1,
  session: "",
  mode: "kiosk",
  screen: "welcome",
  environment: "production",
  online: true,
  language: "en",
  sound: true,
  voice: false,
  brand: {name: "", primary: "#0b5d3b", accent: "#f2b705", logo: false},
};

const kTouches = 20_000;
/** When the daemon last heard of whoever is here. */
let touched = Date.now();

const voice = new Voice();

/** @type {App} */
const app = {
  snapshot: kNothing,
  voice,
  t: (key, values) => words(app.snapshot.language, key, values),
  has: /** @type {App["has"]} */ ((key) => hasWords("en", key)),
  command: (name, ...fields) => {
    touched = Date.now();
    return connection.command(app.snapshot.session, name, fields[0]);
  },
  announce: (text) => {
    if (frame.live.textContent !== text) frame.live.textContent = text;
  },
};

/** When this screen was put there, and the first of the touches that follow each other quickly. */
let shownAt = 0;
let firstTouch = 0;

/** @type {View} */
let screen = {root: el("div")};
let shown = "";
const idle = idleQuestion(app);
const frame = new Frame(app, {
  operator: askForOperator,
  again: () => voice.speak(screen.says?.(app.snapshot) ?? [], screen.names?.(app.snapshot)),
});
const connection = new Connection({
  snapshot: (snapshot) => {
    newest = snapshot;
    showNewest();
  },
  lost: () => showNobody("lost"),
  refused: () => showNobody("reopen"),
});
/** @type {Snapshot | null} */
let newest = null;

/** Whether a question is over the screen. One that was closed stays in the page for a moment, and takes no keys. */
const isAsking = () => document.querySelector("dialog[open]") !== null;

/** @param {HTMLElement} root */
function put(root) {
  for (const open of document.querySelectorAll("dialog")) open.close();
  frame.main.replaceChildren(root);
  shownAt = performance.now();
  frame.main.scrollTop = 0;
  const heading = root.querySelector("[autofocus]") ?? root.querySelector("h1");
  if (heading instanceof HTMLElement) {
    if (heading instanceof HTMLHeadingElement) heading.tabIndex = -1;
    heading.focus({preventScroll: true});
  }
}

/** Those that were shown. @type {Map<ScreenName, (app: App) => View>} */
const screens = new Map();

/** Each screen is the function of its name in the module of its name. @param {ScreenName} name */
async function loadScreen(name) {
  const make = (await import(`./screens/${name}.js`))[name];
  if (make === undefined) throw new Error(`screens/${name}.js makes no ${name}`);
  screens.set(name, make);
}

/** Shows the newest snapshot as soon as its language and screen are here. */
function showNewest() {
  if (newest === null) return;
  const make = screens.get(newest.screen);
  if (make !== undefined && isLoaded(newest.language)) show(newest, make);
  else
    Promise.all([loadLanguage(newest.language), loadScreen(newest.screen)]).then(showNewest, () =>
      showNobody("lost"),
    );
}

/** @param {Snapshot} snapshot @param {(app: App) => View} make */
function show(snapshot, make) {
  app.snapshot = snapshot;
  voice.on = snapshot.sound && snapshot.voice;
  if (!voice.on) voice.hush();
  voice.language = snapshot.language;
  document.body.classList.remove("lost");
  const {session, screen: name, language, answer, repeated, stopped} = snapshot;
  const wanted = [
    session,
    name,
    language,
    answer?.kind,
    answer?.reason,
    answer?.reference,
    repeated?.became,
    stopped?.why,
  ].join(" ");
  if (wanted !== shown) {
    shown = wanted;
    screen.gone?.();
    app.announce("");
    screen = make(app);
    frame.update(snapshot, screen);
    screen.update?.(snapshot);
    put(screen.root);
    screen.placed?.();
    voice.speak(screen.says?.(snapshot) ?? [], screen.names?.(snapshot));
  } else {
    frame.update(snapshot, screen);
    screen.update?.(snapshot);
  }
  idle.update(snapshot);
  operatorPin?.setPeople(snapshot.operators ?? []);
  document.body.dataset.revision = String(snapshot.revision);
}

/** Without the daemon there is nobody to tell whose screen this is: it shows nothing of anybody. @param {"lost" | "reopen"} why */
function showNobody(why) {
  if (shown === why || !isLoaded("en")) return;
  shown = why;
  newest = null;
  voice.hush();
  screen.gone?.();
  app.announce("");
  const {language, brand} = app.snapshot;
  app.snapshot = {...kNothing, language, brand};
  screen = {
    root: el(
      "section",
      {class: "screen nobody"},
      icon(why === "lost" ? "clock" : "lock"),
      el("h1", {}, app.t(`frame.${why}`)),
      el("p", {}, app.t(`frame.${why}_text`)),
    ),
  };
  document.body.classList.add("lost");
  delete document.body.dataset.revision;
  idle.update(app.snapshot);
  put(screen.root);
}

/** The question for the operator's PIN, while it is open. @type {ReturnType<typeof pinSheet> | null} */
let operatorPin = null;

function askForOperator() {
  if (["camera", "waiting", "operator"].includes(app.snapshot.screen) || isAsking()) return;
  if (app.snapshot.first_operator) return askForFirst();
  operatorPin = pinSheet(app, {
    title: app.t("operator.title"),
    enter: (pin, name) => app.command("operator.unlock", {pin, name}),
    people: app.snapshot.operators,
    close: () => sheet.close(),
  });
  const sheet = dialog("pin", operatorPin.root);
  sheet.addEventListener("close", () => {
    operatorPin = null;
  });
  sheet.setAttribute("aria-label", app.t("operator.title"));
}

/** Nobody has a PIN yet. */
function askForFirst() {
  const first = firstOperatorSheet(app, () => sheet.close());
  const sheet = dialog("pin", first.root);
  sheet.setAttribute("aria-label", app.t("operator.title"));
  first.askName();
}

/** Staff read and type for a while without a command, and the daemon would take them for gone. */
function staffIsHere() {
  if (["desk", "operator"].includes(app.snapshot.screen) && Date.now() - touched > kTouches)
    app.command("still_here");
}

document.addEventListener(
  "pointerdown",
  () => {
    voice.hush();
    staffIsHere();
  },
  {capture: true},
);
// The second half of a double tap was meant for the screen before, not for what lies at its place now.
document.addEventListener(
  "click",
  (event) => {
    if (event.detail <= 1) firstTouch = event.timeStamp;
    else if (shownAt > firstTouch) {
      event.preventDefault();
      event.stopPropagation();
    }
  },
  {capture: true},
);
document.addEventListener("keydown", (event) => {
  staffIsHere();
  if (event.ctrlKey && event.shiftKey && event.code === "KeyO") {
    event.preventDefault();
    askForOperator();
  } else if (event.ctrlKey && event.shiftKey && event.code === "KeyL") {
    event.preventDefault();
    frame.lockUp();
  } else if (!event.ctrlKey && !event.altKey && !event.metaKey && !isAsking()) {
    voice.hush();
    if (screen.key?.(event)) event.preventDefault();
  }
});
document.addEventListener("paste", (event) => {
  if (!isAsking()) screen.paste?.(event.clipboardData?.getData("text") ?? "");
});

// What a browser offers beside the page belongs to nobody who stands here: its menu, what is dragged or dropped, printing,
// finding, saving, its source, its help, a way back or anew. Whoever sees only that the program is gone may load the page again.
for (const name of ["contextmenu", "dragstart", "dragover", "drop"])
  document.addEventListener(name, (event) => event.preventDefault());
document.addEventListener(
  "keydown",
  (event) => {
    const isLost = document.body.classList.contains("lost");
    const withControl = event.ctrlKey && !event.shiftKey && /^[fgopsu]$/i.test(event.key);
    const alone =
      /^F[137]$/.test(event.key) || (event.altKey && /^Arrow(Left|Right)$/.test(event.key));
    const anew = event.key === "F5" || (event.ctrlKey && /^r$/i.test(event.key));
    if (withControl || alone || (anew && !isLost)) event.preventDefault();
  },
  {capture: true},
);
// A person's screens are not zoomed: larger letters are a choice of their own, and everything stays in its place.
document.addEventListener(
  "wheel",
  (event) => {
    if (event.ctrlKey && !["desk", "operator"].includes(app.snapshot.screen))
      event.preventDefault();
  },
  {passive: false},
);

loadLanguage(kNothing.language).catch(() => undefined);
connection.follow();
