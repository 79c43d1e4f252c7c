// A branch: the clerk's desk in Chromium, the program itself, the drawn sitter, and the sandbox over HTTPS.
// usage: node branch_test.mjs IDKIOSK IDKIOSK_SANDBOX
import assert from "node:assert/strict";
import {readdirSync, readFileSync, statSync} from "node:fs";
import path from "node:path";
import {after, before, test} from "node:test";
import {screenshot} from "./browser.mjs";
import {RealKiosk} from "./kiosk_page/real_kiosk.mjs";
import {enterPin, kPin, unlocked} from "./kiosk_page/staff_steps.mjs";
import {heading, touch, until} from "./kiosk_page/steps.mjs";

const kSize = {width: 1280, height: 800};
const kPhone = "07000000123";
const kNin = "70123456123";

const kiosk = new RealKiosk(process.argv[2], process.argv[3]);

before(async () => {
  await kiosk.provision();
  kiosk.idkioskHears(`${kPin}\n`, "pin", "set", "clerk");
  kiosk.sandboxDoes(
    "people",
    "add",
    "--nin",
    "70123456124",
    "--name",
    "Bola Sample",
    "--phone",
    "07000000124",
  );
  kiosk.sandboxDoes("people", "add", "--nin", kNin, "--name", "Amina Sample", "--phone", kPhone);
});
after(() => kiosk.remove());

// With a program that has just been started, and a desk that is open.
async function open(body, staff = {}) {
  await kiosk.start(
    {},
    {
      mode: "branch",
      staff: {name: "desk-7", ...staff},
      billing: {duplicate_window: "24 h"},
      log: {level: "debug", file: path.join(kiosk.folder, "log")},
    },
  );
  await unlocked(kiosk, kSize, body).finally(() => kiosk.stop());
}

// Asks what a tab of the desk asks.
async function ask(page, task, fields) {
  await page.getByRole("button", {name: task, exact: true}).click();
  for (const [name, value] of Object.entries(fields)) {
    const field = page.locator(`#ask-${name}`);
    await (name === "reason" || name === "type" ? field.selectOption(value) : field.fill(value));
  }
  // Whoever comes before the camera agrees there.
  const agreed = page.locator("#ask-consent");
  if (await agreed.isVisible()) await agreed.check();
  await touch(page, "Ask");
}

const answer = (page) => page.locator(".answer-card");
const rows = (page, state) => page.locator(".call").filter({has: page.locator(`.pill-${state}`)});

test("a wrong PIN opens nothing, and the third closes the desk for a while", async () => {
  await kiosk.start({}, {mode: "branch"});
  await unlocked(kiosk, kSize, async (page) => {
    await touch(page, "Lock");
    for (const pin of ["000001", "000002"]) {
      await enterPin(page, pin);
      await page.getByText("This PIN is not right.").waitFor();
    }
    await enterPin(page, "000003");
    await page.getByText(/Wait \d\d seconds/).waitFor();
    await screenshot(page, "branch-real-locked-out");
    await enterPin(page, kPin);
    await page.getByText(/Wait 2\d seconds/).waitFor();
    assert.equal(await page.locator(".screen.desk").count(), 0);
    kiosk.idkioskHears(`${kPin}\n`, "pin", "set", "clerk");
  }).finally(() => kiosk.stop());
});

