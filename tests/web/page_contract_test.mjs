// The contract between program and page, snapshot.d.ts, from both sides: nothing is sent that it lacks, nothing stands in
// it that nobody sends or reads, and every sentence that it calls for is there.
// usage: node page_contract_test.mjs SNAPSHOT_SAMPLES
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {readdirSync, readFileSync} from "node:fs";
import path from "node:path";
import {test} from "node:test";
import {root} from "./browser.mjs";
import {PageProgram} from "./kiosk_page/contract.mjs";
import {scenes, snapshotOf} from "./kiosk_page/scenes.mjs";
import {catalogue, spoken} from "./kiosk_page/words.mjs";

const samples = JSON.parse(execFileSync(process.argv[2], {encoding: "utf8"}));
const typed = (type, value) => `export const value: ${type} = ${JSON.stringify(value)};`;
const page = new PageProgram({
  "samples.ts": typed("Snapshot[]", samples.snapshots),
  "scenes.ts": typed(
    "Snapshot[]",
    Object.keys(scenes).map((name) => snapshotOf(name)),
  ),
});
const names = page.names();
const english = [...catalogue("en").keys()];

// The C++ sources below these folders, as texts; `but` are the beginnings of names.
const sources = (folders, but = []) =>
  folders
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), {recursive: true}).map((name) => `${folder}/${name}`),
    )
    .filter((name) => /\.(cc|h)$/.test(name) && !but.some((start) => name.startsWith(start)))
    .map((name) => readFileSync(path.join(root, name), "utf8"));
const found = (texts, pattern) =>
  new Set(texts.flatMap((text) => [...text.matchAll(pattern)].map((match) => match[1])));

// What stands in one list and not in the other, in words.
function lacking(list, other, sentence) {
  const there = new Set(other);
  return [...new Set(list)]
    .filter((item) => !there.has(item))
    .map((item) => sentence.replace("%", item));
}
const nothing = (complaints) => assert.equal(complaints.length, 0, `\n${complaints.join("\n")}`);

test("the page's types hold, and every sentence it asks for is in English", () => {
  nothing(page.complaints().filter((text) => !/^(samples|scenes)\.ts/.test(text)));
});

test("each screen is the function of its name in the module of its name", () => {
  const made = names.ScreenName.filter((name) =>
    page.exportsOf(`screens/${name}.js`).includes(name),
  );
  nothing(lacking(names.ScreenName, made, "there is no screens/%.js with a function of that name"));
});

test("what the program sends, and what the page's tests send in its place, is in the contract", () => {
  nothing([...page.complaints("samples.ts"), ...page.complaints("scenes.ts")]);
  // What the samples leave out would not be looked at.
  const keys = new Set(
    JSON.stringify(samples.snapshots)
      .match(/"(\w+)":/g)
      .map((key) => key.slice(1, -2)),
  );
  const others = [
    "app/operator/finding",
    "app/operator/installation_protocol",
    "app/operator/person_erasure",
    "app/operator/support_bundle",
  ];
  const written = found(
    sources(["app/session/model", "app/operator"], others),
    /(?:Field|Key)\("(\w+)"/g,
  );
  nothing(lacking(written, keys, "% is written, and no snapshot in snapshot_samples.cc has it"));
});

// The names that CMake makes into C++; others belong to parts of the program that know nothing of the page.
const made = readFileSync(path.join(root, "app/session/CMakeLists.txt"), "utf8")
  .match(/snapshot_names\(([^)]*)\)/)[1]
  .split(/\s+/)
  .filter((word) => word in names);

