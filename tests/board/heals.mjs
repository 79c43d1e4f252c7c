// What befalls a board, and whether it comes back by itself within a bound, or says whom to call.
import {until} from "../../tools/lib/board/machine.mjs";

const kAgain = 300; // seconds of a loaded machine that emulates; a board's own bound stands beside each

// Prints the number of a unit's main process.
const pidOf = (unit) => `systemctl show -p MainPID --value ${unit}`;
const isActive = (unit) => `systemctl is-active --quiet ${unit}`;

/** Waits until another process of the unit runs than `before`. */
async function another(board, unit, before, seconds = kAgain) {
  await until(`another process of ${unit}`, seconds, async () => {
    const {text} = await board.machine.tryRun(pidOf(unit));
    return (
      text !== before &&
      text !== "0" &&
      text !== "" &&
      (await board.machine.tryRun(isActive(unit))).code === 0
    );
  });
}

/** Sends a signal to the unit's main process, and waits for another. */
async function signal(board, unit, name, seconds) {
  const before = await board.machine.run(pidOf(unit));
  await board.machine.run(`kill -${name} ${before}`);
  await another(board, unit, before, seconds);
}

/** Waits for the machine's own reset, and until the board answers again. */
async function restarted(board, cause) {
  const reset = new Promise((done) => board.machine.once("RESET", done));
  board.machine.shell.write(`${cause}\n`);
  await Promise.race([
    reset,
    new Promise((_, fail) =>
      setTimeout(
        () => fail(new Error("the board did not start anew within 5 min")),
        300_000,
      ).unref(),
    ),
  ]);
  await board.machine.reached();
  await board.ready();
}

/** name -> what it does. Each ends with a board that answers, or throws. */
export const kHeals = {
  "the program is killed (bound: 3 s)": async (board) => {
    await signal(board, "idkiosk", "KILL");
    await board.ready(kAgain);
  },
  "the program stands still (bound: 35 s, its watchdog)": async (board) => {
    await signal(board, "idkiosk", "STOP");
    await board.ready(kAgain);
  },
  "the browser is killed (bound: 2 s)": (board) => signal(board, "idkiosk-browser", "KILL"),
  "the disk is full: nothing is accepted, and it goes on when there is room": async (board) => {
    await board.machine.tryRun("dd if=/dev/zero of=/data/full bs=1M; sync");
    const said = (await board.machine.tryRun(board.askFor(1))).text;
    board.note(said);
    if (!/problem/.test(said)) throw new Error(`a full disk accepted a check: ${said}`);
    await board.machine.run("rm /data/full; sync");
    await until("a check to be accepted again", kAgain, async () => {
      const before = board.asked.size;
      board.note((await board.machine.tryRun(board.askFor(1))).text);
      return board.asked.size > before;
    });
  },
  "a kernel panic (bound: 10 s and a start)": (board) =>
    restarted(board, "echo c >/proc/sysrq-trigger"),
  "systemd crashes, and nobody feeds the watchdog (bound: 60 s and a start)": (board) =>
    restarted(board, "kill -SEGV 1"),
  "a crash loop: the screen says whom to call": async (board) => {
    await board.machine.run(
      "mkdir -p /run/systemd/system/idkiosk.service.d; printf '[Service]\\nExecStart=\\nExecStart=/bin/false\\nRestartSec=0\\n' >/run/systemd/system/idkiosk.service.d/loop.conf; systemctl daemon-reload",
    );
    await board.machine.tryRun("systemctl restart idkiosk");
    await until(
      "the screen that says whom to call",
      kAgain,
      async () => (await board.machine.tryRun(isActive("idkiosk-call"))).code === 0,
    );
    await board.machine.screenshot(board.file("call.png"));
    await board.machine.run(
      "rm /run/systemd/system/idkiosk.service.d/loop.conf; systemctl daemon-reload; systemctl reset-failed; systemctl stop idkiosk-call; systemctl start idkiosk idkiosk-browser",
    );
    await board.ready(kAgain);
  },
};
