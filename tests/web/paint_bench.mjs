// When frames of the preview are seen: light and dark ones take turns, and each turn is noted once the browser has
// painted it.
// usage: node paint_bench.mjs START-PAGE TURNS   (prints {"seen": [...]}, in milliseconds since 1970)
import {withPage} from "./browser.mjs";

const [address, turns] = [process.argv[2], Number(process.argv[3])];

// In the page: the picture as large as it gets, and its brightness in every frame that the browser draws.
function watch(count) {
  const image = Object.assign(new Image(), {src: "/preview"});
  image.style = "position: fixed; inset: 0; width: 100%";
  document.body.replaceChildren(image);
  const canvas = Object.assign(document.createElement("canvas"), {width: 1, height: 1});
  const context = canvas.getContext("2d", {willReadFrequently: true});
  const seen = [];
  let light = null;
  return new Promise((resolve) => {
    const painted = new MessageChannel();
    painted.port1.onmessage = () => {
      if (seen.push(Date.now()) >= count) resolve(seen);
    };
    const look = () => {
      context.drawImage(image, 0, 0, 1, 1);
      const now = context.getImageData(0, 0, 1, 1).data[1] > 127;
      if (light !== null && now !== light) painted.port2.postMessage(0);
      if (image.complete || image.naturalWidth > 0) light = now;
      requestAnimationFrame(look);
    };
    look();
  });
}

// A page without an icon makes the browser ask for one.
await withPage({width: 1080, height: 1920, allow: [/404/]}, async (page) => {
  page.setDefaultTimeout(60_000);
  await page.goto(address);
  await page.waitForURL((url) => url.protocol === "http:" && url.pathname === "/");
  // Away from the page, which would ask for a person's session.
  await page.goto(new URL("/style.css", page.url()).href);
  console.log(JSON.stringify({seen: await page.evaluate(watch, turns)}));
});
