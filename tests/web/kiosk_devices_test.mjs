// What a kiosk has besides its camera: receipts, a lamp, a logo, slips that are read. The page in Chromium, the program
// itself, and files where the devices would be.
// usage: node kiosk_devices_test.mjs IDKIOSK IDKIOSK_SANDBOX
import assert from "node:assert/strict";
import {mkdirSync, readFileSync, writeFileSync} from "node:fs";
import path from "node:path";
import {after, before, test} from "node:test";
import {screenshot, withPage} from "./browser.mjs";
import {RealKiosk} from "./kiosk_page/real_kiosk.mjs";
import {scripts} from "./kiosk_page/words.mjs";
import {heading, touch} from "./kiosk_page/steps.mjs";
import {toLook, toNumber, typeNumber, Visits} from "./kiosk_page/visit.mjs";

const kiosk = new RealKiosk(process.argv[2], process.argv[3]);
const visits = new Visits(kiosk);

before(() => kiosk.provision());
after(() => kiosk.remove());

const inFolder = (name) => path.join(kiosk.folder, name);

async function toAnswer(page) {
  await toLook(page, kiosk.nin);
  await touch(page, "Send");
  await heading(page, "Verified");
  return (await page.locator(".letters").innerText()).replace(/\s/g, "");
}

test("a receipt holds the reference and nothing of the person; the lamp is on for the camera alone", async () => {
  const lamp = () => readFileSync(inFolder("lamp/brightness"), "utf8").trim();
  mkdirSync(inFolder("lamp"));
  writeFileSync(inFolder("lamp/max_brightness"), "200\n");
  // Left on by a kiosk that was unplugged.
  writeFileSync(inFolder("lamp/brightness"), "200\n");
  await visits.open(
    async (page) => {
      assert.equal(lamp(), "0");
      const seen = new Set();
      const watch = setInterval(() => seen.add(lamp()), 20);
      const reference = await toAnswer(page).finally(() => clearInterval(watch));
      assert.ok(seen.has("100"), "the lamp was not on");
      assert.equal(lamp(), "0");
      await touch(page, "Print");
      await page.getByText("Please take your receipt.").waitFor();
      await screenshot(page, "kiosk-real-receipt");
      assert.ok(await page.getByRole("button", {name: "Print"}).isDisabled());
      const receipt = readFileSync(inFolder("receipt"), "latin1");
      for (const text of [
        "\x1b@",
        "First Bank",
        "Practice system.",
        "Verified",
        `${reference.slice(0, 3)} ${reference.slice(3)}`,
        `P0${reference}`,
      ]) {
        assert.ok(receipt.includes(text), text);
      }
      assert.ok(!receipt.includes(kiosk.nin));
    },
    {},
    {
      brand: {name: "First Bank"},
      printer: {target: `file:${inFolder("receipt")}`},
      light: {led: inFolder("lamp"), brightness: 50},
    },
  );
});

test("a printer that is off leaves the answer as it is", () =>
  visits.open(
    async (page) => {
      const reference = await toAnswer(page);
      await touch(page, "Print");
      await page
        .getByText("The printer does not work. Please write your reference down.")
        .waitFor();
      await screenshot(page, "kiosk-real-no-printer");
      assert.equal((await page.locator(".letters").innerText()).replace(/\s/g, ""), reference);
      assert.ok(await page.getByRole("button", {name: "Print"}).isEnabled());
    },
    {},
    {printer: {target: "tcp:127.0.0.1:1"}, light: {led: "/sys/class/leds/there-is-none"}},
  ));

test("the bank's logo stands beside its name", async () => {
  writeFileSync(
    inFolder("logo.svg"),
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" width="40" height="40">' +
      '<circle cx="20" cy="20" r="18" fill="#0b5d3b"/></svg>',
  );
  await visits.open(
    async (page) => {
      await page.waitForFunction(() => document.querySelector(".brand img")?.naturalWidth === 40);
      await screenshot(page, "kiosk-real-logo");
      assert.equal(await page.getByRole("button", {name: "Print"}).count(), 0);
    },
    {},
    {brand: {name: "First Bank", logo: inFolder("logo.svg")}},
  );
});

// What a camera sees of a slip: a code on paper, a little tilted, before a wall.
async function photographSlip(folder) {
  const source = scripts.find(({name}) => name === "parts/qr.js").text.replace(/^import .*$/m, "");
  const {qrModules} = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  const cells = qrModules(kiosk.nin)
    .flatMap((row, y) => [...row].map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  mkdirSync(folder);
  await withPage({width: 1280, height: 720}, async (page) => {
    await page.setContent(`<body style="margin:0;background:#8a8478"><svg width="1280" height="720" viewBox="-40 -15 80 45">
      <g transform="rotate(6) translate(-10 -4)"><path d="M-4-4h30v30h-30z" fill="#f4f2ea"/><path d="${cells}" fill="#221f1c"/></g></svg>`);
    for (let i = 0; i < 5; ++i) await page.screenshot({path: path.join(folder, `${i}.png`)});
  });
}

test("a slip that is held up fills the number in, and the camera closes", async () => {
  await photographSlip(inFolder("slip"));
  kiosk.camera = `images:${inFolder("slip")}`;
  await visits
    .open(async (page) => {
      await toNumber(page);
      await touch(page, "Scan my slip");
      await page.getByText("11 of 11 digits").first().waitFor();
      await page.getByRole("button", {name: "Scan my slip"}).waitFor();
      assert.equal(await page.locator(".slip img").count(), 0);
      assert.equal((await page.locator(".cells").innerText()).replace(/\s/g, ""), kiosk.nin);
      assert.equal(
        await page.evaluate(() => fetch("/preview").then((answer) => answer.status)),
        404,
      );
    })
    .finally(() => {
      kiosk.camera = "synthetic:reaction=100";
    });
});

test("whoever covers eyes or mouth is told so, and goes on being told", async () => {
  for (const [sitter, said] of [
    ["glasses=dark", "Take off dark glasses and keep your eyes free"],
    ["mask=blue", "Take away what covers your mouth and nose"],
  ]) {
    kiosk.camera = `synthetic:${sitter}`;
    await visits
      .open(async (page) => {
        await toNumber(page);
        await typeNumber(page, kiosk.nin);
        await page.locator(".screen.camera").getByText(said).waitFor();
      })
      .finally(() => {
        kiosk.camera = "synthetic:reaction=100";
      });
  }
});

test("whoever types instead stops the camera", () =>
  visits.open(async (page) => {
    await toNumber(page);
    await touch(page, "Scan my slip");
    await page.waitForFunction(() => document.querySelector(".slip img")?.naturalWidth > 0);
    await screenshot(page, "kiosk-real-slip");
    await touch(page, "Type it instead");
    await touch(page, "7");
    await page.getByText("1 of 11 digits").first().waitFor();
    assert.equal(await page.evaluate(() => fetch("/preview").then((answer) => answer.status)), 404);
  }));
