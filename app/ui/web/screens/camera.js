import {el, setText, svg} from "../dom.js";
import {glyph} from "../icons.js";

const kPictures = 5;
// Where the sign of each prompt stands on the oval. The picture is a mirror: the person's left is the screen's left. A
// handheld is held by somebody else and mirrors nothing, so there the sides change.
/** @type {Partial<Record<Prompt, {drawing: string, x: number, y: number}>>} */
const kSigns = {
  turn_left: {drawing: "left", x: 18, y: 60},
  turn_right: {drawing: "right", x: 82, y: 60},
  look_up: {drawing: "up", x: 50, y: 18},
  come_closer: {drawing: "closer", x: 50, y: 102},
  smile: {drawing: "smile", x: 50, y: 102},
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

/** @typedef {`camera.${CameraTrouble}` | "camera.restarted" | `prompt.${Prompt}` | `guide.${Exclude<Guidance, "follow_prompt">}`} Sentence */

/** @param {NonNullable<Snapshot["camera"]>} camera @returns {Sentence} the one that counts now */
function sentence({prompt, guidance, trouble, restarted}) {
  if (trouble !== null) return `camera.${trouble}`;
  if (restarted) return "camera.restarted";
  if (guidance === "follow_prompt" || prompt === "done") return `prompt.${prompt}`;
  return `guide.${guidance}`;
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
    const side = name === "turn_left" ? "turn_right" : name === "turn_right" ? "turn_left" : name;
    const place = kSigns[app.snapshot.mode === "handheld" ? side : name];
    sign.replaceChildren(
      ...(place === undefined
        ? []
        : [
            svg("circle", {class: "sign-disc", cx: place.x, cy: place.y, r: 9}),
            glyph(place.drawing, {
              class: "sign-line",
              transform: `translate(${place.x - 6} ${place.y - 6}) scale(.5)`,
            }),
          ]),
    );
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
    } else if (wanted !== key && wanted !== "guide.none" && app.voice.guide(wanted)) {
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
