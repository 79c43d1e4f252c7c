// What tests of every page do with it.
import assert from "node:assert/strict";

export const touch = (page, name) => page.getByRole("button", {name, exact: true}).click();
export const heading = (page, name) => page.getByRole("heading", {level: 1, name}).waitFor();

export async function until(what, check) {
  for (const end = Date.now() + 60_000; !check();) {
    assert.ok(Date.now() < end, `${what} did not happen within a minute`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

// With a scripted daemon: until the page shows this snapshot, with its pictures.
export async function show(daemon, page, snapshot) {
  daemon.put(snapshot);
  await page.waitForFunction(
    (revision) =>
      document.body.dataset.revision === revision &&
      [...document.images].every((image) => image.complete),
    String(snapshot.revision),
    {polling: 10},
  );
}
