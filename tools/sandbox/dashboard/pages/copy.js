import {h} from "./dom.js";

// A button that puts `text` on the clipboard and says so.
export function copyButton(text, label, look = "button second") {
  const button = h(
    "button",
    {
      type: "button",
      class: look,
      async onclick() {
        try {
          await navigator.clipboard.writeText(text);
          button.textContent = "Copied";
        } catch {
          button.textContent = "Select it and copy by hand";
        }
        setTimeout(() => {
          button.textContent = label;
        }, 3000);
      },
    },
    label,
  );
  return button;
}
