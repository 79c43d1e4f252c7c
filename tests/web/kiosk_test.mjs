// Whole sessions: the page in Chromium, the program itself, the drawn sitter, and the sandbox over HTTPS.
// usage: node kiosk_test.mjs IDKIOSK IDKIOSK_SANDBOX
import assert from "node:assert/strict";
import {copyFileSync, readFileSync} from "node:fs";
import path from "node:path";
import {after, before, test} from "node:test";
import {pathToFileURL} from "node:url";
import {screenshot} from "./browser.mjs";
import {RealKiosk} from "./kiosk_page/real_kiosk.mjs";
import {heading, touch} from "./kiosk_page/steps.mjs";
import {toLook, toNumber, Visits} from "./kiosk_page/visit.mjs";

const kiosk = new RealKiosk(process.argv[2], process.argv[3]);

before(() => kiosk.provision());
after(() => kiosk.remove());

const visits = new Visits(kiosk);
const run = (body, ui) => visits.run(body, ui);
const browse = (body) => visits.browse(body);
const open = (body, ui) => visits.open(body, ui);

async function picturesAreThere(page) {
  await page.waitForFunction(
    () =>
      document.querySelectorAll(".pictures img").length === 5 &&
      [...document.querySelectorAll(".pictures img")].every(
        (image) => image.complete && image.naturalWidth > 100,
      ),
  );
}

test("somebody gets through alone, and leaves nothing behind", () =>
  open(async (page) => {
    const hosts = new Set();
    page.on("request", (request) => hosts.add(new URL(request.url()).host));
    const billed = kiosk.billed();
    await toLook(page, kiosk.nin);
    await picturesAreThere(page);
    await screenshot(page, "kiosk-real-look");
    await touch(page, "Send");
    await heading(page, "Verified");
    assert.match(await page.locator(".letters").innerText(), /^[0-9A-Z]\s*([0-9A-Z]\s*){5}$/);
    await screenshot(page, "kiosk-real-verified");
    assert.equal(kiosk.billed(), billed + 1);
    await page.getByRole("button", {name: "Finish"}).click();
    await heading(page, "Show that it is really you");
    assert.equal(await page.locator("main img").count(), 0);
    assert.ok(!(await page.content()).includes(kiosk.nin));
    assert.deepEqual([...hosts], [new URL(page.url()).host]);
  }));

test("whoever loads the page sees nothing of a visit under way, and two tabs show one session", () =>
  open(async (page) => {
    const typeTwo = async () => {
      await toNumber(page);
      await touch(page, "7");
      await touch(page, "0");
      await page.getByText("2 of 11 digits").first().waitFor();
    };
    const nobodyIsHere = async (tab) => {
      await heading(tab, "Show that it is really you");
      assert.equal(await tab.locator(".cell").count(), 0);
    };
    await typeTwo();
    await page.reload();
    await nobodyIsHere(page);
    await typeTwo();
    const other = await page.context().newPage();
    await other.goto(page.url());
    for (const tab of [page, other]) await nobodyIsHere(tab);
    await typeTwo();
    await other.getByText("2 of 11 digits").first().waitFor();
    await touch(other, "Stop and erase");
    for (const tab of [page, other]) await nobodyIsHere(tab);
  }));

test("whoever walks away is asked, and then erased", () =>
  open(
    async (page) => {
      await toNumber(page);
      await touch(page, "7");
      const question = page.getByRole("alertdialog", {name: "Are you still there?"});
      await question.waitFor();
      await touch(page, "I am here");
      await question.waitFor({state: "detached"});
      assert.equal((await page.locator(".cells").innerText()).trim(), "7");
      await question.waitFor();
      await page.locator(".screen.number").waitFor({state: "detached"});
      assert.equal(await page.locator(".cell").count(), 0);
    },
    {idle: "5 s", warning: "20 s"},
  ));

test("a browser that is killed comes back to nobody's session", () =>
  run(async () => {
    await browse(async (page) => {
      await toNumber(page);
      await touch(page, "7");
      await page.getByText("1 of 11 digits").first().waitFor();
    });
    await browse(async (page) => {
      await heading(page, "Show that it is really you");
      assert.equal(await page.locator(".cell").count(), 0);
    });
  }));

test("without the network the check is kept, and delivered when it is back", () =>
  open(async (page) => {
    const billed = kiosk.billed();
    await kiosk.stopSandbox();
    await toLook(page, kiosk.nin);
    await touch(page, "Send");
    await heading(page, "Kept for later");
    await screenshot(page, "kiosk-real-kept");
    const reference = (await page.locator(".letters").innerText()).replace(/\s/g, "");
    assert.match(kiosk.idkiosk("queue", "list", "--json"), new RegExp(reference));
    await kiosk.startSandbox();
    for (const end = Date.now() + 60_000; kiosk.billed() === billed;) {
      assert.ok(Date.now() < end, "the kept check was not delivered within a minute");
      await new Promise((done) => setTimeout(done, 200));
    }
    assert.equal(kiosk.billed(), billed + 1);
  }));

test("a restarted program takes no page of its earlier start", () =>
  open(async (page) => {
    await heading(page, "Show that it is really you");
    await kiosk.stop();
    await heading(page, "One moment, please");
    await kiosk.start();
    // A port of its own each time: the old page finds nobody, and the launcher opens the start page again. The browser
    // still has the cookie of before.
    const start = readFileSync(new URL(kiosk.address), "utf8");
    const answer = await page.goto(start.match(/action="(http:.*)start"/)[1]);
    assert.equal(answer.status(), 403);
    await page.goto(kiosk.address);
    await heading(page, "Show that it is really you");
  }));

test("a start page opens the kiosk once, and is then written anew", () =>
  run(async () => {
    const copy = path.join(kiosk.folder, "copy.html");
    copyFileSync(new URL(kiosk.address), copy);
    await browse(async (page) => {
      await heading(page, "Show that it is really you");
      await page.goto(pathToFileURL(copy).href);
      await page.getByText("This start page was used already").waitFor();
      await page.goto(kiosk.address);
      await heading(page, "Show that it is really you");
    });
  }));
