import {button, el, setText, svg} from "../dom.js";
import {guide, kLeast, kNothingGuided} from "../parts/guidance.js";
import {headIn} from "../parts/head.js";

const kPictures = 5;
// Where on the oval a challenge's arc has its middle, in degrees from the right, clockwise, and how far it reaches to both
// sides. The picture is a mirror: the person's left is the screen's left. A handheld is held by somebody else and mirrors
// nothing, so there the sides change.
/** @type {Record<Prompt, {at: number, reach: number, sign?: string}>} */
const kArcs = {
  selfie: {at: -90, reach: 180},
  turn_left: {at: 180, reach: 62, sign: "M14.500 5l-7 7 7 7"},
  turn_right: {at: 0, reach: 62, sign: "M9.500 5l7 7-7 7"},
  look_up: {at: -90, reach: 62, sign: "M5 14.500l7-7 7 7"},
  come_closer: {at: -90, reach: 180},
  smile: {at: -90, reach: 180},
  done: {at: -90, reach: 180},
};
const kOval = {x: 50, y: 60, rx: 32, ry: 42};

/** @param {number} degrees */
function onOval(degrees) {
  const angle = (degrees * Math.PI) / 180;
  return {x: kOval.x + kOval.rx * Math.cos(angle), y: kOval.y + kOval.ry * Math.sin(angle)};
}

/** From there on the oval so many degrees on. @param {number} from @param {number} by */
function arc(from, by) {
  const [a, b] = [onOval(from), onOval(from + by)];
  const places = [a, b].map(({x, y}) => `${x.toFixed(2)} ${y.toFixed(2)}`);
  return `M${places[0]}A${kOval.rx} ${kOval.ry} 0 0 ${by > 0 ? 1 : 0} ${places[1]}`;
}

class Overlay {
  constructor() {
    // Two sides that fill from the arc's middle, and the way that they will go.
    this.way = svg("path", {class: "oval-way"});
    this.sides = [0, 1].map(() => svg("path", {class: "oval-ring", pathLength: 1}));
    this.sign = svg("g", {class: "sign"});
    const {x, y, rx, ry} = kOval;
    this.target = svg(
      "g",
      {class: "target"},
      svg("path", {
        class: "shade",
        "fill-rule": "evenodd",
        d: `M-400-400h900v900h-900zM${x} ${y - ry}a${rx} ${ry} 0 000 ${2 * ry} ${rx} ${ry} 0 000-${2 * ry}z`,
      }),
      svg("ellipse", {class: "oval", cx: x, cy: y, rx, ry}),
      this.way,
      ...this.sides,
      this.sign,
    );
    this.root = svg(
      "svg",
      {class: "overlay", viewBox: "12 0 76 120", "aria-hidden": "true"},
      this.target,
    );
  }

  /** @param {Prompt} prompt @param {boolean} mirrors */
  ask(prompt, mirrors) {
    const {at, reach, sign} = kArcs[prompt];
    const isPart = reach < 180;
    this.way.setAttribute("d", isPart ? arc(at - reach, reach) + arc(at, reach) : "");
    this.sides.forEach((side, i) => side.setAttribute("d", arc(at, i === 0 ? -reach : reach)));
    const {x, y} = onOval(at);
    this.sign.replaceChildren(
      ...(sign
        ? [
            svg("circle", {class: "sign-disc", cx: x, cy: y, r: 8}),
            svg("path", {
              class: "sign-line",
              d: sign,
              transform: `translate(${x - 6} ${y - 6}) scale(.5)`,
            }),
          ]
        : []),
    );
    // Somebody who is asked to come closer sees an oval that grows.
    this.root.classList.toggle("near", prompt === "come_closer");
    for (const each of [this.way, ...this.sides, this.sign]) {
      each.setAttribute("transform", mirrors ? "" : "translate(100) scale(-1 1)");
    }
  }

  /** @param {number} share 0..1 */
  fill(share) {
    for (const side of this.sides) side.setAttribute("stroke-dasharray", `${share.toFixed(3)} 1`);
  }
}

/** @typedef {NonNullable<Snapshot["camera"]>} CameraState */

/** Before the pictures: what will be asked for, and how soon. @param {App} app */
function readyPart(app) {
  const {t} = app;
  const tour = headIn("tour");
  tour.head.show("tour");
  const countdown = el("p", {class: "countdown"});
  // For whoever cannot bear quick colours.
  const slow = button(
    t("camera.slow_colours"),
    () => app.command("light", {gentle: slow.ariaPressed !== "true"}),
    {class: "second slow"},
  );
  let wishes = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  return {
    root: el(
      "div",
      {class: "picture ready"},
      tour.root,
      el("div", {}, el("p", {class: "lead"}, t("ready.lead")), countdown, slow),
    ),
    /** @param {CameraState} state */
    update({gentle, starts_in}) {
      slow.hidden = gentle === undefined;
      slow.ariaPressed = String(gentle === true);
      // A browser that is set to move little asks by itself.
      if (wishes && gentle === false) app.command("light", {gentle: true});
      wishes = false;
      if (starts_in !== undefined) setText(countdown, String(starts_in));
    },
  };
}

