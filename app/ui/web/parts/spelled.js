// Numbers and references letter by letter, in groups: for whoever listens, and for screen readers.

// Where the groups of a NIN (3, 4 and 4) and of a reference (3 and 3) begin.
export const kNinGroups = [3, 7];
export const kReferenceGroups = [3];

/** What is said, as keys of the catalogues. @param {string} text @param {number[]} groups */
export const spelled = (text, groups) =>
  [...text].flatMap((letter, i) => [
    ...(groups.includes(i) ? ["digit.pause"] : []),
    `${/\d/.test(letter) ? "digit" : "letter"}.${letter}`,
  ]);

/** "K D 7, Q 2 M" @param {string} text @param {number[]} groups */
export const spaced = (text, groups) =>
  [...text].map((letter, i) => (groups.includes(i) ? ", " : i > 0 ? " " : "") + letter).join("");
