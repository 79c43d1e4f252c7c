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

/**
 * The eleven digits beside the letters "NIN" in what a slip's code says, or else the only ones that stand alone in it: a
 * phone number has eleven, too.
 * @param {string} text
 */
export function ninIn(text) {
  const named = /(?<![a-z])nin[^a-z\d]{0,4}(\d{11})(?!\d)/i.exec(text);
  if (named !== null) return named[1];
  // Typed or printed in groups, and nothing else.
  const digits = text.replace(/[\s-]/g, "");
  if (/^\d{11}$/.test(digits)) return digits;
  const numbers = new Set(text.match(/(?<!\d)\d{11}(?!\d)/g));
  return numbers.size === 1 ? [...numbers][0] : null;
}
