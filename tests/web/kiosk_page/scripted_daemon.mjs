// The page's other end, scripted: serves the page as the daemon does, and whatever snapshot a test puts into it.
import {execFileSync} from "node:child_process";
import {createReadStream, mkdtempSync, readFileSync, rmSync} from "node:fs";
import http from "node:http";
import {tmpdir} from "node:os";
import path from "node:path";
import {root} from "../browser.mjs";

export const pages = path.join(root, "app/ui/web");
const read = (name) => readFileSync(path.join(pages, name), "utf8");
export const languages = JSON.parse(read("words/languages.json"));
// As the program has them: the names of its files, and index.html with a link to each of them.
const made = mkdtempSync(path.join(tmpdir(), "page-"));
const list = path.join(pages, "../page_files.cmake");
execFileSync("cmake", [`-DFOLDER=${pages}`, `-DWORK=${made}`, "-P", list]);
export const served = readFileSync(path.join(made, "files.txt"), "utf8").trim().split("\n");
export const index = readFileSync(path.join(made, "index.html"), "utf8");
rmSync(made, {recursive: true});

const kTypes = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
};
const kPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; " +
  "media-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

// The session of somebody before a camera that stands upright.
export const kUpright = "upright";

// A drawn sitter for the preview and the pictures: turned by `turn`, -1 to 1.
const sitter = (
  turn,
  width,
  height,
) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<defs><linearGradient id="w" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#c9c3b8"/><stop offset="1" stop-color="#9a958c"/></linearGradient>
<radialGradient id="f" cx=".4" cy=".35"><stop stop-color="#a9714d"/><stop offset="1" stop-color="#744628"/></radialGradient></defs>
<rect width="${width}" height="${height}" fill="url(#w)"/><g transform="translate(${width / 2} ${height * 0.5}) scale(${height / 720})">
<path d="M-260 400c20-160 130-190 260-190s240 30 260 190z" fill="#28506e"/><path d="M-60 120h120v120a60 40 0 01-120 0z" fill="#6d4227"/>
<ellipse rx="135" ry="178" fill="url(#f)"/><path d="M-140-20c-20-220 300-220 280 0-10-90-60-120-140-120s-130 30-140 120z" fill="#1b130d"/>
<g transform="translate(${turn * 55} 0)"><path d="M-75-30q25-18 50 0M25-30q25-18 50 0" stroke="#1b130d" stroke-width="9" fill="none"/>
<ellipse cx="-50" cy="0" rx="17" ry="9" fill="#fff"/><circle cx="-50" r="9" fill="#1b130d"/><ellipse cx="50" cy="0" rx="17" ry="9" fill="#fff"/><circle cx="50" r="9" fill="#1b130d"/>
<path d="M0 0l${turn * 14 - 12} 48h26" stroke="#5c3620" stroke-width="7" fill="none"/><path d="M-42 92q42 26 84 0" stroke="#7b2f2c" stroke-width="12" fill="none"/></g></g></svg>`;

export class ScriptedDaemon {
  constructor() {
    this.snapshot = {};
    this.commands = [];
    this.answered = [];
    this.voices = [];
    // How long a command takes, in milliseconds.
    this.delay = () => 0;
    this.streams = new Set();
    // Answers a command; a test may give another.
    this.reply = () => ({status: 204});
    this.eventsStatus = 200;
    // Says on each stream that it is the same program.
    this.proof = "the same program";
    this.beating = true;
    this.server = http.createServer((request, response) => this.serve(request, response));
    this.beat = setInterval(() => this.write(":\n\n"), 1000);
  }

  async listen(port = 0) {
    await new Promise((done) => this.server.listen(port, "127.0.0.1", done));
    this.port = this.server.address().port;
    this.address = `http://127.0.0.1:${this.port}/`;
  }

  // As a daemon that is killed: every connection ends at once.
  async stop() {
    clearInterval(this.beat);
    this.server.closeAllConnections();
    await new Promise((done) => this.server.close(done));
    this.streams.clear();
  }

  write(text) {
    if (this.beating) for (const stream of this.streams) stream.write(text);
  }

  put(snapshot) {
    this.snapshot = snapshot;
    this.write(`data: ${JSON.stringify(snapshot)}\n\n`);
  }

  serve(request, response) {
    const {pathname, searchParams} = new URL(request.url, "http://127.0.0.1");
    response.setHeader("Content-Security-Policy", kPolicy);
    response.setHeader("Cache-Control", "no-store");
    const picture = (turn, width, height) =>
      response.writeHead(200, {"Content-Type": "image/svg+xml"}).end(sitter(turn, width, height));
    const name = pathname.slice(1);
    if (pathname === "/events") this.events(request, response);
    else if (pathname === "/command") this.command(request, response);
    else if (pathname === "/preview") picture(0.05, 1280, 720);
    else if (pathname.startsWith("/pictures/"))
      picture(
        [0, -0.9, 0.9, 0.2, 0][Number(pathname.at(-1))],
        ...(searchParams.get("s") === kUpright ? [720, 1280] : [1280, 720]),
      );
    else if (pathname === "/answer-photo") picture(0, 300, 400);
    else if (pathname.startsWith("/voice/"))
      (this.voices.push(pathname.slice(7)), response.writeHead(404).end());
    else if (name === "") response.writeHead(200, {"Content-Type": kTypes[".html"]}).end(index);
    else if (served.includes(name)) {
      response.writeHead(200, {"Content-Type": kTypes[path.extname(name)]});
      createReadStream(path.join(pages, name)).pipe(response);
    } else response.writeHead(404).end();
  }

  events(request, response) {
    if (this.eventsStatus !== 200) return response.writeHead(this.eventsStatus).end();
    response.writeHead(200, {
      "Content-Type": "text/event-stream",
      "Idkiosk-Proof": this.proof,
    });
    response.write(`data: ${JSON.stringify(this.snapshot)}\n\n`);
    this.streams.add(response);
    request.on("close", () => this.streams.delete(response));
  }

  command(request, response) {
    let text = "";
    request.on("data", (piece) => {
      text += piece;
    });
    request.on("end", async () => {
      const command = JSON.parse(text);
      this.commands.push(command);
      const wait = this.delay(command);
      if (wait > 0) await new Promise((done) => setTimeout(done, wait));
      this.answered.push(command);
      const {status, body} = this.reply(command);
      response
        .writeHead(status, {"Content-Type": "application/json"})
        .end(body ? JSON.stringify(body) : undefined);
    });
  }
}
