// The operator's console of the program itself: each tab shows what is, and an empty kiosk is set up on its page.
// usage: node operator_console_test.mjs IDKIOSK IDKIOSK_SANDBOX
import assert from "node:assert/strict";
import {readdirSync, readFileSync, statSync} from "node:fs";
import path from "node:path";
import {after, before, describe, test} from "node:test";
import {screenshot, withPage} from "./browser.mjs";
import {RealKiosk} from "./kiosk_page/real_kiosk.mjs";
import {heading} from "./kiosk_page/steps.mjs";

const kPin = "580394";
// A refused command, and a stream that ends with the program's parts, are errors on the browser's console too.
const expected = /status of 4\d\d|ERR_/;

const browse = (kiosk, body, {width = 1280, height = 800} = {}) =>
  withPage({width, height, allow: [expected]}, async (page) => {
    await page.goto(kiosk.address);
    await body(page);
  });
const tab = (page, name) => page.getByRole("tab", {name, exact: true}).click();
const panel = (page) => page.getByRole("tabpanel");

async function type(page, pin) {
  await page.keyboard.type(pin);
  await page.keyboard.press("Enter");
}

// Opens the console, and leaves it however the test ends.
const inCorner = (kiosk, body) =>
  browse(kiosk, async (page) => {
    await open(page);
    await body(page).finally(async () => {
      if ((await page.locator(".screen.operator").count()) === 1)
        await page.getByRole("button", {name: "Leave"}).click();
    });
  });

async function open(page) {
  // The first snapshot closes whatever question was asked before it.
  await page.locator("body[data-revision]").waitFor();
  await page.keyboard.press("Control+Shift+O");
  await page.getByRole("dialog", {name: "Operator"}).waitFor();
  await type(page, kPin);
  await page.locator(".screen.operator").waitFor();
}

