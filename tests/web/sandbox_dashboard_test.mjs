// The sandbox's dashboard, as people use it: in Chromium, against the program itself over HTTPS.
// usage: node sandbox_dashboard_test.mjs PROGRAM
import assert from "node:assert/strict";
import {execFileSync, spawn} from "node:child_process";
import {mkdtempSync, readFileSync, rmSync} from "node:fs";
import https from "node:https";
import {tmpdir} from "node:os";
import path from "node:path";
import readline from "node:readline";
import {after, before, test} from "node:test";
import {screenshot, withPage} from "./browser.mjs";

const program = process.argv[2];
// A refused request is an error on the browser's console too; the tests that ask for one allow it.
const refused = /status of 4\d\d/;

const folder = mkdtempSync(path.join(tmpdir(), "sandbox-dashboard-"));
const state = path.join(folder, "state");
let server;
let ready;

function command(...words) {
  return execFileSync(program, [...words, "--state", state], {encoding: "utf8"});
}

const onboard = (...options) => JSON.parse(command("onboard", ...options));

// A request from outside of the browser.
function call(method, where, headers = {}, body = undefined) {
  return new Promise((resolve, reject) => {
    const options = {method, headers, ca: readFileSync(ready.ca_file), servername: "localhost"};
    const request = https.request(ready.base_url + where, options, (response) => {
      let text = "";
      response.on("data", (piece) => {
        text += piece;
      });
      response.on("end", () =>
        resolve({status: response.statusCode, headers: response.headers, text}),
      );
    });
    request.on("error", reject);
    request.end(body);
  });
}

const check = (key, nin) =>
  call(
    "POST",
    "/v1/verify",
    {Authorization: `Bearer ${key}`, "Content-Type": "application/json"},
    JSON.stringify({type: "nin", id_number: nin}),
  );

async function logIn(page, {email, password}) {
  await page.goto(`${ready.base_url}/`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", {name: "Log in"}).click();
  await page.getByRole("heading", {name: "Account"}).waitFor();
}

const open = (page, name) => page.getByRole("link", {name, exact: true}).click();
const heading = (page, name) => page.getByRole("heading", {name, exact: true}).waitFor();

before(async () => {
  server = spawn(program, ["serve", "--state", state, "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of readline.createInterface({input: server.stdout})) {
    ready = JSON.parse(line);
    break;
  }
});

after(() => {
  server.kill("SIGTERM");
  rmSync(folder, {recursive: true, force: true});
});

test("a wrong password is refused in words, and the right one opens the account", async () => {
  const customer = onboard();
  await withPage({allow: [refused]}, async (page) => {
    await page.goto(`${ready.base_url}/dashboard/`);
    await heading(page, "Log in");
    await screenshot(page, "dashboard-login");
    await page.getByLabel("E-mail address").fill(customer.login.email);
    await page.getByLabel("Password").fill("Wrong-pass-1");
    await page.getByRole("button", {name: "Log in"}).click();
    await page
      .getByRole("alert")
      .getByText("The e-mail address or the password is not right.")
      .waitFor();
    await screenshot(page, "dashboard-login-refused");
    await logIn(page, customer.login);
    assert.equal(await page.locator("#user-id").textContent(), customer.user_id);
    await screenshot(page, "dashboard-account");
    await page.reload();
    await heading(page, "Account");
    await page.getByRole("button", {name: "Log out"}).click();
    await heading(page, "Log in");
    await page.reload();
    await heading(page, "Log in");
  });
});

test("the session is a cookie that scripts cannot read and other sites cannot send", async () => {
  const customer = onboard();
  await withPage({allow: [refused]}, async (page) => {
    await logIn(page, customer.login);
    const [cookie] = await page.context().cookies();
    assert.equal(cookie.name, "__Host-sandbox");
    assert.ok(cookie.httpOnly && cookie.secure);
    assert.equal(cookie.sameSite, "Strict");
    assert.equal(await page.evaluate("document.cookie"), "");
  });
});

test("an API key is shown once, is copied by its button, and works", async () => {
  const customer = onboard("--no-key");
  await withPage({allow: [refused]}, async (page) => {
    await logIn(page, customer.login);
    await open(page, "API keys");
    await page.getByText("There is no key yet").waitFor();
    await page.getByLabel("Name of the key").fill("Branch 12");
    await page.getByRole("button", {name: "Create new key"}).click();
    const key = await page.locator("#key-value").textContent();
    await screenshot(page, "dashboard-key-created");
    await page.getByRole("button", {name: "Copy key"}).click();
    await page.getByRole("button", {name: "Copied"}).waitFor();
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), key);
    assert.equal((await check(key, "70123456701")).status, 200);
    await page.getByRole("button", {name: "I have stored it"}).click();
    await page.reload();
    await page.getByRole("cell", {name: "Branch 12"}).waitFor();
    assert.ok(!(await page.content()).includes(key));
    await page.getByRole("link", {name: "View"}).click();
    await heading(page, "Branch 12");
    await page.getByText(`…${key.slice(-4)}`).waitFor();
    assert.ok(!(await page.content()).includes(key));
    await screenshot(page, "dashboard-key-view");
  });
});

