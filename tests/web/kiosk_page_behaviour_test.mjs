// The page as people and daemons treat it: touches, keys, scanners, a daemon that is gone, another tab, a hostile text.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import path from "node:path";
import {after, before, beforeEach, test} from "node:test";
import {screenshot, withPage} from "./browser.mjs";
import {snapshotOf} from "./kiosk_page/scenes.mjs";
import {pages, ScriptedDaemon} from "./kiosk_page/scripted_daemon.mjs";
import {until} from "./kiosk_page/steps.mjs";

// A refused or failed request is an error on the browser's console too.
const refused = /status of 4\d\d|ERR_/;
const kNumber = {digits: "70123456", problem: null};

let daemon;

async function show(page, name, change = {}) {
  const snapshot = snapshotOf(name, change);
  daemon.put(snapshot);
  await page.locator(`body[data-revision="${snapshot.revision}"]`).waitFor();
}

// What the page sent, without the session.
const sent = () =>
  daemon.commands.map(({session, ...command}) => (assert.equal(session, "s1"), command));

async function expectSent(...commands) {
  await until(
    `sending ${JSON.stringify(commands)}`,
    () => daemon.commands.length >= commands.length,
  );
  assert.deepEqual(sent(), commands);
  daemon.commands = [];
}

// One browser for all tests; each of them loads the page anew.
let browser;
let close;
let closed;

async function open(body, {width = 1080, height = 1920} = {}) {
  await browser.setViewportSize({width, height});
  await browser.goto(daemon.address);
  await browser.locator("body[data-revision]").waitFor();
  await body(browser);
}

before(async () => {
  daemon = new ScriptedDaemon();
  await daemon.listen();
  await new Promise((ready) => {
    closed = withPage({allow: [refused]}, (page) => {
      browser = page;
      ready();
      return new Promise((done) => {
        close = done;
      });
    });
  });
});
beforeEach(() => {
  daemon.commands = [];
  daemon.answered = [];
  daemon.voices = [];
  daemon.reply = () => ({status: 204});
  daemon.snapshot = snapshotOf("welcome");
});
after(async () => {
  close();
  await closed;
  await daemon.stop();
});

test("each touch is one command", () =>
  open(async (page) => {
    const touch = (name) => page.getByRole("button", {name, exact: true}).click();
    await page.locator("button.tongue[lang=ha]").click();
    await expectSent({do: "start", language: "ha"});
    await show(page, "consent");
    await touch("I agree");
    await touch("No, thank you");
    await touch("Back");
    await touch("Stop and erase");
    await expectSent({do: "agree"}, {do: "decline"}, {do: "back"}, {do: "stop"});
    await touch("Sound on");
    await touch("Language");
    await page.getByRole("dialog").getByRole("button", {name: "Yorùbá"}).click();
    await expectSent({do: "sound", on: false}, {do: "language", language: "yo"});
    await show(page, "number");
    await touch("7");
    await touch("Delete the last digit");
    await touch("Scan my slip");
    await expectSent({do: "digit", digit: "7"}, {do: "delete"}, {do: "scan", on: true});
    assert.ok(await page.getByRole("button", {name: "Next"}).isDisabled());
    await show(page, "number", {number: {digits: "70123456789", problem: null}});
    await touch("Next");
    await show(page, "reason");
    await touch("Asking for a loan");
    // A reason that no catalogue knows has the service's own label.
    await touch("Label of VISA_RENEWAL");
    await expectSent(
      {do: "next"},
      {do: "reason", code: "LOAN_APPLICATION"},
      {do: "reason", code: "VISA_RENEWAL"},
    );
    await show(page, "repeated-waiting");
    await touch("Check again");
    await touch("Finish");
    await touch("Stop and erase");
    await expectSent({do: "go_on"}, {do: "stop"}, {do: "stop"});
    await show(page, "look");
    await touch("Take again");
    await touch("Send");
    await show(page, "waiting-long");
    await touch("Leave");
    await show(page, "answer-verified");
    await touch("Print");
    await page.getByRole("button", {name: "Finish"}).click();
    await show(page, "stopped-timeout");
    await touch("Try again");
    await expectSent(
      {do: "retake"},
      {do: "send"},
      {do: "finish"},
      {do: "receipt"},
      {do: "finish"},
      {do: "retry"},
    );
  }));

