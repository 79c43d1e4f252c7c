import {send} from "../api.js";
import {copyButton} from "../copy.js";
import {field, form, h, money, summary, table, tag} from "../dom.js";

export function accountView({session, place}) {
  const columns = [
    {title: "Endpoint", cell: (row) => row.title},
    {title: "Method and path", cell: (row) => h("code", null, `${row.method} ${row.path}`)},
    {title: "Price", number: true, cell: (row) => (row.billed ? money(row.price) : "not billed")},
    {title: "Access", cell: (row) => (row.allowed ? tag("Included", "good") : tag("Not included"))},
  ];
  return [
    h("h1", null, "Account"),
    summary([
      [
        "User ID",
        h("code", {id: "user-id"}, session.user_id),
        " \u2003",
        copyButton(session.user_id, "Copy user ID", "text-button"),
      ],
      ["Base address", h("code", null, session.base_url)],
      ["Access level", tag(session.level), " assigned by the operator of the sandbox"],
      [
        "Environment",
        tag(session.environment, session.environment === "production" ? "warn" : null),
        session.environment === "sandbox"
          ? " the test NIN 701 2345 6789 is always verified"
          : " the test NIN belongs to nobody",
      ],
      ["Customer", session.name],
    ]),
    h("h2", null, "What this access level includes"),
    table(columns, session.endpoints, {caption: "Endpoints", empty: ""}),
    h("h2", null, "Change the password"),
    form(
      async ({current, fresh}) => {
        await send("password", {current, fresh});
        place.replaceChildren(
          h("h1", null, "The password is changed"),
          h(
            "p",
            {class: "lead"},
            "Every session and access token of this account has ended. Log in again.",
          ),
          h(
            "button",
            {class: "button", type: "button", onclick: () => window.location.reload()},
            "Log in",
          ),
        );
      },
      field(
        "Current password",
        h("input", {name: "current", type: "password", autocomplete: "current-password"}),
      ),
      field(
        "New password",
        h("input", {name: "fresh", type: "password", autocomplete: "new-password"}),
        "At least 10 characters, with an upper and a lower case letter, a digit and a special character.",
      ),
      h("button", {class: "button second"}, "Change password"),
    ),
  ];
}
