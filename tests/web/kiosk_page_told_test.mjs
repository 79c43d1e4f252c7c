// What people are told, and offered: while they wait, when the same was asked before, what it costs, and in which language.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {withPage} from "./browser.mjs";
import {scenes, snapshotOf} from "./kiosk_page/scenes.mjs";
import {ScriptedDaemon} from "./kiosk_page/scripted_daemon.mjs";
import {show as showOn, until} from "./kiosk_page/steps.mjs";
import {catalogue, languages} from "./kiosk_page/words.mjs";

const daemon = new ScriptedDaemon();
before(() => daemon.listen());
after(() => daemon.stop());

function open(body) {
  daemon.reply = () => ({status: 204});
  daemon.snapshot = snapshotOf("welcome");
  daemon.commands = [];
  return withPage({allow: [/40[34]/]}, async (page) => {
    await page.goto(daemon.address);
    await body(page);
  });
}
const show = (page, name, change) => showOn(daemon, page, snapshotOf(name, change));

test("waiting moves around what happens now, and stands still where motion is not wanted", () =>
  open(async (page) => {
    const turning = () =>
      page.evaluate(() =>
        document
          .getAnimations()
          .filter(({effect}) => effect.getTiming().iterations === Infinity)
          .map(({effect}) => effect.target.closest("li")?.textContent),
      );
    await page.emulateMedia({reducedMotion: "no-preference"});
    await show(page, "waiting-sealing");
    assert.deepEqual(await turning(), ["Locked away"]);
    await show(page, "waiting");
    assert.deepEqual(await turning(), ["Sent"]);
    await page.emulateMedia({reducedMotion: "reduce"});
    assert.deepEqual(await turning(), []);
    await show(page, "answer-verified");
    assert.deepEqual(await turning(), []);
  }));

test("whoever reads the bank's consent in another language than theirs is told so, and whom to ask", () =>
  open(async (page) => {
    for (const {code} of languages) {
      await show(page, "consent-own", {language: code});
      const told = catalogue(code).get("consent.own_other");
      assert.equal(await page.getByText(told, {exact: true}).count(), code === "en" ? 0 : 1, code);
      const {lang, dir} = await page
        .locator(".own-text")
        .evaluate((element) => ({lang: element.lang, dir: element.dir}));
      assert.deepEqual({lang, dir}, {lang: "en", dir: "ltr"}, code);
    }
    await show(page, "consent-own", {language: "fr", consent: {text: "BVN", language: "ar"}});
    assert.equal(await page.locator(".own-text").getAttribute("dir"), "rtl");
  }));

test("whoever asks the same again reads what became of the check before, in every language", () =>
  open(async (page) => {
    for (const {code} of languages) {
      const words = catalogue(code);
      for (const became of ["waiting", "answered", "refused", "no_answer"]) {
        await show(page, `repeated-${became}`, {language: code});
        await page.getByText(words.get(`repeated.${became}`), {exact: true}).waitFor();
        // Nobody is led to what is billed again, nor is stopping the large one: it stands where it stands elsewhere.
        const buttons = await page.locator(".actions button").allInnerTexts();
        assert.deepEqual(buttons, [words.get("repeated.go_on"), words.get("answer.finish")]);
        const first = await page.locator(".actions .first").allInnerTexts();
        const helps = ["refused", "no_answer"].includes(became);
        assert.deepEqual(first, helps ? [] : [words.get("answer.finish")], became);
        assert.ok(await page.locator("footer .stop").isVisible());
      }
    }
  }));

test("who decides about another check reads what it costs, and who is alone at a kiosk does not", () =>
  open(async (page) => {
    const costs = page.locator(".costs");
    await show(page, "handheld-not-verified");
    assert.equal(await costs.innerText(), "Each new check is billed: 100.00 NGN.");
    await show(page, "answer-not-verified", {session: "of a kiosk"});
    assert.equal(await costs.count(), 0);
    await show(page, "desk");
    assert.equal(await costs.innerText(), "This check is billed: 100.00 NGN.");
    await page.getByRole("button", {name: "Phone", exact: true}).click();
    assert.equal(await costs.innerText(), "This check is billed: 50.00 NGN.");
    daemon.reply = () => ({
      status: 403,
      body: {error: "asked", problem: "asked_before", reference: "M1X7SF", seconds: 200},
    });
    await page.getByLabel("Phone number").fill("08012345678");
    await page.getByRole("button", {name: "Ask", exact: true}).click();
    const question = page.getByRole("alertdialog");
    await question.getByText("Asking again is billed again: 50.00 NGN.").waitFor();
    await question.getByText("Not accepted").waitFor();
  }));

test("an agent reads what a check costs before the first, and whoever is alone at a kiosk does not", () =>
  open(async (page) => {
    const costs = page.locator(".costs");
    for (const [screen, text] of [
      ["welcome", "Each new check is billed: 100.00 NGN."],
      ["look", "This check is billed: 100.00 NGN."],
      ["repeated", "Each new check is billed: 100.00 NGN."],
    ]) {
      await show(page, `handheld-${screen}`, {session: `agent at ${screen}`});
      assert.deepEqual(await costs.allInnerTexts(), [text], screen);
      const alone = screen === "repeated" ? "repeated-waiting" : screen;
      await show(page, alone, {session: `alone at ${screen}`});
      assert.equal(await costs.count(), 0, screen);
    }
  }));

