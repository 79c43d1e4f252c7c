// How soon a touch is seen: from the finger's leaving a key, which makes it a touch, until its digit is painted, in
// Chromium with the program itself. Beside it, in turn, an empty page whose handler changes a word: the least that this
// browser takes on this machine.
// usage: node touch_bench.mjs IDKIOSK IDKIOSK_SANDBOX   (prints {"kiosk": [...], "bare": [...]}, in milliseconds)
import {withPage} from "./browser.mjs";
import {RealKiosk} from "./kiosk_page/real_kiosk.mjs";
import {toNumber} from "./kiosk_page/visit.mjs";

const kTurns = 10;
const kTouches = 20; // a turn
const kWarmUp = 10;
const kHeld = 70; // milliseconds that a finger rests on a key

// In the page: the time from each touch to the end of the frame that shows what has changed below `element`.
function watch(element) {
  const times = (globalThis.times = []);
  let touched = 0;
  document.addEventListener(
    "pointerup",
    (event) => {
      touched = event.timeStamp;
    },
    {capture: true},
  );
  const painted = new MessageChannel();
  painted.port1.onmessage = () => times.push(performance.now() - touched);
  new MutationObserver(() => requestAnimationFrame(() => painted.port2.postMessage(0))).observe(
    element,
    {subtree: true, childList: true, characterData: true},
  );
}

// Touches places in turn, each once the one before was seen, and not in step with the frames.
async function touches(page, places, count) {
  await page.bringToFront();
  const input = await page.context().newCDPSession(page);
  for (let i = 0; i < count; ++i) {
    const before = await page.evaluate("times.length");
    const {x, y} = places[i % places.length];
    await input.send("Input.dispatchTouchEvent", {type: "touchStart", touchPoints: [{x, y}]});
    await page.waitForTimeout(kHeld);
    await input.send("Input.dispatchTouchEvent", {type: "touchEnd", touchPoints: []});
    await page.waitForFunction((seen) => globalThis.times.length > seen, before, {polling: 20});
    await page.waitForTimeout(20 + 100 * Math.random());
  }
  await input.detach();
}

async function middleOf(locator) {
  const {x, y, width, height} = await locator.boundingBox();
  return {x: x + width / 2, y: y + height / 2};
}

async function openBare(page) {
  await page.setContent("<button style='width: 200px; height: 200px'>0</button>");
  await page.evaluate(() => {
    const button = document.querySelector("button");
    button.onclick = () => {
      button.textContent = String(Number(button.textContent) + 1);
    };
  });
  await page.locator("button").evaluate(watch);
  return [await middleOf(page.locator("button"))];
}

async function openKiosk(page, address) {
  await page.goto(address);
  await toNumber(page);
  await page.locator(".cells").evaluate(watch);
  const key = (name) => middleOf(page.getByRole("button", {name, exact: true}));
  return [await key("7"), await key("Delete the last digit")];
}

const kiosk = new RealKiosk(process.argv[2], process.argv[3]);
try {
  await kiosk.provision();
  await kiosk.start({reasons: ["ACCOUNT_OPENING"]});
  await withPage({width: 1080, height: 1920}, async (page) => {
    const bare = await page.context().newPage();
    const places = {kiosk: await openKiosk(page, kiosk.address), bare: await openBare(bare)};
    await touches(page, places.kiosk, kWarmUp);
    await touches(bare, places.bare, kWarmUp);
    for (const tab of [page, bare]) await tab.evaluate("times.length = 0");
    for (let i = 0; i < kTurns; ++i) {
      await touches(page, places.kiosk, kTouches);
      await touches(bare, places.bare, kTouches);
    }
    console.log(
      JSON.stringify({kiosk: await page.evaluate("times"), bare: await bare.evaluate("times")}),
    );
  });
} finally {
  await kiosk.remove();
}
