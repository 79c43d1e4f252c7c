// Numbers and references letter by letter, in groups: for whoever listens, and for screen readers.

// Where the groups of a NIN (3, 4 and 4) and of a reference (3 and 3) begin.
export const kNinGroups = [3, 7];
export const kReferenceGroups = [3];

/** @typedef {`digit.${keyof English["digit"]}` | `letter.${keyof English["letter"]}`} Spelled */

/** The keys of what is said. @param {string} text @param {number[]} groups @returns {Spelled[]} */
export const spelled = (text, groups) =>
  [...text].flatMap((letter, i) => {
    /** @type {Spelled} */
    const said = /\d/.test(letter)
      ? `digit.${/** @type {keyof English["digit"]} */ (letter)}`
      : `letter.${/** @type {keyof English["letter"]} */ (letter)}`;
    return groups.includes(i) ? ["digit.pause", said] : [said];
  });

/** "K D 7, Q 2 M" @param {string} text @param {number[]} groups */
export const spaced = (text, groups) =>
  [...text].map((letter, i) => (groups.includes(i) ? ", " : i > 0 ? " " : "") + letter).join("");
