// What is shown is also said, in the order in which it is seen; what is not Arabic keeps its own order on an Arabic screen; and
// nothing of the browser's own comes between a person and the page.
import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {withPage} from "./browser.mjs";
import {scenes, snapshotOf} from "./kiosk_page/scenes.mjs";
import {ScriptedDaemon} from "./kiosk_page/scripted_daemon.mjs";
import {heading, show as showOn} from "./kiosk_page/steps.mjs";
import {catalogue} from "./kiosk_page/words.mjs";

const daemon = new ScriptedDaemon();
before(() => daemon.listen());
after(() => daemon.stop());

function open(body, size = {}) {
  daemon.reply = () => ({status: 204});
  daemon.snapshot = snapshotOf("welcome");
  daemon.commands = [];
  return withPage({...size, allow: [/40[34]/]}, async (page) => {
    await page.emulateMedia({reducedMotion: "reduce"});
    // What is said is over at once.
    await page.addInitScript(() => {
      window.said = [];
      window.Audio = class {
        constructor(address) {
          window.said.push(/^\/voice\/(.*)\.wav$/.exec(address)[1]);
        }
        play() {
          window.loudness = this.volume;
          queueMicrotask(() => this.onended());
          return Promise.resolve();
        }
        pause() {}
        load() {}
        removeAttribute() {}
      };
    });
    await page.goto(daemon.address);
    await body(page);
  });
}
const show = (page, name, change) => showOn(daemon, page, snapshotOf(name, change));
const english = catalogue("en");
const keysOf = (text) => [...english].filter(([, each]) => each === text).map(([key]) => key);
// What was said since it was asked last.
const said = (page) => page.evaluate(() => window.said.splice(0));

// The sentences of a person's screen that stand in the catalogue, from its beginning to its end. What is filled in, such as the
// end of a number, is nobody's to hear; a button is said by what it is for, or by its colour.
const seen = (page) =>
  page.evaluate(() =>
    [
      ...document.querySelectorAll(
        "main h1, main h2, main p, main .path span, main .notice span, main .tile span:last-of-type",
      ),
    ]
      .filter(
        (element) => element.checkVisibility() && element.closest("button:not(.tile)") === null,
      )
      .map((element) => element.textContent.trim())
      .filter((text) => text !== ""),
  );

const people = Object.entries(scenes).filter(
  ([name, {screen, voice}]) =>
    voice !== false &&
    !["locked", "desk", "operator"].includes(screen) &&
    // Said as the camera sees it, or as what is wrong; read by a bank's own voice; where nothing can be asked, only why is said.
    !/^((handheld-)?camera|idle|consent-own|number-(wrong|two)|.*welcome-(closed|no-camera))/.test(
      name,
    ),
);

test("each screen is said whole, in the order in which it is seen", () =>
  open(async (page) => {
    const wrong = [];
    for (const [name] of people) {
      await show(page, name, {session: `of ${name}`, sound: true});
      await said(page);
      await page.locator("footer .again").click();
      const keys = (await said(page)).map((file) => file.slice(3).replace(/_said$/, "_text"));
      const places = [];
      for (const text of await seen(page)) {
        const known = keysOf(text);
        if (known.length === 0) continue;
        const place = keys.findIndex((key) => known.includes(key));
        if (place < 0) wrong.push(`${name}: “${text}” is not said`);
        else places.push([place, text]);
      }
      places.forEach(([place, text], i) => {
        if (i > 0 && place < places[i - 1][0]) wrong.push(`${name}: “${text}” is said too early`);
      });
    }
    assert.equal(wrong.length, 0, `\n${wrong.join("\n")}`);
  }));

test("nothing personal is said unless somebody asks", () =>
  open(async (page) => {
    const digits = async () => (await said(page)).filter((file) => file.startsWith("en/digit."));
    await show(page, "number", {session: "of a number"});
    assert.deepEqual(await digits(), []);
    await page.getByRole("button", {name: "Read my number to me"}).click();
    assert.deepEqual(
      (await digits()).filter((file) => !file.endsWith("pause")).map((file) => file.at(-1)),
      [..."70123456"],
    );
    // Of the answer the digits of its reference, KD7Q2M, and not those at the number's end.
    await show(page, "answer-not-verified", {session: "of another"});
    assert.deepEqual(
      (await digits()).filter((file) => !file.endsWith("pause")).map((file) => file.at(-1)),
      ["7", "2"],
    );
  }));

test("who wants it is spoken to more quietly, and the next person is not", () =>
  open(async (page) => {
    const loudness = () => page.evaluate(() => window.loudness);
    await show(page, "consent", {session: "of a quiet one"});
    assert.equal(await loudness(), 1);
    await page.getByRole("button", {name: "Easier"}).click();
    await page.getByRole("button", {name: "Speak more quietly"}).click();
    await page.keyboard.press("Escape");
    await page.locator("footer .again").click();
    const quiet = await loudness();
    assert.ok(quiet > 0 && quiet < 0.5, String(quiet));
    await show(page, "consent", {session: "of the next"});
    assert.equal(await loudness(), 1);
  }));