test("a double tap is one touch where the first leads to another screen, and two on a key", () =>
  open(async (page) => {
    const doubleTap = async (name, between) => {
      const {x, y, width, height} = await page
        .getByRole("button", {name, exact: true})
        .boundingBox();
      await page.mouse.move(x + width / 2, y + height / 2);
      for (const clickCount of [1, 2]) {
        await page.mouse.down({clickCount});
        await page.mouse.up({clickCount});
        if (clickCount === 1) await between();
      }
    };
    await show(page, "number", {number: kNumber});
    await doubleTap("7", async () => {});
    await doubleTap("Back", () => show(page, "consent"));
    await show(page, "consent");
    await page.getByRole("button", {name: "Back"}).click();
    await expectSent(
      {do: "digit", digit: "7"},
      {do: "digit", digit: "7"},
      {do: "back"},
      {do: "back"},
    );
  }));

test("a number that is pasted in groups is taken, and nothing else that is pasted", () =>
  open(async (page) => {
    await show(page, "number", {number: {digits: "", problem: null}});
    const paste = async (text) => {
      await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
      await page.keyboard.press("Control+v");
    };
    await paste("701 2345 6789");
    await paste("701-2345-6788 ");
    await expectSent({do: "number", digits: "70123456789"}, {do: "number", digits: "70123456788"});
    await paste("701 2345");
    await page.getByText("This code cannot be read.").first().waitFor();
    assert.deepEqual(sent(), []);
    await show(page, "desk");
    await page.getByLabel("NIN", {exact: true}).focus();
    await paste("701 2345 6789");
    assert.equal(await page.getByLabel("NIN", {exact: true}).inputValue(), "701 2345 6789");
  }));

test("a keyboard types digits, and a scanner's burst is one number", () =>
  open(async (page) => {
    await show(page, "number", {number: {digits: "", problem: null}});
    await page.keyboard.press("7");
    await until("a digit", () => daemon.commands.length === 1);
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Enter");
    await expectSent({do: "digit", digit: "7"}, {do: "delete"}, {do: "next"});
    // All keys at once, as from a scanner; what types them one by one here is too slow on a busy machine.
    const scan = (text) =>
      page.evaluate(
        (keys) => {
          for (const key of keys)
            document.body.dispatchEvent(
              new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}),
            );
        },
        [...text, "Enter"],
      );
    await scan("70123456701");
    await expectSent({do: "number", digits: "70123456701"});
    await scan('{"nin":"70123456788","fn":"AMINA"}');
    await expectSent({do: "number", digits: "70123456788"});
    await scan("08030000000;NIN:70123456788");
    await expectSent({do: "number", digits: "70123456788"});
    await scan("08030000000;70123456788");
    await page.locator(".problem").getByText("This code cannot be read").waitFor();
    assert.deepEqual(daemon.commands, []);
    // In two pieces, as from a slow one.
    await scan("7012345");
    await expectSent(...[..."7012345"].map((digit) => ({do: "digit", digit})));
    await scan("https://elsewhere.example/1234567");
    await page.locator(".problem").getByText("This code cannot be read").waitFor();
    assert.deepEqual(daemon.commands, []);
  }));

test("commands keep their order, however long each of them takes", () =>
  open(async (page) => {
    await show(page, "number", {number: {digits: "", problem: null}});
    daemon.delay = ({digit}) => (digit === "1" ? 150 : 0);
    for (const digit of "1234") await page.getByRole("button", {name: digit, exact: true}).click();
    await until("all digits", () => daemon.answered.length === 4);
    daemon.delay = () => 0;
    assert.equal(daemon.answered.map(({digit}) => digit).join(""), "1234");
  }));

