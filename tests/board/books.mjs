// Whether a board's books and the service's agree, after its power was cut.

/**
 * Returns what contradicts the promises, as sentences.
 * @param attempts of the board, each approved before a byte left: `{attempt_id, billed: "yes" | "maybe" | "no"}`
 * @param bills of the service: `{attempt_id}` for each time that it billed
 */
export function contradictions(attempts, bills) {
  const wrong = [];
  const known = new Map(attempts.map((each) => [each.attempt_id, each.billed]));
  const billed = new Set();
  for (const {attempt_id: id} of bills) {
    if (!known.has(id)) wrong.push(`${id} was billed, and the board knows of no such attempt`);
    if (known.get(id) === "no") wrong.push(`${id} was billed, and the board says it was not`);
    if (billed.has(id)) wrong.push(`${id} was billed twice`);
    billed.add(id);
  }
  for (const [id, says] of known) {
    if (says === "yes" && !billed.has(id))
      wrong.push(`the board says that ${id} was billed, and the service does not`);
  }
  return wrong;
}

/** Whether the board was at work when its power was cut: it had said something of what it was asked for. */
export const metAtWork = (said) => /^(asked |rotated$)/m.test(said.replaceAll("\r", ""));
