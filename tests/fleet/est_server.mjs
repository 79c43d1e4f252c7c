// An EST server (RFC 7030) over TLS, which signs with openssl. node est_server.mjs CA-FOLDER DAYS [CIPHERS]
// With CIPHERS it speaks TLS 1.2 by these alone.
// Prints its port, then a line for each request. /.well-known/est is good; below it, /LABEL misbehaves as LABEL says.
import {execFileSync} from "node:child_process";
import {mkdtempSync, readFileSync, writeFileSync} from "node:fs";
import https from "node:https";

const [ca, days, ciphers] = process.argv.slice(2);
const work = mkdtempSync(`${ca}/est-`);
let claim = "kiosk-7:once-only";

const openssl = (...args) =>
  execFileSync("openssl", args, {cwd: work, stdio: ["pipe", "pipe", "ignore"]});

function sign(request, subject) {
  writeFileSync(`${work}/request.der`, request);
  const named = subject ? ["-subj", subject] : [];
  openssl("req", "-inform", "DER", "-in", "request.der", "-out", "request.pem");
  const by = ["-CA", `${ca}/ca.pem`, "-CAkey", `${ca}/ca.key`, "-CAcreateserial", "-days", days];
  openssl(
    "x509",
    "-req",
    "-in",
    "request.pem",
    ...by,
    "-copy_extensions",
    "copy",
    ...named,
    "-out",
    "own.pem",
  );
  return ["own.pem"];
}

function bundle(certificates) {
  const each = certificates.concat(`${ca}/ca.pem`).flatMap((file) => ["-certfile", file]);
  const der = openssl("crl2pkcs7", "-nocrl", ...each, "-outform", "DER");
  return der.toString("base64").replace(/(.{64})/g, "$1\r\n");
}

function isAllowed(request, what) {
  if (what === "simplereenroll") return request.socket.authorized;
  const given = Buffer.from(
    (request.headers.authorization ?? "").replace("Basic ", ""),
    "base64",
  ).toString();
  return claim !== "" && given === claim;
}

function answer(request, response, body) {
  const [, label, what] =
    /^\/\.well-known\/est\/(?:([a-z-]+)\/)?(simple(?:re)?enroll)$/.exec(request.url) ?? [];
  const say = (status, text = "", headers = {}) => {
    console.log(`${what} ${status}`);
    response.writeHead(status, {
      "Content-Type": "application/pkcs7-mime; smime-type=certs-only",
      ...headers,
    });
    response.end(text);
  };
  if (!what) return say(404);
  if (!isAllowed(request, what)) return say(401, "who are you?");
  if (request.headers["content-type"] !== "application/pkcs10") return say(400);
  if (label === "patience") return say(202, "", {"Retry-After": "60"});
  if (label === "page") return say(200, "<html>captive portal</html>");
  if (label === "redirect") return say(302, "", {Location: "https://127.0.0.1:1/"});
  if (label === "nothing") return say(200, bundle([]));
  if (label === "hollow")
    return say(200, Buffer.from("300b06092a864886f70d010702", "hex").toString("base64"));
  if (label === "half") {
    response.writeHead(200, {"Content-Length": 5000}).write("MIIB", () => response.destroy());
    return undefined;
  }
  if (label === "large") return say(200, "A".repeat(1 << 20));
  const good = sign(
    Buffer.from(body, "base64"),
    label === "another-name" ? "/CN=another" : undefined,
  );
  if (what === "simpleenroll" && !label) claim = ""; // a claim is good for one certificate
  const all = bundle(good);
  if (label !== "pieces") return say(200, all);
  console.log(`${what} 200`);
  response.writeHead(200, {"Content-Length": all.length});
  const pieces = all.match(/[^]{1,100}/g);
  const next = () => {
    if (pieces.length === 0) return response.end();
    response.write(pieces.shift());
    return setTimeout(next, 5);
  };
  return next();
}

const server = https.createServer(
  {
    key: readFileSync(`${ca}/broker.key`),
    cert: readFileSync(`${ca}/broker.pem`),
    ca: readFileSync(`${ca}/ca.pem`),
    requestCert: true,
    rejectUnauthorized: false,
    ...(ciphers ? {ciphers, maxVersion: "TLSv1.2"} : {}),
  },
  (request, response) => {
    let body = "";
    request.on("data", (piece) => (body += piece));
    request.on("end", () => answer(request, response, body));
  },
);
server.listen(0, "127.0.0.1", () => console.log(`port ${server.address().port}.`));
