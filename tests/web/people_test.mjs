// Five people's paths, each from welcome to an end: who cannot read, who cannot turn the head, who wears glasses, who types
// the wrong number, who leaves while waiting.
// usage: node people_test.mjs IDKIOSK IDKIOSK_SANDBOX
import assert from "node:assert/strict";
import {after, before, test} from "node:test";
import {screenshot} from "./browser.mjs";
import {RealKiosk} from "./kiosk_page/real_kiosk.mjs";
import {heading, touch, until} from "./kiosk_page/steps.mjs";
import {toLook, toNumber, typeNumber, Visits} from "./kiosk_page/visit.mjs";

const kiosk = new RealKiosk(process.argv[2], process.argv[3]);
const visits = new Visits(kiosk);

before(() => kiosk.provision());
after(() => kiosk.remove());

const reference = async (page) => (await page.locator(".letters").innerText()).replace(/\s/g, "");
const show = (call) => JSON.parse(kiosk.says("--json", "queue", "show", call));

test("who cannot read hears every screen, finds the language by ear, and hears the reference", () =>
  visits.open(async (page, said) => {
    const heard = (...keys) =>
      until(
        `hearing ${keys}`,
        () => keys.every((key) => said.includes(key)),
        () => said.length,
      ).catch((error) => assert.fail(`${error.message}; heard: ${said}`));
    // A kiosk that is still looking at its parts says that instead.
    await page.locator(".closed").waitFor({state: "hidden"});
    await heard("en welcome.title");
    said.length = 0;
    await page.locator("footer .again").click();
    await heard("en welcome.title");
    // Each language by its own voice, one after the other.
    await heard("en welcome.choose", "en welcome.here", "fr welcome.here");
    await page.locator("button.tongue[lang=en]").click();
    await heard("en consent.title", "en consent.what_text");
    await page.locator(".actions .first").click();
    await heard("en number.title");
    for (const digit of kiosk.nin) await touch(page, digit);
    await page.getByText("11 of 11 digits").first().waitFor();
    await touch(page, "Read my number to me");
    await heard("en digit.7");
    await page.locator(".actions .first").last().click();
    await heard("en prompt.selfie");
    await heading(page, "Are these pictures good?");
    await heard("en look.title");
    await page.locator(".actions .first").click();
    await heading(page, "Verified");
    await heard("en answer.verified", "en answer.reference");
    const [letter] = await reference(page);
    await heard(/\d/.test(letter) ? `en digit.${letter}` : `en letter.${letter}`);
  }));

test("who cannot turn the head is asked for something else, where the bank allows it", () =>
  visits.open(
    async (page) => {
      await toNumber(page);
      await typeNumber(page, kiosk.nin);
      await page.locator(".screen.camera").waitFor();
      await touch(page, "I cannot do this");
      await heading(page, "That is all right");
      await screenshot(page, "people-cannot");
      await touch(page, "Turn to the left");
      await page.locator(".screen.camera").waitFor();
      await touch(page, "I cannot do this");
      await page.locator(".tile[aria-pressed=true]", {hasText: "Turn to the left"}).waitFor();
      await touch(page, "Turn to the right");
      const asked = new Set();
      await page.exposeFunction("asksFor", (pose) => asked.add(pose));
      await page.evaluate(() => {
        const look = () => {
          const pose = document.querySelector(".asked .head")?.dataset.pose;
          if (pose) window.asksFor(pose);
          requestAnimationFrame(look);
        };
        look();
      });
      await heading(page, "Are these pictures good?");
      assert.ok(asked.size >= 2, [...asked].join());
      for (const pose of ["turn_left", "turn_right"]) assert.ok(!asked.has(pose), pose);
      await touch(page, "Send");
      await heading(page, "Verified");
    },
    {},
    {capture: {may_leave_out: ["turn_left", "turn_right"]}},
  ));

test("who can do none of it is sent to the staff without blame, and nothing of them stays", () =>
  visits.open(
    async (page) => {
      await toNumber(page);
      await typeNumber(page, kiosk.nin);
      await page.locator(".screen.camera").waitFor();
      await touch(page, "I cannot do this");
      await page.getByText("The staff can help you, or check you in another way.").waitFor();
      assert.equal(await page.locator(".tile").count(), 0);
      await touch(page, "Ask the staff");
      await heading(page, "The staff will help you");
      await page.getByText("You did nothing wrong.", {exact: false}).waitFor();
      await page.getByText("Everything of yours was erased from this screen.").waitFor();
      // Who reads slowly gets the whole time again.
      await page.waitForFunction(() => Number(document.querySelector(".count").innerText) < 118);
      await touch(page, "More time");
      await page.waitForFunction(() => Number(document.querySelector(".count").innerText) >= 118);
      await screenshot(page, "people-help");
      await page.locator(".finish").click();
      await heading(page, "Show that it is really you");
    },
    {answer: "2 min"},
    {capture: {may_leave_out: [], light_sequence: "off"}},
  ));

test("who wears glasses keeps them, and takes dark ones off when asked", async () => {
  for (const glasses of ["clear", "dark"]) {
    kiosk.camera = `synthetic:reaction=100,glasses=${glasses}`;
    await visits
      .open(async (page) => {
        await toNumber(page);
        await typeNumber(page, kiosk.nin);
        if (glasses === "clear") return heading(page, "Are these pictures good?");
        await page
          .locator(".screen.camera")
          .getByText("Take off dark glasses and keep your eyes free")
          .waitFor();
        await screenshot(page, "people-dark-glasses");
        await touch(page, "Stop and erase");
        await heading(page, "Show that it is really you");
      })
      .finally(() => {
        kiosk.camera = "synthetic:reaction=100";
      });
  }
});

test("who types the wrong number corrects it without beginning anew", () =>
  visits.open(async (page) => {
    const billed = kiosk.billed();
    await toLook(page, "70123456780");
    await touch(page, "Send");
    await heading(page, "Not verified");
    await page.getByText("The NIN ends in 780.").waitFor();
    await screenshot(page, "people-wrong-number");
    await touch(page, "Change my number");
    await heading(page, "What is your NIN?");
    for (let i = 0; i < 11; ++i) await touch(page, "Delete the last digit");
    await typeNumber(page, kiosk.nin);
    await heading(page, "Are these pictures good?");
    await touch(page, "Send");
    await heading(page, "Verified");
    assert.equal(kiosk.billed(), billed + 2);
    const consents = kiosk.says("--json", "consent", "list").trim().split("\n");
    assert.equal(JSON.parse(consents.at(-1)).language, "en");
  }));

test("who leaves while waiting takes the reference along, and the check is done without them", () =>
  visits.open(async (page) => {
    kiosk.fault("--kind", "delay", "--delay-ms", "20000");
    await toLook(page, kiosk.nin);
    await touch(page, "Send");
    await heading(page, "Please wait");
    const leave = page.getByRole("button", {name: "Leave"});
    await leave.waitFor();
    const call = await reference(page);
    assert.match(call, /^[A-Z0-9]{6}$/);
    await screenshot(page, "people-leaves");
    await leave.click();
    await heading(page, "Show that it is really you");
    assert.ok(!(await page.content()).includes(call));
    await until("the answer", () => show(call).verdict === "verified");
  }));
