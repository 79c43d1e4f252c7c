// Chromium's managed policy: what people before a kiosk cannot do. An attack needs only one of these to be left out.
// usage: node browser_policy_test.mjs
import assert from "node:assert/strict";
import {readFileSync} from "node:fs";

const policy = JSON.parse(
  readFileSync(new URL("../../config/chromium/idkiosk.json", import.meta.url), "utf8"),
);
const kAsk = 3;
const wanted = {
  // No other address: not another site, a file, nor a page of Chromium's own.
  URLBlocklist: ["*"],
  URLAllowlist: ["file:///run/idkiosk/start.html", "http://127.0.0.1"],
  DeveloperToolsAvailability: 2,
  RemoteDebuggingAllowed: false,
  PrintingEnabled: false,
  DownloadRestrictions: 3,
  AllowFileSelectionDialogs: false,
  ExtensionInstallBlocklist: ["*"],
  AutofillAddressEnabled: false,
  AutofillCreditCardEnabled: false,
  PasswordManagerEnabled: false,
  SyncDisabled: true,
  BrowserSignin: 0,
  IncognitoModeAvailability: 2,
  VideoCaptureAllowed: false,
  AudioCaptureAllowed: false,
  DefaultJavaScriptJitSetting: 2,
};
for (const [name, value] of Object.entries(wanted)) assert.deepEqual(policy[name], value, name);
for (const [name, value] of Object.entries(policy)) {
  if (name.endsWith("GuardSetting")) assert.equal(value, 2, name);
  assert.ok(!name.startsWith("Default") || value !== kAsk, `${name} asks whoever stands there`);
}
