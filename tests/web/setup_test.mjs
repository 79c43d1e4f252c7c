// A kiosk without a keyboard is set up: by a code before its camera, by a file on a memory stick, by touch. What the service
// refuses is said in words, and a kiosk is never set up untested.
// usage: node setup_test.mjs IDKIOSK IDKIOSK_SANDBOX
import assert from "node:assert/strict";
import {existsSync, mkdirSync, readFileSync, writeFileSync} from "node:fs";
import path from "node:path";
import {afterEach, beforeEach, test} from "node:test";
import qrcode from "qrcode-generator";
import {screenshot, withPage} from "./browser.mjs";
import {RealKiosk} from "./kiosk_page/real_kiosk.mjs";
import {heading} from "./kiosk_page/steps.mjs";

const kPin = "580394";
const expected = /status of 4\d\d|ERR_/;
let kiosk;

beforeEach(async () => {
  kiosk = new RealKiosk(process.argv[2], process.argv[3]);
  await kiosk.prepare();
  kiosk.idkiosk("vault", "init");
  mkdirSync(path.join(kiosk.folder, "sticks/STICK"), {recursive: true});
});
afterEach(() => kiosk.remove());

const local = () => readFileSync(path.join(kiosk.folder, "kiosk.local.jsonc"), "utf8");
const isSetUp = () => local().includes(kiosk.message.base_url);

async function before(body, camera) {
  const sticks = path.join(kiosk.folder, "sticks");
  await kiosk.start({reasons: ["ACCOUNT_OPENING"]}, {staff: {sticks}}, camera);
  await withPage({width: 1080, height: 1920, allow: [expected]}, async (page) => {
    await page.goto(kiosk.address);
    await heading(page, "This kiosk is not set up yet");
    await body(page);
  });
}

async function signIn(page) {
  await page.keyboard.press("Control+Shift+O");
  await page.getByRole("dialog", {name: "Operator"}).waitFor();
  await page.keyboard.type(kPin);
  await page.keyboard.press("Enter");
}

function inSetup(body, camera) {
  kiosk.idkioskHears(`${kPin}\n`, "pin", "set", "operator");
  return before(async (page) => {
    await signIn(page);
    await page.locator(".setup-scan").waitFor();
    await body(page);
  }, camera);
}

// What the camera sees of a printed code.
async function photograph(text) {
  const code = qrcode(0, "L");
  code.addData(text);
  code.make();
  const size = code.getModuleCount();
  let cells = "";
  for (let y = 0; y < size; ++y)
    for (let x = 0; x < size; ++x) if (code.isDark(y, x)) cells += `M${x} ${y}h1v1h-1z`;
  const folder = path.join(kiosk.folder, "code");
  mkdirSync(folder, {recursive: true});
  await withPage({width: 1280, height: 720}, async (page) => {
    await page.setContent(`<body style="margin:0;background:#8a8478"><svg width="1280" height="720"
      viewBox="-${size} -6 ${size * 3} ${size + 12}"><path d="M-4-4h${size + 8}v${size + 8}h-${size + 8}z" fill="#f4f2ea"/>
      <path d="${cells}" fill="#221f1c"/></svg>`);
    for (let i = 0; i < 5; ++i) await page.screenshot({path: path.join(folder, `${i}.png`)});
  });
  return `images:${folder}`;
}

const welcomes = (page) => heading(page, "Show that it is really you");

test("by a code that is held up to the camera", async () => {
  const camera = await photograph(JSON.stringify(kiosk.message));
  await inSetup(async (page) => {
    await screenshot(page, "setup-empty");
    await page.getByRole("button", {name: "Show a code to the camera"}).click();
    await welcomes(page);
    assert.ok(isSetUp());
    assert.ok(!local().includes(kiosk.message.api_key));
    assert.ok(!(await page.content()).includes(kiosk.message.api_key));
  }, camera);
});

