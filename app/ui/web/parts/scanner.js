// A scanner types like a keyboard, only faster than anybody: what comes in one burst is one reading.
const kBurstPause = 60;
const kShortestReading = 6;
const kNumber = 11;

export class KeyBurst {
  /** @param {{digit: (digit: string) => void, reading: (text: string) => void, enter: () => void}} listener */
  constructor(listener) {
    this.listener = listener;
    this.text = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** True if the key was used up. @param {KeyboardEvent} event */
  key(event) {
    if (event.key === "Enter") {
      const burst = this.text !== "";
      if (burst) this.end();
      else this.listener.enter();
      return true;
    }
    if (event.key.length !== 1 || (event.key === " " && this.text === "")) return false;
    this.text += event.key;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.end(), kBurstPause);
    return true;
  }

  end() {
    clearTimeout(this.timer);
    const text = this.text;
    this.text = "";
    // A number that came in pieces, from a slow scanner or on a busy machine, is still typed whole.
    const piece = /^\d+$/.test(text) && text.length < kNumber;
    if (text.length >= kShortestReading && !piece) this.listener.reading(text);
    else for (const letter of text) if (/\d/.test(letter)) this.listener.digit(letter);
  }
}

/** The eleven digits that stand alone in what a slip's code says, or nothing. @param {string} text */
export function ninIn(text) {
  return /(?<!\d)\d{11}(?!\d)/.exec(text)?.[0] ?? null;
}
