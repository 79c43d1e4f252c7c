// The service's stand-in on this machine, for an emulated board, which reaches it as 10.0.2.2.
import {execFileSync, spawn} from "node:child_process";
import {once} from "node:events";
import fs from "node:fs";
import path from "node:path";
import {root} from "./machine.mjs";

const kProgram = path.join(root, "build/bin/idkiosk-sandbox");

export class Sandbox {
  constructor(folder) {
    this.folder = folder;
  }

  async start() {
    fs.mkdirSync(this.folder, {recursive: true});
    const log = fs.openSync(this.folder + ".log", "a");
    this.process = spawn(kProgram, ["serve", "--state", this.folder, "--name", "10.0.2.2"], {
      stdio: ["ignore", "pipe", log],
    });
    const [line] = await once(this.process.stdout, "data");
    this.ready = JSON.parse(String(line));
    this.port = new URL(this.ready.base_url).port;
  }

  /** Returns the files of a stick that sets a board up for a new account. */
  stick() {
    const message = JSON.parse(
      execFileSync(kProgram, ["onboard", "--state", this.folder], {encoding: "utf8"}),
    );
    this.testNin = message.test_nin;
    message.base_url = `https://10.0.2.2:${this.port}`;
    message.ca_file = "/etc/idkiosk/ca.pem";
    return {
      "onboarding.json": JSON.stringify(message),
      "ca.pem": fs.readFileSync(this.ready.ca_file),
    };
  }

  /** Returns every attempt that was billed, newest first. */
  billed() {
    return JSON.parse(
      execFileSync(kProgram, ["ledger", "--state", this.folder, "--json"], {
        encoding: "utf8",
        maxBuffer: 64 << 20,
      }),
    );
  }

  stop() {
    this.process?.kill("SIGTERM");
  }
}
