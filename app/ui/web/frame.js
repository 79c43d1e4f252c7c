// What stands around every screen, always at the same place: bands, brand, language, sound; back, say it again, stop.
import {button, dialog, el, setAttribute, setText} from "./dom.js";
import {Comfort} from "./comfort.js";
import {icon} from "./icons.js";
import {direction, offeredLanguages} from "./words.js";

// How long the brand's name is held to reach the operator's console.
const kHold = 3000;

/** Black or white, whichever is easier to read on it. @param {string} colour "#rrggbb" */
function inkOn(colour) {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000" : "#fff";
}

/** @param {Snapshot["brand"]} brand */
function paint({primary, accent}) {
  const style = document.documentElement.style;
  style.setProperty("--primary", primary);
  style.setProperty("--on-primary", inkOn(primary));
  style.setProperty("--accent", accent);
  style.setProperty("--on-accent", inkOn(accent));
}

export class Frame {
  /** @param {App} app @param {{operator: () => void, again: () => void}} ways */
  constructor(app, ways) {
    this.app = app;
    this.sandbox = el("p", {class: "band band-sandbox"}, icon("warning"), el("span"));
    this.offline = el("p", {class: "band band-offline"}, icon("offline"), el("span"));
    this.agent = el("ul", {class: "agent"});
    this.brand = el("p", {class: "brand"});
    this.language = button(
      "",
      () => this.chooseLanguage(),
      {class: "quiet", "aria-haspopup": "dialog"},
      icon("globe"),
    );
    this.sound = el("button", {
      type: "button",
      class: "quiet",
      onclick: () => app.command("sound", {on: !app.snapshot.sound}),
    });
    this.comfort = new Comfort(app);
    this.ease = button(
      "",
      () => this.comfort.open(),
      {class: "quiet ease", "aria-haspopup": "dialog"},
      icon("ease"),
    );
    this.lock = button(
      "",
      () => this.lockUp(),
      {class: "quiet lock", "aria-keyshortcuts": "Control+Shift+L"},
      icon("lock"),
    );
    this.back = button("", () => app.command("back"), {class: "quiet back"}, icon("back"));
    this.again = button("", ways.again, {class: "quiet again"}, icon("again"));
    this.cannot = button("", () => app.command("cannot"), {class: "quiet cannot-do"}, icon("hand"));
    this.more = button("", () => app.command("still_here"), {class: "quiet"}, icon("clock"));
    this.stop = button("", () => app.command("stop"), {class: "quiet stop"}, icon("cross"));
    this.header = el(
      "header",
      {},
      this.brand,
      this.agent,
      el("div", {class: "tools"}, this.language, this.sound, this.ease, this.lock),
    );
    this.main = el("main");
    this.footer = el("footer", {}, this.back, this.again, this.cannot, this.more, this.stop);
    this.live = el("div", {class: "hidden", role: "status", "aria-live": "polite"});
    this.bands = el("div", {class: "bands", role: "region"}, this.sandbox, this.offline);
    document.body.replaceChildren(this.bands, this.header, this.main, this.footer, this.live);
    this.holdBrand(ways.operator);
    new ResizeObserver(() => this.showBelowBands()).observe(this.bands);
  }

  /** Questions over everything begin below the bands. */
  showBelowBands() {
    document.documentElement.style.setProperty("--bands", `${this.bands.offsetHeight}px`);
  }

