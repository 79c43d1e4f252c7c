// What the camera's screen says: a function of what it said before, of the newest snapshot and of the time, and of nothing
// else. Times are milliseconds.

/** @typedef {`camera.${CameraTrouble}` | `again.${keyof English["again"]}` | "camera.good" | "camera.clean" | "camera.colours"
 *   | `prompt.${Prompt}` | `guide.${keyof English["guide"]}`} Sentence */

/** @typedef {"guide.recording" | `again.${keyof English["again"]}`} Explanation */

/**
 * said: the sentence, and since when. prompt: what was asked for. again: why it began anew, and until when that is said.
 * blurs: how often this picture was blurred.
 * @typedef {{said: Sentence, since: number, prompt: Prompt, again: Explanation | null, until: number, blurs: number,
 *   blurred: boolean}} Guided
 */

/** Nobody reads faster. */
export const kLeast = 700;
/** As long as a new start is explained, unless the person is further by then. */
export const kExplained = 2600;

/** @type {Guided} */
export const kNothingGuided = {
  said: "prompt.selfie",
  since: -Infinity,
  prompt: "selfie",
  again: null,
  until: 0,
  blurs: 0,
  blurred: false,
};

/** Why a new start. @param {NonNullable<NonNullable<Snapshot["camera"]>["restarted"]>} restarted @param {Prompt} asked @returns {Explanation} */
function explanation(restarted, asked) {
  if (restarted === "recording") return "guide.recording";
  if (restarted === "no_light") return "again.no_light";
  if (restarted === "lost" || asked === "selfie" || asked === "done") return "again.lost";
  return asked === "turn_left" || asked === "turn_right" ? "again.turn" : `again.${asked}`;
}

/** @param {NonNullable<Snapshot["camera"]>} camera @param {number} blurs @returns {Sentence} what counts now, however short */
function wanted({prompt, guidance, trouble, light}, blurs) {
  if (trouble !== null) return `camera.${trouble}`;
  if (light !== undefined && guidance === "none" && prompt === "selfie") return "camera.colours";
  if (prompt === "done" || guidance === "follow_prompt") return `prompt.${prompt}`;
  if (guidance === "none") return "camera.good";
  return guidance === "hold_still" && blurs > 1 ? "camera.clean" : `guide.${guidance}`;
}

/** @param {Guided} before @param {NonNullable<Snapshot["camera"]>} camera @param {number} now @returns {Guided} */
export function guide(before, camera, now) {
  const isNewPrompt = camera.prompt !== before.prompt;
  const blurred = camera.guidance === "hold_still" && camera.trouble === null;
  const blurs = (isNewPrompt ? 0 : before.blurs) + Number(blurred && !before.blurred);
  let {again, until} = before;
  if (camera.restarted !== null && now >= until) {
    again = explanation(camera.restarted, before.prompt);
    until = now + kExplained;
  }
  // Whoever has gone on knows it; and the camera's trouble comes first.
  if (now >= until || camera.step > 0 || camera.trouble !== null) again = null;
  // What was judged with a new prompt is the frame that ended the one before.
  const asks = isNewPrompt && camera.trouble === null;
  const next =
    again ?? (asks ? /** @type {const} */ (`prompt.${camera.prompt}`) : wanted(camera, blurs));
  const mayChange =
    again !== null || isNewPrompt || camera.trouble !== null || now - before.since >= kLeast;
  const changes = next !== before.said && mayChange;
  return {
    said: changes ? next : before.said,
    since: changes ? now : before.since,
    prompt: camera.prompt,
    again,
    until,
    blurs,
    blurred,
  };
}
