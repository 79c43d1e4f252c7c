// Results as the program itself hands them over, to a receiver over real TLS that checks the signature as config/README.md
// shows it. The program is killed again and again, and the receiver is as bad as receivers are.
// usage: node results_test.mjs IDKIOSK IDKIOSK_SANDBOX
import assert from "node:assert/strict";
import {execFileSync} from "node:child_process";
import {randomBytes} from "node:crypto";
import {once} from "node:events";
import {mkdirSync, readFileSync, readdirSync, statSync, writeFileSync} from "node:fs";
import http from "node:http";
import https from "node:https";
import path from "node:path";
import {after, afterEach, before, test} from "node:test";
import {root} from "./browser.mjs";
import {RealKiosk} from "./kiosk_page/real_kiosk.mjs";

const kiosk = new RealKiosk(process.argv[2], process.argv[3]);
const spool = path.join(kiosk.folder, "spool");
const key = `whsec_${randomBytes(32).toString("base64")}`;

// The example of the document is what is run here.
const [, example] = /```js\n(.*?)```/su.exec(
  readFileSync(path.join(root, "config/README.md"), "utf8"),
);
const {verify} = await import(`data:text/javascript,${encodeURIComponent(example)}`);

// A receiver that answers what `answers` gives, one after the other, and then 204; null: nothing at all.
class Receiver {
  constructor(folder) {
    this.answers = [];
    this.came = []; // every message, as it came
    this.heard = () => undefined;
    this.before = () => undefined; // what happens when a message has come, before it is answered
    const at = (name) => path.join(folder, name);
    const openssl = (...words) => execFileSync("openssl", words, {stdio: "ignore"});
    openssl(
      ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3".split(" "),
      ...["-subj", "/CN=bank", "-keyout", at("ca.key"), "-out", at("bank.pem")],
    );
    openssl(
      ..."req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -x509 -days 2".split(" "),
      ...["-subj", "/CN=receiver", "-addext", "subjectAltName=IP:127.0.0.1"],
      ...[
        "-addext",
        "extendedKeyUsage=serverAuth",
        "-addext",
        "basicConstraints=critical,CA:FALSE",
      ],
      ...["-CA", at("bank.pem"), "-CAkey", at("ca.key")],
      ...["-keyout", at("receiver.key"), "-out", at("receiver.pem")],
    );
    this.authority = at("bank.pem");
    this.server = https.createServer(
      {key: readFileSync(at("receiver.key")), cert: readFileSync(at("receiver.pem"))},
      (request, response) => this.take(request, response),
    );
  }

  async listen() {
    await new Promise((done) => {
      this.server.listen(0, "127.0.0.1", done);
    });
    this.address = `https://127.0.0.1:${this.server.address().port}/results`;
  }

  async take(request, response) {
    const parts = [];
    try {
      for await (const part of request) parts.push(part);
    } catch {
      return; // it was killed meanwhile
    }
    const body = Buffer.concat(parts);
    const message = verify(key, request.headers, body);
    assert.equal(request.headers["webhook-id"], message.id);
    const answer = this.answers.length > 0 ? this.answers.shift() : {status: 204};
    this.came.push({message, answer});
    await this.before();
    if (answer === null) {
      request.socket.destroy();
    } else {
      response.writeHead(answer.status, answer.headers ?? {});
      response.end(answer.body ?? "");
    }
    this.heard();
  }

  // Until `enough` of what came.
  async until(enough) {
    while (!enough()) {
      // eslint-disable-next-line no-await-in-loop
      await new Promise((done) => {
        this.heard = done;
      });
    }
  }

  // The references of what it said to have taken, the first time each.
  get taken() {
    const good = this.came.filter(({answer}) => answer?.status >= 200 && answer?.status < 300);
    return new Set(good.map(({message}) => message.data.reference));
  }
}

let receiver;
const socket = path.join(kiosk.folder, "api.sock");

// One request to the local API; {status: 0} where nobody is there.
function api(method, where, body, headers = {}) {
  return new Promise((done) => {
    const asked = http.request({socketPath: socket, path: where, method, headers}, (answer) => {
      let text = "";
      answer.setEncoding("utf8");
      answer.on("data", (part) => {
        text += part;
      });
      answer.on("error", () => done({status: 0}));
      answer.on("end", () => done({status: answer.statusCode, body: JSON.parse(text || "null")}));
    });
    asked.on("error", () => done({status: 0}));
    asked.end(body);
  });
}

const ask = (name) =>
  api(
    "POST",
    "/v1/checks",
    JSON.stringify({
      endpoint: "lookup_nin",
      nin: kiosk.nin,
      reason: "ACCOUNT_OPENING",
      case: name,
      ask_again: true,
    }),
    {"Content-Type": "application/json", "Idempotency-Key": name},
  );

const results = () => ({webhook: receiver.address, webhook_ca: receiver.authority, spool});
const start = (more = {}) =>
  kiosk.start(
    {},
    {
      api: {socket},
      queue: {backoff_first: "100 ms", backoff_last: "1 s"},
      results: {...results(), ...more},
    },
  );
async function kill() {
  const gone = once(kiosk.process, "exit");
  kiosk.process.kill("SIGKILL");
  await gone;
}

// The state of a check, once the kiosk has nothing more to do with it by itself.
async function settled(reference) {
  for (;;) {
    // eslint-disable-next-line no-await-in-loop
    const {status, body} = await api("GET", `/v1/checks/${reference}`);
    assert.equal(status, 200);
    if (body.state !== "pending" && body.state !== "sending") return body.state;
  }
}

