// Sentences that go by a number, and amounts of money, without a browser.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {test} from "node:test";
import {catalogue, languages, scripts} from "./kiosk_page/words.mjs";

const page = new URL("../../app/ui/web", import.meta.url);
globalThis.fetch = async (name) => ({
  ok: true,
  json: async () => JSON.parse(readFileSync(`${page.pathname}${name}`, "utf8")),
});
const {loadLanguage, money, words} = await import("../../app/ui/web/words.js");
for (const {code} of languages) await loadLanguage(code);

// Without the marks that keep a number together among Arabic words.
const said = (code, key, values) => words(code, key, values).replace(/[\u2066\u2069]/g, "");

test("a word goes by its number, in each language by its own rule", () => {
  for (const [code, key, values, sentence] of [
    ["en", "people.resend_title", {count: 1}, "Send 1 call again?"],
    ["en", "people.resend_title", {count: 2}, "Send 2 calls again?"],
    ["en", "consent.answer_text", {hours: 1}, "The answer stays here, locked away, for 1 hour."],
    ["en", "consent.answer_text", {hours: 24}, "The answer stays here, locked away, for 24 hours."],
    ["fr", "people.calls", {count: 0}, "0 appel"],
    ["fr", "people.calls", {count: 2}, "2 appels"],
    ["ar", "people.calls", {count: 5}, "5 طلبات"],
    ["ar", "people.calls", {count: 20}, "20 طلبا"],
    ["ar", "people.calls", {count: 100}, "100 طلب"],
    ["pcm", "people.calls", {count: 1}, "1 call"],
    ["ha", "people.calls", {count: 1}, "Buƙatu 1"],
  ])
    assert.equal(said(code, key, values), sentence);
});

test("each form belongs to its language and to a number of the sentence, and there is one for the rest", () => {
  for (const {code} of languages) {
    const forms = new Set(new Intl.PluralRules(code).resolvedOptions().pluralCategories);
    for (const [key, text] of catalogue(code)) {
      for (const [, name, listed] of text.matchAll(/\{(\w+)\|([^}]+)\}/g)) {
        const where = `${code}.json: ${key}`;
        const names = listed.split("|").map((form) => form.split(":")[0]);
        assert.ok(text.includes(`{${name}}`), `${where} does not say ${name}`);
        assert.equal(names.at(-1), "other", where);
        for (const each of names) assert.ok(forms.has(each), `${where}: ${code} has no ${each}`);
      }
    }
  }
});

test("no English sentence counts one of many", () => {
  for (const [key, text] of catalogue("en")) {
    const one = text.match(/\{(count|hours|seconds)\}/)?.[1];
    if (one === undefined) continue;
    assert.doesNotMatch(words("en", key, {[one]: 1}), /\b1 \w+s\b(?<!1 digits)/, key);
  }
});

test("an amount of money is written in one place, with its currency", () => {
  assert.equal(money(15000, "NGN"), "150.00 NGN");
  assert.equal(money(5, "NGN"), "0.05 NGN");
  assert.equal(money("1400.00", "NGN"), "1400.00 NGN");
  for (const {name, text} of scripts) {
    if (name === "words.js") continue;
    assert.doesNotMatch(
      text,
      /\$\{[^}]*\} \$\{[^}]*[cC]urrency\}|[cC]urrency\} ?\$\{|100\)\.toFixed/,
      `${name} writes an amount of money itself`,
    );
  }
});
