// What the camera's screen says, by the function alone: no browser.
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";
import path from "node:path";
import {test} from "node:test";

const file = path.join(import.meta.dirname, "../../app/ui/web/parts/guidance.js");
const source = readFileSync(file, "utf8");
const {guide, kNothingGuided, kLeast, kExplained} = await import(
  `data:text/javascript,${encodeURIComponent(source)}`
);

// Feeds one snapshot every 40 ms; returns what stood there, each with how long.
function play(steps) {
  let guided = kNothingGuided;
  let now = 0;
  const stood = [];
  for (const {times = 1, ...change} of steps) {
    const camera = {
      prompt: "selfie",
      guidance: "no_face",
      step: 0,
      held: 0,
      trouble: null,
      restarted: null,
      ...change,
    };
    for (let i = 0; i < times; ++i, now += 40) {
      guided = guide(guided, camera, now);
      if (stood.at(-1)?.said !== guided.said) stood.push({said: guided.said, from: now});
    }
  }
  return stood.map(({said, from}, i) => [said, (stood[i + 1]?.from ?? now) - from]);
}
const said = (steps) => play(steps).map(([sentence]) => sentence);

test("colours are explained while they are shown, and when no face answered them", () => {
  const light = {colour: "#ff607c", fade_ms: 150};
  assert.deepEqual(
    said([
      {times: 30, guidance: "none", light},
      {times: 30, prompt: "look_up", guidance: "follow_prompt", step: 1},
    ]),
    ["camera.colours", "prompt.look_up"],
  );
  assert.deepEqual(said([{times: 30, guidance: "move_closer", light}]), ["guide.move_closer"]);
  assert.ok(
    said([
      {times: 30, guidance: "none"},
      {times: 5, restarted: "no_light"},
    ]).includes("again.no_light"),
  );
});

test("a sentence stays for as long as it takes to read it", () => {
  const flicker = Array.from({length: 200}, (_, i) => ({
    guidance: i % 3 === 0 ? "move_closer" : "more_light",
  }));
  const stood = play(flicker);
  assert.ok(stood.length > 5);
  for (const [sentence, long] of stood.slice(1, -1)) {
    assert.ok(long >= kLeast, `${sentence} stood for ${long} ms`);
  }
});

test("nothing is called good but what was judged good", () => {
  for (const guidance of ["no_face", "one_person_only", "more_light", "follow_prompt"]) {
    assert.ok(!said([{guidance, times: 100}]).includes("camera.good"), guidance);
  }
  assert.deepEqual(said([{guidance: "none", times: 30}]).at(-1), "camera.good");
  assert.deepEqual(said([{guidance: "none", trouble: "black", times: 30}]), ["camera.black"]);
});

test("a new challenge and the camera's trouble are said at once", () => {
  const asked = said([
    {guidance: "none", times: 20},
    {guidance: "move_closer", times: 5},
    {prompt: "turn_left", guidance: "follow_prompt", step: 1},
    {prompt: "turn_left", guidance: "follow_prompt", step: 1, trouble: "away"},
  ]);
  assert.deepEqual(asked.slice(-2), ["prompt.turn_left", "camera.away"]);
});

test("a new challenge is said although the frame that ended the one before was good", () => {
  const next = {prompt: "look_up", step: 2};
  const stood = play([
    {prompt: "turn_left", guidance: "none", step: 1, times: 30},
    {...next, guidance: "none"},
    {...next, guidance: "follow_prompt", times: 30},
  ]);
  assert.deepEqual(stood.at(-1), ["prompt.look_up", 31 * 40]);
});

test("a new start says why, and is gone once the person is further", () => {
  const turned = {prompt: "turn_left", guidance: "follow_prompt", step: 1};
  const why = (asked, restarted) =>
    said([
      {...turned, prompt: asked, times: 20},
      {prompt: "selfie", restarted},
    ]).at(-1);
  assert.equal(why("turn_left", "not_shown"), "again.turn");
  assert.equal(why("turn_right", "not_shown"), "again.turn");
  assert.equal(why("look_up", "not_shown"), "again.look_up");
  assert.equal(why("come_closer", "not_shown"), "again.come_closer");
  assert.equal(why("smile", "not_shown"), "again.smile");
  assert.equal(why("smile", "lost"), "again.lost");
  assert.equal(why("smile", "recording"), "guide.recording");

  // The snapshot says it for half a second; it stands for longer, but not over the next challenge.
  const again = {restarted: "lost", times: 12};
  const stays = play([{...turned, times: 20}, again, {guidance: "none", times: 100}]);
  const [, long] = stays.find(([sentence]) => sentence === "again.lost");
  assert.ok(Math.abs(long - kExplained) <= 40, `${long} ms`);
  const further = play([
    {...turned, times: 20},
    again,
    {guidance: "none", times: 5},
    {...turned, prompt: "smile", times: 50},
  ]);
  assert.deepEqual(further.slice(-2), [
    ["again.lost", 17 * 40],
    ["prompt.smile", 50 * 40],
  ]);
});

test("who is blurred twice is asked to clean the glass", () => {
  const blurred = {guidance: "hold_still", times: 20};
  const sharp = {guidance: "none", times: 20};
  assert.deepEqual(said([blurred, sharp, blurred]), [
    "guide.hold_still",
    "camera.good",
    "camera.clean",
  ]);
  const next = {prompt: "smile", guidance: "hold_still", step: 1, times: 20};
  assert.equal(said([blurred, sharp, next]).at(-1), "guide.hold_still");
});