// Within one line, each letter stands to the right of the one before.
const backwards = () => {
  const wrong = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = node.textContent.replace(/[\u2066-\u2069]/g, " ");
    if (
      !node.parentElement.checkVisibility() ||
      node.parentElement.closest(".hidden, dialog:not([open])")
    )
      continue;
    for (const [part] of [...text.matchAll(/[^\p{Script=Arabic}،؛؟]+/gu)]) {
      if (!/[A-Za-z].*[A-Za-z]/.test(part)) continue;
      // A whole text of other letters keeps its last sign at its end; within a sentence, what lies between its letters does.
      const whole = part.trim() === text.trim();
      const inner = whole ? part.trim() : /[A-Za-z0-9].*[A-Za-z0-9]/s.exec(part)[0];
      const from = text.indexOf(inner);
      let before = null;
      for (let i = from; i < from + inner.length; ++i) {
        if (/\s/.test(text[i])) continue;
        const range = document.createRange();
        range.setStart(node, i);
        range.setEnd(node, i + 1);
        const box = range.getBoundingClientRect();
        if (box.width === 0) continue;
        if (before !== null && Math.abs(box.top - before.top) < 4 && box.left < before.left - 0.5) {
          wrong.push(inner);
          break;
        }
        before = box;
      }
    }
  }
  return [...new Set(wrong)];
};

test("what is not Arabic reads from left to right on an Arabic screen", () =>
  open(async (page) => {
    const wrong = [];
    const brand = {
      name: "First Bank (FSB) Ltd.",
      primary: "#0b5d3b",
      accent: "#f2b705",
      logo: false,
    };
    for (const name of Object.keys(scenes)) {
      await show(page, name, {language: "ar", brand, session: `of ${name}`});
      for (const text of await page.evaluate(backwards)) wrong.push(`${name}: ${text}`);
    }
    assert.equal(wrong.length, 0, `\n${wrong.join("\n")}`);
  }));

test("an Arabic name stays whole in an English sentence", () =>
  open(async (page) => {
    await show(page, "consent", {
      brand: {name: "بنك!", primary: "#0b5d3b", accent: "#f2b705", logo: false},
    });
    const fact = page.locator(".facts p", {hasText: "identity"});
    const [sign, verb] = await fact.evaluate((element) => {
      const node = element.firstChild;
      return ["!", "and"].map((word) => {
        const range = document.createRange();
        const at = node.textContent.indexOf(word);
        range.setStart(node, at);
        range.setEnd(node, at + word.length);
        return range.getBoundingClientRect().left;
      });
    });
    const start = await fact.evaluate((element) => element.getBoundingClientRect().left);
    assert.ok(sign - start < 8, "the name is read from the right: its last sign is at the left");
    assert.ok(verb > sign);
  }));

test("a text that goes on below fades until its end is there, and a whole one does not", () =>
  open(
    async (page) => {
      const faded = (selector) =>
        page.locator(selector).evaluate(
          (element) =>
            new Promise((done) => {
              const look = () =>
                done(parseFloat(getComputedStyle(element).getPropertyValue("--more")) > 0);
              requestAnimationFrame(() => requestAnimationFrame(look));
            }),
        );
      await show(page, "consent-silent");
      assert.equal(await faded(".facts"), false);
      await show(page, "consent-own", {session: "of the own text"});
      assert.equal(await faded(".own-text"), true);
      await page.locator(".own-text").evaluate((element) => element.scrollTo(0, 1e6));
      assert.equal(await faded(".own-text"), false);
    },
    {width: 1080, height: 1350},
  ));

test("all reasons that fit are shown and said, and no reason stands above the reach of a floor kiosk's visitor", () =>
  open(
    async (page) => {
      await show(page, "reason");
      assert.equal(await page.locator(".tile").count(), 8);
      assert.equal(await page.getByRole("button", {name: "Show more"}).count(), 0);
      assert.ok((await said(page)).includes("en/reasons.BENEFIT_PAYMENT"));
      const reasons = scenes.reason.reasons.slice(0, 3);
      await show(page, "reason", {reasons, session: "of few"});
      const {y} = await page.locator(".tile").first().boundingBox();
      assert.ok(y > 1920 / 3, `the first reason is at ${y}`);
      // Larger letters leave room for fewer.
      await page.setViewportSize({width: 360, height: 640});
      await show(page, "reason", {session: "of a small one"});
      assert.equal(await page.locator(".tile").count(), 4);
      await page.getByRole("button", {name: "Show more"}).waitFor();
    },
    {width: 1080, height: 1920},
  ));