test("a regenerated key ends its old value, a revoked one ends for good", async () => {
  const customer = onboard();
  await withPage({allow: [refused]}, async (page) => {
    await logIn(page, customer.login);
    await open(page, "API keys");
    await page.getByRole("button", {name: "Regenerate"}).click();
    await screenshot(page, "dashboard-key-regenerate");
    await page.getByRole("button", {name: "Cancel"}).click();
    assert.equal((await check(customer.api_key, "70123456701")).status, 200);
    await page.getByRole("button", {name: "Regenerate"}).click();
    await page.getByRole("button", {name: "Regenerate key"}).click();
    const fresh = await page.locator("#key-value").textContent();
    assert.equal((await check(customer.api_key, "70123456701")).status, 401);
    assert.equal((await check(fresh, "70123456701")).status, 200);
    await page.getByRole("button", {name: "Revoke", exact: true}).click();
    await page.getByRole("button", {name: "Revoke key"}).click();
    await page.getByRole("button", {name: "Revoke", exact: true}).waitFor({state: "detached"});
    assert.equal((await check(fresh, "70123456701")).status, 401);
    await screenshot(page, "dashboard-keys");
  });
});

test("a key that was just regenerated can be revoked at once", async () => {
  const customer = onboard();
  await withPage({allow: [refused]}, async (page) => {
    await logIn(page, customer.login);
    await open(page, "API keys");
    await page.getByRole("button", {name: "Regenerate"}).waitFor();
    // Whoever is quick does not wait for another request.
    await page.route("**/api/keys", () => new Promise(() => {}));
    await page.getByRole("button", {name: "Regenerate"}).click();
    await page.getByRole("button", {name: "Regenerate key"}).click();
    await page.locator("#key-value").waitFor();
    await page.getByRole("button", {name: "Revoke", exact: true}).click();
    await page.getByRole("button", {name: "Revoke key"}).click();
    await page.getByRole("button", {name: "Revoke", exact: true}).waitFor({state: "detached"});
  });
});

test("the access level says what it includes", async () => {
  const customer = onboard("--level", "basic");
  await withPage({allow: [refused]}, async (page) => {
    await logIn(page, customer.login);
    const row = (name) => page.getByRole("row", {name});
    await row("NIN with facial images").getByText("Not included").waitFor();
    await row("Phone number").getByText("Included", {exact: true}).waitFor();
  });
});

test("what was billed stands in the ledger, what came in stands in the log", async () => {
  const customer = onboard();
  await check(customer.api_key, "70123456701");
  await check(customer.api_key, "70123456799");
  await check(customer.api_key, "1");
  await withPage({allow: [refused]}, async (page) => {
    await logIn(page, customer.login);
    await open(page, "Billing");
    await heading(page, "Billing");
    assert.equal(await page.locator(".figure strong").nth(0).textContent(), "3");
    assert.equal(await page.locator(".figure strong").nth(1).textContent(), "75.00");
    await page.getByText("Rejected", {exact: true}).waitFor();
    await screenshot(page, "dashboard-ledger");
    await open(page, "Request log");
    await heading(page, "Request log");
    await page.getByText("id_number must have 11 digits.").waitFor();
    assert.ok(!(await page.content()).includes("70123456701"));
    await screenshot(page, "dashboard-requests");
  });
});

test("a fault is switched on, hits, and is switched off", async () => {
  const customer = onboard();
  await withPage({allow: [refused]}, async (page) => {
    await logIn(page, customer.login);
    await open(page, "Faults");
    await page.getByText("No fault is switched on").waitFor();
    await page.getByLabel("What goes wrong").selectOption("status");
    await page.getByLabel("Status").fill("503");
    await page.getByLabel("Endpoint").selectOption("check");
    await page.getByLabel("How often").fill("5");
    await page.getByRole("button", {name: "Switch on"}).click();
    await page.getByText("0 of 5").waitFor();
    assert.equal((await check(customer.api_key, "70123456701")).status, 503);
    await page.getByRole("button", {name: "Refresh"}).click();
    await page.getByText("1 of 5").waitFor();
    await page.getByText("More").click();
    await screenshot(page, "dashboard-faults");
    await page.getByRole("button", {name: "Switch off"}).click();
    await page.getByText("No fault is switched on").waitFor();
    assert.equal((await check(customer.api_key, "70123456701")).status, 200);
    await page.getByLabel("How often").fill("often");
    await page.getByRole("button", {name: "Switch on"}).click();
    await page.getByRole("alert").getByText("“often” is not a number.").waitFor();
  });
});

