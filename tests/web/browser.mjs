// Debian's Chromium without a window, for the tests of pages.
import {mkdir, mkdtemp, rm} from "node:fs/promises";
import {existsSync} from "node:fs";
import {tmpdir} from "node:os";
import path from "node:path";
import {fileURLToPath} from "node:url";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
const chromium = process.env.IDKIOSK_CHROMIUM ?? "/usr/bin/chromium-headless-shell";

// What CTest takes as "skipped", which its summary lists by name.
const kSkipped = 77;

async function loadPlaywright() {
  if (existsSync(chromium)) {
    const playwright = await import("playwright-core").catch(() => null);
    if (playwright !== null) return playwright;
  }
  console.error(
    "SKIPPED: there is no Chromium, or no playwright-core in tests/web/node_modules; run tools/setup without --no-browser",
  );
  process.exit(kSkipped);
}
const playwright = await loadPlaywright();

// usage: await withPage({width, height}, async (page) => {...})
// Errors on the page (exceptions, refused by its content security policy, failed loads) fail the test.
export async function withPage({width = 1280, height = 900, allow = [], args = []}, test) {
  const profile = await mkdtemp(path.join(tmpdir(), "browser-"));
  const context = await playwright.chromium.launchPersistentContext(profile, {
    executablePath: chromium,
    headless: true,
    viewport: {width, height},
    ignoreHTTPSErrors: true,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      // As a desktop of Debian draws letters.
      "--font-render-hinting=slight",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...args,
    ],
  });
  const complaints = [];
  try {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const page = context.pages()[0];
    // Only what never happens, in whichever tab: how busy the machine is says nothing about the page.
    context.setDefaultTimeout(300_000);
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    await test(page);
  } finally {
    await context.close();
    await rm(profile, {recursive: true, force: true});
  }
  const unexpected = complaints.filter((text) => !allow.some((pattern) => pattern.test(text)));
  if (unexpected.length > 0) throw new Error(`the page complained:\n${unexpected.join("\n")}`);
}

// Into build/screens, for people to look at.
export async function screenshot(page, name) {
  const folder = path.join(root, "build/screens");
  await mkdir(folder, {recursive: true});
  await page.screenshot({path: path.join(folder, `${name}.png`), fullPage: true});
}
