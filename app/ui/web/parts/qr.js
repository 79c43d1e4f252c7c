// QR codes of up to 16 digits and capital letters: version 1 (21 by 21), error correction Q (ISO/IEC 18004).
import {svg} from "../dom.js";

const kAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";
const kSize = 21;
const kDataBytes = 13;
const kCorrectionBytes = 13;
// Level Q with mask 0, protected by its own BCH code.
const kFormat = 0b011010101011111;

/** Mode, length, pairs of letters, end and filling. @param {string} text @returns {number[]} */
function dataBytes(text) {
  const bits = [];
  const put = (/** @type {number} */ value, /** @type {number} */ count) => {
    for (let i = count - 1; i >= 0; --i) bits.push((value >> i) & 1);
  };
  put(0b0010, 4);
  put(text.length, 9);
  for (let i = 0; i < text.length; i += 2) {
    const first = kAlphabet.indexOf(text[i]);
    if (i + 1 < text.length) put(first * 45 + kAlphabet.indexOf(text[i + 1]), 11);
    else put(first, 6);
  }
  put(0, Math.min(4, kDataBytes * 8 - bits.length));
  while (bits.length % 8 !== 0) bits.push(0);
  const bytes = [];
  for (let i = 0; i < bits.length; i += 8) bytes.push(parseInt(bits.slice(i, i + 8).join(""), 2));
  for (let filling = 0xec; bytes.length < kDataBytes; filling ^= 0xec ^ 0x11) bytes.push(filling);
  return bytes;
}

/** In GF(256) with the polynomial 0x11d. @param {number} a @param {number} b */
function multiply(a, b) {
  let product = 0;
  for (let i = 7; i >= 0; --i) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> i) & 1) * a;
  }
  return product;
}

/** The Reed-Solomon remainder. @param {number[]} data */
function correctionBytes(data) {
  /** @type {number[]} */
  const divisor = new Array(kCorrectionBytes).fill(0);
  divisor[kCorrectionBytes - 1] = 1;
  for (let i = 0, root = 1; i < kCorrectionBytes; ++i, root = multiply(root, 2)) {
    for (let j = 0; j < kCorrectionBytes; ++j) {
      divisor[j] = multiply(divisor[j], root) ^ (divisor[j + 1] ?? 0);
    }
  }
  /** @type {number[]} */
  const remainder = new Array(kCorrectionBytes).fill(0);
  for (const byte of data) {
    const factor = byte ^ /** @type {number} */ (remainder.shift());
    remainder.push(0);
    divisor.forEach((coefficient, i) => {
      remainder[i] ^= multiply(coefficient, factor);
    });
  }
  return remainder;
}

/** Rows of dark (true) and light; null where data goes. @returns {(boolean | null)[][]} */
function frame() {
  /** @type {(boolean | null)[][]} */
  const rows = Array.from({length: kSize}, () => new Array(kSize).fill(null));
  const finder = (/** @type {number} */ top, /** @type {number} */ left) => {
    for (let y = -1; y <= 7; ++y) {
      for (let x = -1; x <= 7; ++x) {
        const row = rows[top + y];
        if (row === undefined || left + x < 0 || left + x >= kSize) continue;
        const ring = Math.max(Math.abs(y - 3), Math.abs(x - 3));
        row[left + x] = ring !== 2 && ring !== 4;
      }
    }
  };
  finder(0, 0);
  finder(0, kSize - 7);
  finder(kSize - 7, 0);
  for (let i = 8; i < kSize - 8; ++i) rows[6][i] = rows[i][6] = i % 2 === 0;
  for (let i = 0; i < 15; ++i) {
    const dark = ((kFormat >> i) & 1) === 1;
    rows[i < 6 ? i : i < 8 ? i + 1 : kSize - 15 + i][8] = dark;
    rows[8][i < 8 ? kSize - 1 - i : i < 9 ? 7 : 14 - i] = dark;
  }
  rows[kSize - 8][8] = true;
  return rows;
}

/** @param {string} text of kAlphabet, at most 16 letters @returns {boolean[][]} */
export function qrModules(text) {
  const data = dataBytes(text);
  const bits = [...data, ...correctionBytes(data)].flatMap((byte) =>
    [7, 6, 5, 4, 3, 2, 1, 0].map((i) => ((byte >> i) & 1) === 1),
  );
  const rows = frame();
  let next = 0;
  for (let right = kSize - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let i = 0; i < kSize; ++i) {
      const y = up ? kSize - 1 - i : i;
      for (const x of [right, right - 1]) {
        if (rows[y][x] === null) rows[y][x] = bits[next++] !== ((y + x) % 2 === 0);
      }
    }
  }
  return /** @type {boolean[][]} */ (rows);
}

/** @param {string} text @param {string} name for screen readers */
export function qrPicture(text, name) {
  const path = qrModules(text)
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + 4} ${y + 4}h1v1h-1z` : "")))
    .join("");
  return svg(
    "svg",
    {class: "qr", viewBox: `0 0 ${kSize + 8} ${kSize + 8}`, role: "img", "aria-label": name},
    svg("rect", {width: kSize + 8, height: kSize + 8, fill: "#fff"}),
    svg("path", {d: path, fill: "#000"}),
  );
}