test("every question once: asked, answered, paid for, and in the ledger under the desk's name", () =>
  open(async (page) => {
    const billed = kiosk.billed();
    await screenshot(page, "branch-real-desk");
    await ask(page, "NIN details", {nin: kNin, reason: "ACCOUNT_OPENING"});
    await answer(page).getByRole("heading", {name: "Verified"}).waitFor();
    await answer(page).getByText("Amina Sample", {exact: false}).waitFor();
    await page.waitForFunction(() => document.querySelector(".answer-photo")?.naturalWidth > 20);
    await screenshot(page, "branch-real-answer");
    assert.equal(
      await page.locator("#ask-nin").inputValue(),
      "",
      "what was asked is gone from the form",
    );
    await touch(page, "Done");
    await page.getByText("The answer comes here.").waitFor();

    await ask(page, "Any ID", {type: "nin", id_number: kNin});
    await answer(page).getByRole("heading", {name: "Verified"}).waitFor();
    await ask(page, "Phone", {phone: kPhone});
    await answer(page).getByText("Phone", {exact: true}).waitFor();
    await answer(page).getByRole("heading", {name: "Verified"}).waitFor();
    await ask(page, "NIN by phone", {phone: kPhone, reason: "ACCOUNT_OPENING"});
    await answer(page).getByText("NIN by phone", {exact: true}).waitFor();
    await answer(page).getByText("Amina Sample", {exact: false}).waitFor();

    await ask(page, "Face and NIN", {nin: kiosk.nin, reason: "ACCOUNT_OPENING"});
    await touch(page, "I agree");
    await page.locator(".screen.camera").waitFor();
    await heading(page, "Are these pictures good?");
    await screenshot(page, "branch-real-look");
    await touch(page, "Send");
    await page.locator(".screen.desk").waitFor();
    await answer(page).getByText("Face and NIN", {exact: true}).waitFor();
    await answer(page).getByRole("heading", {name: "Verified"}).waitFor();
    assert.equal(kiosk.billed(), billed + 5);
    await page.getByText("Calls today: 5").waitFor();
    await page.getByText("Spent: 255.00 NGN").waitFor();
    await page.getByText("Network up").waitFor();
    assert.equal(await rows(page, "verified").count(), 5);
    await screenshot(page, "branch-real-all");
    assert.match(kiosk.idkiosk("ledger", "sum", "--by", "operator", "--json"), /desk-7/);
  }));

test("what is typed wrong is said in words, and asks nothing", () =>
  open(async (page) => {
    const billed = kiosk.billed();
    await ask(page, "NIN details", {nin: "123", reason: "ACCOUNT_OPENING"});
    await page.getByText("A NIN has 11 digits.").waitFor();
    assert.equal(await page.locator("#ask-nin").inputValue(), "123", "and can be mended");
    await ask(page, "NIN details", {nin: kNin});
    await page.getByText("Choose a reason.").waitFor();
    await ask(page, "Phone", {phone: "12345"});
    await page.getByText("This is not a phone number.").waitFor();
    await screenshot(page, "branch-real-wrong");
    assert.equal(kiosk.billed(), billed);
  }));

test("a question that was asked before is pointed out, and asked again only after a yes", () =>
  open(async (page) => {
    const billed = kiosk.billed();
    await ask(page, "Phone", {phone: kPhone});
    const question = page.getByRole("alertdialog", {name: "Asked before"});
    await question.getByText(/Asking again is billed again: [0-9.]+ NGN\./).waitFor();
    await screenshot(page, "branch-real-asked-before");
    await question.getByRole("button", {name: "Back"}).click();
    assert.equal(kiosk.billed(), billed);
    await touch(page, "Ask");
    await question.getByRole("button", {name: "Ask again"}).click();
    await answer(page).getByRole("heading", {name: "Verified"}).waitFor();
    assert.equal(kiosk.billed(), billed + 1);
  }));

test("an unknown call is sent again only after a yes to its price", () =>
  open(async (page) => {
    kiosk.sandboxDoes("fault", "add", "--kind", "drop-after-body", "--endpoint", "lookup_nin");
    const billed = kiosk.billed();
    await ask(page, "NIN details", {nin: kiosk.nin, reason: "LOAN_APPLICATION"});
    await answer(page).getByRole("heading", {name: "No answer yet"}).waitFor();
    assert.equal(kiosk.billed(), billed + 1);
    const unknown = rows(page, "unknown");
    await unknown.getByRole("button", {name: "Send again"}).click();
    const question = page.getByRole("alertdialog");
    await question.getByText("billed twice: 50.00 NGN more.").waitFor();
    await screenshot(page, "branch-real-resend");
    await question.getByRole("button", {name: "Back"}).click();
    assert.equal(kiosk.billed(), billed + 1);
    await unknown.getByRole("button", {name: "Send again"}).click();
    await question.getByRole("button", {name: "Send again"}).click();
    await unknown.waitFor({state: "detached"});
    await until("sending it again", () => kiosk.billed() === billed + 2);

    kiosk.sandboxDoes("fault", "add", "--kind", "drop-after-body", "--endpoint", "check");
    await ask(page, "Any ID", {id_number: kiosk.nin});
    await unknown.getByRole("button", {name: "Give up"}).click();
    await question.getByRole("button", {name: "Give up"}).click();
    await rows(page, "given_up").waitFor();
    assert.equal(kiosk.billed(), billed + 3);
  }));

