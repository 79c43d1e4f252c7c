// A field agent's handheld: the page in Chromium, the program itself, the drawn sitter, and a network that comes and goes.
// usage: node handheld_test.mjs IDKIOSK IDKIOSK_SANDBOX
import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {screenshot} from "./browser.mjs";
import {RealKiosk} from "./kiosk_page/real_kiosk.mjs";
import {enterPin, kPin, unlocked} from "./kiosk_page/staff_steps.mjs";
import {heading, touch, until} from "./kiosk_page/steps.mjs";

const kSize = {width: 720, height: 1280};

const kiosk = new RealKiosk(process.argv[2], process.argv[3]);

before(async () => {
  await kiosk.provision();
  kiosk.idkioskHears(`${kPin}\n`, "pin", "set", "clerk");
});
after(() => kiosk.remove());

async function open(body, staff = {}) {
  await kiosk.start({reasons: ["ACCOUNT_OPENING"]}, {mode: "handheld", staff});
  await unlocked(kiosk, kSize, body).finally(() => kiosk.stop());
}

// One person, from the welcome to the answer.
async function verify(page, nin, answer) {
  await page.locator("button.tongue[lang=en]").click();
  await touch(page, "I agree");
  await heading(page, "What is your NIN?");
  await page.keyboard.type(nin);
  await page.getByText("11 of 11 digits").first().waitFor();
  await touch(page, "Next");
  await page.locator(".screen.camera").waitFor();
  await heading(page, "Are these pictures good?");
  await touch(page, "Send");
  await heading(page, answer);
}

test("an agent works offline, and what was kept is delivered when the network is back", () =>
  open(async (page) => {
    await page.getByText("0 waiting").waitFor();
    await page.getByText("Nothing sent yet").waitFor();
    const billed = kiosk.billed();
    await kiosk.stopSandbox();
    for (let kept = 1; kept <= 3; ++kept) {
      await verify(page, `7012345678${kept}`, "Kept for later");
      await page.getByText(`${kept} waiting`).waitFor();
      if (kept === 2) await screenshot(page, "handheld-real-kept");
      await page.getByRole("button", {name: "Finish"}).click();
      await page.locator(".screen.welcome").waitFor();
    }
    await screenshot(page, "handheld-real-waiting");
    await kiosk.startSandbox();
    await until("delivering three calls", () => kiosk.billed() === billed + 3);
    await page.getByText("0 waiting").waitFor();
    await page.getByText("Sent: just now").waitFor();
    await screenshot(page, "handheld-real-delivered");
  }));

test("a program that starts without a network takes people all the same", async () => {
  await kiosk.stopSandbox();
  await open(async (page) => {
    await verify(page, "70123456784", "Kept for later");
    await page.getByText("1 waiting").waitFor();
  }).finally(() => kiosk.startSandbox());
});

test("an agent who hands it over locks it at once, and nothing of the person before is left", () =>
  open(async (page) => {
    await page.locator("button.tongue[lang=en]").click();
    await touch(page, "I agree");
    await heading(page, "What is your NIN?");
    await page.keyboard.type("7012");
    await page.getByText("4 of 11 digits").first().waitFor();
    await touch(page, "Lock");
    await page.locator(".screen.locked").waitFor();
    assert.equal(await page.locator(".cell").count(), 0);
    await screenshot(page, "handheld-real-handed-over");
    await enterPin(page, kPin);
    await page.locator(".screen.welcome").waitFor();
    await page.keyboard.press("Control+Shift+L");
    await page.locator(".screen.locked").waitFor();
  }));

test("it wants the PIN after a while untouched, and not before somebody's eyes", () =>
  open(
    async (page) => {
      await page.locator("button.tongue[lang=en]").click();
      await touch(page, "I agree");
      await heading(page, "What is your NIN?");
      await touch(page, "Stop and erase");
      await page.locator(".screen.welcome").waitFor();
      await page.locator(".screen.locked").waitFor();
      await screenshot(page, "handheld-real-locked");
      await enterPin(page, "000001");
      await page.getByText("This PIN is not right.").waitFor();
      await enterPin(page, kPin);
      await page.locator(".screen.welcome").waitFor();
    },
    {lock_after: "30 s"},
  ));
