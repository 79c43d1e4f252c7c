// Whole sessions in Chromium: the kiosk's real page, the real program, its drawn sitter, and the sandbox behind it.
// usage: node kiosk_session_test.mjs IDKIOSK SANDBOX
import assert from "node:assert/strict";
import {execFileSync, spawn} from "node:child_process";
import {copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import readline from "node:readline";
import {after, before, test} from "node:test";
import {root, screenshot, withPage} from "./browser.mjs";

const [idkiosk, sandbox] = process.argv.slice(2);
// Sentences that are not spoken, pictures of a camera that has closed, and a program that is gone.
const allow = [/status of 4\d\d/, /ERR_/];

const folder = mkdtempSync(path.join(tmpdir(), "kiosk-session-"));
const inFolder = (name) => path.join(folder, name);
const addressFile = inFolder("page-address");
let service;
let kiosk;
let nin;

const words = (program, ...list) => execFileSync(program, list, {encoding: "utf8", stdio: ["ignore", "pipe", "ignore"]});
const command = (...list) => words(idkiosk, "--config", inFolder("kiosk.jsonc"), ...list);
const billed = () => JSON.parse(words(sandbox, "ledger", "--json", "--limit", "0", "--state", inFolder("sandbox"))).sum.count;
const ended = (program) => new Promise((done) => program.once("exit", done));

async function until(what, check, seconds = 10) {
  for (const end = Date.now() + seconds * 1000; !check();) {
    assert.ok(Date.now() < end, `${what} did not happen within ${seconds} s`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

async function startSandbox() {
  service = spawn(sandbox, ["serve", "--state", inFolder("sandbox"), "--port", "0"], {stdio: ["ignore", "pipe", "ignore"]});
  for await (const line of readline.createInterface({input: service.stdout})) return JSON.parse(line);
  throw new Error("the sandbox did not start");
}

async function startKiosk() {
  kiosk = spawn(idkiosk, ["--config", inFolder("kiosk.jsonc"), "run", "--camera", "synthetic", "--address-file", addressFile],
    {stdio: "ignore"});
  await until("the page's address", () => existsSync(addressFile));
}

const address = () => readFileSync(addressFile, "utf8").trim();
const at = (page, screen, timeout = 10_000) => page.locator(`.screen.${screen}`).waitFor({timeout});
const touch = (page, name) => page.getByRole("button", {name}).first().click();

async function walkToCamera(page) {
  await at(page, "welcome");
  await touch(page, /English/);
  await at(page, "consent");
  await touch(page, "I agree");
  await at(page, "number");
  for (const digit of nin) await page.getByRole("button", {name: digit, exact: true}).click();
  await touch(page, "Next");
  await at(page, "reason");
  await touch(page, "Opening an account");
  await at(page, "camera");
}

async function walkToLook(page) {
  await walkToCamera(page);
  await at(page, "look", 30_000);
}

before(async () => {
  await startSandbox();
  process.umask(0o077);
  words(sandbox, "onboard", "--state", inFolder("sandbox"), "--out", inFolder("onboarding.json"));
  nin = JSON.parse(readFileSync(inFolder("onboarding.json"), "utf8")).test_nin;
  copyFileSync(path.join(root, "config/kiosk.jsonc"), inFolder("kiosk.jsonc"));
  writeFileSync(inFolder("kiosk.local.jsonc"), JSON.stringify({
    state_folder: inFolder("state"),
    service: {profile: path.join(root, "config/profiles/sandbox.jsonc")},
    ui: {idle: "5 s", warning: "5 s"},
  }));
  command("vault", "init");
  command("provision", "--onboarding", inFolder("onboarding.json"));
  await startKiosk();
});

after(async () => {
  for (const program of [kiosk, service]) {
    if (program.exitCode !== null) continue;
    program.kill();
    await ended(program);
  }
  rmSync(folder, {recursive: true, force: true});
});

test("somebody is verified, also after a reload in the middle, and the next person sees nothing of it", async () => {
  await withPage({width: 1080, height: 1920, allow}, async (page) => {
    await page.goto(address());
    await walkToLook(page);
    await screenshot(page, "kiosk-look");
    for (const picture of await page.locator(".screen.look img").all()) {
      assert.ok(await picture.evaluate((image) => image.decode().then(() => image.naturalWidth > 100)));
    }
    await page.reload();
    await at(page, "look");
    await touch(page, "Send");
    await at(page, "answer.verified");
    await screenshot(page, "kiosk-verified");
    assert.equal(billed(), 1);
    await touch(page, /Finish/);
    await at(page, "welcome");
    assert.ok(!(await page.content()).includes(nin));
  });
});

test("a second tab shows the same session", async () => {
  await withPage({allow}, async (page) => {
    await page.goto(address());
    await at(page, "welcome");
    const second = await page.context().newPage();
    await second.goto(address());
    await touch(page, /English/);
    await at(second, "consent");
    await touch(second, "No, thank you");
    await at(page, "stopped");
    await touch(page, /Finish|start|Done|OK/i);
    await at(second, "welcome");
  });
});

test("who walks away is asked, and then forgotten; a browser that was killed shows no more", async () => {
  await withPage({allow}, async (page) => {
    await page.goto(address());
    await walkToLook(page);
  });
  await withPage({allow}, async (page) => {
    await page.goto(address());
    await at(page, "welcome", 15_000);
    assert.equal(await page.locator(".screen.look img").count(), 0);
  });
});

test("without a network the check is kept, and its reference is shown", async () => {
  const before = billed();
  service.kill();
  await ended(service);
  await withPage({width: 720, height: 1280, allow}, async (page) => {
    await page.goto(address());
    await walkToLook(page);
    await touch(page, "Send");
    await at(page, "answer.kept", 20_000);
    await screenshot(page, "kiosk-kept");
    const letters = await page.locator(".letters").textContent();
    assert.match(letters, /^[2-9A-Z]{6}$/);
    assert.match(command("queue", "list", "--json"), new RegExp(letters));
    await touch(page, /Finish/);
    await at(page, "welcome");
  });
  assert.equal(before, 1);
});

test("a program that is gone and back makes the page say so, and its old address is worth nothing", async () => {
  const old = address();
  kiosk.kill();
  assert.equal(await ended(kiosk), 0);
  assert.ok(!existsSync(addressFile));
  await startKiosk();
  assert.notEqual(address(), old);
  await withPage({allow}, async (page) => {
    const answer = await page.goto(old.replace(/:\d+/, new URL(address()).port ? `:${new URL(address()).port}` : ""));
    assert.equal(answer.status(), 403);
    await page.goto(address());
    await at(page, "welcome");
  });
});