test("nothing in the contract is never sent", () => {
  const wrong = [];
  const elsewhere = new Set([...made, ...Object.keys(samples.names)]);
  const walk = (type, values, where) => {
    const words = page.words(type);
    if (words !== null) {
      const named = Object.entries(names).find(([, known]) => known.join() === words.join())?.[0];
      if (!elsewhere.has(named)) wrong.push(...lacking(words, values, `${where} is never "%"`));
      return;
    }
    const element = page.checker.getIndexTypeOfType(type, 1);
    if (page.checker.isArrayType(type)) return walk(element, values.flat(), `${where}[]`);
    if (values.every((value) => typeof value !== "object")) return;
    for (const {name, optional, type: member} of page.members(type)) {
      const at = `${where}.${name}`;
      const sent = values.filter((value) => name in value).map((value) => value[name]);
      if (sent.length === 0) wrong.push(`${at} is never sent`);
      if (optional && sent.length === values.length) wrong.push(`${at} is never absent`);
      const some = page.checker.getNonNullableType(member);
      if (!optional && some !== member && !sent.includes(null)) wrong.push(`${at} is never null`);
      walk(
        some,
        sent.filter((value) => value !== null),
        at,
      );
    }
  };
  walk(page.type("Snapshot"), samples.snapshots, "snapshot");
  nothing(wrong);
});

test("every name in the contract is one that the program gives", () => {
  const wrong = [];
  for (const [type, words] of Object.entries(samples.names)) {
    wrong.push(...lacking(words, names[type], `the program sends "%", which is no ${type}`));
    wrong.push(...lacking(names[type], words, `the program has no "%", which is a ${type}`));
  }
  // Those that are made into C++ are sent where some line but a `case` names them.
  const lines = sources(["app"]).flatMap((text) => text.split("\n"));
  for (const type of made) {
    const given = found(
      lines.filter((line) => !/\bcase\b/.test(line)),
      new RegExp(`\\b${type.replace(/Name$/, "")}::k(\\w+)`, "g"),
    );
    const wanted = names[type].map((word) =>
      word.replace(/(?:^|_)([a-z])/g, (_, letter) => letter.toUpperCase()),
    );
    wrong.push(...lacking(wanted, given, `nothing in app/ ever says ${type}::k%`));
  }
  nothing(wrong);
});

// Another program that asked for a check at the screen hears why it was not taken in the screen's own words.
test("the local API names each reason for which the screen stops, and that a person left", () => {
  const {Visit} = JSON.parse(readFileSync(path.join(root, "app/api/openapi.json"), "utf8"))
    .components.schemas;
  assert.deepEqual(Visit.properties.why.enum.toSorted(), ["left", ...names.StopReason].toSorted());
});

test("the page reads everything that it is sent", () => {
  const read = new Set(page.read());
  const unread = page.declared().filter(({node}) => !read.has(node));
  const wrong = unread.map(({name}) => `nothing in web/ reads ${name}`);
  const texts = page.texts();
  for (const [type, words] of Object.entries(names))
    wrong.push(...lacking(words, texts, `nothing in web/ knows the ${type} "%"`));
  nothing(wrong);
});

test("the program takes the commands that the page sends, and no others", () => {
  const commands = page.members(page.type("Commands"));
  const known = commands.map(({name}) => name);
  const fields = commands.flatMap(({type}) => page.members(type).map(({name}) => name));
  const texts = sources(["app/session", "app/operator"]);
  const taken = new Set([
    ...found(texts, /\{"([a-z_.]+)", (?:On\(|k[A-Z]|&)/g),
    ...found(texts, /command [!=]= "([a-z_.]+)"/g),
  ]);
  const looked = found(texts, /arguments(?:\[|, )"(\w+)"/g);
  nothing([
    ...lacking(taken, known, "the program takes %, which is not in the contract"),
    ...lacking(known, taken, "the program does not take %"),
    ...lacking(known, page.commands(), "the page never sends %"),
    ...lacking(looked, fields, "the program looks for %, which no command in the contract has"),
    ...lacking(fields, looked, "the program never looks for %"),
  ]);
});

test("every sentence is shown or said by something, and what is spoken is listed to be recorded", () => {
  const said = page.spoken();
  nothing([
    ...lacking(english, page.texts(), "nothing shows or says %"),
    ...lacking(said, spoken, "% is spoken, and is not listed"),
    ...lacking(spoken, said, "% is listed, and nothing speaks it"),
  ]);
});
