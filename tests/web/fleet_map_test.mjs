// Headquarters' page of the fleet, in Chromium, from its own files and with scripted kiosks behind it: what the program
// answers is held against a real database in tests/fleet.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import {createServer} from "node:http";
import path from "node:path";
import {after, before, test} from "node:test";
import {root, screenshot, withPage} from "./browser.mjs";

const folder = path.join(root, "tools/headquarters/page");
const types = {html: "text/html", css: "text/css", js: "text/javascript"};
// As ctl_main.cc sends it.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

let fleet; // what /fleet.json answers; null: an error
let server;

const minutesAgo = (minutes) => new Date(Date.now() - minutes * 60_000).toISOString();

function kiosk(name, more = {}) {
  return {
    tenant: "bank",
    kiosk: name,
    health: "good",
    heard: minutesAgo(1),
    version: "1.4.0",
    waiting: "0",
    need_person: "0",
    today: "",
    complaint: "",
    frames_a_second: "",
    ...more,
  };
}

// As the program lists them: the worst first.
const few = () => ({
  kiosks: [
    kiosk("aba-3", {health: "gone", heard: minutesAgo(90), version: "1.3.2"}),
    kiosk("jos-1", {health: "silent", heard: minutesAgo(40), frames_a_second: "11.0"}),
    kiosk("kano-7", {
      health: "bad",
      complaint: "camera: it is unplugged; clock: it is not set",
      need_person: "2",
      today: "1200.00 NGN",
    }),
    kiosk("lagos-12", {today: "15300.00 NGN", frames_a_second: "14.9", waiting: "3"}),
    kiosk("lagos-2", {today: "900.00 NGN", frames_a_second: "2.4", need_person: "5"}),
  ],
  alarms: [
    {
      time: minutesAgo(3),
      tenant: "bank",
      kiosk: "kano-7",
      what: "record 41 of its ledger is not what was kept here, or does not follow it",
    },
  ],
  money: [{tenant: "bank", endpoint: "verify", currency: "NGN", attempts: "174", cost: "17400.00"}],
});

const many = (count) => ({
  kiosks: Array.from({length: count}, (_, i) =>
    kiosk(`branch-${String(i).padStart(4, "0")}`, {
      health: i < 3 ? "gone" : i < 20 ? "silent" : i < 120 ? "bad" : "good",
      complaint: i >= 20 && i < 120 ? "camera: it is unplugged" : "",
      today: `${(count - i) * 100}.00 NGN`,
      frames_a_second: `${(i % 150) / 10 + 1}`,
      version: i % 10 ? "1.4.0" : "1.3.2",
    }),
  ),
  alarms: [],
  money: [],
});

