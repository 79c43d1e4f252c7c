// The program itself with the sandbox behind it and the drawn sitter before its camera, in a folder of its own.
import {execFileSync, spawn, spawnSync} from "node:child_process";
import {copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import readline from "node:readline";
import {root} from "../browser.mjs";

async function firstLine(process) {
  for await (const line of readline.createInterface({input: process.stdout})) return line;
  throw new Error("the program ended before it said anything");
}

const ended = (process) =>
  process.exitCode !== null || process.signalCode !== null
    ? Promise.resolve()
    : new Promise((done) => {
        process.once("exit", done);
      });

export class RealKiosk {
  constructor(kiosk, sandbox) {
    this.program = kiosk;
    this.sandboxProgram = sandbox;
    this.folder = mkdtempSync(path.join(tmpdir(), "kiosk-"));
    this.sandboxPort = 0;
    this.camera = "synthetic:reaction=100";
    this.started = []; // each of the program's processes
  }

  idkiosk(...words) {
    return this.idkioskHears("", ...words);
  }

  // The same for a command that may find something to complain about.
  says(...words) {
    const done = spawnSync(
      this.program,
      ["--config", path.join(this.folder, "kiosk.jsonc"), "--quiet", ...words],
      {encoding: "utf8"},
    );
    return done.stdout;
  }

  // With that on its standard input.
  idkioskHears(input, ...words) {
    return execFileSync(
      this.program,
      ["--config", path.join(this.folder, "kiosk.jsonc"), "--quiet", ...words],
      {encoding: "utf8", input},
    );
  }

  // A sandbox, and a configuration that does not know it; `message` is what would tell it.
  async prepare() {
    await this.startSandbox();
    copyFileSync(path.join(root, "config/kiosk.jsonc"), path.join(this.folder, "kiosk.jsonc"));
    writeFileSync(
      path.join(this.folder, "kiosk.local.jsonc"),
      JSON.stringify({
        state_folder: path.join(this.folder, "state"),
        service: {profile: path.join(root, "config/profiles/sandbox.jsonc")},
        // The same person asks the same many times.
        billing: {duplicate_window: "0 s"},
        // However long a slow machine takes over an outage, what waited is sent soon after it.
        queue: {backoff_last: "5 s"},
        // Its colours take a look every 0.2 s, which a machine that runs several browsers may not have; people_test asks for them.
        capture: {light_sequence: "off"},
      }),
    );
    const onboarding = execFileSync(
      this.sandboxProgram,
      ["onboard", "--state", path.join(this.folder, "sandbox")],
      {encoding: "utf8"},
    );
    this.message = JSON.parse(onboarding);
    this.nin = this.message.test_nin;
  }

  async provision() {
    await this.prepare();
    const message = path.join(this.folder, "onboarding.json");
    writeFileSync(message, JSON.stringify(this.message), {mode: 0o600});
    this.idkiosk("vault", "init");
    this.idkiosk("provision", "--onboarding", message);
    rmSync(message);
    this.local = JSON.parse(
      readFileSync(path.join(this.folder, "kiosk.local.jsonc"), "utf8").replace(
        /^\s*\/\/.*$/gm,
        "",
      ),
    );
  }

  // At the same port as before, once it had one.
  async startSandbox() {
    this.sandbox = spawn(
      this.sandboxProgram,
      ["serve", "--state", path.join(this.folder, "sandbox"), "--port", String(this.sandboxPort)],
      {stdio: ["ignore", "pipe", "ignore"]},
    );
    const ready = JSON.parse(await firstLine(this.sandbox));
    this.sandboxPort = Number(new URL(ready.base_url).port);
  }

  async stopSandbox() {
    this.sandbox.kill("SIGTERM");
    await ended(this.sandbox);
  }

  // One of the sandbox's own commands.
  sandboxDoes(...words) {
    const [command, ...rest] = words;
    const action = rest[0]?.startsWith("-") === false ? [rest.shift()] : [];
    return execFileSync(
      this.sandboxProgram,
      [command, ...action, "--state", path.join(this.folder, "sandbox"), ...rest],
      {encoding: "utf8"},
    );
  }

  // How many verifications the service has billed.
  billed() {
    return JSON.parse(
      execFileSync(
        this.sandboxProgram,
        ["ledger", "--state", path.join(this.folder, "sandbox"), "--json"],
        {encoding: "utf8"},
      ),
    ).sum.count;
  }

  // Until it is cleared, or has hit once. words: as the sandbox's `fault add` takes them.
  fault(...words) {
    execFileSync(this.sandboxProgram, [
      "fault",
      "add",
      "--state",
      path.join(this.folder, "sandbox"),
      "--endpoint",
      "verify",
      ...words,
    ]);
  }

  // ui: what of the page's settings differs from the shipped ones; more: of all the others.
  async start(ui = {}, more = {}, camera = this.camera) {
    const local = path.join(this.folder, "kiosk.local.jsonc");
    const provisioned =
      this.local ?? JSON.parse(readFileSync(local, "utf8").replace(/^\s*\/\/.*$/gm, ""));
    // Nobody here has to be shown what the camera will ask for, or goes away unless a test says so.
    const page = {get_ready: "0 s", idle: "10 min", answer: "10 min", ...ui};
    writeFileSync(local, JSON.stringify({...provisioned, ui: page, ...more}));
    this.process = spawn(
      this.program,
      ["--config", path.join(this.folder, "kiosk.jsonc"), "run", "--camera", camera],
      {stdio: ["ignore", "pipe", process.env.IDKIOSK_VERBOSE ? "inherit" : "ignore"]},
    );
    this.started.push(this.process);
    this.address = await firstLine(this.process);
  }

  // Also what a failed test has left running.
  async stop() {
    for (const each of this.started) each.kill("SIGTERM");
    await Promise.all(this.started.map(ended));
    this.started = [];
  }

  // Also where a test has failed before either was started.
  async remove() {
    await this.stop();
    if (this.sandbox) await this.stopSandbox();
    rmSync(this.folder, {recursive: true, force: true});
  }
}
