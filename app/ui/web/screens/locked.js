import {el} from "../dom.js";
import {pinSheet} from "../staff/pin.js";

/** A clerk's or field agent's screen that waits for the PIN. @param {App} app @returns {View} */
export function locked(app) {
  const sheet = pinSheet(app, {
    title: app.t("pin.title"),
    enter: (pin, name) => app.command("unlock", {pin, name}),
    people: app.snapshot.locked?.people,
  });
  let wasOut = false;
  return {
    root: el("section", {class: "screen locked"}, sheet.root),
    key: sheet.key,
    update: ({locked: state}) => {
      sheet.setPeople(state?.people ?? []);
      const out = (state?.seconds ?? 0) > 0;
      if (out || wasOut) sheet.tell(out ? "locked_out" : null, state?.seconds ?? 0);
      wasOut = out;
    },
  };
}
