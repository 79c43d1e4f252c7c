// The page's files without a browser: types, catalogues, sizes, and what may not stand in them.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import path from "node:path";
import {test} from "node:test";
import {gzipSync} from "node:zlib";
import jsqr from "jsqr";
import {index, pages, served} from "./kiosk_page/scripted_daemon.mjs";
import {catalogue, languages, scripts, spoken} from "./kiosk_page/words.mjs";

const english = catalogue("en");
const complete = languages.filter(({offered}) => offered).map(({code}) => code);
// What clerks and operators alone see; a language that is not offered does without.
const staffOnly = /^(desk|task|field|state|operator|column|billed|setup)\./;

test("every language says everything about itself", () => {
  for (const row of languages) {
    const {code, name, start, direction, offered, printed, voice} = row;
    const said = {code, name, start, direction, offered, printed, voice};
    assert.deepEqual(Object.keys(row), Object.keys(said), `languages.json: ${code}`);
    assert.match(code, /^[a-z]{2,3}$/);
    assert.ok(name && start && ["ltr", "rtl"].includes(direction), `languages.json: ${code}`);
    assert.ok([offered, printed].every((value) => typeof value === "boolean"));
    assert.ok(voice === null || voice, `languages.json: ${code} has no voice, which would be null`);
  }
  assert.equal(new Set(languages.map(({code}) => code)).size, languages.length);
});

test("every language has every sentence, with the same placeholders and nothing else", () => {
  const holders = (text) => (text.match(/\{\w+\}/g) ?? []).sort().join(" ");
  for (const {code, offered} of languages) {
    const words = catalogue(code);
    for (const [key, text] of english) {
      if (!offered && staffOnly.test(key)) continue;
      assert.ok(words.has(key), `${code}.json has no ${key}`);
      assert.notEqual(words.get(key).trim(), "", `${code}.json: ${key} is empty`);
      assert.equal(
        holders(words.get(key)),
        holders(text),
        `${code}.json: the placeholders of ${key} differ from English`,
      );
    }
    for (const key of words.keys())
      assert.ok(english.has(key), `${code}.json: English has no ${key}`);
  }
});

// The list that the program and tools/voice go by; page_contract_test.mjs asks whether the page says anything else.
test("every sentence that is spoken stands in the catalogue, and has nothing to be filled in", () => {
  for (const key of spoken) {
    assert.ok(english.has(key), `no catalogue has ${key}`);
    assert.doesNotMatch(english.get(key), /\{/, `${key} cannot be recorded beforehand`);
  }
  assert.equal(new Set(spoken).size, spoken.length);
});

test("a language other than English says hardly anything in English", () => {
  // Pidgin is read with an English voice because it does.
  const others = languages.filter(({voice}) => !voice?.startsWith("en"));
  for (const {code} of others) {
    const same = [...catalogue(code)]
      .filter(([key, text]) => text === english.get(key) && /[a-z]{4}/.test(text))
      .map(([key]) => key);
    // French says some words as English does: "note", "source", "format".
    assert.ok(same.length <= 4, `${code}.json: as in English: ${same.join(", ")}`);
  }
});

test("what is served is small, and a catalogue for each language", () => {
  assert.ok(served.includes("page.js") && !served.includes("tsconfig.json"));
  assert.deepEqual(
    served.filter((name) => /^words\/(?!languages)/.test(name)).sort(),
    languages.map(({code}) => `words/${code}.json`).sort(),
  );
  const content = (name) => readFileSync(path.join(pages, name));
  const sum = (names, size) => names.reduce((bytes, name) => bytes + size(content(name)), 0);
  const isWords = (name) => /^words\/..?.?\.json$/.test(name);
  const compressed = (bytes) => Math.min(bytes.length, gzipSync(bytes, {level: 9}).length);
  for (const {code} of languages) {
    const names = served.filter(
      (name) => !isWords(name) || ["words/en.json", `words/${code}.json`].includes(name),
    );
    const loaded = sum(names, compressed);
    console.log(
      `${code}: ${loaded} bytes are loaded, ${sum(names, (bytes) => bytes.length)} unpacked`,
    );
    assert.ok(loaded < 145_000, `${code}: ${loaded} bytes are loaded`);
  }
});

test("no markup from text, nothing inline, nothing from elsewhere", () => {
  for (const {name, text} of scripts) {
    assert.doesNotMatch(
      text,
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc/,
      name,
    );
    assert.doesNotMatch(
      text,
      /localStorage|sessionStorage|indexedDB|document\.cookie/,
      `${name} keeps something`,
    );
    assert.doesNotMatch(text.replace("http://www.w3.org/2000/svg", ""), /https?:\/\//, name);
  }
  // Asked for at once, not one after the other as each names the next.
  for (const {name} of scripts)
    assert.ok(
      index.includes(`${name === "page.js" ? "src" : 'rel="modulepreload" href'}="/${name}"`),
      `index.html does not ask for ${name}`,
    );
  assert.doesNotMatch(index, / style=| on\w+=|<style|<script(?! type="module" src=)|https?:/);
});

test("every font has the letters of every language that is offered", () => {
  // The dotted and hooked ones, and the tone marks that stand on them.
  const letters = "ɓɗƙƴƁƊƘƳẹọṣẸỌṢịụṅỊỤṄ" + "áàéèíìóòúùńǹ" + "\u0301\u0300\u0323" + "çêëîïôûœ’₦";
  const all = new Set(
    [...letters, ...complete.flatMap((code) => [...catalogue(code).values()].join(""))].join(""),
  );
  const unicodes = new Set(
    JSON.parse(
      readFileSync(new URL("kiosk_page/font_letters.json", import.meta.url), "utf8"),
    ).flatMap(([first, last]) => Array.from({length: last - first + 1}, (_, i) => first + i)),
  );
  for (const letter of all)
    assert.ok(
      unicodes.has(letter.codePointAt(0)),
      `the fonts have no ${letter} (${letter.codePointAt(0).toString(16)})`,
    );
});

test("a scanner reads the reference's code", async () => {
  const source = scripts.find(({name}) => name === "parts/qr.js").text.replace(/^import .*$/m, "");
  const {qrModules} = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const kScale = 6;
  const kQuiet = 4;
  for (const text of ["KD7Q2M", "000000", "ZZZZZZ", "A", "0123456789ABCDEF"]) {
    const modules = qrModules(text);
    const side = (modules.length + 2 * kQuiet) * kScale;
    const pixels = new Uint8ClampedArray(side * side * 4).fill(255);
    for (let y = 0; y < side; ++y) {
      for (let x = 0; x < side; ++x) {
        const dark = modules[Math.floor(y / kScale) - kQuiet]?.[Math.floor(x / kScale) - kQuiet];
        if (dark) pixels.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3);
      }
    }
    assert.equal((jsqr.default ?? jsqr)(pixels, side, side)?.data, text);
  }
});
