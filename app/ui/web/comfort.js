// What makes the screen easier for whoever stands here: letters, contrast, voice, and where it is. It ends with the visit.
import {button, dialog, el, setAttribute} from "./dom.js";
import {icon} from "./icons.js";

/** Whoever has left a welcome screen for so long has gone. */
const kGone = 60_000;
const kSlow = 0.75;
/** With headphones, or where nobody else need hear it. */
const kQuiet = 0.35;

export class Comfort {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.letters = 0;
    this.contrast = false;
    this.slow = false;
    this.quiet = false;
    this.low = false;
    this.session = "";
    /**
     * Which choices are offered, and whether each is on.
     * @type {Map<HTMLElement, () => boolean>}
     */
    this.choices = new Map();
    this.touchedAt = Date.now();
    document.addEventListener("pointerdown", () => (this.touchedAt = Date.now()), {capture: true});
  }

  /** Somebody else finds it as it was made. @param {Snapshot} snapshot */
  follow({session, screen}) {
    const gone = screen === "welcome" && Date.now() - this.touchedAt > kGone;
    if (session === this.session && !gone) return;
    this.session = session;
    this.letters = 0;
    this.contrast = this.slow = this.quiet = this.low = false;
    this.apply();
  }

  apply() {
    document.documentElement.dataset.letters = String(this.letters);
    document.body.classList.toggle("contrast", this.contrast);
    document.body.classList.toggle("lowered", this.low);
    this.app.voice.rate = this.slow ? kSlow : 1;
    this.app.voice.volume = this.quiet ? kQuiet : 1;
  }

  /**
   * @param {Key} key @param {() => boolean} isOn @param {() => void} turn @param {string} [more]
   */
  choice(key, isOn, turn, more = "") {
    const choice = button(
      this.app.t(key),
      () => {
        turn();
        this.apply();
        this.showChosen();
      },
      {class: `choice ${more}`},
    );
    this.choices.set(choice, isOn);
    return choice;
  }

  /** @param {number} size @param {Key} key */
  letterChoice(size, key) {
    return this.choice(
      key,
      () => this.letters === size,
      () => (this.letters = size),
      `letters-${size}`,
    );
  }

  /** Turns on or off. @param {"contrast" | "slow" | "quiet" | "low"} what @param {string} [more] */
  toggle(what, more) {
    return this.choice(
      `comfort.${what}`,
      () => this[what],
      () => (this[what] = !this[what]),
      more,
    );
  }

  showChosen() {
    for (const [choice, isOn] of this.choices) setAttribute(choice, "aria-pressed", String(isOn()));
  }

  open() {
    const {t, snapshot} = this.app;
    this.choices.clear();
    const sheet = dialog(
      "languages comfort",
      el("h2", {}, t("comfort.title")),
      el(
        "div",
        {class: "choices three"},
        this.letterChoice(0, "comfort.letters_0"),
        this.letterChoice(1, "comfort.letters_1"),
        this.letterChoice(2, "comfort.letters_2"),
      ),
      el(
        "div",
        {class: "choices"},
        this.toggle("contrast"),
        snapshot.voice && this.toggle("slow"),
        snapshot.voice && this.toggle("quiet"),
        this.toggle("low", "only-tall"),
      ),
      button(t("frame.close"), () => sheet.close(), {class: "quiet"}, icon("check")),
    );
    setAttribute(sheet, "aria-label", t("comfort.title"));
    this.showChosen();
  }
}