test("people are added, made to differ, and removed", async () => {
  const customer = onboard();
  await withPage({allow: [refused]}, async (page) => {
    await logIn(page, customer.login);
    await open(page, "People");
    await page.getByRole("cell", {name: "Amina Sample"}).waitFor();
    await screenshot(page, "dashboard-people");
    await page.getByLabel("Full name").fill("<b>Ada</b> New");
    await page.getByLabel("NIN").fill("70123456788");
    await page.getByLabel("Phone").fill("07000000088");
    await page.getByLabel("Born").fill("1990-01-31");
    await page.getByRole("button", {name: "Add"}).click();
    const row = page.getByRole("row", {name: "<b>Ada</b> New"});
    await row.getByText("Matches", {exact: true}).waitFor();
    assert.equal(
      JSON.parse((await check(customer.api_key, "70123456788")).text).data.verified,
      true,
    );
    await row.getByRole("button", {name: "Let it differ"}).click();
    await row.getByText("Differs", {exact: true}).waitFor();
    await row.getByRole("button", {name: "Remove"}).click();
    await page.getByRole("dialog").getByRole("button", {name: "Remove"}).click();
    await row.waitFor({state: "detached"});
    await page.getByLabel("NIN").fill("12");
    await page.getByRole("button", {name: "Add"}).click();
    await page.getByRole("alert").getByText("The NIN must be 11 digits.").waitFor();
  });
});

test("a changed password ends every session and opens the next", async () => {
  const customer = onboard();
  await withPage({allow: [refused]}, async (page) => {
    await logIn(page, customer.login);
    await page.getByLabel("Current password").fill(customer.login.password);
    await page.getByLabel("New password").fill("weak");
    await page.getByRole("button", {name: "Change password"}).click();
    await page.getByRole("alert").getByText("at least 10 characters").waitFor();
    await page.getByLabel("New password").fill("Another-horse-8");
    await page.getByRole("button", {name: "Change password"}).click();
    await heading(page, "The password is changed");
    await logIn(page, {email: customer.login.email, password: "Another-horse-8"});
  });
});

test("somebody who registered sees no trainer's switches", async () => {
  const login = {email: "new@example.org", password: "Correct-horse-7"};
  await call(
    "POST",
    "/api/v1/auth/register",
    {"Content-Type": "application/json"},
    JSON.stringify({...login, name: "New"}),
  );
  await withPage({allow: [refused]}, async (page) => {
    await logIn(page, login);
    assert.equal(await page.getByRole("link", {name: "Faults"}).count(), 0);
    const statusOf = (where) =>
      page.evaluate(async (address) => (await fetch(address)).status, where);
    assert.equal(await statusOf("api/faults"), 403);
    assert.equal(await statusOf("api/people"), 403);
    assert.equal(await statusOf("api/keys"), 200);
  });
});

test("no change without the session's CSRF token, none from another site, nothing under another name", async () => {
  const customer = onboard();
  const json = {"Content-Type": "application/json"};
  const entered = await call(
    "POST",
    "/dashboard/api/session",
    json,
    JSON.stringify(customer.login),
  );
  const cookie = {...json, Cookie: entered.headers["set-cookie"][0].split(";")[0]};
  const token = {...cookie, "X-CSRF-Token": JSON.parse(entered.text).csrf};
  const create = async (headers) =>
    (await call("POST", "/dashboard/api/keys", headers, '{"name":"x"}')).status;
  assert.equal(await create(json), 401);
  assert.equal(await create(cookie), 403);
  assert.equal(await create({...token, "X-CSRF-Token": "made-up"}), 403);
  assert.equal(await create({...token, "Sec-Fetch-Site": "cross-site"}), 403);
  assert.equal(await create({...token, Host: "elsewhere.example"}), 403);
  assert.equal(await create(token), 201);
});

test("every answer of the dashboard forbids what it does not need", async () => {
  for (const where of [
    "/dashboard/",
    "/dashboard/app.js",
    "/dashboard/api/session",
    "/dashboard/nothing",
  ]) {
    const {headers} = await call("GET", where);
    assert.match(
      headers["content-security-policy"],
      /^default-src 'none'; script-src 'self'; style-src 'self'/,
    );
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["cache-control"], "no-store");
  }
});

test("on a telephone's screen nothing is wider than the screen", async () => {
  const customer = onboard();
  await check(customer.api_key, "70123456701");
  await withPage({width: 390, height: 800, allow: [refused]}, async (page) => {
    await logIn(page, customer.login);
    for (const [name, title] of [
      ["Account", "Account"],
      ["API keys", "API keys"],
      ["Billing", "Billing"],
      ["People", "People"],
    ]) {
      await open(page, name);
      await heading(page, title);
      const wide = await page.evaluate("document.documentElement.scrollWidth");
      assert.ok(wide <= 390, `${name} is ${wide} pixels wide`);
      await screenshot(page, `dashboard-narrow-${name.toLowerCase().replace(" ", "-")}`);
    }
  });
});