test("the whole way is possible by keyboard alone", () =>
  open(async (page) => {
    const focused = () => page.evaluate("document.activeElement.innerText.split('\\n')[0]");
    await show(page, "consent");
    assert.equal(await focused(), "Before we start");
    const seen = [];
    for (let i = 0; i < 6; ++i) {
      await page.keyboard.press("Tab");
      seen.push(await focused());
    }
    // The text first, which may have to be scrolled.
    const text = "What we take";
    assert.deepEqual(seen, [
      text,
      "No, thank you",
      "I agree",
      "Back",
      "Say it again",
      "Stop and erase",
    ]);
    await page.getByRole("button", {name: "I agree"}).focus();
    await page.keyboard.press("Enter");
    await expectSent({do: "agree"});
  }));

test("a screen is told of changes without being built anew", () =>
  open(async (page) => {
    await show(page, "number", {number: kNumber});
    await page.evaluate("document.querySelector('.key').dataset.same = 'yes'");
    await show(page, "number", {number: {digits: "701234567", problem: null}});
    assert.equal(await page.locator(".key[data-same=yes]").count(), 1);
    assert.equal(await page.locator(".cell").nth(8).textContent(), "7");
    assert.equal(await page.locator("[role=status]").textContent(), "9 of 11 digits");
  }));

test("a daemon that is gone leaves nothing of a person on the screen, and its return brings the screen back", () =>
  open(async (page) => {
    await show(page, "number", {number: kNumber});
    await daemon.stop();
    await page.getByRole("heading", {name: "One moment, please"}).waitFor();
    assert.equal(await page.locator(".cell").count(), 0);
    assert.doesNotMatch(await page.locator("body").innerText(), /\d{2}/);
    await screenshot(page, "kiosk-lost");
    daemon = Object.assign(new ScriptedDaemon(), {
      snapshot: snapshotOf("consent", {session: "s2"}),
    });
    await daemon.listen(Number(new URL(page.url()).port));
    await page.getByRole("heading", {name: "Before we start"}).waitFor();
  }));

// Any user of the board can take a port that its program has just left, and gets the cookie with the first request.
test("another program that takes the daemon's port is shown to nobody, and told nothing", () =>
  open(async (page) => {
    await show(page, "number", {number: kNumber});
    await daemon.stop();
    const port = Number(new URL(page.url()).port);
    const stranger = Object.assign(new ScriptedDaemon(), {
      snapshot: snapshotOf("number", {number: kNumber, session: "s2"}),
      proof: "another program",
    });
    await stranger.listen(port);
    const asked = await page.waitForResponse((answer) => answer.url().endsWith("/events"));
    assert.equal(asked.headers()["idkiosk-proof"], "another program");
    await page.getByRole("heading", {name: "One moment, please"}).waitFor();
    assert.equal(await page.locator(".cell").count(), 0);
    await page.keyboard.press("7");
    await page.waitForResponse((answer) => answer.url().endsWith("/events"));
    assert.equal(await page.locator(".cell").count(), 0);
    assert.deepEqual(stranger.commands, []);
    await stranger.stop();
    daemon = Object.assign(new ScriptedDaemon(), {
      snapshot: snapshotOf("consent", {session: "s3"}),
    });
    await daemon.listen(port);
    await page.getByRole("heading", {name: "Before we start"}).waitFor();
  }));

test("a daemon that hangs is taken for gone", () =>
  open(async (page) => {
    await show(page, "look");
    daemon.beating = false;
    await page.getByRole("heading", {name: "One moment, please"}).waitFor();
    assert.equal(await page.locator("main img").count(), 0);
    daemon.beating = true;
    await page.getByRole("heading", {name: "Are these pictures good?"}).waitFor();
  }));

test("a page of an earlier start says that it must be opened anew", () =>
  open(async (page) => {
    await show(page, "number");
    daemon.eventsStatus = 403;
    for (const stream of daemon.streams) stream.end();
    await page.getByRole("heading", {name: "This screen must be opened again"}).waitFor();
    daemon.eventsStatus = 200;
    await page.getByRole("heading", {name: "What is your NIN?"}).waitFor();
  }));

