// Every sentence is also spoken: /voice/LANGUAGE/KEY.wav. A sentence without a recording stays silent, and so does a
// language that has none: the snapshot says so.

// Guidance follows the camera, which sees more changes than anybody wants to hear.
const kGuidancePause = 2500;
const kSameGuidance = 6000;

/** A sentence in a language of its own, and what is marked while it is said. @typedef {{language: string, key: Key, mark: Element}} Name */

/** Says one file; resolves when it has ended, also when it could not be said. @param {string} address @param {AbortSignal} hush @param {number} rate @param {number} volume 0..1 */
function sayFile(address, hush, rate, volume) {
  return new Promise((/** @type {(value?: unknown) => void} */ done) => {
    const audio = new Audio(address);
    audio.defaultPlaybackRate = audio.playbackRate = rate;
    audio.volume = volume;
    audio.onended = done;
    audio.onerror = done;
    hush.addEventListener("abort", () => {
      audio.pause();
      audio.removeAttribute("src");
      // Without this the browser keeps the connection, of which it has six.
      audio.load();
      done();
    });
    audio.play().catch(done);
  });
}

export class Voice {
  /** @param {() => number} now milliseconds @param {(address: string, hush: AbortSignal, rate: number, volume: number) => Promise<unknown>} say */
  constructor(now = () => performance.now(), say = sayFile) {
    this.now = now;
    this.say = say;
    this.on = true;
    this.language = "en";
    this.rate = 1;
    this.volume = 1;
    this.speaking = new AbortController();
    this.guidanceAt = -Infinity;
    /** @type {Map<string, number>} */
    this.guidanceSaid = new Map();
  }

  hush() {
    this.speaking.abort();
  }

  /** Ends what is being said, and says these one after the other. @param {Key[]} keys @param {Name[]} names */
  async speak(keys, names = []) {
    this.hush();
    if (!this.on) return;
    const speaking = new AbortController();
    this.speaking = speaking;
    for (const key of keys) {
      await this.say(`/voice/${this.language}/${key}.wav`, speaking.signal, this.rate, this.volume);
      if (speaking.signal.aborted) return;
    }
    for (const {language, key, mark} of names) {
      mark.classList.add("said");
      await this.say(`/voice/${language}/${key}.wav`, speaking.signal, this.rate, this.volume);
      mark.classList.remove("said");
      if (speaking.signal.aborted) return;
    }
  }

  /** True if it was said: guidance comes at most every 2.5 s and the same not twice within 6 s. @param {Key} key */
  guide(key) {
    const now = this.now();
    if (now - this.guidanceAt < kGuidancePause) return false;
    if (now - (this.guidanceSaid.get(key) ?? -Infinity) < kSameGuidance) return false;
    this.guidanceAt = now;
    this.guidanceSaid.set(key, now);
    this.speak([key]);
    return true;
  }
}