describe("a kiosk at work", () => {
  const kiosk = new RealKiosk(process.argv[2], process.argv[3]);
  const lookup = () => {
    try {
      return JSON.parse(
        kiosk.idkioskHears(
          `${kiosk.nin}\n`,
          "lookup",
          "nin",
          "-",
          "--reason",
          "ACCOUNT_OPENING",
          "--wait",
          "10",
        ),
      );
    } catch (error) {
      return JSON.parse(error.stdout);
    }
  };
  let answered;
  let unknown;

  before(async () => {
    await kiosk.provision();
    kiosk.idkioskHears(`${kPin}\n`, "pin", "set", "operator");
    answered = lookup();
    kiosk.sandboxDoes(
      "fault",
      "add",
      "--kind",
      "status",
      "--status",
      "500",
      "--endpoint",
      "lookup_nin",
    );
    unknown = lookup();
    await kiosk.start({reasons: ["ACCOUNT_OPENING"]});
  });
  after(() => kiosk.remove());

  test("holding the brand opens it, and erases whoever was there", () =>
    browse(kiosk, async (page) => {
      await page.locator("button.tongue[lang=en]").click();
      await page.getByRole("button", {name: "I agree"}).click();
      await heading(page, "What is your NIN?");
      await page.keyboard.type("701");
      await page.getByText("3 of 11 digits").first().waitFor();
      const brand = await page.locator("header .brand").boundingBox();
      await page.mouse.move(brand.x + brand.width / 2, brand.y + brand.height / 2);
      await page.mouse.down();
      await page.getByRole("dialog", {name: "Operator"}).waitFor();
      await page.mouse.up();
      await type(page, kPin);
      await page.locator(".screen.operator").waitFor();
      await page.getByRole("button", {name: "Leave"}).click();
      await page.locator(".screen.welcome").waitFor();
      assert.equal(await page.locator(".cell").count(), 0);
    }));

  test("readiness names each part, and what to do", () =>
    inCorner(kiosk, async (page) => {
      for (const name of ["configuration", "vault", "queue", "camera", "clock", "service"]) {
        await panel(page).locator("li", {hasText: name}).first().waitFor();
      }
      await page.waitForFunction(() => document.querySelectorAll(".pill-checking").length === 0);
      const text = await panel(page).innerText();
      assert.match(text, /logged in; \d+ request reasons/);
      assert.match(text, /drawn sitter/);
      assert.match(text, /1 unknown: they may have been billed[^]*decide on each/);
      await screenshot(page, "operator-ready");
      await page.getByRole("button", {name: "Check again"}).click();
      await page.waitForFunction(() => document.querySelectorAll(".pill-checking").length === 0);
    }));

  test("queue and ledger show what was sent, and what it cost", () =>
    inCorner(kiosk, async (page) => {
      await tab(page, "Queue");
      const row = page.locator(".call", {
        hasText: `${unknown.reference.slice(0, 3)} ${unknown.reference.slice(3)}`,
      });
      await row.waitFor();
      assert.match(await row.innerText(), /Unknown/);
      await screenshot(page, "operator-queue");
      await tab(page, "Ledger");
      await page.waitForFunction(() =>
        [...document.querySelectorAll(".chart-bar")].some(
          (bar) => Number(bar.getAttribute("height")) > 0,
        ),
      );
      assert.match(await panel(page).innerText(), /2\s*Calls/);
      await page.getByRole("cell", {name: answered.reference}).waitFor();
      assert.equal(await page.locator(".chart-bar").count(), 24);
      await screenshot(page, "operator-ledger");
    }));

  test("a resend says its price and asks, and is sent once", () =>
    inCorner(kiosk, async (page) => {
      const billed = kiosk.billed();
      await tab(page, "Queue");
      await page.getByRole("button", {name: "Send again"}).click();
      const question = page.getByRole("alertdialog");
      await question.getByText(/it may be billed twice: \d+\.\d\d NGN more/).waitFor();
      await question.getByRole("button", {name: "Back"}).click();
      assert.equal(kiosk.billed(), billed);
      await page.getByRole("button", {name: "Send again"}).click();
      await question.getByRole("button", {name: "Send again"}).click();
      await page.locator(".call", {hasText: "Verified"}).nth(1).waitFor();
      assert.equal(kiosk.billed(), billed + 1);
    }));

  test("the camera's picture and measures move, and it is let go", () =>
    inCorner(kiosk, async (page) => {
      await tab(page, "Camera");
      await page.locator(".meters li", {hasText: "Sharpness"}).waitFor();
      await page.waitForFunction(
        () => document.querySelector(".camera-picture img").naturalWidth > 100,
      );
      const before = await page.locator(".meters").innerText();
      await page.waitForFunction(
        (text) => document.querySelector(".meters").innerText !== text,
        before,
      );
      assert.match(await panel(page).innerText(), /synthetic/);
      await screenshot(page, "operator-camera");
      await page.getByRole("button", {name: "Leave"}).click();
      await page.locator(".screen.welcome").waitFor();
      // It is there for the next person.
      await page.locator("button.tongue[lang=en]").click();
      await page.getByRole("button", {name: "I agree"}).click();
      await heading(page, "What is your NIN?");
      await page.keyboard.type(kiosk.nin);
      await page.getByRole("button", {name: "Next"}).click();
      await page.locator(".screen.camera").waitFor();
      await page.getByRole("heading", {level: 1, name: "Are these pictures good?"}).waitFor();
      await page.getByRole("button", {name: "Stop and erase"}).click();
    }));

  test("vault and log say much, and nothing of a person", () =>
    inCorner(kiosk, async (page) => {
      await tab(page, "Vault");
      await panel(page).getByText("api_key").waitFor();
      assert.match(await panel(page).innerText(), /does not protect against theft/);
      assert.deepEqual(
        await panel(page)
          .locator("li", {has: page.locator(".pill-missing")})
          .locator("strong")
          .allInnerTexts(),
        [],
      );
      await screenshot(page, "operator-vault");
      await tab(page, "Staff");
      await panel(page).getByText("One operator alone", {exact: false}).waitFor();
      await panel(page).getByText("Signed in").waitFor();
      await tab(page, "Log");
      await panel(page).getByText("ready: kiosk, sandbox").waitFor();
      assert.ok(!(await panel(page).innerText()).includes(kiosk.nin));
      await screenshot(page, "operator-log");
    }));

  test("a bundle is written for its owner alone, and can be read", () =>
    inCorner(kiosk, async (page) => {
      await tab(page, "Set-up");
      await page.getByRole("button", {name: "Write it"}).click();
      const written = panel(page).getByText(/^Written: /);
      await written.waitFor();
      const file = (await written.innerText()).slice("Written: ".length);
      await screenshot(page, "operator-setup");
      assert.equal(statSync(file).mode & 0o777, 0o600);
      const text = readFileSync(file, "utf8");
      const bundle = JSON.parse(text);
      assert.ok(bundle.program.uptime_s > 0);
      assert.ok(bundle.readiness.some(({part}) => part === "camera"));
      assert.equal(
        bundle.billed_by_hour.reduce((sum, {calls}) => sum + calls, 0),
        3,
      );
      const {login, api_key: key, user_id: user} = kiosk.message;
      for (const secret of [kiosk.nin, kPin, key, user, login.email, login.password])
        assert.ok(!text.includes(secret));
    }));

  test("a kiosk at work is set up anew, and its page goes on", () =>
    browse(kiosk, async (page) => {
      await open(page);
      await tab(page, "Set-up");
      await page.getByLabel("The onboarding message").fill(JSON.stringify(kiosk.message));
      await page.getByRole("button", {name: "Set up", exact: true}).click();
      await panel(page).getByText("The kiosk restarts with the new set-up.").waitFor();
      await page.locator(".screen.welcome").waitFor();
      await open(page);
      await tab(page, "Queue");
      await page.locator(".call", {hasText: "Verified"}).first().waitFor();
      await tab(page, "Log");
      await panel(page).getByText("starting again").waitFor();
      await page.getByRole("button", {name: "Leave"}).click();
    }));

  test("a page that has left opens nothing", () =>
    inCorner(kiosk, async (page) => {
      await page.getByRole("button", {name: "Leave"}).click();
      await page.locator(".screen.welcome").waitFor();
      const answer = await page.evaluate(
        async () =>
          (
            await fetch("/command", {
              method: "POST",
              headers: {"Content-Type": "application/json"},
              body: JSON.stringify({session: "x", do: "operator.bundle"}),
            })
          ).status,
      );
      assert.equal(answer, 409);
    }));
});