  /** @param {() => void} operator */
  holdBrand(operator) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    this.brand.addEventListener("pointerdown", () => {
      timer = setTimeout(operator, kHold);
    });
    for (const end of ["pointerup", "pointerleave", "pointercancel"]) {
      this.brand.addEventListener(end, () => clearTimeout(timer));
    }
  }

  /** @param {Snapshot} snapshot @param {View} screen */
  update(snapshot, screen) {
    const {t} = this.app;
    setAttribute(document.documentElement, "lang", snapshot.language);
    setAttribute(document.documentElement, "dir", direction(snapshot.language));
    document.body.dataset.screen = snapshot.screen;
    this.comfort.follow(snapshot);
    document.body.dataset.mode = snapshot.mode;
    paint(snapshot.brand);
    document.title = `${t("frame.title")} – ${snapshot.brand.name}`;
    this.showBands(snapshot);
    this.showBrand(snapshot.brand);
    this.showTools(snapshot, screen);
    this.showAgent(snapshot);
  }

  /** @param {Snapshot} snapshot */
  showBands({environment, online, language}) {
    const shows = `${environment} ${online} ${language}`;
    if (this.bands.dataset.shows === shows) return;
    this.bands.dataset.shows = shows;
    const {t} = this.app;
    this.sandbox.hidden = environment !== "sandbox";
    this.offline.hidden = online;
    this.bands.hidden = this.sandbox.hidden && this.offline.hidden;
    setAttribute(this.bands, "aria-label", t("frame.state"));
    setText(/** @type {Element} */ (this.sandbox.lastChild), t("frame.sandbox"));
    setText(/** @type {Element} */ (this.offline.lastChild), t("frame.offline"));
    this.showBelowBands();
  }

  /** @param {Snapshot["brand"]} brand */
  showBrand({name, logo}) {
    if (this.brand.dataset.name === name) return;
    this.brand.dataset.name = name;
    this.brand.replaceChildren(
      logo ? el("img", {src: "/brand/logo", alt: ""}) : "",
      el("span", {dir: "auto"}, name),
    );
  }

  /** @param {Snapshot} snapshot @param {View} screen */
  showTools(snapshot, screen) {
    const {t} = this.app;
    setText(/** @type {Element} */ (this.language.lastChild), t("frame.language"));
    setText(/** @type {Element} */ (this.lock.lastChild), t("frame.lock"));
    setAttribute(this.lock, "aria-label", t("frame.lock"));
    this.lock.hidden = !this.mayLock(snapshot);
    setText(/** @type {Element} */ (this.back.lastChild), t("frame.back"));
    setAttribute(this.back, "aria-label", t("frame.back"));
    setText(/** @type {Element} */ (this.again.lastChild), t("frame.again"));
    setAttribute(this.again, "aria-label", t("frame.again"));
    setText(/** @type {Element} */ (this.stop.lastChild), t("frame.stop"));
    setText(/** @type {Element} */ (this.cannot.lastChild), t("frame.cannot"));
    setText(/** @type {Element} */ (this.more.lastChild), t("frame.more_time"));
    setText(/** @type {Element} */ (this.ease.lastChild), t("comfort.button"));
    setAttribute(this.ease, "aria-label", t("comfort.button"));
    this.cannot.hidden = !screen.cannot;
    this.more.hidden = !screen.more;
    // Where this language is not spoken, there is nothing to turn off or to repeat.
    this.sound.hidden = !snapshot.voice;
    const sound = snapshot.sound ? "on" : "off";
    if (this.sound.dataset.shows !== sound + snapshot.language) {
      this.sound.dataset.shows = sound + snapshot.language;
      this.sound.replaceChildren(
        icon(snapshot.sound ? "sound" : "mute"),
        el("span", {}, t(`frame.sound_${sound}`)),
      );
      setAttribute(this.sound, "aria-pressed", String(snapshot.sound));
    }
    this.back.hidden = !screen.back;
    this.stop.hidden = !screen.stop;
    this.again.hidden = screen.says === undefined || !snapshot.voice;
    this.again.disabled = !snapshot.sound;
    this.footer.hidden = [...this.footer.children].every(
      (each) => /** @type {HTMLElement} */ (each).hidden,
    );
  }

  /** Staff's, and not locked already; the operator's console is left. @param {Snapshot} snapshot */
  mayLock({mode, screen}) {
    return (
      screen === "desk" || (mode === "handheld" && screen !== "locked" && screen !== "operator")
    );
  }

  lockUp() {
    if (this.mayLock(this.app.snapshot)) this.app.command("lock");
  }

  /** A field agent's bar: battery, waiting calls, last delivery. @param {Snapshot} snapshot */
  showAgent({agent, language}) {
    this.agent.hidden = agent === undefined;
    if (agent === undefined) return;
    const {t} = this.app;
    const shows = JSON.stringify([agent, language]);
    if (this.agent.dataset.shows === shows) return;
    this.agent.dataset.shows = shows;
    setAttribute(this.agent, "aria-label", t("agent.label"));
    const delivered = agent.last_delivery_seconds;
    this.agent.replaceChildren(
      ...(agent.battery === null
        ? []
        : [
            el(
              "li",
              {class: agent.battery < 20 ? "low" : ""},
              t("agent.battery", {percent: agent.battery}),
            ),
          ]),
      el("li", {}, t("agent.waiting", {count: agent.waiting})),
      el(
        "li",
        {},
        delivered === null
          ? t("agent.never")
          : t("agent.delivered", {age: age(this.app, delivered)}),
      ),
    );
  }

  chooseLanguage() {
    const {app} = this;
    const sheet = dialog(
      "languages",
      el("h2", {}, app.t("frame.language")),
      el(
        "div",
        {class: "choices"},
        ...offeredLanguages().map(({code, name}) =>
          button(
            name,
            () => {
              sheet.close();
              app.command("language", {language: code});
            },
            {lang: code, class: "choice", "aria-pressed": String(code === app.snapshot.language)},
          ),
        ),
      ),
      button(app.t("frame.close"), () => sheet.close(), {class: "quiet"}),
    );
    setAttribute(sheet, "aria-label", app.t("frame.language"));
  }
}

/** "2026-11-20 09:00:00" of "2026-11-20T08:00:00Z", as the clocks here show it. @param {string} utc */
export function localTime(utc) {
  const time = new Date(utc);
  const two = (/** @type {number} */ number) => String(number).padStart(2, "0");
  const day = [time.getFullYear(), time.getMonth() + 1, time.getDate()].map(two).join("-");
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":")}`;
}

/** When the kiosk is open again, as a sentence: the hour, and the day where it is another one. @param {App} app @param {string} utc */
export function opensAt({t}, utc) {
  const [day, hour] = localTime(utc).slice(0, 16).split(" ");
  const isToday = day === localTime(new Date().toISOString()).slice(0, 10);
  return t("stopped.opens_at", {time: isToday ? hour : `${day} ${hour}`});
}

/** "just now", "12 min", "3 h", "2 d". @param {App} app @param {number} seconds */
export function age(app, seconds) {
  if (seconds < 60) return app.t("age.now");
  if (seconds < 3600) return app.t("age.minutes", {count: Math.floor(seconds / 60)});
  if (seconds < 86400) return app.t("age.hours", {count: Math.floor(seconds / 3600)});
  return app.t("age.days", {count: Math.floor(seconds / 86400)});
}
