// Shows /fleet.json, and asks for it again every few seconds. All text is set as text.

const every = 5000; // milliseconds
const mostCards = 200; // of a large fleet: the worst stand first
const mostRows = 8; // of a table beside them
const signs = {good: "✓", bad: "!", silent: "…", gone: "×"};
const words = {good: "good", bad: "needs somebody", silent: "silent", gone: "gone"};

const find = (id) => document.getElementById(id);

function make(tag, text = "", className = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  element.className = className;
  return element;
}

function ago(time, now) {
  const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1000));
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.round(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.round(seconds / 3600)} h ago`;
  return `${Math.round(seconds / 86400)} days ago`;
}

const nameOf = (kiosk) => `${kiosk.tenant} / ${kiosk.kiosk}`;

function card(kiosk, now) {
  const item = make("li", "", kiosk.health);
  const name = make("div", "", "name");
  name.append(make("span", nameOf(kiosk)));
  name.append(make("span", `${signs[kiosk.health]} ${words[kiosk.health]}`, "state"));
  item.append(name);
  if (kiosk.complaint) item.append(make("p", kiosk.complaint, "complaint"));
  const facts = [`heard ${ago(kiosk.heard, now)}`];
  if (kiosk.waiting !== "0") facts.push(`${kiosk.waiting} calls wait`);
  if (kiosk.need_person !== "0") facts.push(`${kiosk.need_person} calls need a person`);
  if (kiosk.today) facts.push(`${kiosk.today} today`);
  if (kiosk.version) facts.push(`version ${kiosk.version}`);
  item.append(make("p", facts.join(" · "), "facts"));
  return item;
}

function row(texts) {
  const element = make("tr");
  element.append(...texts.map((text) => make("td", text)));
  return element;
}

// Fills a table of two columns with the first few; says in a line what there is where there is none.
function fillPairs(id, pairs, none) {
  const shown = pairs.slice(0, mostRows);
  const rows = shown.map(row);
  if (pairs.length === 0) rows.push(row([none, ""]));
  if (pairs.length > shown.length) rows.push(row([`and ${pairs.length - shown.length} more`, ""]));
  find(id).replaceChildren(...rows);
}

// Those of which `number` says something, in their order by it; its sign says which way.
function sorted(kiosks, number) {
  return kiosks.filter((kiosk) => number(kiosk)).sort((a, b) => number(b) - number(a));
}

function showKiosks(fleet, at) {
  const wanted = find("filter").value.trim().toLowerCase();
  const fits = (kiosk) => Object.values(kiosk).join(" ").toLowerCase().includes(wanted);
  const shown = fleet.kiosks.filter(fits);
  const cards = shown.slice(0, mostCards);
  find("map").replaceChildren(
    ...shown.map((kiosk) => {
      const square = make("li", "", kiosk.health);
      square.title = `${nameOf(kiosk)}: ${words[kiosk.health]}`;
      return square;
    }),
  );
  find("kiosks").replaceChildren(...cards.map((kiosk) => card(kiosk, at)));
  find("none").hidden = shown.length > 0;
  find("more").hidden = shown.length === cards.length;
  find("more").textContent = `And ${shown.length - cards.length} more, which are no worse.`;
}

function showCounts(fleet) {
  find("counts").replaceChildren(
    ...Object.keys(signs).map((state) => {
      const item = make("li", "", state);
      item.append(make("b", `${fleet.kiosks.filter((each) => each.health === state).length}`));
      item.append(make("span", ` ${signs[state]} ${words[state]}`, "state"));
      return item;
    }),
  );
}

function showTables(fleet) {
  find("money").replaceChildren(
    ...fleet.money.map((each) =>
      row([each.tenant, each.endpoint, each.attempts, `${each.cost || "0.00"} ${each.currency}`]),
    ),
  );
  fillPairs(
    "each",
    sorted(fleet.kiosks, (kiosk) => Number.parseFloat(kiosk.today)).map((kiosk) => [
      nameOf(kiosk),
      kiosk.today,
    ]),
    "None.",
  );
  fillPairs(
    "unknown",
    sorted(fleet.kiosks, (kiosk) =>
      kiosk.need_person === "?" ? Infinity : Number(kiosk.need_person),
    ).map((kiosk) => [nameOf(kiosk), kiosk.need_person]),
    "None.",
  );
  fillPairs(
    "cameras",
    sorted(fleet.kiosks, (kiosk) => -Number(kiosk.frames_a_second)).map((kiosk) => [
      nameOf(kiosk),
      `${kiosk.frames_a_second} pictures a second`,
    ]),
    "No capture yet.",
  );
  const versions = new Map();
  for (const {version} of fleet.kiosks) versions.set(version, (versions.get(version) ?? 0) + 1);
  fillPairs(
    "versions",
    [...versions].sort((a, b) => b[1] - a[1]).map(([name, count]) => [name || "not told", count]),
    "None.",
  );
}

function showAlarms(fleet, at) {
  find("alarms").replaceChildren(
    ...(fleet.alarms.length ? fleet.alarms : [{what: "None."}]).map((each) => {
      const item = make("li", each.kiosk ? `${nameOf(each)}: ${each.what} ` : each.what);
      if (each.time) item.append(make("time", ago(each.time, at)));
      return item;
    }),
  );
}

let newest;

function show() {
  if (!newest) return;
  const {fleet, at} = newest;
  showCounts(fleet);
  showKiosks(fleet, at);
  showTables(fleet);
  showAlarms(fleet, at);
}

async function ask() {
  try {
    const answer = await fetch("fleet.json");
    if (!answer.ok) throw new Error(await answer.text());
    newest = {fleet: await answer.json(), at: Date.now()};
    find("age").textContent = `As of ${new Date(newest.at).toLocaleTimeString()}`;
    find("age").className = "";
    show();
  } catch (error) {
    find("age").textContent = `Not up to date: ${error.message}`;
    find("age").className = "late";
  }
  setTimeout(ask, every);
}

find("filter").addEventListener("input", show);
ask();