test("who waits long reads and hears how the result comes", () =>
  open(async (page) => {
    await show(page, "waiting-long");
    const main = page.locator("main");
    await main.getByText("To learn the result, show this reference to the staff later.").waitFor();
    await show(page, "handheld-waiting", {session: "of an agent"});
    await main.getByText("To learn the result, show this reference to the agent later.").waitFor();
    assert.ok((await said(page)).includes("en/answer.result_agent"));
  }));

test("what the camera's screen was to say later is not said on the next start", () =>
  open(async (page) => {
    await page.clock.install();
    await show(page, "camera-turn_left");
    await show(page, "camera-ready");
    // Longer than a sentence stays, and shorter than the daemon may be silent: nothing is heard in this time.
    await page.clock.runFor(1000);
    await heading(page, "Get ready");
  }));

test("what a browser offers beside the page is not for whoever stands here", () =>
  open(async (page) => {
    await page.evaluate(() => {
      window.untouched = [];
      for (const name of ["keydown", "dragover", "drop", "wheel", "contextmenu"])
        window.addEventListener(name, (event) => {
          if (!event.defaultPrevented) window.untouched.push(event.key ?? name);
        });
    });
    await show(page, "number");
    const untouched = () => page.evaluate(() => window.untouched.splice(0));
    const fire = (type, more) =>
      page.evaluate(
        ([name, init]) => {
          const make = {keydown: KeyboardEvent, wheel: WheelEvent}[name] ?? Event;
          document.body.dispatchEvent(new make(name, {bubbles: true, cancelable: true, ...init}));
        },
        [type, more],
      );
    for (const key of ["p", "f", "g", "s", "o", "u", "r"])
      await fire("keydown", {key, ctrlKey: true});
    for (const key of ["F1", "F3", "F5", "F7"]) await fire("keydown", {key});
    await fire("keydown", {key: "ArrowLeft", altKey: true});
    for (const name of ["dragover", "drop", "contextmenu"]) await fire(name, {});
    await fire("wheel", {ctrlKey: true, deltaY: 100});
    assert.deepEqual(await untouched(), []);
    // What moves within the page, and a clerk's own letters, stay theirs.
    await fire("keydown", {key: "Tab"});
    await fire("wheel", {deltaY: 100});
    await show(page, "desk");
    await fire("wheel", {ctrlKey: true, deltaY: 100});
    await fire("keydown", {key: "c", ctrlKey: true});
    assert.deepEqual(await untouched(), ["Tab", "wheel", "wheel", "c"]);
    assert.equal(
      await page.evaluate(() => getComputedStyle(document.body).touchAction),
      "pan-x pan-y",
    );
  }));

test("the first operator chooses a name and a PIN by touch, twice, and is told what is wrong with them", () =>
  open(
    async (page) => {
      await show(page, "stopped-first-operator");
      await page.keyboard.press("Control+Shift+O");
      const sheet = page.getByRole("dialog");
      await sheet.getByRole("heading", {name: "You are the first operator here"}).waitFor();
      const touch = (name) => sheet.getByRole("button", {name, exact: true}).click();
      const type = async (digits) => {
        for (const digit of digits) await touch(digit);
        await touch("Open");
      };
      await touch("Next");
      await sheet.getByText("A name may have letters").waitFor();
      for (const letter of "amina") await touch(letter);
      await touch("Next");
      await sheet.getByRole("heading", {name: "Choose your PIN"}).waitFor();
      await type("602841");
      await sheet.getByRole("heading", {name: "The same PIN again"}).waitFor();
      await type("602842");
      await sheet.getByText("These are two different PINs.").waitFor();
      assert.deepEqual(daemon.commands, []);
      daemon.reply = () => ({status: 403, body: {error: "weak", problem: "weak_pin"}});
      await type("123456");
      await type("123456");
      await sheet.getByText("This PIN is too easy to guess.").waitFor();
      daemon.reply = () => ({status: 403, body: {error: "taken", problem: "taken"}});
      await type("602841");
      await type("602841");
      await sheet.getByText("This machine has an operator already.").waitFor();
      assert.deepEqual(
        daemon.commands.map(({session, ...command}) => command),
        ["123456", "602841"].map((pin) => ({do: "operator.first", name: "amina", pin})),
      );
      assert.ok(!(await page.content()).includes("602841"));
      // Where somebody is operator already, their PIN is asked for.
      await touch("Close");
      await show(page, "stopped-not-set-up");
      await page.keyboard.press("Control+Shift+O");
      await page.getByRole("dialog").getByRole("heading", {name: "Operator"}).waitFor();
    },
    {width: 1080, height: 1920},
  ));
