// After an outage 20 calls are unknown and 200 wait, of 8 people: one person at the console resolves them all.
// usage: node unknown_calls_test.mjs IDKIOSK IDKIOSK_SANDBOX
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from "node:fs";
import http from "node:http";
import path from "node:path";
import {after, before, test} from "node:test";
import {screenshot, withPage} from "./browser.mjs";
import {RealKiosk} from "./kiosk_page/real_kiosk.mjs";
import {until} from "./kiosk_page/steps.mjs";

const kPin = "580394";
const kUnknown = 20;
const kWaiting = 200;
const kPeople = 8;
const kMostTouches = 6;
// A refused command, and a stream that ends with the program's parts, are errors on the browser's console too.
const expected = /status of 4\d\d|ERR_/;

const kiosk = new RealKiosk(process.argv[2], process.argv[3]);
const stick = path.join(kiosk.folder, "sticks/STICK");
const socket = path.join(kiosk.folder, "api.sock");
let people;

// As the bank's other programs ask, over the socket file of the kiosk that runs.
const post = (path, members) =>
  new Promise((done, failed) => {
    const body = JSON.stringify(members);
    const request = http.request(
      {
        socketPath: socket,
        path,
        method: "POST",
        headers: {"Content-Type": "application/json", "Content-Length": Buffer.byteLength(body)},
      },
      async (answer) => {
        let text = "";
        for await (const part of answer) text += part;
        if (answer.statusCode === 202) done(JSON.parse(text));
        else failed(new Error(`${answer.statusCode}: ${text}`));
      },
    );
    request.on("error", failed);
    request.end(body);
  });
const ask = (nin) => post("/v1/checks", {endpoint: "lookup_nin", nin, reason: "ACCOUNT_OPENING"});
const stats = () => JSON.parse(kiosk.says("--json", "queue", "stats"));
const audited = (event) =>
  kiosk.says("--json", "audit", "list").split(`"event":"${event}"`).length - 1;

before(async () => {
  await kiosk.provision();
  kiosk.idkioskHears(`${kPin}\n`, "pin", "set", "operator");
  mkdirSync(stick, {recursive: true});
  Object.assign(kiosk.local, {
    billing: {duplicate_window: "0 s", breaker_after: 0},
    staff: {sticks: path.dirname(stick)},
  });
  writeFileSync(path.join(kiosk.folder, "kiosk.local.jsonc"), JSON.stringify(kiosk.local));
  people = Array.from({length: kPeople}, (_, i) => `7051234560${i}`);
  for (const [i, nin] of people.entries())
    kiosk.sandboxDoes(
      "people",
      "add",
      "--nin",
      nin,
      "--name",
      `Person ${i}`,
      "--phone",
      `0700000050${i}`,
    );
  const fault = ["--kind", "drop-after-body", "--endpoint", "lookup_nin", "--count", "0"];
  kiosk.sandboxDoes("fault", "add", ...fault);
  await kiosk.start({reasons: ["ACCOUNT_OPENING"]}, {api: {socket}});
  await until("the socket", () => existsSync(socket));
  for (let i = 0; i < kUnknown; ++i) await ask(people[i % kPeople]);
  await until("an outage", () => stats().unknown === kUnknown);
  kiosk.sandboxDoes("fault", "clear");
  await kiosk.stopSandbox();
  for (let i = 0; i < kWaiting; ++i) await ask(people[i % kPeople]);
  assert.equal(stats().unknown, kUnknown);
});
after(() => kiosk.remove());

const inQueue = (body) =>
  withPage({width: 1280, height: 800, allow: [expected]}, async (page) => {
    await page.goto(kiosk.address);
    await page.locator("body[data-revision]").waitFor();
    await page.keyboard.press("Control+Shift+O");
    await page.getByRole("dialog", {name: "Operator"}).waitFor();
    await page.keyboard.type(kPin);
    await page.keyboard.press("Enter");
    await page.locator(".screen.operator").waitFor();
    let touches = 0;
    const touch = async (locator) => {
      await locator.click();
      ++touches;
    };
    await touch(page.getByRole("tab", {name: "Queue"}));
    await page.locator(".person").first().waitFor();
    await body(page, touch, () => touches);
    await page.getByRole("button", {name: "Leave"}).click();
  });

