// An emulated board: QEMU, with OVMF, a disk, a screen, a watchdog, a network that reaches this machine as 10.0.2.2 and, unless
// told otherwise, a TPM. Everything is emulated (no KVM), so that it runs anywhere.
import {execFileSync, spawn} from "node:child_process";
import {EventEmitter, once} from "node:events";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";

export const root = path.resolve(import.meta.dirname, "../../..");
export const image = path.join(root, "build/board/board.img");
const kFirmware = "/usr/share/OVMF/OVMF_CODE_4M.fd";
const kVariables = "/usr/share/OVMF/OVMF_VARS_4M.fd";

/** Waits: for what others do there is no other way than to ask again. */
export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/** Returns what `ask` returns as soon as that is truthy. Throws, naming `what`, where it never is within `seconds`. */
export async function until(what, seconds, ask) {
  const end = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > end) throw new Error(`${what}: not within ${seconds} s`);
    await pause(250);
  }
}

/** Connects to a UNIX socket as soon as somebody listens there. */
async function connect(file) {
  return until(`a connection to ${file}`, 60, async () => {
    const socket = net.connect(file);
    try {
      await once(socket, "connect");
      return socket;
    } catch {
      return null;
    }
  });
}

/** Adds a qcow2 layer to a disk. Its clusters are small, and what was not synced is lost when QEMU is killed. */
export function addLayer(below, format, layer, size = "") {
  execFileSync("qemu-img", [
    "create",
    "-q",
    "-f",
    "qcow2",
    "-o",
    "cluster_size=4k",
    "-b",
    below,
    "-F",
    format,
    layer,
    ...(size ? [size] : []),
  ]);
}

const kShellUnit = `[Unit]
Description=A root shell for the test
DefaultDependencies=no
Conflicts=shutdown.target
[Service]
ExecStart=/bin/sh -c 'until [ -e /dev/virtio-ports/shell ]; do sleep 0.2; done; exec /bin/sh <>/dev/virtio-ports/shell >&0 2>&1'
Restart=always
OOMScoreAdjust=-900
`;

/** Copies the image, and gives the copy a root shell on a port of the emulated machine, which a board's image has not. */
export function withShell(target) {
  if (fs.existsSync(target) && fs.statSync(target).mtimeMs > fs.statSync(image).mtimeMs) return;
  const folder = path.dirname(target);
  execFileSync("cp", ["--sparse=always", image, target + ".new"]);
  const unit = path.join(folder, "board-shell.service");
  fs.writeFileSync(unit, kShellUnit);
  const start = (1 + 64) * 1024 * 1024; // slot A: behind the first MiB and the EFI partition
  const where = "/usr/lib/systemd/system";
  execFileSync("debugfs", ["-w", "-f", "-", `${target}.new?offset=${start}`], {
    input: `write ${unit} ${where}/board-shell.service\ncd ${where}/sysinit.target.wants\nsymlink board-shell.service ../board-shell.service\n`,
    stdio: ["pipe", "ignore", "ignore"],
  });
  fs.renameSync(target + ".new", target);
}

/** Makes a USB stick named IDKIOSK with these files, of names and texts. */
export function makeStick(file, files) {
  fs.rmSync(file, {force: true});
  fs.writeFileSync(file, "");
  fs.truncateSync(file, 16 << 20);
  execFileSync("mkfs.vfat", ["-n", "IDKIOSK", file], {stdio: "ignore"});
  for (const [name, text] of Object.entries(files)) {
    execFileSync("mcopy", ["-i", file, "-", `::/${name}`], {
      input: text,
      stdio: ["pipe", "ignore", "inherit"],
    });
  }
}

export class Machine extends EventEmitter {
  /**
   * @param folder for sockets, logs and the state of firmware and TPM; one machine at a time
   * @param options disk (a qcow2 file), tpm, stick (a file), display ("none", "gtk"), memory in MiB, incoming (a saved state)
   */
  constructor(folder, options) {
    super();
    this.folder = folder;
    this.options = {tpm: true, display: "none", memory: 2048, ...options};
    this.serial = this.file("serial.log");
  }

