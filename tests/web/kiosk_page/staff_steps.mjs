// What tests of desk and handheld do with the page.
import {withPage} from "../browser.mjs";

export const kPin = "580394";

// A refused command, and a connection that is lost, is an error on the browser's console too.
const kComplaints = /status of 4\d\d|ERR_/;

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
