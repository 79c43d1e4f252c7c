// What tests of desk and handheld do with the page.
import assert from "node:assert/strict";
import {withPage} from "../browser.mjs";

export const kPin = "270394";

// A refused command, and a connection that is lost, is an error on the browser's console too.
const kComplaints = /status of 4\d\d|ERR_/;

export const touch = (page, name) => page.getByRole("button", {name, exact: true}).click();
export const heading = (page, name) => page.getByRole("heading", {level: 1, name}).waitFor();

export async function enterPin(page, pin) {
  await page.locator(".screen.locked").waitFor();
  await page.keyboard.type(pin);
  await page.keyboard.press("Enter");
}

// A page of `kiosk` that staff has unlocked.
export const unlocked = (kiosk, size, body) =>
  withPage({...size, allow: [kComplaints]}, async (page) => {
    await page.goto(kiosk.address);
    await enterPin(page, kPin);
    await page.locator(".screen.locked").waitFor({state: "detached"});
    await body(page);
  });

export async function until(what, check) {
  for (const end = Date.now() + 60_000; !check();) {
    assert.ok(Date.now() < end, `${what} did not happen within a minute`);
    await new Promise((done) => setTimeout(done, 200));
  }
}
