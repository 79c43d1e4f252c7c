import {read, remove, send} from "../api.js";
import {confirm, errorBox, field, form, h, select, table, tag} from "../dom.js";

const grouped = (nin) => `${nin.slice(0, 3)} ${nin.slice(3, 7)} ${nin.slice(7)}`;

function face(person) {
  return person.face_matches ? tag("Matches", "good") : tag("Differs", "bad");
}

// act(work): does it, and shows the people that there are then.
function actions(person, act) {
  const flip = () =>
    act(() => send("people/face", {nin: person.nin, face_matches: !person.face_matches}));
  const removePerson = async () => {
    const sure = await confirm(
      `Remove ${person.name}?`,
      "Calls with this number are answered as for a number that nobody has.",
      "Remove",
    );
    if (sure) await act(() => remove("people", {nin: person.nin}));
  };
  return h(
    "div",
    {class: "buttons"},
    h(
      "button",
      {type: "button", class: "text-button", onclick: flip},
      person.face_matches ? "Let it differ" : "Let it match",
    ),
    h("button", {type: "button", class: "text-button stop", onclick: removePerson}, "Remove"),
  );
}

// isTest(person): nothing about them can be changed.
function columns(isTest, act) {
  return [
    {
      title: "",
      kind: "middle",
      cell: (person) =>
        h("img", {class: "portrait", alt: "", src: `api/people/portrait?nin=${person.nin}`}),
    },
    {
      title: "Name",
      kind: "middle",
      cell: (person) => [
        person.name,
        h("div", {class: "quiet"}, `${person.gender}, born ${person.born}`),
      ],
    },
    {
      title: "NIN",
      kind: "middle tight",
      cell: (person) => h("span", {class: "mono"}, grouped(person.nin)),
    },
    {
      title: "Phone",
      kind: "middle tight",
      cell: (person) => h("span", {class: "mono"}, person.phone),
    },
    {
      title: "Face",
      kind: "middle",
      cell: (person) => (isTest(person) ? tag("Test NIN", "warn") : face(person)),
    },
    {
      title: "Actions",
      kind: "middle",
      cell: (person) => (isTest(person) ? "" : actions(person, act)),
    },
  ];
}

// added(answer): the people that there are then.
function addForm(added) {
  return form(
    async (values, element) => {
      added(await send("people", {...values, face_matches: values.face === "matches"}));
      element.reset();
    },
    field("Full name", h("input", {name: "name", autocomplete: "off"})),
    h(
      "div",
      {class: "row"},
      field(
        "NIN",
        h("input", {name: "nin", inputmode: "numeric", maxlength: "11", autocomplete: "off"}),
        "11 digits, not a real one",
      ),
      field(
        "Phone",
        h("input", {name: "phone", inputmode: "tel", autocomplete: "off"}),
        "Such as 07000000009",
      ),
      field("Born", h("input", {name: "born", autocomplete: "off"}), "Such as 1990-01-31"),
    ),
    h(
      "div",
      {class: "row"},
      field(
        "Gender",
        select("gender", [
          ["female", "Female"],
          ["male", "Male"],
        ]),
      ),
      field(
        "Face",
        select("face", [
          ["matches", "Matches"],
          ["differs", "Differs"],
        ]),
      ),
    ),
    h("button", {class: "button"}, "Add"),
  );
}

export async function peopleView() {
  const list = h("div", {"aria-live": "polite"});
  const act = async (work) => {
    try {
      show(await work());
    } catch (error) {
      list.prepend(errorBox(error));
    }
  };
  function show({people, test_nin: testNin}) {
    const isTest = (person) => person.nin === testNin;
    list.replaceChildren(
      table(columns(isTest, act), people, {caption: "People", empty: "Nobody."}),
    );
  }
  show(await read("people"));
  return [
    h("h1", null, "People"),
    h(
      "p",
      {class: "lead"},
      "The registry. Nobody in it exists. No face is ever compared: what a picture sent for somebody is worth stands in the column Face.",
    ),
    list,
    h("h2", null, "Add somebody"),
    addForm(show),
  ];
}
