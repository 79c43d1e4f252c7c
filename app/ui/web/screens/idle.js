// The question over everything when nobody touched the screen for a while.
import {button, dialog, el, setText} from "../dom.js";
import {icon} from "../icons.js";
import {CountDown} from "../parts/ring.js";

/** @param {App} app */
export function idleQuestion(app) {
  /** @type {HTMLDialogElement | null} */
  let open = null;
  let ring = new CountDown();
  const count = el("span", {class: "count"});

  function ask() {
    const {t} = app;
    ring = new CountDown();
    open = dialog(
      "idle",
      el("h2", {id: "idle-title"}, t("idle.title")),
      el("div", {class: "counter large"}, ring.root, count),
      el("p", {id: "idle-text"}, t("idle.text")),
      el(
        "div",
        {class: "actions two"},
        button(t("frame.stop"), () => app.command("stop"), {class: "second"}, icon("cross")),
        button(
          t("idle.here"),
          () => app.command("still_here"),
          {class: "first", autofocus: true},
          icon("hand"),
        ),
      ),
    );
    open.setAttribute("role", "alertdialog");
    open.setAttribute("aria-labelledby", "idle-title");
    open.setAttribute("aria-describedby", "idle-text");
    // The question is answered, never put away: a browser closes it at the second Escape, whatever "cancel" says.
    open.addEventListener("cancel", (event) => event.preventDefault());
    open.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      app.command("still_here");
    });
    app.voice.speak(["idle.title", "idle.text"]);
  }

  return {
    /** @param {Snapshot} snapshot */
    update({idle}) {
      if (idle === undefined) {
        open?.close();
        open = null;
        return;
      }
      if (open === null || !open.isConnected) ask();
      ring.show(idle.seconds);
      setText(count, String(idle.seconds));
    },
  };
}
