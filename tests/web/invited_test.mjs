// A teller's program asks for somebody's check, and the kiosk's own screen and camera take their pictures.
// usage: node invited_test.mjs IDKIOSK IDKIOSK_SANDBOX
import assert from "node:assert/strict";
import {once} from "node:events";
import http from "node:http";
import path from "node:path";
import {after, afterEach, before, test} from "node:test";
import {screenshot} from "./browser.mjs";
import {RealKiosk} from "./kiosk_page/real_kiosk.mjs";
import {heading, touch} from "./kiosk_page/steps.mjs";
import {Visits} from "./kiosk_page/visit.mjs";

const kiosk = new RealKiosk(process.argv[2], process.argv[3]);
const visits = new Visits(kiosk);
const socket = path.join(kiosk.folder, "api.sock");
const settings = {api: {socket}};

before(async () => {
  await kiosk.provision();
  kiosk.idkiosk("reasons");
});
afterEach(() => kiosk.stop());
after(() => kiosk.remove());

function api(method, where, body, headers = {}) {
  return new Promise((done, failed) => {
    const asked = http.request({socketPath: socket, path: where, method, headers}, (answer) => {
      let text = "";
      answer.on("data", (part) => {
        text += part;
      });
      answer.on("end", () => done({status: answer.statusCode, ...JSON.parse(text)}));
    });
    asked.on("error", failed);
    asked.end(body && JSON.stringify(body));
  });
}

const ask = (key, more = {}) =>
  api(
    "POST",
    "/v1/checks",
    {
      endpoint: "verify",
      nin: kiosk.nin,
      reason: "ACCOUNT_OPENING",
      case: "B-17",
      operator: "anna",
      pictures: "camera",
      ...more,
    },
    {"Content-Type": "application/json", "Idempotency-Key": key},
  );

// Asks for it until `enough` of what is there; each answer takes its time, so this turns slowly.
async function until(where, enough) {
  for (;;) {
    // eslint-disable-next-line no-await-in-loop
    const there = await api("GET", where);
    if (enough(there)) return there;
  }
}

const welcome = (page) => heading(page, "Show that it is really you");
// A screen that has just been opened looks whether its camera is there first.
async function invite(key, more) {
  for (;;) {
    // eslint-disable-next-line no-await-in-loop
    const asked = await ask(key, more);
    if (asked.status !== 409 || !/screen is closed/u.test(asked.engineer)) return asked;
  }
}

test("where no page is open nobody is asked; one that opens takes the same request, one that is closed ends it", async () => {
  await kiosk.start({reasons: ["ACCOUNT_OPENING"]}, settings);
  const nobody = await ask("no-page");
  assert.equal(nobody.status, 409);
  assert.equal(nobody.type, "urn:idkiosk:problem:not-possible");
  assert.match(nobody.detail, /no page is open/u);
  assert.match(nobody.engineer, /no page is open at the screen; start its browser/u);
  const billed = kiosk.billed();
  let visit = "";
  await visits.browse(async (page) => {
    await welcome(page);
    const taken = await invite("no-page");
    assert.equal(taken.status, 202);
    visit = taken.visit;
    await page.getByRole("button", {name: "I agree"}).waitFor();
  });
  for (;;) {
    // The page that is gone is missed within the time of a look.
    // eslint-disable-next-line no-await-in-loop
    const again = await ask("another");
    assert.equal(again.status, 409);
    if (/no page is open/u.test(again.engineer)) break;
  }
  assert.equal((await api("GET", visit)).state, "at_camera");
  await visits.browse(async (page) => {
    await welcome(page);
    const ended = await api("GET", visit);
    assert.equal(ended.state, "not_taken");
    assert.equal(ended.why, "left");
    assert.equal((await invite("another")).status, 202);
  });
  assert.equal(kiosk.billed(), billed);
});

test("whoever is asked for agrees, shows their face and reads the answer; the teller's program gets it", () =>
  visits.open(
    async (page) => {
      await welcome(page);
      const billed = kiosk.billed();
      const {status, reference, visit} = await invite("first");
      assert.equal(status, 202);
      assert.equal(visit, `/v1/visits/${reference}`);
      assert.equal((await api("GET", visit)).state, "at_camera");
      assert.equal((await api("GET", `/v1/checks/${reference}`)).status, 404);
      await screenshot(page, "invited-consent");
      const second = await ask("second");
      assert.equal(second.status, 409);
      assert.match(second.engineer, /somebody is before the screen/u);
      await touch(page, "I agree");
      await heading(page, "Are these pictures good?");
      assert.equal(kiosk.billed(), billed, "nobody has sent anything");
      await touch(page, "Send");
      await heading(page, "Verified");
      const letters = (await page.locator(".letters").innerText()).replaceAll(/\s/gu, "");
      assert.equal(letters, reference);
      const check = await until(`/v1/checks/${reference}`, (each) => each.state === "done");
      assert.equal(check.verdict, "verified");
      assert.equal(check.case, "B-17");
      assert.equal(check.operator, "anna");
      assert.equal((await api("GET", visit)).state, "handed_in");
      assert.equal((await ask("first")).reference, reference);
      assert.equal(kiosk.billed(), billed + 1);
      const spoken = `${reference.slice(0, 3)} ${reference.slice(3)}`;
      assert.ok(kiosk.idkiosk("consent", "list").includes(spoken));
      assert.match(kiosk.idkiosk("audit", "list"), new RegExp(`call.asked.*${reference}`, "u"));
      await page.getByRole("button", {name: "Finish"}).click();
      await welcome(page);
    },
    {},
    settings,
  ));

test("whoever does not agree is asked nothing more, and nothing is paid", () =>
  visits.open(
    async (page) => {
      await welcome(page);
      const billed = kiosk.billed();
      const {visit} = await invite("declined", {ask_again: true});
      await touch(page, "No, thank you");
      const stopped = page.getByRole("button", {name: "Finish"});
      await stopped.click();
      await welcome(page);
      const ended = await until(visit, ({state}) => state !== "at_camera");
      assert.equal(ended.state, "not_taken");
      assert.equal(ended.why, "declined");
      assert.equal(kiosk.billed(), billed);
    },
    {},
    settings,
  ));

test("a kiosk that is killed before the camera has asked nothing, and the same key begins anew", async () => {
  await kiosk.start({reasons: ["ACCOUNT_OPENING"]}, settings);
  const billed = kiosk.billed();
  let first;
  await visits.browse(async (page) => {
    await welcome(page);
    first = await invite("killed", {ask_again: true});
    const gone = once(kiosk.process, "exit");
    kiosk.process.kill("SIGKILL");
    await gone;
  });
  await visits.open(
    async (page) => {
      await welcome(page);
      assert.equal((await api("GET", first.visit)).status, 404);
      const again = await invite("killed", {ask_again: true});
      await touch(page, "I agree");
      await heading(page, "Are these pictures good?");
      await touch(page, "Send");
      await heading(page, "Verified");
      assert.equal((await ask("killed", {ask_again: true})).reference, again.reference);
      assert.equal(kiosk.billed(), billed + 1);
    },
    {},
    settings,
  );
});