  file(name) {
    return path.join(this.folder, name);
  }

  async start() {
    fs.mkdirSync(this.folder, {recursive: true});
    for (const name of ["qmp.sock", "shell.sock", "tpm.sock"])
      fs.rmSync(this.file(name), {force: true});
    if (!fs.existsSync(this.file("vars.fd"))) fs.copyFileSync(kVariables, this.file("vars.fd"));
    if (this.options.tpm) await this.startTpm();
    const log = fs.openSync(this.file("qemu.log"), "a");
    this.started = Date.now();
    this.qemu = spawn("nice", ["-n", "5", "qemu-system-x86_64", ...this.arguments()], {
      stdio: ["ignore", log, log],
    });
    this.ended = once(this.qemu, "exit");
    this.qmp = await connect(this.file("qmp.sock"));
    this.replies = [];
    let text = "";
    this.qmp.on("data", (data) => {
      text += data;
      for (let end; (end = text.indexOf("\n")) >= 0; text = text.slice(end + 1)) {
        const message = JSON.parse(text.slice(0, end));
        if (message.event) this.emit(message.event, message.data);
        else if (!message.QMP) this.replies.shift()?.(message);
      }
    });
    this.qmp.on("error", () => undefined);
    await this.ask("qmp_capabilities");
    this.shell = await connect(this.file("shell.sock"));
    this.shell.on("error", () => undefined);
    this.said = "";
    this.shell.on("data", (data) => {
      this.said += data;
      this.emit("said");
    });
    if (this.options.incoming) {
      await this.ask("migrate-incoming", {uri: `exec:cat ${this.options.incoming}`});
      await until(
        "the saved state",
        300,
        async () => (await this.ask("query-status")).status !== "inmigrate",
      );
      // It was stopped when it was saved.
      await this.ask("cont");
    }
  }

  async startTpm() {
    const state = this.file("tpm");
    fs.mkdirSync(state, {recursive: true});
    this.swtpm = spawn(
      "swtpm",
      [
        "socket",
        "--tpm2",
        "--tpmstate",
        `dir=${state}`,
        "--ctrl",
        `type=unixio,path=${this.file("tpm.sock")}`,
      ],
      {stdio: "ignore"},
    );
    await until("the TPM", 60, () => fs.existsSync(this.file("tpm.sock")));
  }

  arguments() {
    const {stick, tpm, display, memory, incoming} = this.options;
    return [
      ...[
        "-nodefaults",
        "-machine",
        "q35",
        "-accel",
        "tcg,thread=multi",
        "-cpu",
        "max",
        "-smp",
        "2",
        "-m",
        String(memory),
      ],
      ...this.firmwareAndDisk(),
      ...["-device", "virtio-vga,edid=on,xres=1280,yres=800", "-display", display],
      ...["-device", "qemu-xhci", "-device", "usb-kbd", "-device", "usb-tablet"],
      ...(stick
        ? [
            "-drive",
            `if=none,id=stick,file=${stick},format=raw`,
            "-device",
            "usb-storage,drive=stick",
          ]
        : []),
      ...["-device", "i6300esb", "-action", "watchdog=reset", "-device", "virtio-rng-pci"],
      ...["-netdev", "user,id=net", "-device", "virtio-net-pci,netdev=net,romfile="],
      ...this.consoles(),
      ...(tpm
        ? [
            "-chardev",
            `socket,id=tpm,path=${this.file("tpm.sock")}`,
            "-tpmdev",
            "emulator,id=tpm,chardev=tpm",
            "-device",
            "tpm-crb,tpmdev=tpm",
          ]
        : []),
      ...(incoming ? ["-incoming", "defer"] : []),
    ];
  }

  firmwareAndDisk() {
    return [
      "-drive",
      `if=pflash,format=raw,readonly=on,file=${kFirmware}`,
      "-drive",
      `if=pflash,format=raw,file=${this.file("vars.fd")}`,
      "-drive",
      `if=none,id=disk,file=${this.options.disk},format=qcow2,cache=none`,
      "-device",
      "virtio-blk-pci,drive=disk,bootindex=1",
    ];
  }

