// What axe finds wrong on a page, by the rules of WCAG 2.2 A and AA and its own advice.
import {createRequire} from "node:module";
import {readFile} from "node:fs/promises";

// To be evaluated on the page first.
export const axe = await readFile(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);
const rules = {
  runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  resultTypes: ["violations"],
};

export async function complaintsOfAxe(page) {
  const {violations} = await page.evaluate(
    (options) => globalThis.axe.run(document, options),
    rules,
  );
  return violations.flatMap(({id, nodes}) =>
    nodes.map((node) => `axe: ${id}: ${node.target} ${node.failureSummary.replace(/\s+/g, " ")}`),
  );
}