test("a stale tab that touches is shown what there is now, without a blank", () =>
  open(async (page) => {
    await show(page, "look");
    await page.evaluate(
      "new MutationObserver(() => { if (document.body.classList.contains('lost')) document.body.dataset.blanked = 'yes'; }).observe(document.body, {attributeFilter: ['class']})",
    );
    // The tab missed what happened since.
    daemon.snapshot = snapshotOf("consent", {session: "s2"});
    daemon.reply = () => ({status: 409});
    await page.getByRole("button", {name: "Send", exact: true}).click();
    await page.getByRole("heading", {name: "Before we start"}).waitFor();
    assert.equal(await page.locator("body[data-blanked]").count(), 0);
  }));

test("the next person's screen holds nothing of the one before", () =>
  open(async (page) => {
    await show(page, "number", {number: kNumber});
    await show(page, "number-empty", {session: "s2"});
    assert.equal(await page.locator(".cells").innerText(), "");
    await show(page, "look", {session: "s2"});
    assert.match(await page.locator(".pictures img").first().getAttribute("src"), /s=s2$/);
  }));

test("the idle question covers everything, is answered and not put away", () =>
  open(async (page) => {
    await show(page, "idle", {language: "fr"});
    await page.getByRole("alertdialog", {name: "Êtes-vous encore là ?"}).waitFor();
    // Whoever presses it is there; a browser would close the question at the second one.
    for (let i = 0; i < 3; ++i) await page.keyboard.press("Escape");
    assert.equal(await page.locator("dialog[open]").count(), 1);
    await page.getByRole("button", {name: "Je suis là"}).click();
    await expectSent(...Array.from({length: 4}, () => ({do: "still_here"})));
    await show(page, "number", {number: kNumber, language: "fr"});
    assert.equal(await page.locator("dialog[open]").count(), 0);
  }));

test("what the service says is text", () =>
  open(
    async (page) => {
      await show(page, "desk-answer");
      await page.getByText("<img src=x onerror=alert(1)>").waitFor();
      assert.equal(await page.locator("dd img, dt b").count(), 0);
    },
    {width: 1280, height: 800},
  ));

test("sending an unknown call again says the price and asks", () =>
  open(
    async (page) => {
      await show(page, "desk");
      await page.getByRole("button", {name: "Send again"}).click();
      const question = page.getByRole("alertdialog", {name: "Send W2M 5TB again?"});
      await question.getByText("billed twice: 100.00 NGN more.").waitFor();
      await screenshot(page, "kiosk-desk-resend");
      await question.getByRole("button", {name: "Back"}).click();
      assert.deepEqual(daemon.commands, []);
      await page.getByRole("button", {name: "Send again"}).click();
      await question.getByRole("button", {name: "Send again"}).click();
      await page.getByRole("button", {name: "Give up"}).click();
      await page.getByRole("alertdialog").getByRole("button", {name: "Give up"}).click();
      await expectSent(
        {do: "resend", reference: "W2M5TB", attempts: 1, confirmed: true},
        {do: "give_up", reference: "W2M5TB"},
      );
    },
    {width: 1280, height: 800},
  ));

test("a clerk asks by keyboard, and what is typed outlives every snapshot", () =>
  open(
    async (page) => {
      await show(page, "desk");
      assert.equal(await page.evaluate("document.activeElement.id"), "ask-nin");
      await page.keyboard.type("70123456701");
      await show(page, "desk", {online: false});
      assert.equal(await page.getByLabel("NIN", {exact: true}).inputValue(), "70123456701");
      await page.getByRole("button", {name: "NIN details"}).click();
      await page.getByLabel("NIN", {exact: true}).fill("70123456701");
      await page.getByLabel("Reason").selectOption("TENANCY");
      await page.keyboard.press("Enter");
      await expectSent({do: "ask", question: "nin", nin: "70123456701", reason: "TENANCY"});
      await page.getByLabel("Find a reference").fill("w2m");
      assert.equal(await page.locator(".call").count(), 1);
    },
    {width: 1280, height: 800},
  ));