test("the list shows every call by person, and a whole number only after the PIN, for ten seconds", () =>
  inQueue(async (page) => {
    const [nin] = people;
    const masked = (text) => `${text.slice(0, 3)} **** **${text.slice(-2)}`;
    const seen = new Set();
    let rows = 0;
    for (;;) {
      const text = await page.getByRole("tabpanel").innerText();
      for (const each of people) {
        assert.ok(!text.includes(each), "a whole number is shown");
        if (text.includes(masked(each))) seen.add(each);
      }
      rows += await page.locator(".people .call").count();
      const next = page.getByRole("button", {name: "Next page"});
      if (await next.isDisabled()) break;
      const before = await page.locator(".pager").innerText();
      await next.click();
      await page.waitForFunction(
        (text) => document.querySelector(".pager").innerText !== text,
        before,
      );
    }
    assert.equal(rows, kUnknown + kWaiting);
    assert.equal(seen.size, kPeople);
    await page.getByRole("button", {name: /^Unknown/}).click();
    assert.equal(await page.locator(".people .call").count(), kUnknown);
    const person = page.locator(".person", {hasText: masked(nin)}).first();
    await person.getByRole("button").click();
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type(kPin);
    await page.keyboard.press("Enter");
    await page.locator(".person", {hasText: nin}).waitFor();
    await screenshot(page, "operator-number");
    assert.equal(audited("number.shown"), 1);
    await page.locator(".person", {hasText: nin}).waitFor({state: "detached"});
  }));

test("what the service's operator is asked leaves by the stick, and their reply comes by it", async () => {
  await kiosk.startSandbox();
  await inQueue(async (page) => {
    await page.getByRole("button", {name: "Write the unknown attempts as CSV"}).click();
    await page.getByText("Written to the stick: unknown.csv").waitFor();
    const asked = readFileSync(path.join(stick, "unknown.csv"), "utf8").trim().split("\r\n");
    assert.equal(asked.length, 1 + kUnknown);
    // Of one attempt they say that it never arrived.
    const id = asked[0].split(",").indexOf("attempt_id");
    writeFileSync(
      path.join(stick, "reply.csv"),
      `attempt_id,outcome\r\n${asked[1].split(",")[id]},not received\r\nzzz,verified\r\n`,
    );
    await page.getByRole("button", {name: "Look again"}).click();
    await page.getByRole("button", {name: "Read the reply reply.csv"}).click();
    const question = page.getByRole("alertdialog");
    await question.getByText(/1 never arrived/).waitFor();
    await question.getByText(/line 3/).waitFor();
    await screenshot(page, "operator-reply");
    await question.getByRole("button", {name: "Take it"}).click();
    await page.getByText("1 settled, 1 not.").waitFor();
    assert.equal(audited("call.settled"), 1);
  });
  // Nothing else was decided.
  assert.equal(stats().unknown, kUnknown - 1);
});

test("all are resolved in at most six touches, each question is sent once, and it costs what was said", () =>
  inQueue(async (page, touch, touches) => {
    await page.waitForFunction(() => document.querySelector("#choose-all:not(:disabled)") !== null);
    await touch(page.locator("#choose-all"));
    await page.getByText(`${kUnknown - 1} chosen, people: ${kPeople}`).waitFor();
    await screenshot(page, "operator-unknown-chosen");
    await touch(page.getByRole("button", {name: "Once for each question"}));
    const question = page.getByRole("alertdialog");
    const text = await question.innerText();
    const [, again, gone] = /answer: (\d+)\. Given up: (\d+)\./.exec(text).map(Number);
    assert.equal(again + gone, kUnknown - 1);
    assert.ok(again <= kPeople);
    const price = again === 0 ? 0 : Number(/cost (\d+\.\d\d) NGN/.exec(text)[1]);
    assert.equal(price, 50 * again);
    await screenshot(page, "operator-unknown-decide");
    await touch(question.getByRole("button", {name: "Once for each question"}));
    await page.getByRole("button", {name: "Unknown 0"}).waitFor();
    assert.ok(touches() <= kMostTouches, `${touches()} touches`);
    // What waited out an outage leaves over a time of four times its length: on a slow machine, many minutes.
    while ((await post("/v1/queue:deliver", {})).waiting > 0) await page.waitForTimeout(500);
    await page.getByRole("button", {name: "Waiting 0"}).waitFor();
    await page.getByRole("button", {name: "Sending 0"}).waitFor();
    await screenshot(page, "operator-unknown-resolved");
    assert.equal(audited("call.sent_again"), again);
    assert.equal(audited("call.given_up"), gone);
    // Each call that waited is paid for once, and each question that was sent again once more.
    assert.equal(kiosk.billed(), kUnknown + kWaiting + 1 + again);
  }));

