// The two ways between the page and the daemon: its events, and commands to it.

// A line comes at least every second; a daemon that is silent for longer is taken for gone.
const kSilence = 2500;
const kRetry = 1000;
// Says that it is the program that the page came from: of all users of a board, whoever comes first has a port that was left.
const kProof = "Idkiosk-Proof";
// No command waits longer for the one before it.
const kAnswer = 5000;
const kAnew = "anew";

/**
 * Follows /events for ever. Reads the stream itself rather than by EventSource, which hides the lines that only say
 * "still there", and the status of an answer.
 */
export class Connection {
  /**
   * @param {{snapshot: (snapshot: Snapshot) => void, lost: () => void, refused: () => void}} listener
   */
  constructor(listener) {
    this.listener = listener;
    /** @type {AbortController | null} */
    this.stream = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.silence = undefined;
    /** What the first answer has proved itself by. @type {string | null | undefined} */
    this.proof = undefined;
    /** Whether nobody is there whom a command may be told. */
    this.alone = false;
    /** The command before, until it is answered. @type {Promise<unknown>} */
    this.before = Promise.resolve();
  }

  async follow() {
    for (;;) {
      const stream = new AbortController();
      this.stream = stream;
      this.heard();
      const wanted = await this.read(stream.signal).catch(() => "again");
      clearTimeout(this.silence);
      if (stream.signal.reason === kAnew) continue;
      this.alone = true;
      stream.abort();
      if (wanted === "refused") this.listener.refused();
      else this.listener.lost();
      await new Promise((done) => setTimeout(done, kRetry));
    }
  }

  /** Asks for the snapshot in force, without a word to the person. */
  anew() {
    this.stream?.abort(kAnew);
  }

  heard() {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.stream?.abort(), kSilence);
  }

  /** @param {AbortSignal} signal */
  async read(signal) {
    const answer = await fetch("/events", {
      signal,
      headers: {Accept: "text/event-stream"},
      cache: "no-store",
    });
    if (answer.status === 401 || answer.status === 403) return "refused";
    if (!answer.ok || answer.body === null) return "again";
    this.proof ??= answer.headers.get(kProof);
    if (answer.headers.get(kProof) !== this.proof) return "again";
    this.alone = false;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let rest = ""; ;) {
      const {done, value} = await reader.read();
      if (done) return "again";
      this.heard();
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      // Of several that came at once only the newest counts.
      const newest = lines.filter((line) => line.startsWith("data:")).at(-1);
      if (newest !== undefined) this.listener.snapshot(JSON.parse(newest.slice(5)));
    }
  }

  /**
   * One command after the other: two requests at a time may overtake each other, and digits must not.
   * @param {string} session @param {keyof Commands} name @param {object} [fields]
   * @returns {Promise<Reply>}
   */
  command(session, name, fields) {
    const reply = this.before.then(() => this.send({session, do: name, ...fields}));
    this.before = reply;
    return reply;
  }

  /** @param {Record<string, unknown>} command @returns {Promise<Reply>} */
  async send(command) {
    /** @type {Reply} */
    const reply = {status: 0, problem: null, seconds: 0, error: "", reference: ""};
    if (this.alone) return reply;
    try {
      const answer = await fetch("/command", {
        method: "POST",
        headers: {"Content-Type": "application/json"},
        body: JSON.stringify(command),
        signal: AbortSignal.timeout(kAnswer),
      });
      reply.status = answer.status;
      if (answer.status !== 204) Object.assign(reply, await answer.json().catch(() => ({})));
      // Another person's session is in force, or this screen is gone: show what there is now.
      if (answer.status === 409) this.anew();
    } catch {
      // The stream's end says the same, to the person too.
    }
    return reply;
  }
}
