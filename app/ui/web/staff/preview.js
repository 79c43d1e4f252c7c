// What the camera sees.
import {el} from "../dom.js";

// A camera that was away and is back has another stream.
const kAgain = 1500;

/** @param {string} alt */
export function preview(alt) {
  const image = el("img", {alt, src: `/preview?${Date.now()}`});
  image.addEventListener("error", () =>
    setTimeout(() => {
      if (image.isConnected) image.src = `/preview?${Date.now()}`;
    }, kAgain),
  );
  return image;
}
