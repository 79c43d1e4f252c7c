import {el} from "../dom.js";
import {pinSheet} from "./pin.js";

/** A clerk's or field agent's screen that waits for the PIN. @param {App} app @returns {View} */
export function locked(app) {
  const problem = el("p", {class: "problem bad"});
  return {
    root: el("section", {class: "screen locked"}, pinSheet(app, {title: app.t("pin.title"), enter: (pin) => app.command("unlock", {pin})}), problem),
    update: ({locked: state}) => {
      problem.textContent = state?.problem === "locked_out" ? app.t("pin.locked_out", {seconds: state.seconds ?? 0}) : "";
    },
  };
}