before(async () => {
  server = createServer((request, response) => {
    const name = request.url === "/" ? "index.html" : request.url.slice(1);
    response.setHeader("Content-Security-Policy", policy);
    if (name === "fleet.json") {
      response
        .writeHead(fleet ? 200 : 503)
        .end(fleet ? JSON.stringify(fleet) : "the database is gone");
    } else if (["index.html", "map.css", "map.js"].includes(name)) {
      response.setHeader("Content-Type", types[path.extname(name).slice(1)]);
      response.end(readFileSync(path.join(folder, name)));
    } else {
      response.writeHead(name === "favicon.ico" ? 204 : 404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
});

after(() => server.close());

async function open(page) {
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  await page.locator("#kiosks li").first().waitFor();
}

const rowsOf = (page, name) =>
  page
    .locator("section", {has: page.getByRole("heading", {name, exact: true})})
    .last()
    .locator("tbody tr")
    .evaluateAll((rows) => rows.map((each) => [...each.cells].map((cell) => cell.textContent)));

test("health, money, unknown calls, cameras and versions are told at a glance", async () => {
  fleet = few();
  await withPage({}, async (page) => {
    await open(page);
    assert.deepEqual(await page.locator("#counts li").allTextContents(), [
      "2 ✓ good",
      "1 ! needs somebody",
      "1 … silent",
      "1 × gone",
    ]);
    assert.equal(await page.locator("#map li").count(), 5);
    assert.deepEqual(await rowsOf(page, "Money today (UTC)"), [
      ["bank", "verify", "174", "17400.00 NGN"],
    ]);
    assert.deepEqual(await rowsOf(page, "Money today by kiosk"), [
      ["bank / lagos-12", "15300.00 NGN"],
      ["bank / kano-7", "1200.00 NGN"],
      ["bank / lagos-2", "900.00 NGN"],
    ]);
    assert.deepEqual(await rowsOf(page, "Calls that need a person"), [
      ["bank / lagos-2", "5"],
      ["bank / kano-7", "2"],
    ]);
    assert.deepEqual(await rowsOf(page, "Slowest cameras"), [
      ["bank / lagos-2", "2.4 pictures a second"],
      ["bank / jos-1", "11.0 pictures a second"],
      ["bank / lagos-12", "14.9 pictures a second"],
    ]);
    assert.deepEqual(await rowsOf(page, "Versions"), [
      ["1.4.0", "4"],
      ["1.3.2", "1"],
    ]);
    await page.getByText("record 41 of its ledger").waitFor();
    await screenshot(page, "fleet");
    await page.getByLabel("Show").fill("kano");
    assert.equal(await page.locator("#kiosks li").count(), 1);
    await page.getByLabel("Show").fill("nowhere");
    await page.getByText("No kiosk is like that.").waitFor();
  });
});

test("of five thousand kiosks the worst are shown, and each can be found", async () => {
  fleet = many(5000);
  await withPage({}, async (page) => {
    await open(page);
    assert.equal(await page.locator("#map li").count(), 5000);
    assert.equal(await page.locator("#kiosks li").count(), 200);
    assert.match(await page.locator("#kiosks li").first().textContent(), /branch-0000.*gone/);
    await page.getByText("And 4800 more, which are no worse.").waitFor();
    await page.getByText("and 4992 more").first().waitFor();
    await screenshot(page, "fleet-5000");
    await page.getByLabel("Show").fill("branch-4321");
    assert.equal(await page.locator("#kiosks li").count(), 1);
    assert.ok(await page.locator("#more").isHidden());
  });
});

test("what a kiosk says of itself is shown, and does nothing", async () => {
  const evil = '<img src="x" onerror="document.title=1"><b>b</b>';
  fleet = few();
  fleet.kiosks.unshift(
    kiosk("evil", {health: "bad", version: evil, complaint: evil, today: evil, need_person: "?"}),
  );
  fleet.alarms = [{time: "never", tenant: "bank", kiosk: "evil", what: evil}];
  await withPage({}, async (page) => {
    await open(page);
    assert.equal(await page.locator("img, b:text('b')").count(), 0);
    assert.equal(await page.title(), "Fleet");
    assert.deepEqual((await rowsOf(page, "Calls that need a person"))[0], ["bank / evil", "?"]);
  });
});

test("where headquarters do not answer, the page says that it is not up to date", async () => {
  fleet = few();
  await withPage({allow: [/status of 503/]}, async (page) => {
    await open(page);
    fleet = null;
    await page.getByText("Not up to date: the database is gone").waitFor();
    assert.equal(await page.locator("#kiosks li").count(), 5);
    fleet = few();
    await page.getByText(/^As of /).waitFor();
  });
});

test("nothing is wider than the screen", async () => {
  fleet = few();
  fleet.kiosks[0].kiosk = "a".repeat(64);
  for (const width of [320, 390, 1024, 1920]) {
    await withPage({width, height: 800}, async (page) => {
      await open(page);
      const wide = await page.evaluate("document.documentElement.scrollWidth");
      assert.ok(wide <= width, `${wide} pixels on ${width}`);
      if (width === 390) await screenshot(page, "fleet-narrow");
    });
  }
});
