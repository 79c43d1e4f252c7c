// What is dangerous takes another operator, where there are two: their name and PIN. The one without a name agrees to
// nothing where others have one.
import {dialog} from "../dom.js";
import {pinSheet} from "./pin.js";

/**
 * Sends a command, and again with another operator's PIN where the program asks for one.
 * @param {App} app
 * @param {(second: {second?: string, pin?: string}) => Promise<Reply>} send
 * @returns {Promise<Reply>}
 */
export async function withSecond(app, send) {
  const reply = await send({});
  if (reply.problem !== "second_needed") return reply;
  const {operators = [], user} = app.snapshot;
  return new Promise((resolve) => {
    let last = reply;
    const sheet = dialog(
      "pin",
      pinSheet(app, {
        title: app.t("pin.second"),
        people: operators.filter((name) => name !== user && name !== "operator"),
        enter: async (pin, second) => {
          last = await send({second, pin});
          if (last.status !== 403) sheet.close();
          return last;
        },
        close: () => sheet.close(),
      }).root,
    );
    sheet.setAttribute("aria-label", app.t("pin.second"));
    sheet.addEventListener("close", () => resolve(last));
  });
}
