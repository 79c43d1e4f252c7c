// Makes the README's pictures of the page: the number, the capture with its guidance, the answer; and a short moving one of
// a capture with the drawn sitter. Takes Debian's packages chromium and webp, and tests/web/node_modules (tools/setup).
// usage: node tools/readme/film.mjs build/bin/idkiosk build/bin/idkiosk-sandbox
import {execFileSync} from "node:child_process";
import {mkdtempSync, rmSync} from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import {root, withPage} from "../../tests/web/browser.mjs";
import {RealKiosk} from "../../tests/web/kiosk_page/real_kiosk.mjs";
import {heading, touch} from "../../tests/web/kiosk_page/steps.mjs";
import {toNumber} from "../../tests/web/kiosk_page/visit.mjs";

const kLongest = 20_000;
const kBetween = 125;

const out = path.join(root, "tools/readme");
const frames = mkdtempSync(path.join(tmpdir(), "film-"));
const kiosk = new RealKiosk(...process.argv.slice(2).map((program) => path.resolve(program)));

const still = (page, name) =>
  page.screenshot({path: path.join(out, `${name}.jpg`), type: "jpeg", quality: 82});

/** Until the capture is over. Returns each picture with its time, and keeps the one of a challenge. */
async function film(page) {
  const shots = [];
  let guided = false;
  for (const end = Date.now() + kLongest; Date.now() < end;) {
    const at = Date.now();
    const file = path.join(frames, `${String(shots.length).padStart(4, "0")}.png`);
    await page.screenshot({path: file});
    shots.push({file, at});
    const kept = await page.locator(".dots .kept").count();
    if (!guided && kept >= 1 && (await page.locator(".sign-disc").count()) > 0) {
      guided = true;
      await still(page, "guided");
    }
    if ((await page.locator(".screen.look").count()) > 0) break;
    await new Promise((done) => setTimeout(done, Math.max(0, kBetween - (Date.now() - at))));
  }
  return shots;
}

try {
  await kiosk.provision();
  // The sitter takes the time that a person does.
  await kiosk.start({reasons: ["ACCOUNT_OPENING"], get_ready: "3 s"}, {}, "synthetic:reaction=900");
  await withPage({width: 540, height: 960, allow: [/./]}, async (page) => {
    await page.goto(kiosk.address);
    await toNumber(page);
    for (const digit of kiosk.nin) await touch(page, digit);
    await page.getByText("11 of 11 digits").first().waitFor();
    await still(page, "number");
    await touch(page, "Next");
    await page.locator(".screen.camera").waitFor();
    const shots = await film(page);
    await touch(page, "Send");
    await heading(page, "Verified");
    await page.waitForFunction(() => document.getAnimations().length === 0);
    await still(page, "verified");
    const last = shots.at(-1);
    execFileSync("img2webp", [
      "-loop",
      "0",
      ...shots.flatMap(({file, at}, i) => [
        "-lossy",
        "-q",
        "45",
        "-m",
        "6",
        "-d",
        String(i + 1 < shots.length ? shots[i + 1].at - at : 1500),
        file,
      ]),
      "-o",
      path.join(out, "capture.webp"),
    ]);
    console.log(`${shots.length} pictures in ${last.at - shots[0].at} ms`);
  });
} finally {
  await kiosk.remove();
  rmSync(frames, {recursive: true, force: true});
}
