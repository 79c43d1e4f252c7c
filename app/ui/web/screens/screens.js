// Which module draws which screen.
import {desk} from "../staff/desk.js";
import {locked} from "../staff/locked.js";
import {operator} from "../staff/operator.js";
import {answer} from "./answer.js";
import {camera} from "./camera.js";
import {consent} from "./consent.js";
import {look} from "./look.js";
import {number} from "./number.js";
import {reason} from "./reason.js";
import {repeated} from "./repeated.js";
import {stopped} from "./stopped.js";
import {waiting} from "./waiting.js";
import {welcome} from "./welcome.js";

/** @type {Record<ScreenName, (app: App) => View>} */
export const screens = {
  welcome,
  consent,
  number,
  reason,
  repeated,
  camera,
  look,
  waiting,
  answer,
  stopped,
  locked,
  desk,
  operator,
};