before(async () => {
  await kiosk.provision();
  mkdirSync(spool);
  receiver = new Receiver(kiosk.folder);
  await receiver.listen();
  const file = path.join(kiosk.folder, "webhook-key");
  writeFileSync(file, `${key}\n`, {mode: 0o600});
  kiosk.idkiosk("vault", "set", "webhook-key", "--file", file);
  kiosk.idkiosk("reasons");
});
afterEach(() => kiosk.stop());
after(async () => {
  receiver?.server.close();
  receiver?.server.closeAllConnections();
  await kiosk.remove();
});

test("each end arrives, signed, in its order and under one id, however often the program is killed", async () => {
  let seed = 7;
  const draw = (below) => {
    seed = (seed * 48271) % 2147483647;
    return seed % below;
  };
  const bad = [
    {status: 500},
    {status: 302},
    null,
    {status: 429, headers: {"Retry-After": "1"}},
    {status: 404},
  ];
  const references = [];
  for (let round = 0; references.length < 20; round += 1) {
    receiver.answers = Array.from({length: 3}, () => bad[draw(bad.length)]);
    // Killed when a message comes, before it is answered; or as soon as a check is accepted.
    let killed = null;
    if (draw(2) === 0) {
      const last = receiver.came.length + 1 + draw(6);
      receiver.before = () => {
        if (receiver.came.length >= last) killed ??= kill();
        return killed;
      };
    }
    await start().catch((wrong) => {
      if (killed === null) throw wrong; // before it was ready
    });
    for (let i = 0; i < 5 && killed === null; i += 1) {
      const name = `B-${references.length}`;
      const {status, body} = await ask(name);
      if (status !== 202) continue; // it was killed; the same key comes again
      references.push(body.reference);
      if (draw(4) === 0) await api("POST", `/v1/checks/${body.reference}:cancel`);
    }
    await (killed ?? kill());
    receiver.before = () => undefined;
  }
  receiver.answers = [];
  await start();
  for (const reference of references) {
    // The answer went down with the program: a person ends it.
    if ((await settled(reference)) === "unknown") {
      assert.equal((await api("POST", `/v1/checks/${reference}:give-up`)).status, 200);
    }
  }
  await receiver.until(() => references.every((each) => receiver.taken.has(each)));

  const bodies = new Map();
  const ids = new Map();
  for (const {message} of receiver.came) {
    const known = bodies.get(message.id) ?? message;
    assert.deepEqual(message, known, "what comes again is the same");
    bodies.set(message.id, known);
    const {reference} = message.data;
    ids.set(reference, (ids.get(reference) ?? new Set()).add(message.id));
  }
  assert.deepEqual([...ids.keys()].sort(), [...new Set(references)].sort());
  for (const [reference, each] of ids) assert.equal(each.size, 1, reference);
  // In the order of the ends: first comes what ended first.
  const order = [...bodies.values()].map(({data}) => data.ended_at);
  assert.deepEqual(order, order.toSorted());
  const again = receiver.came.length - bodies.size;
  assert.ok(again > 0, "some came twice, or nothing was cut");
  // No number and no name without being asked for.
  const everything = JSON.stringify([...bodies.values()]);
  assert.ok(!everything.includes(kiosk.nin));
  assert.ok(!everything.includes('"answer"'));

  // The spool has the same, each whole, once its own thread has come as far as the receiver's.
  let files;
  do {
    // eslint-disable-next-line no-await-in-loop
    await api("GET", "/v1/health");
    files = readdirSync(spool).filter((each) => each.endsWith(".json"));
  } while (files.length < bodies.size);
  const spooled = files.map((each) => JSON.parse(readFileSync(path.join(spool, each), "utf8")));
  assert.deepEqual(
    spooled.map(({id}) => id),
    [...bodies.keys()],
  );
  for (const each of files) assert.equal(statSync(path.join(spool, each)).mode & 0o777, 0o640);

  const metrics = await new Promise((done) => {
    http.get({socketPath: socket, path: "/v1/metrics"}, (answer) => {
      let text = "";
      answer.on("data", (part) => {
        text += part;
      });
      answer.on("end", () => done(text));
    });
  });
  assert.match(metrics, /idkiosk_results_waiting\{to="webhook"\} \d+/u);
});

test("a receiver whose certificate is another one's gets nothing", async () => {
  const before = receiver.came.length;
  await start({webhook_pins: [`sha256//${randomBytes(32).toString("base64")}`]});
  const {body} = await ask("pinned");
  const file = (each) => each.includes(body.reference);
  while (!readdirSync(spool).some(file)) await settled(body.reference);
  let parts;
  do {
    ({body: parts} = await api("GET", "/v1/health"));
  } while (!parts.parts.some(({part}) => part === "results"));
  await kiosk.stop();
  assert.equal(receiver.came.length, before);
  const doctor = JSON.parse(kiosk.says("--json", "doctor"));
  const webhook = doctor.find(({part, text}) => part === "results" && text.startsWith("webhook"));
  assert.match(webhook.text, /1 ended and not handed over/u);
});

test("an answer goes along where the settings say so, and stands in the audit trail", async () => {
  const known = receiver.taken;
  await start({include: ["nin", "answer"]});
  const {status, body} = await ask("with-answer");
  assert.equal(status, 202);
  await receiver.until(() => receiver.taken.has(body.reference));
  const {message} = receiver.came.find(({message: each}) => each.data.reference === body.reference);
  assert.ok(!known.has(body.reference));
  assert.equal(message.data.nin, kiosk.nin);
  assert.equal(message.data.answer.data.nin, kiosk.nin);
  assert.equal(message.data.case, "with-answer");
  await kiosk.stop();
  assert.match(
    kiosk.idkiosk("audit", "list"),
    new RegExp(
      `results \\(webhook\\).*${body.reference}|${body.reference}.*results \\(webhook\\)`,
      "u",
    ),
  );
});