describe("a kiosk that is not set up", () => {
  const kiosk = new RealKiosk(process.argv[2], process.argv[3]);
  before(async () => {
    await kiosk.prepare();
    kiosk.idkiosk("vault", "init");
    kiosk.idkioskHears(`${kPin}\n`, "pin", "set", "operator");
    await kiosk.start({reasons: ["ACCOUNT_OPENING"]});
  });
  after(() => kiosk.remove());

  test("says so, and is set up on its page", () =>
    browse(kiosk, async (page) => {
      await heading(page, "This kiosk is not set up yet");
      await screenshot(page, "not-set-up");
      await open(page);
      await panel(page).getByText("This kiosk is not set up yet.").waitFor();
      const message = page.getByLabel("The onboarding message");
      const submit = page.getByRole("button", {name: "Set up", exact: true});
      const problem = page.locator("form .problem");

      await message.fill("not json");
      await submit.click();
      await problem.getByText("the message: not JSON at line 1").waitFor();
      const {api_key: key, ...without} = kiosk.message;
      await message.fill(JSON.stringify(without));
      await submit.click();
      await problem.getByText("the message lacks api_key").waitFor();
      await message.fill(JSON.stringify({...kiosk.message, filler: "x".repeat(17_000)}));
      await submit.click();
      await problem.getByText("too long: 16 kB").waitFor();
      await screenshot(page, "operator-setup-problem");

      await message.fill(JSON.stringify(kiosk.message, null, 2));
      await submit.click();
      await heading(page, "Show that it is really you");
      assert.ok(!(await page.content()).includes(key));
      await open(page);
      await page.waitForFunction(
        () =>
          document.querySelectorAll(".parts li").length > 5 &&
          document.querySelectorAll(".pill-checking").length === 0,
      );
      assert.match(await panel(page).innerText(), /logged in/);
      const local = readFileSync(path.join(kiosk.folder, "kiosk.local.jsonc"), "utf8");
      assert.ok(local.includes(kiosk.message.base_url));
      assert.ok(!local.includes(key));
    }));

  test("is erased on its page by two operators, and by nobody alone", async () => {
    await kiosk.stop();
    kiosk.idkioskHears("713952\n", "staff", "add", "Bello", "--role", "operator");
    kiosk.idkioskHears("602841\n", "staff", "add", "Amina", "--role", "operator");
    await kiosk.start({reasons: ["ACCOUNT_OPENING"]});
    await browse(kiosk, async (page) => {
      await page.locator("body[data-revision]").waitFor();
      await page.keyboard.press("Control+Shift+O");
      await page.getByRole("button", {name: "Amina", exact: true}).click();
      await type(page, "602841");
      await page.locator(".screen.operator").waitFor();
      await tab(page, "Staff");
      await panel(page).getByText("Two operators must agree", {exact: false}).waitFor();
      await tab(page, "Vault");
      await page.getByRole("button", {name: "Erase everything"}).click();
      await page.getByRole("alertdialog").getByRole("button", {name: "Erase everything"}).click();
      const second = page.getByRole("dialog", {name: "Another operator must agree", exact: false});
      await second.locator(".pin-who").getByText("Bello").waitFor();
      const vault = path.join(kiosk.folder, "state/vault");
      const before = readdirSync(vault);
      await type(page, "602841");
      await second.getByText("This PIN is not right.").waitFor();
      assert.deepEqual(readdirSync(vault), before, "the first one's PIN is not the second's");
      await type(page, "713952");
      await heading(page, "This kiosk is not set up yet");
      assert.deepEqual(
        readdirSync(vault).filter((name) => !name.endsWith("lock")),
        [],
      );
      assert.ok(!readdirSync(path.join(kiosk.folder, "state")).includes("queue.db"));
    });
  });
});