test("each known reason has a sign of its own, and every other a neutral one", () =>
  open(async (page) => {
    const signs = async (codes) => {
      const reasons = codes.map((code) => ({code, label: code}));
      await show(page, "reason", {reasons, session: codes.join()});
      return page
        .locator(".tile .icon:first-child path")
        .evaluateAll((paths) => paths.map((path) => path.getAttribute("d")));
    };
    const codes = [...catalogue("en").keys()]
      .filter((key) => key.startsWith("reasons."))
      .map((key) => key.slice("reasons.".length));
    assert.ok(codes.length >= 8);
    const known = [...(await signs(codes.slice(0, 4))), ...(await signs(codes.slice(4)))];
    const [neutral, same] = await signs(["VISA_RENEWAL", "constructor"]);
    assert.equal(new Set([...known, neutral]).size, codes.length + 1);
    assert.equal(same, neutral);
    assert.ok(!known.includes("null"));
  }));

test("whoever's check is kept is told how to learn the result, by text and by voice", () =>
  open(async (page) => {
    for (const {code} of languages) {
      for (const [name, key] of [
        ["answer-kept", "answer.result"],
        ["handheld-kept", "answer.result_agent"],
      ]) {
        daemon.voices = [];
        await show(page, name, {language: code, session: `${name} ${code}`});
        await page.getByText(catalogue(code).get(key), {exact: true}).waitFor();
        // The screen's own sentences come one after the other, and none of them has a sound here.
        await until("the sentence", () => daemon.voices.includes(`${code}/${key}.wav`));
      }
    }
    await show(page, "answer-verified", {session: "verified"});
    assert.equal(await page.locator(".result").count(), 0);
  }));

test("the consent says that the number is sent, how long the answer stays, and who else may get it", () =>
  open(async (page) => {
    for (const {code} of languages) {
      const words = catalogue(code);
      const says = async (consent, ...wanted) => {
        await show(page, "consent", {language: code, consent, session: JSON.stringify(consent)});
        // Without the marks that keep a number in its order.
        const text = (await page.locator(".facts").innerText()).replace(/[\u2066-\u2069]/g, "");
        for (const key of ["answer_text", "programs_result", "programs_data"]) {
          const sentence = words
            .get(`consent.${key}`)
            .replace("{hours}", consent.answer_hours)
            .replace(/\{hours\|([^}]+)\}/, (_, forms) => {
              const form = new Intl.PluralRules(code).select(consent.answer_hours);
              const known = new Map(forms.split("|").map((each) => each.split(":")));
              return known.get(form) ?? known.get("other");
            });
          assert.equal(text.includes(sentence), wanted.includes(key), `${code}: ${key}`);
        }
        assert.ok(text.includes(words.get("consent.what_text")));
      };
      await says({keep_hours: 72, answer_hours: 36}, "answer_text");
      await says({keep_hours: 72, answer_hours: 0});
      await says(
        {keep_hours: 72, answer_hours: 24, programs: "result"},
        "answer_text",
        "programs_result",
      );
      await says(
        {keep_hours: 72, answer_hours: 24, programs: "data"},
        "answer_text",
        "programs_data",
      );
    }
  }));

test("a price among words from right to left keeps its order", () =>
  open(async (page) => {
    await show(page, "handheld-not-verified", {
      language: "ar",
      answer: {...scenes["handheld-not-verified"].answer, price: "1 400.00 NGN"},
    });
    const lefts = await page.locator(".costs").evaluate((element) => {
      const text = element.firstChild;
      const leftOf = (word) => {
        const range = document.createRange();
        const at = text.data.indexOf(word);
        range.setStart(text, at);
        range.setEnd(text, at + word.length);
        return range.getBoundingClientRect().left;
      };
      return ["1 ", "400.00", "NGN"].map(leftOf);
    });
    assert.deepEqual(
      lefts,
      [...lefts].sort((a, b) => a - b),
    );
  }));

test("every language that is offered can be touched on the welcome, and every catalogue is offered", () =>
  open(async (page) => {
    await show(page, "welcome");
    const shown = await page
      .locator("button.tongue")
      .evaluateAll((buttons) => buttons.map(({lang}) => lang));
    assert.deepEqual(
      shown,
      languages.map(({code}) => code),
    );
    await page.locator("button.tongue[lang=ar]").click();
    await until("the command", () => daemon.commands.length > 0);
    const {do: name, language} = daemon.commands[0];
    assert.deepEqual([name, language], ["start", "ar"]);
  }));

test("who finds the kiosk closed for a time reads when it opens again, by the clocks here", () =>
  open(async (page) => {
    const zone = await page.context().newCDPSession(page);
    await zone.send("Emulation.setTimezoneOverride", {timezoneId: "Africa/Lagos"});
    await page.clock.setFixedTime("2026-11-20T12:00:00Z");
    await show(page, "welcome-closed");
    const closed = page.locator("main .closed");
    assert.match(await closed.innerText(), /It opens again at 16:42\.$/);
    await show(page, "welcome-closed", {opens_at: "2026-11-21T07:00:00Z"});
    assert.match(await closed.innerText(), /at 2026-11-21 08:00\.$/);
    await show(page, "stopped-full", {
      stopped: {why: "spend_cap", can_retry: false, seconds_left: 12},
      opens_at: "2026-11-20T15:42:10Z",
      session: "of another",
    });
    await page.locator("main").getByText("It opens again at 16:42.").waitFor();
    await show(page, "welcome-no-camera", {session: "of a third"});
    assert.doesNotMatch(await closed.innerText(), /opens/);
    await zone.send("Emulation.setTimezoneOverride", {timezoneId: ""});
  }));
