// Prints each function of the named files that has more lines than LIMIT, from its first to its closing brace.
// usage: node tools/lib/long_functions.mjs LIMIT FILE...
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";

// The compiler that also holds the page's types.
const ts = createRequire(new URL("../../tests/web/package.json", import.meta.url))("typescript");

function complain(file, limit) {
  const text = readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.JS);
  const line = (place) => source.getLineAndCharacterOfPosition(place).line + 1;
  const look = (node) => {
    const first = line(node.getStart());
    const count = line(node.end) - first + 1;
    if (ts.isFunctionLike(node) && count > limit) {
      const name = (node.name ?? node.parent.name)?.getText() ?? "a function without a name";
      console.log(`${file}:${first}: ${name}: ${count} lines; ${limit} is the end: split it`);
    }
    ts.forEachChild(node, look);
  };
  look(source);
}

const [limit, ...files] = process.argv.slice(2);
for (const file of files) complain(file, Number(limit));
