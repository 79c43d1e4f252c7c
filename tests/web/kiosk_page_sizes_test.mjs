// Every screen on a phone, a handheld, a kiosk, and by 200 % zoom or letters: everything can be read, reached and touched.
// usage: node kiosk_page_sizes_test.mjs [WIDTHxHEIGHT...]
import assert from "node:assert/strict";
import {describe, test} from "node:test";
import {withPage} from "./browser.mjs";
import {axe, complaintsOfAxe} from "./kiosk_page/axe.mjs";
import {kFinger, reach, typing} from "./kiosk_page/reach.mjs";
import {scenes, snapshotOf} from "./kiosk_page/scenes.mjs";
import {ScriptedDaemon} from "./kiosk_page/scripted_daemon.mjs";
import {show} from "./kiosk_page/steps.mjs";
import {isNight, strains} from "./kiosk_page/words.mjs";

// In CSS pixels. letters: how large the browser's own are, 16 pixels where nobody changed it. strict: axe looks, too; the
// larger ones are looked at by kiosk_page_screens_test. roomy: a line has room for no fewer letters than at another size of the
// same layout, so that by day only the languages that strain a screen most are looked at there; in the long form, all.
const sizes = [
  {width: 360, height: 640, strict: true},
  {width: 412, height: 915, roomy: true},
  {width: 720, height: 1280, roomy: true},
  {width: 1080, height: 1920, roomy: true},
  {width: 1280, height: 800, roomy: true},
  {width: 800, height: 480},
  // 1280x800 and 1080x1920 by 200 % zoom.
  {width: 640, height: 400, strict: true},
  {width: 540, height: 960},
  // Laid out as those two are, for that goes by the letters.
  {width: 1080, height: 1920, letters: 32, roomy: true},
  {width: 1280, height: 800, letters: 32, roomy: true},
];
const languages = ["en", "fr", "yo", "ha", "ar"];
const asked = process.argv.slice(2);

// What no snapshot asks for: what opens it on which scene, and how it is known to be open.
const opened = {
  languages: ["welcome", (page) => page.locator(".tools button").first().click(), "dialog[open]"],
  pin: ["welcome", (page) => page.keyboard.press("Control+Shift+O"), "dialog[open]"],
  comfort: [
    "answer-kept",
    async (page) => {
      await page.locator(".tools button").nth(2).click();
      for (const choice of await page.locator(".comfort .choice:visible").all())
        await choice.click();
    },
    ".comfort .letters-2[aria-pressed=true]",
  ],
  "larger letters": [
    "consent",
    async (page) => {
      await page.locator(".tools button").nth(2).click();
      await page.locator(".comfort .letters-2").click();
      await page.keyboard.press("Escape");
    },
    "html[data-letters='2'] body:not(:has(dialog))",
  ],
  "give up many": [
    "operator-queue",
    async (page) => {
      await page.locator("#choose-all").click();
      await page.locator(".decide button").last().click();
    },
    "dialog[open]",
  ],
  "first operator": [
    "stopped-first-operator",
    (page) => page.keyboard.press("Control+Shift+O"),
    "dialog[open]",
  ],
  "first PIN": [
    "stopped-first-operator",
    async (page) => {
      await page.keyboard.press("Control+Shift+O");
      await page.locator("#first-name").fill("Amina");
      await page.keyboard.press("Enter");
    },
    "dialog[open] .keypad",
  ],
  resend: ["desk", (page) => page.locator(".call-actions button").first().click(), "dialog[open]"],
  "more reasons": [
    "handheld-reason",
    // Where they are not all shown at once.
    async (page) => {
      const more = page.locator(".reason .actions button");
      if (await more.isVisible()) await more.click();
    },
    ".tile >> nth=0",
  ],
};

describe("everything can be reached", {concurrency: 2}, () => {
  for (const {width, height, letters = 16, strict = false, roomy = false} of sizes) {
    const size = `${width}x${height}`;
    if (asked.length > 0 && !asked.includes(size)) continue;
    test(`at ${size}, letters of ${letters}`, async () => {
      const daemon = new ScriptedDaemon();
      await daemon.listen();
      daemon.snapshot = snapshotOf("welcome");
      const wrong = [];
      const args = [`--blink-settings=defaultFontSize=${letters}`];
      await withPage({width, height, args, allow: [/404/]}, async (page) => {
        await page.emulateMedia({reducedMotion: "reduce"});
        await page.goto(daemon.address);
        await page.evaluate(axe);
        for (const language of roomy && !isNight ? strains : languages) {
          const look = async (name) => {
            const found = await page.evaluate(reach, {kFinger});
            if (strict && language === "en") found.push(...(await complaintsOfAxe(page)));
            wrong.push(...found.map((text) => `${name} in ${language}: ${text}`));
          };
          for (const name of Object.keys(scenes)) {
            await show(daemon, page, snapshotOf(name, {language}));
            await look(name);
          }
          for (const [name, [scene, ask, sign]] of Object.entries(opened)) {
            await show(daemon, page, snapshotOf(scene, {language, session: `${name} ${language}`}));
            // Those that the screen before had asked are gone once the browser has told them so.
            await page.waitForFunction(() => document.querySelector("dialog") === null);
            await ask(page);
            await page.locator(sign).waitFor();
            await look(name);
          }
        }
      }).finally(() => daemon.stop());
      assert.equal(wrong.length, 0, `\n${wrong.join("\n")}`);
    });
  }
});

