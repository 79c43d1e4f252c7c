// How somebody walks through the page of a real kiosk.
import {withPage} from "../browser.mjs";
import {heading, touch} from "./steps.mjs";

// A connection that is lost is an error on the browser's console too.
const lost = /status of 4\d\d|ERR_/;

export async function toNumber(page) {
  await page.locator("button.tongue[lang=en]").click();
  await touch(page, "I agree");
  await heading(page, "What is your NIN?");
}

export async function typeNumber(page, nin) {
  for (const digit of nin) await touch(page, digit);
  await page.getByText("11 of 11 digits").first().waitFor();
  await touch(page, "Next");
}

export async function toLook(page, nin) {
  await toNumber(page);
  await typeNumber(page, nin);
  await page.locator(".screen.camera").waitFor();
  await heading(page, "Are these pictures good?");
}

// The words under a heading.
export const lead = (page) => page.locator(".lead").first().innerText();

/** A kiosk that is started for each visit, and stopped after it. */
export class Visits {
  constructor(kiosk) {
    this.kiosk = kiosk;
  }

  // With a program that has just been started. more: other sections of its settings.
  async run(body, ui = {}, more = {}) {
    await this.kiosk.start({reasons: ["ACCOUNT_OPENING"], ...ui}, more);
    await body().finally(() => this.kiosk.stop());
  }

  // said: what the page says aloud from its first screen on, each as "en welcome.title".
  browse(body) {
    return withPage({width: 1080, height: 1920, allow: [lost]}, async (page) => {
      const said = [];
      await page.exposeFunction("tellSaid", (address) => {
        const [, language, key] = /\/voice\/(\w+)\/([\w.]+)\.wav$/.exec(address);
        said.push(`${language} ${key}`);
      });
      // Not by its requests: what a browser has read before, it does not ask for again.
      await page.addInitScript(() => {
        const {play} = HTMLMediaElement.prototype;
        HTMLMediaElement.prototype.play = function () {
          window.tellSaid(this.src);
          return play.call(this);
        };
      });
      await page.goto(this.kiosk.address);
      await body(page, said);
    });
  }

  open(body, ui, more) {
    return this.run(() => this.browse(body), ui, more);
  }
}