test("the operator's console opens by holding the brand and a PIN, which is forgotten when wrong", () =>
  open(async (page) => {
    await page.locator(".brand").hover();
    await page.mouse.down();
    await page.getByRole("dialog", {name: "Operator"}).waitFor();
    await page.mouse.up();
    daemon.reply = () => ({status: 403, body: {problem: "wrong"}});
    await page.keyboard.type("1234");
    await page.keyboard.press("Enter");
    await page.getByText("This PIN is not right.").waitFor();
    await expectSent({do: "operator.unlock", pin: "1234"});
    daemon.reply = () => ({status: 403, body: {problem: "locked_out", seconds: 30}});
    await page.keyboard.type("9");
    await page.getByRole("button", {name: "Open"}).click();
    await page.getByText("Too many tries. Wait 30 seconds.").waitFor();
    await expectSent({do: "operator.unlock", pin: "9"});
    await show(page, "operator-ready");
    assert.equal(await page.locator("dialog[open]").count(), 0);
    await page.getByRole("tab", {name: "Ledger"}).click();
    await expectSent({do: "operator.tab", tab: "ledger"});
    await show(page, "operator-setup");
    await page.getByLabel("The onboarding message").fill('{"api_key": "k"}');
    daemon.reply = () => ({status: 204});
    await page.getByRole("button", {name: "Set up", exact: true}).click();
    await expectSent({do: "operator.provision", message: '{"api_key": "k"}'});
    await page.waitForFunction(() => document.getElementById("message").value === "");
  }));

test("Arabic runs from right to left, and digits do not", () =>
  open(async (page) => {
    await show(page, "number", {language: "ar", number: kNumber});
    assert.equal(await page.locator("html").getAttribute("dir"), "rtl");
    const [first, second] = await Promise.all(
      [0, 1].map((i) => page.locator(".cell").nth(i).boundingBox()),
    );
    assert.ok(first.x < second.x);
  }));

test("the voice says the screen's sentences, ends with a touch, repeats, and is silent when muted", () =>
  open(async (page) => {
    const said = () =>
      daemon.voices.filter((name) => name.startsWith("yo/")).map((name) => name.slice(3, -4));
    const sentences = [
      "title",
      "what",
      "what_text",
      "why",
      "why_text",
      "who",
      "who_said",
      "keep",
      "keep_said",
      "answer_said",
      "change",
      "change_text",
      "how_said",
    ].map((name) => `consent.${name}`);
    await show(page, "consent", {language: "yo"});
    await until("speaking", () => said().length === sentences.length);
    await page.getByRole("button", {name: "Tún un sọ"}).click();
    await until("repeating", () => said().length === 2 * sentences.length);
    assert.deepEqual(said(), [...sentences, ...sentences]);
    await show(page, "number", {language: "yo", sound: false, number: kNumber});
    assert.ok(await page.getByRole("button", {name: "Tún un sọ"}).isDisabled());
    assert.equal(said().length, 2 * sentences.length);
    await show(page, "number", {language: "yo", number: {digits: "7012", problem: null}});
    await page.getByRole("button", {name: "Ka nọ́mbà mi fún mi"}).click();
    await until("reading", () => said().length === 2 * sentences.length + 5);
    assert.deepEqual(said().slice(2 * sentences.length), [
      "digit.7",
      "digit.0",
      "digit.1",
      "digit.pause",
      "digit.2",
    ]);
  }));

