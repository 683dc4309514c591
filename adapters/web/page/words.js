// Every sentence of the page itself: Fluent messages of the server, in the person's language.

import { FluentBundle, FluentResource } from "./vendor/fluent/index.js";

const KEY = "troupe-language";
export const LANGUAGES = ["de", "en", "es", "fr", "ja", "zh"];

export const language = chosen() || preferred();
const bundle = new FluentBundle(language, { useIsolating: false });

// The language that a person chose here; "" for the browser's own.
export function chosen() {
  try {
    const kept = localStorage.getItem(KEY) ?? "";
    return LANGUAGES.includes(kept) ? kept : "";
  } catch {
    return ""; // private windows may refuse
  }
}

// Choose a language, or "" for the browser's own. The page has to be loaded anew.
export function choose(name) {
  if (name) localStorage.setItem(KEY, name);
  else localStorage.removeItem(KEY);
}

function preferred() {
  return navigator.languages.map((each) => each.split("-")[0].toLowerCase()).find((each) => LANGUAGES.includes(each)) ?? "en";
}

// Read a file of sentences besides those of the page: a part that is loaded later brings its own.
export async function load(file) {
  const response = await fetch(new URL(`./words/${language}/${file}.ftl`, import.meta.url));
  if (response.ok) bundle.addResource(new FluentResource(await response.text()));
}

// A sentence in the person's language, by its id without "page-". An unknown id is returned as it is.
export function word(id, args = {}) {
  const pattern = bundle.getMessage(`page-${id}`)?.value;
  return pattern ? bundle.formatPattern(pattern, args) : id;
}

await load("page");
document.documentElement.lang = language;