test("a call that was kept is delivered later, and its answer can be opened then", () =>
  open(async (page) => {
    const billed = kiosk.billed();
    await kiosk.stopSandbox();
    await ask(page, "NIN by phone", {phone: "07000000124", reason: "TENANCY"});
    await answer(page).getByRole("heading", {name: "Kept for later"}).waitFor();
    await page.getByText("Network down").waitFor();
    await screenshot(page, "branch-real-offline");
    const reference = (await answer(page).locator("dd").first().innerText()).trim();
    await kiosk.startSandbox();
    await until("the delivery", () => kiosk.billed() === billed + 1);
    const call = page.locator(".call").filter({hasText: reference});
    await call.getByRole("button", {name: "Show"}).click();
    await answer(page).getByText("Bola Sample", {exact: false}).waitFor();
  }));

test("a lock leaves nothing of anybody on the page", () =>
  open(async (page) => {
    await page.locator(".call").getByRole("button", {name: "Show"}).first().click();
    await answer(page).locator("dl").waitFor();
    const photo =
      (await page.locator(".answer-photo").count()) > 0
        ? await page.locator(".answer-photo").getAttribute("src")
        : "";
    await page.locator("#ask-nin").fill(kNin);
    await touch(page, "Lock");
    await page.locator(".screen.locked").waitFor();
    const content = await page.content();
    for (const personal of ["Sample", kNin, kPhone])
      assert.ok(!content.includes(personal), `${personal} is still there`);
    if (photo !== "")
      assert.equal((await page.request.get(new URL(photo, page.url()).href)).status(), 404);
    await enterPin(page, kPin);
    await page.getByText("The answer comes here.").waitFor();
    assert.equal(await page.locator("#ask-nin").inputValue(), "");
  }));

test("a desk that nobody touches locks itself", () =>
  open(
    async (page) => {
      await page.locator(".call").getByRole("button", {name: "Show"}).first().click();
      await answer(page).locator("dl").waitFor();
      await page.locator(".screen.locked").waitFor();
    },
    {lock_after: "30 s"},
  ));

test("a desk says that its camera is away before anybody sits down", async () => {
  await kiosk.start({}, {mode: "branch"}, "v4l2:/dev/video-that-is-not-there");
  await unlocked(kiosk, kSize, async (page) => {
    await page.getByText("Camera not working").waitFor();
    await ask(page, "Face and NIN", {nin: "70123456788", reason: "ACCOUNT_OPENING"});
    await touch(page, "I agree");
    await heading(page, "The camera does not work");
    await page.getByRole("button", {name: "Finish"}).click();
    await page.locator(".screen.desk").waitFor();
  }).finally(() => kiosk.stop());
});

test("neither the disk nor the log holds a PIN or anything of anybody", () => {
  const files = readdirSync(kiosk.folder, {recursive: true})
    .filter((name) => !name.startsWith("sandbox"))
    .map((name) => path.join(kiosk.folder, name))
    .filter((name) => statSync(name).isFile());
  assert.ok(
    files.some((name) => path.basename(name).startsWith("log")) &&
      files.some((name) => name.includes("state")),
  );
  for (const file of files) {
    const bytes = readFileSync(file);
    for (const personal of [kPin, kNin, kPhone, "Sample", "07000000124"]) {
      assert.ok(!bytes.includes(personal), `${file} holds ${personal}`);
    }
  }
});