test("the reference is read out letter by letter in its two groups, to screen readers too", () =>
  open(async (page) => {
    await show(page, "answer-kept", {language: "yo"});
    const said = () =>
      daemon.voices.filter((name) => name.startsWith("yo/")).map((name) => name.slice(3, -4));
    const letters = [
      "letter.K",
      "letter.D",
      "digit.7",
      "digit.pause",
      "letter.Q",
      "digit.2",
      "letter.M",
    ];
    await until("reading", () => said().length === 12);
    assert.deepEqual(said(), [
      "answer.kept",
      "answer.why.network",
      "answer.result",
      "answer.reference",
      ...letters,
      "answer.keep",
    ]);
    await page.getByRole("img", {name: "K D 7, Q 2 M"}).waitFor();
    await show(page, "number", {number: {digits: "70123456", problem: null}});
    await page.getByRole("img", {name: "7 0 1, 2 3 4 5, 6"}).waitFor();
  }));

test("a handheld and a desk are locked by one touch, or by keyboard", () =>
  open(
    async (page) => {
      const lock = page.getByRole("button", {name: "Lock", exact: true});
      await show(page, "handheld-number");
      await lock.click();
      await page.keyboard.press("Control+Shift+L");
      await expectSent({do: "lock"}, {do: "lock"});
      await show(page, "desk");
      await lock.click();
      await page.keyboard.press("Control+Shift+L");
      await expectSent({do: "lock"}, {do: "lock"});
      for (const name of ["number", "locked", "operator-log"]) {
        await show(page, name, name === "number" ? {} : {mode: "handheld"});
        assert.equal(await lock.count(), 0, name);
        await page.keyboard.press("Control+Shift+L");
      }
      await show(page, "welcome");
      await expectSent();
    },
    {width: 720, height: 1280},
  ));

test("the console tells times as the clocks here show them", () =>
  open(async (page) => {
    const zone = await page.context().newCDPSession(page);
    await zone.send("Emulation.setTimezoneOverride", {timezoneId: "Africa/Lagos"});
    await show(page, "operator-ledger");
    const time = page.getByRole("cell", {name: "2026-11-20 16:42:10"}).first();
    await time.waitFor();
    await show(page, "operator-ledger", {language: "ar"});
    const [day, hour] = await time.evaluate((cell) => {
      const text = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode();
      return [0, 11].map((at) => {
        const range = document.createRange();
        range.setStart(text, at);
        range.setEnd(text, at + 1);
        return range.getBoundingClientRect().left;
      });
    });
    assert.ok(day < hour, "the day comes before the hour in Arabic, too");
    assert.deepEqual(
      await page.locator(".chart text[text-anchor=middle]").first().textContent(),
      "01:00",
    );
    await show(page, "operator-log");
    await page.getByRole("cell", {name: "2026-11-20 16:40:02"}).waitFor();
    await zone.send("Emulation.setTimezoneOverride", {timezoneId: ""});
  }));

test("a language without recordings is offered no sound, and asks for none", () =>
  open(async (page) => {
    await show(page, "consent-silent", {language: "ha"});
    for (const name of ["Sake faɗa", "Akwai sauti"]) {
      assert.equal(await page.getByRole("button", {name}).count(), 0, name);
    }
    await show(page, "number", {language: "ha", voice: false});
    assert.ok(await page.locator(".key").first().isVisible());
    assert.deepEqual(
      daemon.voices.filter((name) => name.startsWith("ha/")),
      [],
    );
  }));

test("guidance is spoken at most every 2.5 s and never twice the same within 6 s", async () => {
  const source = readFileSync(path.join(pages, "voice.js"), "utf8");
  const {Voice} = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  let now = 0;
  const voice = new Voice(
    () => now,
    () => Promise.resolve(),
  );
  const said = [];
  // A guidance that flickers between two, forty times a second.
  for (now = 0; now < 20_000; now += 25) {
    const key = now % 100 < 50 ? "guide.move_closer" : "guide.more_light";
    if (voice.guide(key)) said.push([now, key]);
  }
  for (let i = 1; i < said.length; ++i) assert.ok(said[i][0] - said[i - 1][0] >= 2500);
  for (const [at, key] of said)
    assert.ok(!said.some(([other, same]) => same === key && other > at && other - at < 6000));
  assert.ok(said.length >= 5);
});