  /** What it prints as it starts, a shell in it, and QEMU's own monitor. */
  consoles() {
    return [
      ...["-chardev", `file,id=serial,path=${this.serial},append=on`, "-serial", "chardev:serial"],
      ...[
        "-device",
        "virtio-serial-pci",
        "-chardev",
        `socket,id=shell,path=${this.file("shell.sock")},server=on,wait=off`,
      ],
      ...[
        "-device",
        "virtserialport,chardev=shell,name=shell",
        "-qmp",
        `unix:${this.file("qmp.sock")},server=on,wait=off`,
      ],
    ];
  }

  /** Asks QEMU itself. */
  ask(execute, args = {}) {
    return new Promise((done, fail) => {
      this.replies.push((message) =>
        message.error ? fail(new Error(`${execute}: ${message.error.desc}`)) : done(message.return),
      );
      this.qmp.write(JSON.stringify({execute, arguments: args}) + "\n");
    });
  }

  /** Runs a command as root on the board, and returns what it says. Throws where it fails or takes longer than `seconds`. */
  async run(command, seconds = 300) {
    const {code, text} = await this.tryRun(command, seconds);
    if (code !== 0) throw new Error(`on the board: ${command}: exit ${code}: ${text}`);
    return text;
  }

  /** The same, and returns its exit code, too. */
  async tryRun(command, seconds = 300) {
    const mark = `=${Math.random().toString(36).slice(2)}=`;
    this.said = "";
    // The mark is written in two parts, so that an echo of the command is not taken for its end.
    this.shell.write(
      `{ ${command}\n} </dev/null 2>&1; printf '%s%s %d\\n' '${mark.slice(0, 4)}' '${mark.slice(4)}' $?\n`,
    );
    const end = new RegExp(`${mark} (\\d+)\\n`);
    const found = await until(`on the board: ${command}`, seconds, () => end.exec(this.said));
    return {code: Number(found[1]), text: this.said.slice(0, found.index).trim()};
  }

  /** Returns as soon as a shell answers on the board. */
  async reached(seconds = 900) {
    await until("the board's shell", seconds, async () => {
      try {
        return (await this.tryRun("true", 5)).code === 0;
      } catch {
        return false;
      }
    });
  }

  /** Types keys by their names in QEMU ("a", "ret", "shift-tab"). */
  async type(...keys) {
    for (const key of keys) {
      const names = key.split("-").map((data) => ({type: "qcode", data}));
      await this.ask("send-key", {keys: names});
      await pause(150);
    }
  }

  /** Touches the screen, at parts of its width and height. */
  async touch(x, y) {
    const at = (axis, part) => ({type: "abs", data: {axis, value: Math.round(part * 32767)}});
    await this.ask("input-send-event", {events: [at("x", x), at("y", y)]});
    for (const down of [true, false]) {
      await this.ask("input-send-event", {events: [{type: "btn", data: {down, button: "left"}}]});
      await pause(200);
    }
  }

  /** Writes what the screen shows into a PNG file. */
  async screenshot(file) {
    await this.ask("screendump", {filename: file, format: "png"});
  }

  /** Writes memory and devices, but not the disk, into a file, for the option `incoming`. The machine stands still afterwards. */
  async save(file) {
    await this.ask("stop");
    await this.ask("migrate", {uri: `exec:cat > ${file}`});
    await until("the saved state", 300, async () => {
      const {status} = await this.ask("query-migrate");
      if (status === "failed") throw new Error("the state cannot be saved");
      return status === "completed";
    });
  }

  /** Takes the power away. */
  async cut() {
    this.shell?.destroy();
    this.qmp?.destroy();
    if (this.qemu?.exitCode === null && this.qemu.signalCode === null) {
      this.qemu.kill("SIGKILL");
      await this.ended;
    }
    this.swtpm?.kill();
  }

  /** Switches it off as its button does. */
  async off(seconds = 120) {
    this.ask("system_powerdown").catch(() => undefined);
    await Promise.race([this.ended, pause(seconds * 1000)]);
    await this.cut();
  }
}
