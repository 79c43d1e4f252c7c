// Cuts the power at random moments, and counts what was lost, billed twice, or left readable.
import {execFileSync} from "node:child_process";
import {randomBytes, randomInt} from "node:crypto";
import fs from "node:fs";
import {pause, until} from "../../tools/lib/board/machine.mjs";
import {idkiosk} from "./board.mjs";
import {contradictions, metAtWork} from "./books.mjs";

// What the board is at when its power fails.
const kWork = {
  "accept and deliver": (board) => board.askFor(40),
  "accept while the service is away": (board) =>
    `for each in /sys/class/net/e*; do ip link set dev \${each##*/} down; done\n${board.askFor(40)}`,
  "rotate the vault": () =>
    `systemctl stop idkiosk; while ${idkiosk("vault rotate")}; do echo rotated; done`,
  "append to journals": (board) =>
    `${board.askFor(3)}\nwhile :; do ${idkiosk("queue stats")} >/dev/null; systemctl restart idkiosk; ${board.askFor(1)}; done`,
};
const kinds = Object.keys(kWork);

/** Starts the saved machine on the present disk: all of it is running but the program and its data partition. */
async function wake(board) {
  await board.start({incoming: board.file("saved"), stick: board.file("stick.img")});
  const {machine} = board;
  await machine.reached(120);
  // Its clock stood still, and its random numbers would be those of the last time.
  await machine.run(`date -u -s @${Math.floor(Date.now() / 1000)} >/dev/null
perl -e 'open F, ">", "/dev/urandom"; syswrite F, pack("H*", "${randomBytes(64).toString("hex")}"); ioctl(F, 0x5207, 0) or die $!'
blockdev --flushbufs /dev/vda; echo 3 >/proc/sys/vm/drop_caches; systemctl reset-failed; systemctl start --no-block idkiosk`);
}

/** Saves the board, which runs, as `wake` needs it. */
async function save(board) {
  await board.machine.run(
    "systemctl stop 'idkiosk-screen*' systemd-timesyncd idkiosk-browser idkiosk idkiosk-vault idkiosk-data && ! mountpoint -q /data && sync && echo 3 >/proc/sys/vm/drop_caches",
  );
  await board.machine.save(board.file("saved"));
  await board.machine.cut();
}

// Returns what contradicts the promises, as sentences.
async function judge(board) {
  const {machine} = board;
  // Calls that were on their way when power failed are asked about by a person, and those that wait go out by themselves.
  await until("the queue's end", 300, async () => {
    const {checks} = await board.api("checks");
    return checks.every(({state}) => ["done", "unknown", "cancelled"].includes(state));
  });
  const wrong = [];
  const states = new Map();
  for (const reference of board.asked.keys())
    if (!board.judged.has(reference)) {
      const check = await board.api(`checks/${reference}`);
      if (!check.state)
        wrong.push(`${reference} was accepted, and is lost: ${JSON.stringify(check)}`);
      states.set(reference, check.state);
      board.judged.add(reference);
      if (check.state === "unknown") board.unknown++;
    }
  wrong.push(...contradictions(await board.attempts(), board.billed()));
  return wrong;
}

/** Returns which of these numbers can be read in the bytes of the board's data partition. Its program must be stopped. */
async function readable(board) {
  const numbers = board.file("numbers");
  fs.writeFileSync(numbers, board.nins.join("\n") + "\n");
  const raw = board.file("raw.img");
  execFileSync("qemu-img", ["convert", "-O", "raw", board.disk, raw]);
  try {
    const found = execFileSync(
      "sh",
      [
        "-c",
        `dd if="$1" bs=1M skip=3865 status=none | LC_ALL=C grep -a -o -F -f "$2" | sort -u || true`,
        "sh",
        raw,
        numbers,
      ],
      {encoding: "utf8"},
    );
    return found.split("\n").filter(Boolean);
  } finally {
    fs.rmSync(raw);
  }
}

/** Cuts the power until `count` cuts met the board at work. Returns the number of violations, a lack of such cuts among them. */
export async function cutPower(board, count, say) {
  board.judged = new Set();
  board.unknown = 0;
  if (!fs.existsSync(board.file("saved"))) await save(board);
  const violations = [];
  const readyTimes = [];
  const byKind = new Map(kinds.map((kind) => [kind, 0]));
  let valid = 0;
  let round = 0;
  for (; valid < count && round < 3 * count; round++) {
    const kind = kinds[round % kinds.length];
    board.addLayer();
    await wake(board);
    await board.ready();
    const moment = randomInt(200, 8000);
    board.machine.said = "";
    board.machine.shell.write(`{ ${kWork[kind](board)}\n} </dev/null 2>&1\n`);
    await pause(moment);
    const said = board.machine.said;
    await board.machine.cut();
    board.note(said);
    const met = metAtWork(said);
    if (met) {
      valid++;
      byKind.set(kind, byKind.get(kind) + 1);
    }
    await wake(board);
    try {
      readyTimes.push(await board.ready());
      violations.push(...(await judge(board)));
    } catch (problem) {
      violations.push(
        `${kind}, cut after ${moment} ms: ${problem.message}: ${(await board.machine.tryRun("journalctl -b -n 15 --no-pager -u idkiosk -u idkiosk-data")).text}`,
      );
    }
    await board.machine.tryRun("systemctl stop idkiosk idkiosk-vault idkiosk-data; sync");
    await board.machine.cut();
    board.mergeLayer();
    say(
      `cut ${valid} of ${count}${met ? "" : " (not counted: it had not begun)"}: ${kind}, after ${moment} ms: ready in ${readyTimes.at(-1)?.toFixed(1)} s; accepted so far ${board.asked.size}, violations ${violations.length}`,
    );
  }
  if (valid < count)
    violations.push(`only ${valid} of ${round} cuts met the board at work: ${count} were to`);
  const left = await readable(board);
  if (left.length > 0)
    violations.push(`${left.length} of ${board.nins.length} numbers can be read on the raw disk`);
  readyTimes.sort((a, b) => a - b);
  say(
    `${valid} power cuts at work, of ${round} (${[...byKind].map(([kind, n]) => `${kind}: ${n}`).join(", ")}): ${board.asked.size} checks accepted, ${board.billed().length} billed, ` +
      `${board.unknown} in doubt, 0 to ${left.length} numbers readable; ready in ${readyTimes[Math.floor(readyTimes.length / 2)]?.toFixed(1)} s (median), ${readyTimes.at(-1)?.toFixed(1)} s (worst)`,
  );
  for (const each of violations) say(`VIOLATION: ${each}`);
  return violations.length;
}
