import {read, send} from "../api.js";
import {copyButton} from "../copy.js";
import {confirm, errorBox, field, form, h, summary, table, tag, time} from "../dom.js";

const state = (key) => (key.revoked ? tag("Revoked") : tag("In use", "good"));

// The one time that a key's value is seen.
function freshKey({value, key}, done) {
  return h(
    "section",
    {class: "success", "aria-labelledby": "fresh-title"},
    h("h2", {id: "fresh-title"}, `The key “${key.name}” is made`),
    h(
      "div",
      {class: "inside"},
      h(
        "p",
        null,
        h("strong", null, "Copy it now."),
        " It is shown this once: the sandbox keeps no copy that could be read.",
      ),
      h("code", {class: "secret", id: "key-value"}, value),
      h(
        "div",
        {class: "buttons"},
        copyButton(value, "Copy key"),
        h("button", {type: "button", class: "text-button", onclick: done}, "I have stored it"),
      ),
    ),
  );
}

function keyPage(key) {
  return [
    h("p", null, h("a", {href: "#/keys"}, "Back to all keys")),
    h("h1", null, key.name),
    summary([
      ["State", state(key)],
      ["Ends in", h("code", null, `…${key.ending}`)],
      ["Created", time(key.created)],
      ...(key.revoked ? [["Revoked", time(key.revoked)]] : []),
      [
        "Sent as",
        h("code", null, "X-API-KEY"),
        " and, for the generic verification, as bearer token",
      ],
    ]),
    h(
      "p",
      {class: "inset"},
      "The value was shown when the key was made. If it is lost, regenerate the key.",
    ),
  ];
}

// regenerate(key), revoke(key): what the buttons of one in use do.
function keyTable(keys, regenerate, revoke) {
  const action = (label, work, kind) =>
    h("button", {type: "button", class: `text-button${kind ?? ""}`, onclick: work}, label);
  return table(
    [
      {title: "Name", cell: (key) => key.name},
      {title: "Ends in", cell: (key) => h("code", null, `…${key.ending}`)},
      {title: "Created", cell: (key) => time(key.created), kind: "tight"},
      {title: "State", cell: state},
      {
        title: "Actions",
        cell: (key) =>
          h(
            "div",
            {class: "buttons"},
            h("a", {href: `#/keys/${key.id}`}, "View"),
            key.revoked ? null : action("Regenerate", () => regenerate(key)),
            key.revoked ? null : action("Revoke", () => revoke(key), " stop"),
          ),
      },
    ],
    keys,
    {
      caption: "API keys",
      rowClass: (key) => (key.revoked ? "ended" : null),
      empty: "There is no key yet. Create the first one below.",
    },
  );
}

// made(answer): the new key, and the keys that there are then.
function createForm(made) {
  return form(
    async ({name}, element) => {
      const answer = await send("keys", {name});
      element.reset();
      made(answer);
    },
    field(
      "Name of the key",
      h("input", {name: "name", maxlength: "100", autocomplete: "off"}),
      "Such as the program or the place that will use it.",
    ),
    h("button", {class: "button"}, "Create new key"),
  );
}

// Every key, what happens to them, and a form for another one.
function keyList(keys) {
  const notice = h("div", {"aria-live": "polite"});
  const list = h("div");
  const act = async (work) => {
    try {
      await work();
    } catch (error) {
      notice.replaceChildren(errorBox(error));
    }
  };
  const announce = (made) => {
    notice.replaceChildren(freshKey(made, () => notice.replaceChildren()));
    showList(made.keys);
    notice.scrollIntoView({block: "center"});
  };
  const regenerate = (key) =>
    act(async () => {
      const sure = await confirm(
        `Regenerate “${key.name}”?`,
        "A new value is made and shown once. The old one ends at once: programs that still use it are answered with 401.",
        "Regenerate key",
      );
      if (!sure) return;
      announce(await send("keys/regenerate", {id: key.id}));
    });
  const revoke = (key) =>
    act(async () => {
      const sure = await confirm(
        `Revoke “${key.name}”?`,
        "Programs that use it are answered with 401. This cannot be undone.",
        "Revoke key",
      );
      if (!sure) return;
      showList((await send("keys/revoke", {id: key.id})).keys);
      notice.replaceChildren();
    });
  const showList = (rows) => list.replaceChildren(keyTable(rows, regenerate, revoke));
  showList(keys);
  return [notice, list, h("h2", null, "Create a new key"), createForm(announce)];
}

export async function keysView({rest}) {
  const {keys} = await read("keys");
  const opened = keys.find((key) => String(key.id) === rest[0]);
  if (opened) return keyPage(opened);
  return [
    h("h1", null, "API keys"),
    h(
      "p",
      {class: "lead"},
      "A key tells the service which customer calls. Keep it on a server or in a vault, never in a page or a repository.",
    ),
    ...keyList(keys),
  ];
}
