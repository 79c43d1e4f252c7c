// What a person must read on a kiosk is read at arm's length and more: no letters are smaller than the screen's size asks for.
import assert from "node:assert/strict";
import {describe, test} from "node:test";
import {withPage} from "./browser.mjs";
import {letters} from "./kiosk_page/letters.mjs";
import {scenes, snapshotOf} from "./kiosk_page/scenes.mjs";
import {ScriptedDaemon} from "./kiosk_page/scripted_daemon.mjs";
import {show} from "./kiosk_page/steps.mjs";

// In CSS pixels. least: of what a person must read; around: of what stands around each screen, and says nothing that the
// screen does not ask about.
const sizes = [
  {width: 1080, height: 1920, least: 32, around: 24},
  {width: 1280, height: 800, least: 18, around: 18},
  {width: 720, height: 1280, least: 18, around: 18},
  {width: 360, height: 640, least: 12, around: 12},
];

describe("letters are large enough", {concurrency: 2}, () => {
  for (const {width, height, least, around} of sizes) {
    test(`at ${width}x${height}, ${least} pixels`, async () => {
      const daemon = new ScriptedDaemon();
      await daemon.listen();
      daemon.snapshot = snapshotOf("welcome");
      const wrong = new Map();
      await withPage({width, height, allow: [/404/]}, async (page) => {
        await page.emulateMedia({reducedMotion: "reduce"});
        await page.goto(daemon.address);
        for (const language of ["en", "ar"]) {
          for (const name of Object.keys(scenes)) {
            await show(daemon, page, snapshotOf(name, {language}));
            for (const text of await page.evaluate(letters, {least, around}))
              wrong.set(text, `${name} in ${language}: ${text}`);
          }
        }
      }).finally(() => daemon.stop());
      assert.equal(wrong.size, 0, `\n${[...wrong.values()].join("\n")}`);
    });
  }
});
