// A board of a test: the image's, set up for an account of a sandbox of its own.
import {execFileSync} from "node:child_process";
import {randomBytes, randomInt} from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import {
  Machine,
  addLayer,
  image,
  makeStick,
  until,
  withShell,
} from "../../tools/lib/board/machine.mjs";
import {Sandbox} from "../../tools/lib/board/sandbox.mjs";

const kConfig = "--config /etc/idkiosk/kiosk.jsonc";
const kApi = "curl -s --max-time 20 --unix-socket /run/idkiosk-api/api.sock";

/** Returns an idkiosk command line of the program's own user. */
export const idkiosk = (command) => `runuser -u idkiosk -- idkiosk ${command} ${kConfig}`;

export class Board {
  /** @param folder for everything of this board; @param tpm whether it has one */
  constructor(folder, {tpm = false} = {}) {
    this.folder = folder;
    this.tpm = tpm;
    this.sandbox = new Sandbox(this.file("sandbox"));
    this.layers = 0;
    this.asked = new Map(); // reference -> NIN of each check that the board said it accepted
    this.nins = []; // of all checks that were asked for, accepted or not
  }

  file(name) {
    return path.join(this.folder, name);
  }

  /** Starts it for the first time, with the stick plugged in, and returns when it is set up. */
  async setUp() {
    fs.rmSync(this.folder, {recursive: true, force: true});
    fs.mkdirSync(this.folder, {recursive: true});
    const base = path.join(path.dirname(image), "shell.img");
    withShell(base);
    await this.sandbox.start();
    makeStick(this.file("stick.img"), this.sandbox.stick());
    this.disk = this.file("layer-0.qcow2");
    addLayer(base, "raw", this.disk, "8G");
    await this.start({stick: this.file("stick.img")});
    await this.machine.reached();
    await until(
      "the stick's onboarding",
      900,
      async () =>
        (await this.machine.tryRun("test -e /var/lib/idkiosk/board.onboarded")).code === 0,
    );
    await this.ready();
  }

  /** Starts it on its present disk. */
  async start(options = {}) {
    this.machine = new Machine(this.folder, {disk: this.disk, tpm: this.tpm, ...options});
    await this.machine.start();
  }

  /** Puts a new layer over its disk: what is in it and not synced is lost when power fails. The machine must be off. */
  addLayer() {
    const layer = this.file(`layer-${++this.layers}.qcow2`);
    addLayer(this.disk, "qcow2", layer);
    this.disk = layer;
  }

  /** Writes what the newest layer holds into the one below, so that layers do not pile up. The machine must be off. */
  mergeLayer() {
    const below = this.file(`layer-${this.layers - 1}.qcow2`);
    execFileSync("qemu-img", ["commit", "-q", "-d", this.disk]);
    fs.rmSync(this.disk);
    this.disk = below;
    this.layers--;
  }

  /** Returns when the program answers, and how many seconds that took. */
  async ready(seconds = 900) {
    const start = Date.now();
    await until("the program", seconds, async () => {
      const said = await this.machine.tryRun(
        `systemctl is-active idkiosk >/dev/null && ${kApi} http://localhost/v1/reasons`,
      );
      return said.code === 0 && said.text.includes("reasons");
    });
    return (Date.now() - start) / 1000;
  }

  /** Returns an answer of the local API as an object. */
  async api(place) {
    const {text} = await this.machine.tryRun(`${kApi} http://localhost/v1/${place}`);
    try {
      return JSON.parse(text);
    } catch {
      throw new Error(`the local API answered ${place} with '${text}'`);
    }
  }

  /** Asks for `count` checks, one after the other, of people nobody asked for before. Returns what the board prints as soon as it has accepted one. */
  askFor(count) {
    const people = Array.from({length: count}, () => `7${randomInt(1e9, 1e10 - 1)}`);
    this.nins.push(...people);
    const lines = people.map((nin) => {
      const body = JSON.stringify({endpoint: "lookup_nin", nin, reason: "ACCOUNT_OPENING"});
      return `echo "asked ${nin} $(${kApi} -H 'Content-Type: application/json' -H 'Idempotency-Key: ${randomBytes(16).toString("hex")}' -d '${body}' http://localhost/v1/checks)"`;
    });
    return lines.join("\n");
  }

  /** Takes note of what askFor made the board say. */
  note(said) {
    for (const [, nin, reference] of said.matchAll(/asked (\d+) \{"reference":"(\w+)"\}/g))
      this.asked.set(reference, nin);
  }

  /** Every billed attempt, as the sandbox has it. */
  billed() {
    const program = path.resolve(import.meta.dirname, "../../build/bin/idkiosk-sandbox");
    const all = execFileSync(
      program,
      ["ledger", "--state", this.file("sandbox"), "--json", "--limit", "100000"],
      {encoding: "utf8", maxBuffer: 1 << 28},
    );
    return JSON.parse(all).rows;
  }

  /** Every attempt that the board wrote down. */
  async attempts() {
    const text = await this.machine.run(idkiosk("ledger list --jsonl"));
    return text
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
  }

  async off() {
    await this.machine?.cut();
    this.sandbox.stop();
  }
}