// What makes a screen easier, as it is pressed on the sheet: larger letters, the screen moved down.
const eased = {
  "as it comes": [],
  "large letters": [".letters-1"],
  "largest letters": [".letters-2"],
  "moved down": [".only-tall"],
  "large letters, moved down": [".letters-1", ".only-tall"],
  "largest letters, moved down": [".letters-2", ".only-tall"],
};
// Presses them on the sheet; whether the sheet offers them all at this size.
async function ease(page, choices) {
  await page.locator(".tools button").nth(2).click();
  const tall = await page.locator(".comfort .only-tall").isVisible();
  const offered = tall || !choices.includes(".only-tall");
  if (offered) for (const choice of choices) await page.locator(`.comfort ${choice}`).click();
  await page.keyboard.press("Escape");
  await page.locator("body:not(:has(dialog))").waitFor();
  return offered;
}

// Looks at a page of this size, which writes down what is wrong.
async function nothingWrong({width, height}, look) {
  const daemon = new ScriptedDaemon();
  await daemon.listen();
  daemon.snapshot = snapshotOf("welcome");
  const wrong = [];
  await withPage({width, height, allow: [/404/]}, async (page) => {
    await page.emulateMedia({reducedMotion: "reduce"});
    await page.goto(daemon.address);
    await look(daemon, page, wrong);
  }).finally(() => daemon.stop());
  assert.equal(wrong.length, 0, `\n${wrong.join("\n")}`);
}

describe("a number can be typed, whatever makes the screen easier", {concurrency: 2}, () => {
  for (const [width, height] of [
    [390, 844],
    [720, 1280],
    [768, 1024],
    [800, 1280],
    [1080, 1920],
    [800, 480],
    [1024, 768],
    [1280, 800],
    [1920, 1080],
  ]) {
    const size = `${width}x${height}`;
    if (asked.length > 0 && !asked.includes(size)) continue;
    test(`at ${size}`, () =>
      nothingWrong({width, height}, async (daemon, page, wrong) => {
        for (const language of ["en", "ha"]) {
          for (const [name, choices] of Object.entries(eased)) {
            // Another session finds the screen as it was made.
            const session = `${name} ${language}`;
            await show(daemon, page, snapshotOf("number", {language, session}));
            if (!(await ease(page, choices))) continue;
            const found = await page.evaluate(typing);
            // Where something makes the screen easier, it may have to be scrolled.
            for (const text of await page.evaluate(reach, {kFinger}))
              if (choices.length === 0 || !text.endsWith("is out of sight")) found.push(text);
            wrong.push(...found.map((text) => `${name} in ${language}: ${text}`));
          }
        }
      }));
  }
});

// Who leaves without the reference has nothing: each letter of it can be read, and each line beside
// it, whatever makes the screen easier.
const ends = Object.entries(scenes)
  .filter(([, {screen}]) => ["answer", "waiting", "repeated", "stopped"].includes(screen))
  .map(([name]) => name);

describe("how it ended can be read, whatever makes the screen easier", {concurrency: 2}, () => {
  for (const [width, height] of [
    [360, 640],
    [720, 1280],
    [768, 1024],
    [800, 1280],
    [1080, 1920],
    [1280, 800],
  ]) {
    const size = `${width}x${height}`;
    if (asked.length > 0 && !asked.includes(size)) continue;
    test(`at ${size}`, () =>
      nothingWrong({width, height}, async (daemon, page, wrong) => {
        for (const [session, choices] of Object.entries(eased)) {
          // By day what leaves least room with either letters; the long form looks at all.
          const least =
            height > width && height >= 1000 ? "largest letters, moved down" : "largest letters";
          if (!isNight && ![least, "large letters"].includes(session)) continue;
          await show(daemon, page, snapshotOf("answer-kept", {session}));
          if (!(await ease(page, choices))) continue;
          for (const language of isNight ? languages : strains) {
            for (const name of ends) {
              await show(daemon, page, snapshotOf(name, {session, language}));
              const found = await page.evaluate(reach, {kFinger});
              // What else there is may have to be scrolled; on a kiosk the reference is in
              // sight.
              const mayScroll = (text) =>
                text.endsWith("is out of sight") &&
                (width < 700 ||
                  name.startsWith("handheld") ||
                  !/^span\.(group)? “[A-Z0-9]”/.test(text));
              wrong.push(
                ...found
                  .filter((text) => !mayScroll(text))
                  .map((text) => `${name}, ${session} in ${language}: ${text}`),
              );
            }
          }
        }
      }));
  }
});

test("what is said before the camera starts stands in the middle of a screen in portrait", async (context) => {
  const daemon = new ScriptedDaemon();
  await daemon.listen();
  daemon.snapshot = snapshotOf("welcome");
  context.after(() => daemon.stop());
  const aside = [];
  for (const [width, height] of [
    [360, 640],
    [720, 1280],
    [1080, 1920],
  ]) {
    await withPage({width, height, allow: [/404/]}, async (page) => {
      await page.emulateMedia({reducedMotion: "reduce"});
      await page.goto(daemon.address);
      for (const language of languages) {
        await show(daemon, page, snapshotOf("camera-ready", {language}));
        const middles = await page.evaluate(() =>
          [...document.querySelectorAll("h1, .tour, .ready .lead, .countdown")].map((element) => {
            const range = document.createRange();
            range.selectNodeContents(element);
            const {left, right} = range.getBoundingClientRect();
            return [element.textContent, (left + right) / 2 - innerWidth / 2];
          }),
        );
        for (const [text, by] of middles) {
          if (Math.abs(by) > 3) aside.push(`${width}, ${language}: “${text}” by ${by.toFixed(0)}`);
        }
      }
    });
  }
  assert.deepEqual(aside, []);
});
