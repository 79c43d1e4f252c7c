// Staff before the page: who it is, and what takes two of them.
import assert from "node:assert/strict";
import {after, before, beforeEach, test} from "node:test";
import {screenshot, withPage} from "./browser.mjs";
import {snapshotOf} from "./kiosk_page/scenes.mjs";
import {ScriptedDaemon} from "./kiosk_page/scripted_daemon.mjs";
import {until} from "./kiosk_page/steps.mjs";

// A refused request is an error on the browser's console too.
const refused = /status of 4\d\d|ERR_/;

let daemon;

before(async () => {
  daemon = new ScriptedDaemon();
  await daemon.listen();
});
after(() => daemon.stop());
beforeEach(() => {
  daemon.commands = [];
  daemon.reply = () => ({status: 204});
  daemon.snapshot = snapshotOf("welcome");
});

const open = (body) =>
  withPage({width: 1280, height: 800, allow: [refused]}, async (page) => {
    await page.goto(daemon.address);
    await page.locator("body[data-revision]").waitFor();
    await body(page);
  });

async function show(page, name) {
  const snapshot = snapshotOf(name);
  daemon.put(snapshot);
  await page.locator(`body[data-revision="${snapshot.revision}"]`).waitFor();
}

// What the page sent since the last time, without the session.
async function expectSent(command) {
  await until(`sending ${JSON.stringify(command)}`, () => daemon.commands.length > 0);
  assert.deepEqual(
    daemon.commands.map(({session, ...sent}) => sent),
    [command],
  );
  daemon.commands = [];
}

test("of several people one says who it is, and need not the next time", () =>
  open(async (page) => {
    await show(page, "locked-people");
    await page.getByRole("heading", {name: "Who are you?"}).waitFor();
    await screenshot(page, "staff-who");
    await page.keyboard.type("5");
    assert.equal(await page.locator(".pin-dots .full").count(), 0, "nobody's PIN");
    await page.keyboard.press("b");
    await page.keyboard.press("Enter");
    await page.locator(".pin-who").getByText("Bello").waitFor();
    await page.getByRole("heading", {name: "Enter your PIN"}).waitFor();
    await page.keyboard.type("713");
    await screenshot(page, "staff-pin");
    // Another snapshot leaves what is being typed alone.
    await show(page, "locked-people");
    assert.equal(await page.locator(".pin-dots .full").count(), 3);
    await page.keyboard.type("952");
    await page.keyboard.press("Enter");
    await expectSent({do: "unlock", pin: "713952", name: "Bello"});
    await show(page, "desk");
    await show(page, "locked-people");
    await page.getByRole("heading", {name: "Enter your PIN"}).waitFor();
    await page.locator(".pin-who").getByText("Bello").waitFor();
    await page.getByRole("button", {name: "Somebody else"}).click();
    await page.getByRole("button", {name: "Adaeze.Okafor"}).click();
    await page.keyboard.type("482913");
    await page.keyboard.press("Enter");
    await expectSent({do: "unlock", pin: "482913", name: "Adaeze.Okafor"});
  }));

test("what is dangerous asks for another operator, and does nothing without", () =>
  open(async (page) => {
    await show(page, "operator-staff");
    await page.getByText("Two operators must agree", {exact: false}).waitFor();
    await screenshot(page, "staff-tab");
    await show(page, "operator-vault");
    await screenshot(page, "staff-vault");
    await page.getByText("Amina").first().waitFor();
    await page.getByRole("button", {name: "Erase everything"}).click();
    const sure = page.getByRole("alertdialog", {name: "Erase everything?"});
    await sure.getByRole("button", {name: "Back"}).click();
    await page.getByRole("button", {name: "Erase everything"}).click();
    daemon.reply = () => ({status: 403, body: {problem: "second_needed"}});
    await sure.getByRole("button", {name: "Erase everything"}).click();
    await expectSent({do: "operator.erase", confirmed: true});
    const sheet = page.getByRole("dialog", {name: /Another operator must agree/});
    await sheet.locator(".pin-who").getByText("Bello").waitFor();
    await screenshot(page, "staff-second");
    daemon.reply = () => ({status: 403, body: {problem: "wrong"}});
    await page.keyboard.type("713953");
    await page.keyboard.press("Enter");
    await sheet.getByText("This PIN is not right.").waitFor();
    await expectSent({do: "operator.erase", confirmed: true, second: "Bello", pin: "713953"});
    daemon.reply = () => ({status: 204});
    await page.keyboard.type("713952");
    await page.keyboard.press("Enter");
    await expectSent({do: "operator.erase", confirmed: true, second: "Bello", pin: "713952"});
    await sheet.waitFor({state: "detached"});
  }));

test("a PIN is typed wherever the focus is, as after a language was chosen", () =>
  open(async (page) => {
    await show(page, "locked");
    await page.locator(".tools button").first().click();
    // The first digit comes before the browser has told the page that its question was closed.
    await page.locator("dialog[open] button[lang=en]").evaluate((english) => {
      english.click();
      document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "5", bubbles: true}));
    });
    await expectSent({do: "language", language: "en"});
    await page.keyboard.type("80394");
    assert.equal(await page.locator(".pin-dots .full").count(), 6);
    await page.keyboard.press("Enter");
    await expectSent({do: "unlock", pin: "580394"});
    assert.equal(await page.locator("dialog[open]").count(), 0);
    await show(page, "locked-people");
    await page.locator(".tools button").first().focus();
    await page.keyboard.press("b");
    await page.keyboard.press("Enter");
    await page.locator(".pin-who").getByText("Bello").waitFor();
  }));
