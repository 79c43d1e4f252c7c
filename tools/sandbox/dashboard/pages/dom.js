// Builds pages out of text and elements. Nothing here takes markup: what the server says is text.

// h("p", {class: "hint"}, "some text", h("a", {href: "#/"}, "a link"))
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) {
      element.addEventListener(name.slice(2), value);
    } else if (value === true) {
      element.setAttribute(name, "");
    } else if (value !== false && value !== null && value !== undefined) {
      element.setAttribute(name, value);
    }
  }
  element.append(
    ...children
      .flat(Infinity)
      .filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

let fields = 0;

// A labelled input. `input` is an element; `hint` may be one.
export function field(label, input, hint) {
  const id = input.id || `field-${(fields += 1)}`;
  input.id = id;
  const about = hint ? h("p", {class: "hint", id: `${id}-hint`}, hint) : null;
  if (hint) input.setAttribute("aria-describedby", `${id}-hint`);
  return h("div", {class: "field"}, h("label", {for: id}, label), about, input);
}

export function select(name, options, attributes) {
  return h(
    "select",
    {name, ...attributes},
    options.map(([value, text]) => h("option", {value}, text)),
  );
}

// columns: [{title, number, cell(row)}]
export function table(columns, rows, {caption, rowClass, empty}) {
  if (rows.length === 0) return h("p", {class: "empty"}, empty);
  const kind = (column) => (column.number ? "number" : (column.kind ?? null));
  return h(
    "div",
    {class: "table", role: "region", "aria-label": caption, tabindex: "0"},
    h(
      "table",
      null,
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          columns.map((column) => h("th", {scope: "col", class: kind(column)}, column.title)),
        ),
      ),
      h(
        "tbody",
        null,
        rows.map((row) =>
          h(
            "tr",
            {class: rowClass?.(row)},
            columns.map((column) => h("td", {class: kind(column)}, column.cell(row))),
          ),
        ),
      ),
    ),
  );
}

export function summary(rows) {
  return h(
    "dl",
    {class: "summary"},
    rows.map(([term, ...about]) => h("div", null, h("dt", null, term), h("dd", null, ...about))),
  );
}

export function tag(text, kind) {
  return h("strong", {class: `tag${kind ? ` tag-${kind}` : ""}`}, text);
}

export function figure(value, label) {
  return h("div", {class: "figure"}, h("strong", null, String(value)), h("span", null, label));
}

// "20 Nov 2026, 19:21:47", in the browser's zone.
export function time(text) {
  const date = new Date(text);
  const shown = date.toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  return h("time", {datetime: text}, shown);
}

export function money(amount) {
  const [whole, part] = amount.split(".");
  return `${whole.replace(/\B(?=(\d{3})+$)/g, "\u2009")}.${part}`;
}

// Runs `work` when the form is sent, once at a time; its error is shown above the form.
export function form(work, ...children) {
  const place = h("div");
  const element = h(
    "form",
    {
      novalidate: true,
      async onsubmit(event) {
        event.preventDefault();
        const buttons = element.querySelectorAll("button");
        buttons.forEach((button) => {
          button.disabled = true;
        });
        place.replaceChildren();
        try {
          await work(Object.fromEntries(new FormData(element)), element);
        } catch (error) {
          place.replaceChildren(errorBox(error));
          place.firstChild.focus();
        } finally {
          buttons.forEach((button) => {
            button.disabled = false;
          });
        }
      },
    },
    place,
    ...children,
  );
  return element;
}

export function errorBox(error) {
  return h(
    "div",
    {class: "error", role: "alert", tabindex: "-1"},
    h("h2", null, "There is a problem"),
    h("p", null, error.message),
  );
}

// Asks before something that cannot be undone; resolves to true or false.
export function confirm(title, text, action) {
  return new Promise((resolve) => {
    const dialog = h(
      "dialog",
      {
        "aria-label": title,
        onclose() {
          dialog.remove();
          resolve(dialog.returnValue === "yes");
        },
      },
      h("h2", null, title),
      h("p", null, text),
      h(
        "form",
        {method: "dialog", class: "buttons"},
        h("button", {class: "button stop", value: "yes"}, action),
        h("button", {class: "button second", value: "no", autofocus: true}, "Cancel"),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
