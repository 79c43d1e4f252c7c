// Who is here, which view is asked for, and the navigation around it.
import {currentSession, logOut, whenLoggedOut} from "./api.js";
import {errorBox, h} from "./dom.js";
import {accountView} from "./views/account.js";
import {faultsView} from "./views/faults.js";
import {keysView} from "./views/keys.js";
import {ledgerView} from "./views/ledger.js";
import {loginView} from "./views/login.js";
import {peopleView} from "./views/people.js";
import {requestsView} from "./views/requests.js";

const views = [
  {path: "", title: "Account", view: accountView},
  {path: "keys", title: "API keys", view: keysView},
  {path: "ledger", title: "Billing", view: ledgerView},
  {path: "requests", title: "Request log", view: requestsView},
  {path: "faults", title: "Faults", view: faultsView, trainer: true},
  {path: "people", title: "People", view: peopleView, trainer: true},
];

let session = null;
const main = document.getElementById("main");
const navigation = document.getElementById("navigation");

function links(list, current) {
  return h(
    "ul",
    null,
    list.map((entry) =>
      h(
        "li",
        null,
        h(
          "a",
          {href: `#/${entry.path}`, "aria-current": entry === current ? "page" : null},
          entry.title,
        ),
      ),
    ),
  );
}

function showFrame(current) {
  navigation.hidden = session === null;
  navigation.replaceChildren(
    links(
      views.filter((entry) => !entry.trainer),
      current,
    ),
  );
  if (session?.trainer) {
    navigation.append(
      h("h2", null, "Trainer"),
      links(
        views.filter((entry) => entry.trainer),
        current,
      ),
    );
  }
  const who = document.getElementById("who");
  who.replaceChildren(
    ...(session === null
      ? []
      : [h("span", null, session.email), h("button", {type: "button", onclick: leave}, "Log out")]),
  );
}

async function leave() {
  await logOut().catch(() => {});
  session = null;
  window.location.hash = "#/";
  show();
}

async function show() {
  const [path, ...rest] = window.location.hash.replace(/^#\/?/, "").split("/");
  const current =
    views.find((entry) => entry.path === path && (!entry.trainer || session?.trainer)) ?? views[0];
  showFrame(session === null ? null : current);
  const title = session === null ? "Log in" : current.title;
  document.title = `${title} – Identity verification sandbox`;
  try {
    const content =
      session === null
        ? loginView((fresh) => {
            session = fresh;
            show();
          })
        : await current.view({session, rest, again: show, place: main});
    main.replaceChildren(...[content].flat());
  } catch (error) {
    if (error.status !== 401) main.replaceChildren(errorBox(error));
  }
  main.focus({preventScroll: true});
}

whenLoggedOut(() => {
  session = null;
  show();
});
window.addEventListener("hashchange", show);
currentSession()
  .then((found) => {
    session = found;
  })
  .finally(show);
