// Line drawings on a 24 by 24 grid, in the colour of the text around them.
import {svg} from "./dom.js";

/** @type {Record<string, string>} */
const kPaths = {
  back: "M15 5l-7 7 7 7M8 12h12",
  next: "M9 5l7 7-7 7M16 12H4",
  sound: "M4 9.5v5h4l5 4.5v-14l-5 4.5zM16.5 8.5a5 5 0 010 7M19 6a8.5 8.5 0 010 12",
  mute: "M4 9.5v5h4l5 4.5v-14l-5 4.5zM17 9.5l5 5M22 9.5l-5 5",
  globe:
    "M12 3a9 9 0 100 18 9 9 0 000-18zM3.5 9h17M3.5 15h17M12 3c-5 5-5 13 0 18M12 3c5 5 5 13 0 18",
  check: "M4.5 12.5l5 5.5 10-12",
  cross: "M6 6l12 12M18 6L6 18",
  clock: "M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v5.5l3.5 2",
  question: "M8.5 9a3.5 3.5 0 117 0c0 2.5-3.5 2.5-3.5 5.5M12 18.2v.3",
  hand: "M7 13V6.5a1.5 1.5 0 013 0V11 4.5a1.5 1.5 0 013 0V11 5.5a1.5 1.5 0 013 0V12 8.5a1.5 1.5 0 013 0V15a6.5 6.5 0 01-12 3.5L4 14a1.5 1.5 0 012.5-1.5z",
  camera: "M4 8h3.5L9.5 5h5l2 3H20v11H4zM12 10a3.4 3.4 0 100 6.8 3.4 3.4 0 000-6.8z",
  lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 017 0v3M12 14.5v2",
  send: "M3.5 11.5l17-8-5.5 17-3.5-7zM11.5 13.5l9-10",
  search: "M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13zM15.5 15.5L21 21",
  erase: "M9 6h11.5v12H9l-5.5-6zM12 9.5l5 5M17 9.5l-5 5",
  person: "M12 4a4 4 0 100 8 4 4 0 000-8zM4.5 20.5c.5-9 14.5-9 15 0",
  scan: "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M7.5 8.5h3v3h-3zM14 8.5h2.5M14 12h2.5v4M7.5 15.5h4",
  corners: "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4",
  print: "M7 9V4h10v5M7 16H4V9h16v7h-3M7 13.5h10V20H7z",
  network:
    "M3 9.5c5-5 13-5 18 0M6 13c3.5-3.3 8.500-3.300 12 0M9 16.300c2-1.600 4-1.600 6 0M12 19.500v.2",
  offline:
    "M3 9.5c1.500-1.500 3.200-2.500 5-3.100M13 5.800c3 .2 5.800 1.500 8 3.700M9 16.300c2-1.600 4-1.600 6 0M12 19.500v.2M4 3l16 18",
  card: "M3 6h18v12H3zM6.500 10.500h4v4h-4zM13.500 10.500h4.500M13.500 14h4.500",
  shield:
    "M12 3l7.500 3v5.500c0 4.500-3 7.800-7.500 9.500-4.500-1.700-7.500-5-7.500-9.500V6zM8.500 12l2.500 2.700 4.500-5.200",
  warning: "M12 4L2.500 20h19zM12 10v5M12 17.300v.2",
  bank: "M3 9.5L12 4l9 5.500zM5.500 10v7M10 10v7M14 10v7M18.500 10v7M3 20h18",
  pencil: "M4 20l1-4.500L16 4.500l3.500 3.500L8.500 19zM13.500 7l3.500 3.500",
  coins:
    "M9 4.500c-3.500 0-6 1-6 2.500s2.500 2.500 6 2.500 6-1 6-2.500-2.500-2.500-6-2.500zM3 7v5c0 1.500 2.500 2.500 6 2.500M15 7v3M15 10.500c-3.500 0-6 1-6 2.500s2.500 2.500 6 2.500 6-1 6-2.500-2.500-2.500-6-2.500zM9 13v5c0 1.500 2.500 2.500 6 2.500s6-1 6-2.500v-5",
  sim: "M6 3h8l4 4.500V21H6zM9 11h6v7H9zM9 14.500h6M12 11v7",
  briefcase: "M3 8h18v12H3zM8.500 8V4.500h7V8M3 13h18M12 12v2.500",
  house: "M3.500 11.500L12 4l8.500 7.500M6 10v10h12V10M10 20v-6h4v6",
  wallet: "M3 8h18v12H3zM3 8l12-4v4M15.500 12.500H21v3.500h-5.500z",
  calendar:
    "M4 5.500h16V20H4zM4 10h16M8.500 3v4.500M15.500 3v4.500M8.500 14.500h2.500M13.500 14.500h2.500M8.500 17.300h2.500",
  list: "M5 4h14v16H5zM8.500 9h7M8.500 12.500h7M8.500 16h4",
  ease: "M12 3a9 9 0 100 18 9 9 0 000-18zM12 7v.2M7.500 10.500l4.500 1 4.500-1M12 11.500v3l-2.500 4M12 14.500l2.500 4",
  again: "M20 12a8 8 0 11-2.500-5.800M20 3.500V8h-4.500",
};

/** @param {string} name */
export function icon(name) {
  return svg(
    "svg",
    {class: `icon icon-${name}`, viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false"},
    svg("path", {d: kPaths[name]}),
  );
}

/** The same drawing as a part of a larger one. @param {string} name @param {Record<string, unknown>} attributes */
export function glyph(name, attributes) {
  return svg("path", {...attributes, d: kPaths[name]});
}
