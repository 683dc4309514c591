// Light, dark, or as the system has it. `early.js` reads the choice before the page is drawn.

const KEY = "troupe-theme";
export const THEMES = ["system", "light", "dark"];

/** The theme that a person chose. */
export function theme() {
  return document.documentElement.dataset.theme || "system";
}

/** @param {string} name one of THEMES */
export function chooseTheme(name) {
  const kept = name === "system" ? "" : name;
  document.documentElement.dataset.theme = kept;
  try {
    localStorage.setItem(KEY, kept);
  } catch {
    // private windows may refuse; it is so until the page is loaded anew
  }
}