/** The camera's picture, and the oval over it. */
function stagePart() {
  const overlay = new Overlay();
  const preview = el("img", {class: "preview", alt: ""});
  const root = el(
    "div",
    {class: "picture stage"},
    el("div", {class: "mirror"}, preview, overlay.root),
  );
  return {
    root,
    overlay,
    open() {
      if (!preview.hasAttribute("src")) preview.src = `/preview?${Date.now()}`;
    },
    /** @param {CameraState} state @param {boolean} isGood */
    update({trouble, held}, isGood) {
      root.classList.toggle("good", isGood);
      root.classList.toggle("trouble", trouble !== null);
      overlay.fill(held);
    },
    /** Ends the stream of pictures, which would go on without being seen. */
    close: () => preview.removeAttribute("src"),
  };
}

/**
 * What the person is asked for, and how it goes: as a drawing, in words, and aloud.
 * @param {App} app @param {Overlay} overlay
 */
function guidancePart(app, overlay) {
  const {t} = app;
  const asked = headIn("asked");
  const said = el("h1");
  let guided = kNothingGuided;
  /** @type {Prompt | null} */
  let prompt = null;

  /** @param {Prompt} name @param {boolean} inTrouble */
  function ask(name, inTrouble) {
    prompt = name;
    overlay.ask(name, app.snapshot.mode !== "handheld");
    asked.head.show(name);
    if (!inTrouble) app.voice.speak([`prompt.${name}`]);
    app.announce(t(`prompt.${name}`));
  }

  return {
    root: el("div", {class: "words"}, asked.root, said),
    /** Before the camera starts. */
    getReady() {
      asked.root.hidden = true;
      setText(said, t("ready.title"));
    },
    /** Returns the sentence that is said now. @param {CameraState} state */
    follow(state) {
      asked.root.hidden = false;
      guided = guide(guided, state, performance.now());
      const sentence = guided.said;
      if (state.prompt !== prompt) {
        ask(state.prompt, state.trouble !== null);
        if (guided.again !== null) app.voice.speak([guided.again, `prompt.${state.prompt}`]);
      } else if (sentence !== "camera.good" && app.voice.guide(sentence)) {
        app.announce(t(sentence));
      }
      setText(said, t(sentence));
      return sentence;
    },
  };
}

/** How many of the pictures are kept. @param {App} app */
function progressPart({t}) {
  const dots = Array.from({length: kPictures}, () => el("li"));
  const count = el("p", {class: "lead"});
  return {
    root: el(
      "div",
      {class: "actions"},
      el("ol", {class: "dots", "aria-hidden": "true"}, ...dots),
      count,
    ),
    /** @param {CameraState} state */
    update({step}) {
      dots.forEach((dot, i) => {
        dot.classList.toggle("kept", i < step);
        dot.classList.toggle("now", i === step);
      });
      setText(count, t("camera.step", {step: Math.min(step + 1, kPictures)}));
    },
  };
}

/** @param {App} app @returns {View} */
export function camera(app) {
  const ready = readyPart(app);
  const stage = stagePart();
  const guidance = guidancePart(app, stage.overlay);
  const progress = progressPart(app);
  const root = el(
    "section",
    {class: "screen camera"},
    guidance.root,
    ready.root,
    stage.root,
    progress.root,
  );
  /** @type {number | undefined} */
  let later;

  /** @param {Pick<Snapshot, "camera">} snapshot */
  function update({camera: state}) {
    // What was to be said later was about what is no more.
    window.clearTimeout(later);
    if (state === undefined) return;
    ready.update(state);
    root.style.setProperty("--light", state.light?.colour ?? "#fff");
    root.style.setProperty("--fade", `${state.light?.fade_ms ?? 150}ms`);
    const waits = state.starts_in !== undefined;
    ready.root.hidden = !waits;
    stage.root.hidden = progress.root.hidden = waits;
    // The camera opens in the last second.
    if (!waits || state.starts_in === 1) stage.open();
    if (waits) return guidance.getReady();
    // A sentence that came too soon after another one is said when its time has come, also where the camera goes on to
    // see the same, and no other snapshot comes.
    later = window.setTimeout(() => update({camera: state}), kLeast);
    stage.update(state, guidance.follow(state) === "camera.good");
    progress.update(state);
  }

  return {
    root,
    back: true,
    stop: true,
    cannot: true,
    update,
    says: ({camera: state}) => {
      if (state === undefined) return [];
      return state.starts_in === undefined
        ? [`prompt.${state.prompt}`]
        : ["ready.title", "ready.lead"];
    },
    gone: () => {
      window.clearTimeout(later);
      stage.close();
    },
  };
}
