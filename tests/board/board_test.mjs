// Tests the emulated board: what heals it, and power cuts.
// usage: node board_test.mjs [--night] [--cuts N] [--list] [--only TEXT]
import path from "node:path";
import {parseArgs} from "node:util";
import {root} from "../../tools/lib/board/machine.mjs";
import {Board} from "./board.mjs";
import {kHeals} from "./heals.mjs";
import {cutPower} from "./power_cuts.mjs";

const kHelp = `usage: tools/board test [--night] [--cuts N] [--only TEXT] [--list]

  --night      2,000 power cuts instead of 200
  --cuts N     so many instead
  --only TEXT  only the tests whose names contain this
  --list       print their names

A new board is started and set up first. Everything of it, logs too, is in build/board/test. Wants an idle machine: what is emulated
is twenty times slower than a board. Exit code: 0 if nothing was violated.
`;
const {values} = parseArgs({
  options: {
    night: {type: "boolean"},
    cuts: {type: "string"},
    only: {type: "string", default: ""},
    list: {type: "boolean"},
    help: {type: "boolean", short: "h"},
  },
});
const kCuts = "power cuts";
const names = [...Object.keys(kHeals), kCuts].filter((name) => name.includes(values.only));
if (values.help || values.list) {
  process.stdout.write(values.help ? kHelp : names.join("\n") + "\n");
  process.exit(0);
}
const cuts = Number(values.cuts ?? (values.night ? 2000 : 200));

const say = (text) => console.log(text);
const board = new Board(path.join(root, "build/board/test"));
for (const name of ["SIGINT", "SIGTERM"])
  process.on(name, () => board.off().finally(() => process.exit(1)));
let violations = 0;
try {
  const start = Date.now();
  await board.setUp();
  say(
    `set up from the stick, ${((Date.now() - start) / 1000).toFixed(0)} s after its power was switched on`,
  );
  for (const name of names) {
    const begin = Date.now();
    if (name === kCuts) {
      violations += await cutPower(board, cuts, say);
      continue;
    }
    try {
      await kHeals[name](board);
      say(`good  ${name}: ${((Date.now() - begin) / 1000).toFixed(1)} s`);
    } catch (problem) {
      violations++;
      say(`BAD   ${name}: ${problem.message}`);
    }
  }
} finally {
  await board.off();
}
say(`${violations} violations`);
process.exit(violations === 0 ? 0 : 1);