test("by touch alone from the first operator on, who chooses a name and a PIN", async () => {
  const camera = await photograph(JSON.stringify(kiosk.message));
  await before(async (page) => {
    await page.locator(".brand").hover();
    await page.mouse.down();
    const sheet = page.getByRole("dialog", {name: "Operator"});
    await sheet.getByRole("heading", {name: "You are the first operator here"}).waitFor();
    await page.mouse.up();
    await screenshot(page, "setup-first-name");
    const touch = (name) => sheet.getByRole("button", {name, exact: true}).click();
    const type = async (title, digits) => {
      await sheet.getByRole("heading", {name: title}).waitFor();
      for (const digit of digits) await touch(digit);
      await touch("Open");
    };
    for (const letter of "amina") await touch(letter);
    await touch("Next");
    await screenshot(page, "setup-first-pin");
    await type("Choose your PIN", "123456");
    await type("The same PIN again", "123456");
    await sheet.getByText("This PIN is too easy to guess.").waitFor();
    assert.equal(kiosk.says("--json", "staff", "list").trim(), "");
    await type("Choose your PIN", kPin);
    await type("The same PIN again", kPin);
    await page.locator(".setup-scan").waitFor();
    await page.locator(".signed-in", {hasText: "amina"}).waitFor();
    assert.deepEqual(JSON.parse(kiosk.says("--json", "staff", "list")), {
      name: "amina",
      role: "operator",
      named: true,
    });
    assert.ok(!isSetUp());
    await page.getByRole("button", {name: "Show a code to the camera"}).click();
    await welcomes(page);
    assert.ok(isSetUp());
    // From now on everybody is asked for the PIN.
    await signIn(page);
    await page.locator(".signed-in", {hasText: "amina"}).waitFor();
  }, camera);
});

test("by a code that lacks what the dashboard alone shows, which is typed by touch", async () => {
  const {api_key: key, ...message} = kiosk.message;
  const camera = await photograph(JSON.stringify(message));
  await inSetup(async (page) => {
    await page.getByRole("button", {name: "Show a code to the camera"}).click();
    await page.getByText(/the message lacks api_key/).waitFor();
    assert.ok(!isSetUp());
    await page.getByRole("button", {name: "Keyboard"}).click();
    await page.getByLabel("API key").click();
    const keys = page.locator(".keyboard");
    let upper = false;
    for (const letter of key) {
      const wanted = letter !== letter.toLowerCase();
      if (wanted !== upper && /[a-z]/i.test(letter)) {
        await keys.getByRole("button", {name: "Capital letters"}).click();
        upper = wanted;
      }
      await keys.getByRole("button", {name: letter, exact: true}).click();
    }
    await screenshot(page, "setup-keyboard");
    await page.getByRole("button", {name: "Set up", exact: true}).click();
    await welcomes(page);
    assert.ok(isSetUp());
  }, camera);
});

test("by a file on a memory stick; the support bundle leaves by it", async () => {
  const stick = path.join(kiosk.folder, "sticks/STICK");
  writeFileSync(path.join(stick, "onboarding.json"), JSON.stringify(kiosk.message));
  await inSetup(async (page) => {
    await page.getByRole("button", {name: "Write it"}).click();
    const written = page.getByText(/^Written: .*\(.*\)$/);
    await written.waitFor();
    const [, name] = /\((.*)\)$/.exec(await written.innerText());
    assert.ok(existsSync(path.join(stick, name)));
    await page.getByRole("button", {name: "Set up from onboarding.json"}).click();
    await welcomes(page);
    assert.ok(isSetUp());
  });
});

test("a wrong password, a wrong key, and no network are each said, and nothing is stored", async () => {
  await inSetup(async (page) => {
    const message = page.getByLabel("The onboarding message");
    const problem = page.locator("form .problem");
    const tries = async (change, words) => {
      await message.fill(JSON.stringify({...kiosk.message, ...change}));
      await page.getByRole("button", {name: "Set up", exact: true}).click();
      await page.getByText(words).first().waitFor();
      assert.ok(!isSetUp());
      assert.equal(
        kiosk.says("--json", "vault", "status").includes('"api_key"') &&
          /api_key"[^}]*set/.test(kiosk.says("--json", "vault", "status")),
        false,
      );
      await page.locator(".setup-state", {hasText: "This kiosk is not set up yet."}).waitFor();
    };
    const {login} = kiosk.message;
    await tries(
      {login: {...login, password: "Wrong-Password-1!"}},
      /e-mail address or its password is wrong/,
    );
    await screenshot(page, "setup-wrong-password");
    await tries({api_key: "wrong-key-that-nobody-has"}, /refused the API key or the user ID/);
    await kiosk.stopSandbox();
    await tries({}, /cannot be reached/);
    await screenshot(page, "setup-no-network");
    await kiosk.startSandbox();
    await page.getByRole("button", {name: "Set up", exact: true}).click();
    await welcomes(page);
    assert.equal(await problem.count(), 0);
    assert.ok(isSetUp());
  });
});
