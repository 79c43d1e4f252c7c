// The catalogues and the page's sources, as the tests read them.
import {readFileSync} from "node:fs";
import path from "node:path";
import {languages, pages, served} from "./scripted_daemon.mjs";

function* flat(tree, prefix = "") {
  for (const [name, value] of Object.entries(tree)) {
    if (typeof value === "string") yield [prefix + name, value];
    else yield* flat(value, `${prefix}${name}.`);
  }
}

const read = (name) => readFileSync(path.join(pages, name), "utf8");

export {languages};
export const catalogue = (code) => new Map(flat(JSON.parse(read(`words/${code}.json`))));
// The languages that strain a screen most: the one with the most to say, and one that is written from the right.
const letters = (code) => [...catalogue(code).values()].join("").length;
export const strains = [
  languages
    .map(({code}) => code)
    .reduce((one, other) => (letters(one) < letters(other) ? other : one)),
  languages.find(({direction}) => direction === "rtl").code,
];
// The long form, which `tools/test --night` runs.
export const isNight = process.env.IDKIOSK_NIGHT === "1";
// The screens of the contract.
export const screens = [
  .../type ScreenName =([^;]+);/.exec(read("snapshot.d.ts"))[1].matchAll(/"(\w+)"/g),
].map(([, name]) => name);
// Keys whose sentences are spoken: "digit.*" are all of those.
export const spoken = readFileSync(path.join(pages, "../spoken.txt"), "utf8")
  .trim()
  .split("\n")
  .flatMap((line) =>
    line.endsWith("*")
      ? [...catalogue("en").keys()].filter((key) => key.startsWith(line.slice(0, -1)))
      : [line],
  );
export const scripts = served
  .filter((name) => name.endsWith(".js"))
  .map((name) => ({name, text: read(name)}));
