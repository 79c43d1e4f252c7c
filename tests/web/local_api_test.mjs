// The local API, by a client whose types are generated from app/api/openapi.json, over the socket of the program itself.
// usage: node local_api_test.mjs IDKIOSK IDKIOSK_SANDBOX
import assert from "node:assert/strict";
import {mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from "node:fs";
import http from "node:http";
import {tmpdir} from "node:os";
import path from "node:path";
import {after, before, test} from "node:test";
import {pathToFileURL} from "node:url";
import openapiTS, {astToString} from "openapi-typescript";
import ts from "typescript";
import {root} from "./browser.mjs";
import {RealKiosk} from "./kiosk_page/real_kiosk.mjs";

const kiosk = new RealKiosk(process.argv[2], process.argv[3]);
const socket = path.join(kiosk.folder, "api.sock");
const work = mkdtempSync(path.join(tmpdir(), "teller-"));

// What fetch does, over a socket file.
function fetchOverSocket(request) {
  return new Promise((done, failed) => {
    request.text().then((body) => {
      const {pathname, search} = new URL(request.url);
      const asked = http.request(
        {
          socketPath: socket,
          path: pathname + search,
          method: request.method,
          headers: {
            ...Object.fromEntries(request.headers),
            "Content-Length": Buffer.byteLength(body),
          },
        },
        async (answer) => {
          const parts = [];
          for await (const part of answer) parts.push(part);
          done(
            new Response(Buffer.concat(parts), {
              status: answer.statusCode,
              headers: answer.headers,
            }),
          );
        },
      );
      asked.on("error", failed);
      asked.end(body);
    });
  });
}

// The teller's program against the document, as its compiler sees both. Returns its module.
async function compile() {
  symlinkSync(path.join(root, "tests/web/node_modules"), path.join(work, "node_modules"));
  const types = await openapiTS(pathToFileURL(path.join(root, "app/api/openapi.json")));
  writeFileSync(path.join(work, "paths.d.ts"), astToString(types));
  const source = readFileSync(path.join(root, "tests/web/local_api/teller.ts"), "utf8");
  const file = path.join(work, "teller.ts");
  writeFileSync(file, source);
  const options = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2022.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
  };
  const wrong = ts
    .getPreEmitDiagnostics(ts.createProgram([file], options))
    .map(({messageText}) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  assert.deepEqual(wrong, []);
  const module = path.join(work, "teller.mjs");
  writeFileSync(module, ts.transpileModule(source, {compilerOptions: options}).outputText);
  return import(pathToFileURL(module));
}

let teller;

before(async () => {
  const {Teller} = await compile();
  teller = new Teller(fetchOverSocket);
  await kiosk.provision();
  kiosk.idkiosk("reasons");
  await kiosk.start({}, {api: {socket}});
});
after(async () => {
  await kiosk.remove();
  rmSync(work, {recursive: true, force: true});
});

test("a teller's program asks, waits, and reads the answer", async () => {
  assert.equal(typeof (await teller.isReady()), "boolean");
  const reason = await teller.firstReason();
  const {reference} = await teller.ask(kiosk.nin, reason, "key-1");
  const check = await teller.end(reference);
  assert.equal(check.verdict, "verified");
  assert.equal(check.means, "Verified.");
  assert.equal(check.case, "B-17");
  assert.equal(check.cost.billed, 1);
  assert.equal(check.tries.length, 1);
  assert.equal(typeof (await teller.answer(reference)), "object");
  assert.deepEqual(await teller.ask(kiosk.nin, reason, "key-1"), {reference, problem: undefined});
  const reused = await teller.ask("12345678901", reason, "key-1");
  assert.equal(reused.problem, "urn:idkiosk:problem:key-reused");
  assert.equal(kiosk.billed(), 1);
});

test("the list has pages, and leaves nothing out", async () => {
  const reason = await teller.firstReason();
  for (const key of ["key-2", "key-3"]) {
    await teller.end((await teller.ask(kiosk.nin, reason, key)).reference);
  }
  assert.equal((await teller.references(1)).length, 3);
  assert.deepEqual(await teller.references(2), await teller.references(50));
});

test("nothing is sent again for another price than the present one", async () => {
  kiosk.sandboxDoes("fault", "add", "--kind", "drop-after-body", "--endpoint", "lookup_nin");
  const reason = await teller.firstReason();
  const {reference} = await teller.ask(kiosk.nin, reason, "key-4");
  const {state, confirm_price: present} = await teller.end(reference);
  assert.equal(state, "unknown");
  const billed = kiosk.billed();
  assert.deepEqual(await teller.resend(reference, "0.01 NGN", 1), {
    state: undefined,
    price: present,
  });
  assert.deepEqual(await teller.holds(), []);
  assert.equal(kiosk.billed(), billed);
});
