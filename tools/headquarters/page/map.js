// Shows /fleet.json, and asks for it again every few seconds. All text is set as text.

const every = 5000; // milliseconds
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

function card(kiosk, now) {
  const item = make("li", "", kiosk.health);
  const name = make("div", "", "name");
  name.append(make("span", `${kiosk.tenant} / ${kiosk.kiosk}`));
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

let newest;

function show() {
  if (!newest) return;
  const {fleet, at} = newest;
  const wanted = find("filter").value.trim().toLowerCase();
  const fits = (kiosk) => Object.values(kiosk).join(" ").toLowerCase().includes(wanted);
  const shown = fleet.kiosks.filter(fits);
  find("kiosks").replaceChildren(...shown.map((kiosk) => card(kiosk, at)));
  find("none").hidden = shown.length > 0;
  find("counts").replaceChildren(
    ...Object.keys(signs).map((state) => {
      const item = make("li", "", state);
      item.append(make("b", `${fleet.kiosks.filter((each) => each.health === state).length}`));
      item.append(make("span", ` ${signs[state]} ${words[state]}`, "state"));
      return item;
    }),
  );
  find("money").replaceChildren(
    ...fleet.money.map((each) => {
      const row = make("tr");
      const cells = [
        each.tenant,
        each.endpoint,
        each.attempts,
        `${each.cost || "0.00"} ${each.currency}`,
      ];
      row.append(...cells.map((text) => make("td", text)));
      return row;
    }),
  );
  find("alarms").replaceChildren(
    ...(fleet.alarms.length ? fleet.alarms : [{what: "None."}]).map((each) => {
      const item = make(
        "li",
        each.kiosk ? `${each.tenant} / ${each.kiosk}: ${each.what} ` : each.what,
      );
      if (each.time) item.append(make("time", ago(each.time, at)));
      return item;
    }),
  );
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
