// The catalogues: words/LANGUAGE.json holds every sentence under a key, with {placeholders}. A word that goes by a number
// names it: {count|one:call|other:calls}, by the forms that the language has (Intl.PluralRules); other stands for the rest.

/** @typedef {{code: string, name: string, start: string, offered: boolean, direction: "ltr" | "rtl"}} Language */

/** @type {Map<string, Map<string, string>>} */
const catalogues = new Map();
/** @type {Language[]} */
let languages = [];

/** @param {string} path */
async function load(path) {
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path}: status ${answer.status}`);
  return answer.json();
}

/** @param {Map<string, string>} into @param {string} prefix @param {Record<string, unknown>} tree */
function flatten(into, prefix, tree) {
  for (const [name, value] of Object.entries(tree)) {
    const key = prefix === "" ? name : `${prefix}.${name}`;
    if (typeof value === "string") into.set(key, value);
    else flatten(into, key, /** @type {Record<string, unknown>} */ (value));
  }
  return into;
}

/** @type {Map<string, Promise<void>>} */
const loading = new Map();

/** @param {string} name @param {() => Promise<void>} start */
function once(name, start) {
  const known = loading.get(name) ?? start();
  loading.set(name, known);
  known.catch(() => loading.delete(name));
  return known;
}

/**
 * Makes a language ready, and English beside it. One that cannot be had is English from then on.
 * @param {string} code
 */
export async function loadLanguage(code) {
  await Promise.all([
    once("languages", async () => {
      languages = await load("/words/languages.json");
    }),
    ...["en", code].map((wanted) =>
      once(wanted, async () => {
        const tree = await load(`/words/${wanted}.json`).catch(() => ({}));
        catalogues.set(wanted, flatten(new Map(), "", tree));
      }),
    ),
  ]);
}

/** @param {string} code */
export const isLoaded = (code) => languages.length > 0 && catalogues.has(code);

export const offeredLanguages = () => languages.filter((language) => language.offered);

/** @param {string} code */
export const direction = (code) =>
  languages.find((language) => language.code === code)?.direction ?? "ltr";

/** @param {string} code @param {string} key */
export const hasWords = (code, key) => catalogues.get(code)?.has(key) ?? false;

/** @type {Map<string, Intl.PluralRules>} */
const rules = new Map();

/** The form for a number. @param {string} code @param {string} forms @param {number} count */
function formFor(code, forms, count) {
  const rule = rules.get(code) ?? new Intl.PluralRules(code);
  rules.set(code, rule);
  const known = new Map(
    forms.split("|").map((form) => /** @type {[string, string]} */ (form.split(":", 2))),
  );
  return known.get(rule.select(count)) ?? known.get("other") ?? "";
}

/**
 * An amount of money, everywhere on the page. @param {number | string} amount hundredths, or as the program has written them
 * @param {string} currency
 */
export const money = (amount, currency) =>
  `${typeof amount === "number" ? (amount / 100).toFixed(2) : amount} ${currency}`;

const kRightToLeft = /\p{Script=Arabic}|\p{Script=Hebrew}/u;

/**
 * A value within a sentence, whose order neither of them changes: a price or a reference reads from left to right among
 * Arabic words, an Arabic name from right to left among others. @param {string} code @param {string} value
 */
function isolated(code, value) {
  if (kRightToLeft.test(value)) return `\u2067${value}\u2069`;
  return direction(code) === "rtl" ? `\u2066${value}\u2069` : value;
}

/**
 * The sentence under `key`; English where a language has none, the key itself where nobody has.
 * @param {string} code @param {string} key @param {Record<string, string | number>} [values]
 */
export function words(code, key, values = {}) {
  const own = catalogues.get(code)?.get(key);
  const text = own ?? catalogues.get("en")?.get(key) ?? key;
  return text
    .replace(/\{(\w+)\|([^}]+)\}/g, (whole, name, forms) =>
      name in values
        ? formFor(own === undefined ? "en" : code, forms, Number(values[name]))
        : whole,
    )
    .replace(/\{(\w+)\}/g, (whole, name) =>
      name in values ? isolated(code, String(values[name])) : whole,
    );
}
