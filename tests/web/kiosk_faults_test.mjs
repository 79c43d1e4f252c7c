// What a person reads when the service, the network or the kiosk itself will not: the page in Chromium, the program
// itself, and a sandbox that fails as it is told. What was billed is counted at the sandbox.
// usage: node kiosk_faults_test.mjs IDKIOSK IDKIOSK_SANDBOX
import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {screenshot} from "./browser.mjs";
import {RealKiosk} from "./kiosk_page/real_kiosk.mjs";
import {heading, touch, until} from "./kiosk_page/steps.mjs";
import {lead, toLook, toNumber, typeNumber, Visits} from "./kiosk_page/visit.mjs";

const kiosk = new RealKiosk(process.argv[2], process.argv[3]);
const visits = new Visits(kiosk);
// Sandbox people: one whose face does not match, and one who comes once.
const kStranger = "70123456708";
const kVisitor = "70123456702";

let expected = 0;
before(() => kiosk.provision());
// Nothing was sent later, or once more, behind a person's back.
after(async () => {
  const billed = kiosk.billed();
  await kiosk.remove();
  assert.equal(billed, expected, "billed at the end");
});

// One whole check: what it ends in, why, and what it cost; without a cost that is not counted here.
async function check(page, {nin = kiosk.nin, title, why, cost, name}) {
  await toLook(page, nin);
  await touch(page, "Send");
  await heading(page, title);
  assert.equal(await lead(page), why);
  await screenshot(page, `kiosk-real-${name}`);
  if (cost !== undefined) {
    expected += cost;
    assert.equal(kiosk.billed(), expected);
  }
  return (await page.locator(".letters").innerText()).replace(/\s/g, "");
}

const stateOf = (reference) =>
  JSON.parse(kiosk.idkiosk("queue", "list", "--json")).find((call) => call.reference === reference)
    ?.state;

test("pictures that are too large are made smaller, and the person sees only the answer", () =>
  visits.open(async (page) => {
    kiosk.fault("--kind", "status", "--status", "413");
    await check(page, {title: "Verified", why: "It is you. Thank you.", cost: 1, name: "413"});
  }));

test("a service that is busy is asked again when it says so", () =>
  visits.open(async (page) => {
    kiosk.fault("--kind", "status", "--status", "429", "--retry-after", "10");
    await check(page, {
      title: "Kept for later",
      why: "The service is very busy. Your check is kept and sent later.",
      // It may be sent before a slow machine has its picture of the screen.
      name: "429",
    });
    expected += 1;
    await until("delivery", () => kiosk.billed() === expected);
  }));

for (const [what, words, billed] of [
  ["500", ["--kind", "status", "--status", "500"], 1],
  ["dropped", ["--kind", "drop-after-body"], 1],
  ["portal", ["--kind", "html"], 1],
  ["cut", ["--kind", "cut"], 1],
]) {
  test(`an answer that was lost (${what}) is unknown, and nothing is sent again`, () =>
    visits.open(
      async (page) => {
        kiosk.fault(...words);
        const reference = await check(page, {
          title: "No answer yet",
          why: "The service had a fault and gave no answer. Show your reference to the staff.",
          cost: billed,
          name: what,
        });
        assert.equal(stateOf(reference), "unknown");
      },
      {},
      {billing: {duplicate_window: "0 s", breaker_after: 0}},
    ));
}

test("a face that does not match is not verified", () =>
  visits.open(async (page) => {
    await check(page, {
      nin: kStranger,
      title: "Not verified",
      why: "Your face does not match this NIN. Please speak to the staff.",
      cost: 1,
      name: "no-match",
    });
  }));

test("the same question is pointed out before the camera opens, and tells a stranger nothing", () =>
  visits.open(
    async (page) => {
      const reference = await check(page, {
        nin: kVisitor,
        title: "Verified",
        why: "It is you. Thank you.",
        cost: 1,
        name: "first",
      });
      await page.getByRole("button", {name: "Finish"}).click();
      await toNumber(page);
      await typeNumber(page, kVisitor);
      await heading(page, "This was asked for here before");
      await page.getByText("the service answered").waitFor();
      await screenshot(page, "kiosk-real-repeated");
      const text = await page.locator("body").innerText();
      for (const secret of [reference, reference.slice(0, 3), "erified", kVisitor])
        assert.ok(!text.includes(secret), secret);
      await touch(page, "Stop and erase");
      await heading(page, "Show that it is really you");
      await toNumber(page);
      await typeNumber(page, kVisitor);
      await touch(page, "Check again");
      await heading(page, "Are these pictures good?");
      await touch(page, "Stop and erase");
    },
    {},
    {billing: {duplicate_window: "24 h"}},
  ));

test("a kiosk that has spent what it may turns people away before they show their face", () =>
  visits.open(
    async (page) => {
      await page.locator("button.tongue[lang=en]").click();
      await heading(page, "No more checks for now");
      await screenshot(page, "kiosk-real-spend-cap");
    },
    {},
    {billing: {duplicate_window: "0 s", calls_per_day: 1}},
  ));

test("a kiosk that may not ask turns people away until somebody has mended it", () =>
  visits.open(async (page) => {
    kiosk.fault("--kind", "status", "--status", "403");
    await check(page, {
      title: "Kept for later",
      why: "This kiosk is not allowed to make this check. Your check is kept. Please tell the staff.",
      cost: 0,
      name: "403",
    });
    await page.getByRole("button", {name: "Finish"}).click();
    await page.locator("button.tongue[lang=en]").click();
    await heading(page, "No checks here for now");
    await screenshot(page, "kiosk-real-held");
  }));
