// Every screen in every language and size: nothing overflows, targets are large, axe finds no violation.
// By day that is: two sizes in every language, and the English ones land in build/screens/kiosk for people to look at. In the
// long form, or with --pictures, every size in every language, and each lands there.
// usage: node kiosk_page_screens_test.mjs [--pictures]
import assert from "node:assert/strict";
import {mkdir} from "node:fs/promises";
import path from "node:path";
import {describe, test} from "node:test";
import {root, withPage} from "./browser.mjs";
import {axe, complaintsOfAxe} from "./kiosk_page/axe.mjs";
import {inspect, kKey, kTarget} from "./kiosk_page/inspect.mjs";
import {scenes, snapshotOf} from "./kiosk_page/scenes.mjs";
import {ScriptedDaemon} from "./kiosk_page/scripted_daemon.mjs";
import {show} from "./kiosk_page/steps.mjs";
import {isNight, languages, strains} from "./kiosk_page/words.mjs";

const isLong = isNight || process.argv.includes("--pictures");
// roomy: a line has room for more letters than at 1080x1920, where they are larger. By day English and the languages that strain
// a screen most are looked at there, and axe looks at one state of each screen.
const sizes = [
  {width: 1080, height: 1920},
  {width: 1280, height: 800},
  {width: 720, height: 1280, roomy: true},
];
// One state of each screen: where only the words differ, axe need not look at every state again.
const first = new Set(
  Object.entries(scenes)
    .filter(([, {screen}], i, all) => all.findIndex(([, other]) => other.screen === screen) === i)
    .map(([name]) => name),
);
const isStaff = (name) => /^(desk|operator)/.test(name);

async function picture(page, folder, name) {
  await mkdir(folder, {recursive: true});
  await page.screenshot({path: path.join(folder, `${name}.jpg`), type: "jpeg", quality: 80});
}

describe("every screen in every language", {concurrency: true}, () => {
  for (const {width, height, roomy = false} of sizes) {
    test(`at ${width}x${height}`, async () => {
      const daemon = new ScriptedDaemon();
      await daemon.listen();
      daemon.snapshot = snapshotOf("welcome");
      const wrong = [];
      await withPage({width, height, allow: [/404/]}, async (page) => {
        const hosts = new Set();
        page.on("request", (request) => hosts.add(new URL(request.url()).host));
        await page.emulateMedia({reducedMotion: "reduce"});
        await page.goto(daemon.address);
        await page.evaluate(axe);
        for (const {code, offered} of languages) {
          for (const name of Object.keys(scenes)) {
            if (!offered && isStaff(name)) continue;
            const isBrief = roomy && !isLong;
            if (isBrief && code !== "en" && !strains.includes(code)) continue;
            await show(daemon, page, snapshotOf(name, {language: code}));
            const found = await page.evaluate(inspect, {kTarget, kKey, staff: isStaff(name)});
            if (code === "en" ? !isBrief || first.has(name) : width === 1280 && first.has(name))
              found.push(...(await complaintsOfAxe(page)));
            wrong.push(...found.map((text) => `${name} in ${code}: ${text}`));
            if (isLong || code === "en")
              await picture(
                page,
                path.join(root, "build/screens/kiosk", `${width}x${height}`, code),
                name,
              );
          }
        }
        assert.deepEqual([...hosts], [`127.0.0.1:${daemon.port}`]);
      }).finally(() => daemon.stop());
      assert.equal(wrong.length, 0, `\n${wrong.join("\n")}`);
    });
  }
});
