import {el, setText, svg} from "../dom.js";

const kPictures = 5;
// The sign of each challenge, drawn as icons.js draws, and its place on the oval. The picture is a mirror: the person's left
// is the screen's left. A handheld is held by somebody else and mirrors nothing, so there the sides change.
/** @type {Record<Exclude<Prompt, "selfie" | "done">, {d: string, x: number, y: number}>} */
const kSigns = {
  turn_left: {d: "M14.500 5l-7 7 7 7", x: 18, y: 60},
  turn_right: {d: "M9.500 5l7 7-7 7", x: 82, y: 60},
  look_up: {d: "M5 14.500l7-7 7 7", x: 50, y: 18},
  come_closer: {d: "M5 10V5h5M14 5h5v5M19 14v5h-5M10 19H5v-5", x: 50, y: 102},
  smile: {d: "M5 11c1.500 9 12.500 9 14 0M8 6v.3M16 6v.3", x: 50, y: 102},
};

function overlay() {
  const sign = svg("g", {class: "sign"});
  // Two halves that fill from the top.
  const half = (/** @type {number} */ sweep) =>
    svg("path", {class: "oval-ring", d: `M50 18A32 42 0 0 ${sweep} 50 102`, pathLength: 1});
  const halves = [half(0), half(1)];
  const root = svg(
    "svg",
    {class: "overlay", viewBox: "0 0 100 120", "aria-hidden": "true"},
    svg("path", {
      class: "shade",
      "fill-rule": "evenodd",
      d: "M-400-400h900v900h-900zM50 18a32 42 0 000 84 32 42 0 000-84z",
    }),
    svg("ellipse", {class: "oval", cx: 50, cy: 60, rx: 32, ry: 42}),
    ...halves,
    sign,
  );
  return {root, halves, sign};
}

/** @typedef {`camera.${CameraTrouble}` | "camera.restarted" | "camera.good" | `prompt.${Prompt}` | `guide.${keyof English["guide"]}`} Sentence */

/** @param {NonNullable<Snapshot["camera"]>} camera @returns {Sentence} the one that counts now */
function sentence({prompt, guidance, trouble, restarted}) {
  if (trouble !== null) return `camera.${trouble}`;
  if (restarted) return "camera.restarted";
  if (guidance === "follow_prompt" || prompt === "done") return `prompt.${prompt}`;
  return guidance === "none" ? "camera.good" : `guide.${guidance}`;
}

/** @param {App} app @returns {View} */
export function camera(app) {
  const {t} = app;
  const {root, halves, sign} = overlay();
  const preview = el("img", {class: "preview", alt: "", src: `/preview?${Date.now()}`});
  const stage = el("div", {class: "picture stage"}, preview, root);
  const said = el("h1");
  const count = el("p", {class: "lead"});
  const dots = Array.from({length: kPictures}, () => el("li"));
  /** @type {Prompt | null} */
  let prompt = null;
  /** @type {Sentence | null} */
  let key = null;
  // A new start is said for as long as it takes to read it.
  let restartedUntil = 0;

  /** @param {Prompt} name */
  function showSign(name) {
    if (name === "selfie" || name === "done") return sign.replaceChildren();
    const {d, x, y} = kSigns[name];
    sign.replaceChildren(
      svg("circle", {class: "sign-disc", cx: x, cy: y, r: 9}),
      svg("path", {class: "sign-line", d, transform: `translate(${x - 6} ${y - 6}) scale(.5)`}),
    );
    if (app.snapshot.mode === "handheld")
      sign.setAttribute("transform", "translate(100) scale(-1 1)");
  }

  /** @param {Snapshot} snapshot */
  function update({camera: state}) {
    if (state === undefined) return;
    const now = performance.now();
    if (state.restarted) restartedUntil = now + 2000;
    const wanted = sentence({...state, restarted: now < restartedUntil});
    if (state.prompt !== prompt) {
      prompt = state.prompt;
      showSign(prompt);
      if (state.trouble === null) app.voice.speak([`prompt.${prompt}`]);
      app.announce(t(`prompt.${prompt}`));
    } else if (wanted !== key && wanted !== "camera.good" && app.voice.guide(wanted)) {
      app.announce(t(wanted));
    }
    key = wanted;
    setText(said, t(wanted));
    stage.classList.toggle("good", state.guidance === "none" && state.trouble === null);
    stage.classList.toggle("trouble", state.trouble !== null);
    for (const half of halves) half.setAttribute("stroke-dasharray", `${state.held.toFixed(3)} 1`);
    dots.forEach((dot, i) => {
      dot.classList.toggle("kept", i < state.step);
      dot.classList.toggle("now", i === state.step);
    });
    setText(count, t("camera.step", {step: Math.min(state.step + 1, kPictures)}));
  }

  return {
    root: el(
      "section",
      {class: "screen camera"},
      stage,
      el(
        "div",
        {class: "words"},
        said,
        el("ol", {class: "dots", "aria-hidden": "true"}, ...dots),
        count,
      ),
    ),
    back: true,
    stop: true,
    update,
    says: ({camera: state}) => (state === undefined ? [] : [`prompt.${state.prompt}`]),
    // Ends the stream of pictures, which would go on without being seen.
    gone: () => preview.removeAttribute("src"),
  };
}
