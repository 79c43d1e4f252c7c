// Whether everything on a screen can be read, reached and touched at this size, measured inside the page: returns what is
// wrong, in words.

// No finger hits less, in CSS pixels (WCAG 2.2, 2.5.5).
export const kFinger = 44;

export function reach({kFinger}) {
  const wrong = [];
  const open = [...document.querySelectorAll("dialog[open]")].at(-1);
  const roots = open ? [open] : [...document.body.children];
  const kTouch = "button, input, select, textarea, a, .file";
  const name = (element) =>
    `${element.tagName.toLowerCase()}.${[...element.classList].join(".")} “${(element.textContent.trim() || element.getAttribute("aria-label") || "").slice(0, 30)}”`;
  // For screen readers alone: beside the letters or the icon that say the same.
  const unseen = (element) =>
    element.closest(".hidden") !== null ||
    getComputedStyle(element).clipPath.startsWith("inset(50%");
  const visible = (element) =>
    element.checkVisibility({visibilityProperty: true}) && !unseen(element);
  const box = ({left, top, right, bottom}) => ({left, top, right, bottom});
  const both = (a, b) => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const least = ({left, top, right, bottom}) => Math.min(right - left, bottom - top);
  const inner = (element) => {
    const outer = element.getBoundingClientRect();
    const left = outer.left + element.clientLeft;
    const top = outer.top + element.clientTop;
    return {left, top, right: left + element.clientWidth, bottom: top + element.clientHeight};
  };
  const ancestors = function* (element) {
    for (let at = element.parentElement; at !== null; at = at.parentElement) yield at;
  };
  const screen = {left: 0, top: 0, right: innerWidth, bottom: innerHeight};
  const bars = [...document.querySelectorAll("main *, dialog *")].filter(
    (element) => visible(element) && getComputedStyle(element).position === "sticky",
  );

  // Each text by its lines, each target by its box.
  const things = [];
  for (const root of roots) {
    for (const element of [root, ...root.querySelectorAll("*")]) {
      if (!(element instanceof HTMLElement) || !visible(element)) {
        if (element.matches?.("svg.qr") && visible(element))
          things.push({element, box: box(element.getBoundingClientRect())});
        continue;
      }
      if (element.matches(kTouch) || element instanceof HTMLImageElement) {
        const whole = box(element.getBoundingClientRect());
        if (least(whole) > 1 && !element.matches(".preview")) things.push({element, box: whole});
      }
      for (const node of element.childNodes) {
        if (node.nodeType !== Node.TEXT_NODE || node.textContent.trim() === "") continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        // Letters fill less than the height of their font.
        const whole = box(range.getBoundingClientRect());
        const spare = Math.min((whole.bottom - whole.top) * 0.13, 8);
        things.push({
          element,
          text: true,
          lines: [...range.getClientRects()],
          box: {...whole, top: whole.top + spare, bottom: whole.bottom - spare},
        });
      }
    }
  }

  for (const thing of things) {
    const {element, text} = thing;
    let seen = thing.box;
    // What has to be within: itself, and beyond a scroller that can show it, the scroller.
    let whole = thing.box;
    for (const at of [element, ...ancestors(element)]) {
      const {overflowX, overflowY, position} = getComputedStyle(at);
      if (at === element && !text) continue;
      if (overflowX === "visible" && overflowY === "visible") continue;
      if (at === document.documentElement) continue;
      const window = inner(at);
      const scrolls = ["auto", "scroll"].includes(overflowY);
      // What a scroller can show: also what lies above or below its window now, never what lies before its beginning.
      const extent = scrolls
        ? {
            ...window,
            top: window.top - at.scrollTop,
            bottom: window.top - at.scrollTop + at.scrollHeight,
            right: at.matches(".scroll") ? Infinity : window.right,
            left: at.matches(".scroll") ? -Infinity : window.left,
          }
        : window;
      const cut = text ? 3 : 1;
      if (
        whole.left < extent.left - cut ||
        whole.top < extent.top - cut ||
        whole.right > extent.right + cut ||
        whole.bottom > extent.bottom + cut
      )
        wrong.push(`${name(element)} is cut off by ${name(at)}`);
      seen = both(seen, window);
      if (scrolls) {
        whole = window;
        for (const bar of bars) {
          if (!at.contains(bar) || bar.contains(element) || bar === element) continue;
          const cover = bar.getBoundingClientRect();
          if (Math.min(cover.right, seen.right) - Math.max(cover.left, seen.left) <= 1) continue;
          // The digits stay above what scrolls: they hide what they lie on, and nothing before them.
          if (!bar.matches(".cells")) seen = both(seen, {...screen, bottom: cover.top});
          else if (seen.top < cover.bottom && seen.bottom > cover.top)
            seen = both(seen, {...screen, top: cover.bottom});
        }
      }
      if (position === "fixed") break;
    }
    if (thing.box.left < -1 || thing.box.right > innerWidth + 1)
      if (element.closest(".scroll") === null) wrong.push(`${name(element)} is beside the screen`);
    thing.seen = both(seen, screen);
    thing.scrolls = [...ancestors(element)].some((at) =>
      ["auto", "scroll"].includes(getComputedStyle(at).overflowY),
    );
    if (!thing.scrolls && least(both(thing.box, screen)) + 1 < least(thing.box))
      wrong.push(`${name(element)} is off the screen, and nothing scrolls to it`);
  }

  // From above, so that each is compared only with those that begin before it ends.
  const inView = things
    .filter(({seen}) => least(seen) > 2)
    .toSorted((one, other) => one.seen.top - other.seen.top);
  inView.forEach((one, i) => {
    for (const other of inView.slice(i + 1)) {
      if (other.seen.top + 2 >= one.seen.bottom) break;
      if (least(both(one.seen, other.seen)) <= 2) continue;
      const [a, b] = [one.element, other.element];
      if (a === b || a.contains(b) || b.contains(a)) continue;
      const [over, outer] = [a.closest(kTouch), b.closest(kTouch)];
      if (over !== null && over === outer && !(one.text && other.text)) continue;
      wrong.push(`${name(a)} and ${name(b)} overlap`);
    }
  });

  for (const {element, text, box: whole, seen} of things) {
    if (!element.matches(kTouch)) {
      const target = element.closest(kTouch);
      if (target === null || !text) continue;
      const around = target.getBoundingClientRect();
      if (
        whole.left < around.left - 1 ||
        whole.right > around.right + 1 ||
        whole.bottom > around.bottom + 3
      )
        wrong.push(`${name(element)} does not fit its button`);
      continue;
    }
    if (text) continue;
    const width = whole.right - whole.left;
    const height = whole.bottom - whole.top;
    if (width < kFinger - 0.5 || height < kFinger - 0.5)
      wrong.push(`${name(element)} is ${width.toFixed(0)} by ${height.toFixed(0)} pixels`);
    if (least(seen) < kFinger - 2) continue;
    const there = document.elementFromPoint(
      (seen.left + seen.right) / 2,
      (seen.top + seen.bottom) / 2,
    );
    if (there === null || !(element.contains(there) || there.contains(element)))
      wrong.push(`${name(element)} is covered by ${there && name(there)}`);
  }

  // Whatever paints over a letter covers it, also where nothing on it is text or touched. Lines out
  // of sight are scrolled to.
  const paints = (at) => {
    const {backgroundColor, backgroundImage} = getComputedStyle(at);
    return (
      at.matches("svg:not(.ring), img, video, canvas") ||
      backgroundImage !== "none" ||
      !/^(transparent|rgba\(.*, 0\))$/.test(backgroundColor)
    );
  };
  const cover = (element, x, y) => {
    const above = document.elementsFromPoint(x, y);
    const own = above.findIndex((at) => at === element || at.contains(element));
    return above
      .slice(0, own < 0 ? above.length : own)
      .find((at) => !element.contains(at) && paints(at));
  };
  const covered = ({element, seen, lines, scrolls}) => {
    for (const {left, right, top, bottom} of lines) {
      const y = (top + bottom) / 2;
      const ends = Math.min((right - left) / 2, (bottom - top) / 4);
      const over = (down) =>
        [left + ends, (left + right) / 2, right - ends]
          .map((x) => cover(element, x, y + down))
          .find((at) => at !== undefined);
      // Bars stay above and below what scrolls.
      const scrolled = (block) => {
        const before = [...ancestors(element)].map((at) => [at, at.scrollTop]);
        const was = element.getBoundingClientRect().top;
        element.scrollIntoView({block});
        // Of a long text, the line itself.
        const scroller = before.find(([at]) => at.scrollTop > 0)?.[0];
        if (block === "start" && scroller !== undefined) scroller.scrollTop += top - was;
        const found = over(element.getBoundingClientRect().top - was);
        for (const [at, to] of before) at.scrollTop = to;
        return found;
      };
      const isInView = y > seen.top + 1 && y < seen.bottom - 1;
      if (!isInView && !scrolls) continue;
      const found = isInView ? over(0) : scrolled("center") && scrolled("start");
      if (found !== undefined) return found;
    }
    return undefined;
  };
  for (const thing of things.filter(({text, seen}) => text && seen.right > seen.left)) {
    const over = covered(thing);
    if (over !== undefined)
      wrong.push(`${name(thing.element)} is covered by ${name(over.closest("svg") ?? over)}`);
  }

  // Who sees no way on looks for none. On a person's screen everything is in sight without scrolling but the sentences of the
  // consent, which may be longer; on staff's the action that leads on, and of a keypad every key.
  const inSight = ({box: whole, seen}) =>
    least(seen) + 1.5 >= least(whole) &&
    seen.bottom + 1.5 >= whole.bottom &&
    seen.top - 1.5 <= whole.top;
  const where = open ?? document.querySelector("main");
  // And whoever scrolls to a name sees all of it, and touches it there.
  const scrolledTo = (element) => {
    const before = [...ancestors(element)].map((at) => [at, at.scrollTop]);
    element.scrollIntoView({block: "nearest"});
    const at = box(element.getBoundingClientRect());
    const window = [...ancestors(element)]
      .filter((each) => getComputedStyle(each).overflowY !== "visible")
      .reduce((seen, each) => both(seen, inner(each)), screen);
    const there = document.elementFromPoint((at.left + at.right) / 2, (at.top + at.bottom) / 2);
    for (const [each, top] of before) each.scrollTop = top;
    return least(both(at, window)) + 1.5 >= least(at) && element.contains(there);
  };
  const isStaffs = where.querySelector(".staff") !== null;
  for (const thing of things) {
    const {element} = thing;
    if (!where.contains(element)) continue;
    if (
      !isStaffs &&
      !open &&
      element.closest(".facts, .own-text, .people") === null &&
      !inSight(thing)
    )
      wrong.push(`${name(element)} is out of sight`);
    if (!thing.text && element.matches(".people button") && !scrolledTo(element))
      wrong.push(`${name(element)} cannot be scrolled to`);
    if (thing.text || !element.matches("button")) continue;
    const isFirst = element === where.querySelector(".first:not([hidden])");
    const isChoice = element === where.querySelector(".tile, .tongue, .choice");
    if ((isFirst || isChoice || element.matches(".key")) && !inSight(thing))
      wrong.push(`${name(element)} is out of sight`);
  }
  if (open && Math.abs(open.getBoundingClientRect().bottom - innerHeight) > 1)
    wrong.push("what is asked leaves a strip uncovered below");
  for (const at of [
    document.scrollingElement,
    document.querySelector("main"),
    ...document.querySelectorAll("dialog, .sheet, .panel"),
  ]) {
    if (at.scrollWidth > at.clientWidth + 1)
      wrong.push(`${name(at)} scrolls sideways by ${at.scrollWidth - at.clientWidth}`);
  }
  return [...new Set(wrong)];
}

// Whether each button of the number's screen is what a finger meets in its middle, where necessary after scrolling, and
// whether the digits typed are in sight meanwhile, measured inside the page: returns what is wrong, in words.
export function typing() {
  const wrong = [];
  const main = document.querySelector("main");
  const met = (element) => {
    const {left, right, top, bottom} = element.getBoundingClientRect();
    const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return element.contains(at) ? element : (at?.closest("button, .cell, .words") ?? at);
  };
  const name = (element) =>
    element?.getAttribute("aria-label") || element?.textContent.trim() || "nothing";
  const digits = [...main.querySelectorAll(".cell")].filter((cell) => cell.textContent !== "");
  for (const target of main.querySelectorAll("button")) {
    if (!target.checkVisibility()) continue;
    target.scrollIntoView({block: "center"});
    const over = met(target);
    if (over !== target) wrong.push(`“${name(target)}” lies under “${name(over)}”`);
    const unseen = digits.filter((digit) => met(digit) !== digit);
    if (target.matches(".key") && unseen.length > 0)
      wrong.push(`at the key “${name(target)}” ${unseen.length} digits are out of sight`);
  }
  main.scrollTop = 0;
  return wrong;
}
