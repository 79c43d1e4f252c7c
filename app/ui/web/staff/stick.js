// A memory stick: what can be written to it, and the files on it that can be read.
import {button, el} from "../dom.js";
import {icon} from "../icons.js";

/**
 * @param {App} app @param {Operator["stick"]} stick
 * @param {{text: string, press: () => Promise<Reply>}[]} writes
 * @param {{text: (file: string) => string, press: (file: string) => Promise<Reply>}} reads
 * @param {"csv" | "json"} ending
 */
export function stickCard(app, stick, writes, reads, ending) {
  const {t} = app;
  if (stick === undefined) return "";
  const problem = el("p", {class: "problem bad", role: "alert", dir: "auto"});
  const act = (/** @type {() => Promise<Reply>} */ press) => async () => {
    problem.textContent = "";
    problem.textContent = (await press()).error;
  };
  const {files, written, said} = stick;
  return el(
    "div",
    {class: "card stick"},
    el("h2", {}, t("stick.title")),
    el(
      "div",
      {class: "stick-actions"},
      ...writes.map(({text, press}, i) =>
        button(text, act(press), {class: "small", "data-key": `write ${i}`}, icon("send")),
      ),
      ...files.map((file) =>
        button(
          reads.text(file),
          act(() => reads.press(file)),
          {class: "small", "data-key": `read ${file}`},
          icon("list"),
        ),
      ),
      button(
        t("stick.look"),
        act(() => app.command("operator.stick", {ending})),
        {class: "small", "data-key": "look"},
        icon("again"),
      ),
    ),
    files.length === 0 && el("p", {class: "muted"}, t("stick.empty")),
    problem,
    written && el("p", {role: "status"}, t("stick.written", {file: written})),
    said && el("p", {role: "status"}, said),
  );
}
