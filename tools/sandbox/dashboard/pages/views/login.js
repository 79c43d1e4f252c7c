import {logIn} from "../api.js";
import {field, form, h} from "../dom.js";

export function loginView(loggedIn) {
  return [
    h("h1", null, "Log in"),
    h(
      "p",
      {class: "lead"},
      "Use the login of your onboarding message. It is the same for the dashboard and for the API.",
    ),
    form(
      async ({email, password}) => loggedIn(await logIn(email, password)),
      field(
        "E-mail address",
        h("input", {name: "email", type: "email", autocomplete: "username", spellcheck: "false"}),
      ),
      field(
        "Password",
        h("input", {name: "password", type: "password", autocomplete: "current-password"}),
      ),
      h("button", {class: "button"}, "Log in"),
    ),
    h(
      "p",
      {class: "inset"},
      "No account yet? On the machine of the sandbox: ",
      h("code", null, "idkiosk-sandbox onboard --state DIR"),
    ),
  ];
}
