// Starts the emulated board with the sandbox beside it, and says where to look. Ends with Ctrl-C.
// usage: node run.mjs [--keep] [--no-tpm] [--window | --no-window] [--memory MIB]
import fs from "node:fs";
import path from "node:path";
import {parseArgs} from "node:util";
import {Machine, addLayer, image, makeStick, pause, root, withShell} from "./machine.mjs";
import {Sandbox} from "./sandbox.mjs";

const kHelp = `usage: tools/board run [--keep] [--no-tpm] [--no-window] [--memory MIB]

  --keep         go on with the board of the last run, instead of a new one
  --no-tpm       a board without a TPM: its data partition is not encrypted
  --no-window    no window, where there is a display
  --memory MIB   of the board (default: 2048)
`;

const {values} = parseArgs({
  options: {
    keep: {type: "boolean"},
    "no-tpm": {type: "boolean"},
    "no-window": {type: "boolean"},
    memory: {type: "string", default: "2048"},
    help: {type: "boolean", short: "h"},
  },
});
if (values.help) {
  process.stdout.write(kHelp);
  process.exit(0);
}

const folder = path.join(root, "build/board/run");
const file = (name) => path.join(folder, name);
if (!values.keep) fs.rmSync(folder, {recursive: true, force: true});
fs.mkdirSync(folder, {recursive: true});

const base = path.join(path.dirname(image), "shell.img");
const sandbox = new Sandbox(file("sandbox"));
await sandbox.start();
if (!fs.existsSync(file("disk.qcow2"))) {
  withShell(base);
  addLayer(base, "raw", file("disk.qcow2"), "8G");
  makeStick(file("stick.img"), sandbox.stick());
}
const window = !values["no-window"] && (process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
const machine = new Machine(folder, {
  disk: file("disk.qcow2"),
  stick: file("stick.img"),
  tpm: !values["no-tpm"],
  display: window ? "gtk" : "none",
  memory: values.memory,
});
const end = async () => {
  await machine.cut();
  sandbox.stop();
  process.exit(0);
};
process.on("SIGINT", end);
process.on("SIGTERM", end);

await machine.start();
console.log(`The board starts, which takes one to three minutes. Ctrl-C takes its power away.
  what its screen shows     ${file("screen.png")}, every two seconds
  its serial line           ${machine.serial}
  a root shell              socat -,icanon=0 UNIX-CONNECT:${file("shell.sock")}   (this copy of the image alone has it)
  the service's stand-in    ${sandbox.ready.base_url}/dashboard/, on the board https://10.0.2.2:${sandbox.port}
  the test number           ${sandbox.testNin ?? "as before"}`);
machine.shell.destroy();
for (;;) {
  await machine.screenshot(file("screen.new.png"));
  fs.renameSync(file("screen.new.png"), file("screen.png"));
  await pause(2000);
}
