// What tests of every page do with it.
import assert from "node:assert/strict";

export const touch = (page, name) => page.getByRole("button", {name, exact: true}).click();
export const heading = (page, name) => page.getByRole("heading", {level: 1, name}).waitFor();

// progress: what changes while it is on its way, however slowly.
export async function until(what, check, progress = () => 0) {
  let [before, end] = [progress(), Date.now() + 60_000];
  while (!check()) {
    if (progress() !== before) [before, end] = [progress(), Date.now() + 60_000];
    assert.ok(Date.now() < end, `${what} did not happen, and for a minute nothing did`);
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
