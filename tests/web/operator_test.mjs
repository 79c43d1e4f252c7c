// The operator's console of the program itself, behind its PIN.
// usage: node operator_test.mjs IDKIOSK IDKIOSK_SANDBOX
import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {screenshot, withPage} from "./browser.mjs";
import {RealKiosk} from "./kiosk_page/real_kiosk.mjs";

// A refused command is an error on the browser's console too.
const refused = /status of 4\d\d|ERR_/;
const kPin = "580394";

const kiosk = new RealKiosk(process.argv[2], process.argv[3]);

before(async () => {
  await kiosk.provision();
  await kiosk.start();
});
after(() => kiosk.remove());

const open = (body) =>
  withPage({width: 1280, height: 800, allow: [refused]}, async (page) => {
    await page.goto(kiosk.address);
    // The first snapshot closes whatever question was asked before it.
    await page.locator("button.tongue").first().waitFor();
    await body(page);
  });

async function enter(page, pin) {
  await page.keyboard.type(pin);
  await page.keyboard.press("Enter");
}

test("nobody gets in without a PIN, before one is set and after", () =>
  open(async (page) => {
    await page.locator("button.tongue[lang=en]").click();
    await page.getByRole("heading", {level: 1, name: "Before we start"}).waitFor();
    await page.keyboard.press("Control+Shift+O");
    const question = page.getByRole("dialog", {name: "Operator"});
    await enter(page, kPin);
    await question.getByText("No PIN has been set on this machine yet.").waitFor();
    kiosk.idkioskHears(`${kPin}\n`, "pin", "set", "operator");
    await enter(page, "111222");
    await question.getByText("This PIN is not right.").waitFor();
    assert.equal(await page.locator(".screen.consent").count(), 1);
    await enter(page, kPin);
    await page.locator(".screen.operator").waitFor();
    await screenshot(page, "operator-real");
    await page.getByRole("button", {name: "Leave"}).click();
    await page.locator(".screen.welcome").waitFor();
  }));

test("three wrong PINs close the console, and a restart opens it no sooner", () =>
  open(async (page) => {
    await page.keyboard.press("Control+Shift+O");
    const question = page.getByRole("dialog", {name: "Operator"});
    for (const pin of ["000001", "000002", "000003"]) {
      await enter(page, pin);
      await question
        .getByText(pin === "000003" ? /Wait (30|2\d) seconds/ : "This PIN is not right.")
        .waitFor();
    }
    await question.getByText(/Wait 2\d seconds/).waitFor();
    await kiosk.stop();
    await kiosk.start();
    await page.goto(kiosk.address);
    await page.locator("button.tongue").first().waitFor();
    await page.keyboard.press("Control+Shift+O");
    await enter(page, kPin);
    await question.getByText(/Wait (30|2\d) seconds/).waitFor();
  }));

test("a PIN that is tried first is refused where it is set", () => {
  for (const pin of ["123456", "000000", "12345", "12345x"]) {
    assert.throws(
      () => kiosk.idkioskHears(`${pin}\n`, "pin", "set", "operator"),
      ({status, stderr}) => status === 2 && !stderr.includes(pin),
    );
  }
});
