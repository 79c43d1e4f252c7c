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

  open() {
    const {t} = this.app;
    const choice = (
      /** @type {Key} */ key,
      /** @type {() => boolean} */ isOn,
      /** @type {() => void} */ turn,
      more = "",
    ) => {
      const choice = button(
        t(key),
        () => {
          turn();
          this.apply();
          for (const each of shown) each();
        },
        {class: `choice ${more}`},
      );
      shown.push(() => setAttribute(choice, "aria-pressed", String(isOn())));
      return choice;
    };
    /** @type {(() => void)[]} */
    const shown = [];
    const letters = (/** @type {number} */ size, /** @type {Key} */ key) =>
      choice(
        key,
        () => this.letters === size,
        () => (this.letters = size),
        `letters-${size}`,
      );
    const sheet = dialog(
      "languages comfort",
      el("h2", {}, t("comfort.title")),
      el(
        "div",
        {class: "choices three"},
        letters(0, "comfort.letters_0"),
        letters(1, "comfort.letters_1"),
        letters(2, "comfort.letters_2"),
      ),
      el(
        "div",
        {class: "choices"},
        choice(
          "comfort.contrast",
          () => this.contrast,
          () => (this.contrast = !this.contrast),
        ),
        this.app.snapshot.voice &&
          choice(
            "comfort.slow",
            () => this.slow,
            () => (this.slow = !this.slow),
          ),
        this.app.snapshot.voice &&
          choice(
            "comfort.quiet",
            () => this.quiet,
            () => (this.quiet = !this.quiet),
          ),
        choice(
          "comfort.low",
          () => this.low,
          () => (this.low = !this.low),
          "only-tall",
        ),
      ),
      button(t("frame.close"), () => sheet.close(), {class: "quiet"}, icon("check")),
    );
    setAttribute(sheet, "aria-label", t("comfort.title"));
    for (const each of shown) each();
  }
}
