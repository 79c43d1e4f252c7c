import assert from "node:assert/strict";
import {test} from "node:test";
import {contradictions, metAtWork} from "./books.mjs";

const attempts = [
  {attempt_id: "a", billed: "yes"},
  {attempt_id: "b", billed: "maybe"},
  {attempt_id: "c", billed: "no"},
];
const bills = (...ids) => ids.map((attempt_id) => ({attempt_id}));

test("what may have been billed need not be, and may be", () => {
  assert.deepEqual(contradictions(attempts, bills("a")), []);
  assert.deepEqual(contradictions(attempts, bills("a", "b")), []);
});

test("a bill without an attempt, a second one, and one that the board denies are told", () => {
  assert.equal(contradictions(attempts, bills("a", "x")).length, 1);
  assert.equal(contradictions(attempts, bills("a", "a")).length, 1);
  assert.equal(contradictions(attempts, bills("a", "c")).length, 1);
});

test("a bill that the board has and the service has not is told", () => {
  assert.match(contradictions(attempts, bills("b"))[0], /the service does not/);
});

test("a cut counts where the board had begun", () => {
  assert.ok(metAtWork('asked 70123456789 {"reference":"KD7Q2M"}\n'));
  assert.ok(metAtWork("The vault has a new key.\r\nrotated\r\n"));
  assert.ok(!metAtWork(""));
  assert.ok(!metAtWork("The vault has a new key.\n"));
});