test("the month's books leave by the stick, and match the sandbox's invoice but for what was said of it", () =>
  withPage({width: 1280, height: 800, allow: [expected]}, async (page) => {
    const invoice = execFileSync(
      process.argv[3],
      ["invoice", "--state", path.join(kiosk.folder, "sandbox")],
      {encoding: "utf8"},
    );
    writeFileSync(path.join(stick, "invoice.csv"), invoice);
    await page.goto(kiosk.address);
    await page.locator("body[data-revision]").waitFor();
    await page.keyboard.press("Control+Shift+O");
    await page.getByRole("dialog", {name: "Operator"}).waitFor();
    await page.keyboard.type(kPin);
    await page.keyboard.press("Enter");
    await page.getByRole("tab", {name: "Ledger"}).click();
    const month = page.getByLabel("Month");
    const now = await month.locator("option").nth(1).getAttribute("value");
    await month.selectOption(now);
    await page.waitForFunction(
      (value) => document.querySelector("#books-month").value === value,
      now,
    );
    await page.getByRole("button", {name: "Write these as CSV"}).click();
    await page.getByText(`Written to the stick: ledger-${now}.csv`).waitFor();
    const lines = readFileSync(path.join(stick, `ledger-${now}.csv`), "utf8")
      .trim()
      .split("\r\n");
    assert.equal(
      lines.length - 1,
      kiosk.says("ledger", "list", "--month", now, "--csv").trim().split("\r\n").length - 1,
    );
    await page.getByRole("button", {name: "Compare with the invoice invoice.csv"}).click();
    await page.getByRole("heading", {name: "The invoice does not match"}).waitFor();
    // The attempt that they said had never arrived stands in their invoice all the same.
    await page.getByText("1 of 1 difference").waitFor();
    await screenshot(page, "operator-books");
    await page.getByRole("button", {name: "Write the differences as CSV"}).click();
    await page.getByText("Written to the stick: differences.csv").waitFor();
    assert.deepEqual(readdirSync(stick).sort(), [
      "differences.csv",
      "invoice.csv",
      `ledger-${now}.csv`,
      "reply.csv",
      "unknown.csv",
    ]);
  }));

test("whoever wants to be erased gives their NIN to an operator and gets a receipt", async () => {
  await kiosk.stopSandbox();
  await ask(people[0]);
  await inQueue(async (page) => {
    const [nin] = people;
    const list = () =>
      page.locator(".person", {hasText: `${nin.slice(0, 3)} **** **${nin.slice(-2)}`});
    await page.getByRole("button", {name: "Type the number"}).click();
    const sheet = page.getByRole("dialog", {name: "Erase a person"});
    for (const digit of nin.slice(0, 10)) await sheet.getByRole("button", {name: digit}).click();
    await sheet.getByRole("button", {name: "Erase", exact: true}).click();
    await sheet.getByText("A NIN has 11").waitFor();
    await page.keyboard.press(nin[10]);
    await screenshot(page, "operator-erase-person");
    await page.setViewportSize({width: 360, height: 640});
    await screenshot(page, "operator-erase-person-small");
    await page.setViewportSize({width: 1280, height: 800});
    await sheet.getByRole("button", {name: "Erase", exact: true}).click();
    const receipt = page.locator(".receipt");
    await receipt.waitFor();
    assert.match(await receipt.innerText(), /^Erasure on request, .* by /u);
    assert.ok(!(await page.content()).includes(nin));
    await list().waitFor({state: "detached"});
    await page.getByRole("button", {name: "Write the receipt"}).click();
    await page.getByText("Written to the stick: receipt").waitFor();
    await screenshot(page, "operator-erased");
    assert.ok(
      readFileSync(path.join(stick, "receipt.txt"), "utf8").startsWith("Erasure on request"),
    );
    assert.ok(audited("person.erased") > 0);
  });
});
