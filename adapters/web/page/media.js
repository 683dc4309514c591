// Files as people see them: pictures, players, and cards for the rest.

import { icon, make } from "./dom.js";
import { word } from "./words.js";

const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/avif"]);

export function isPicture(type) {
  return PICTURES.has(type);
}

export function size(bytes) {
  if (!(bytes >= 0)) return "";
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

// A file of an answer, with its player, what is in it, who made it, and a way to save it.
export function figure(file) {
  const family = file.media_type.split("/")[0];
  if (isPicture(file.media_type)) return picture(file);
  if (family === "audio" || family === "video") return player(file, family);
  return make("div", { class: "shown card" }, card(file));
}

function picture(file) {
  const image = make("img", { src: file.url, alt: file.alt || file.name, loading: "lazy", decoding: "async" });
  orSay(image, () => make("p", { class: "muted" }, word("no-file")));
  const link = make("a", { href: file.url, target: "_blank", rel: "noopener", class: "picture", title: word("open", file) }, image);
  return make("figure", { class: "shown" }, link, caption(file));
}

function player(file, family) {
  const made = make(family, { controls: true, preload: "metadata", src: file.url, "aria-label": file.alt || file.name });
  orSay(made, () => make("p", { class: "muted" }, word("no-file")));
  return make("figure", { class: `shown ${family}` }, made, caption(file));
}

// What cannot be shown gives way to something that can.
function orSay(element, instead, whole = element) {
  element.addEventListener("error", () => whole.replaceWith(instead()), { once: true });
}

function caption(file) {
  const made = file.model ? word("made-by", file) : "";
  return make(
    "figcaption",
    {},
    make("span", { class: "what" }, make("span", { class: "name" }, file.name), make("span", { class: "muted" }, made)),
    save(file),
  );
}

function save(file) {
  const label = word("download", file);
  return make("a", { href: file.url, download: file.name, class: "quiet small button", "aria-label": label, title: label }, icon("save"));
}

// A file that cannot be shown, or need not be: its name, its size, and a way to it.
export function card(file) {
  const details = [file.media_type, size(file.size)].filter(Boolean).join(" · ");
  return make(
    "span",
    { class: "file" },
    icon("file"),
    make("span", { class: "what" }, make("span", { class: "name" }, file.name), make("span", { class: "muted" }, details)),
    save(file),
  );
}

// A file that a person sent, small.
export function sent(file) {
  const alt = file.alt || file.name;
  if (isPicture(file.media_type)) {
    return make("a", { href: file.url, target: "_blank", rel: "noopener", class: "sent picture" }, make("img", { src: file.url, alt, loading: "lazy" }));
  }
  const plain = make("a", { href: file.url, target: "_blank", rel: "noopener", class: "sent plain" }, icon("file"), make("span", { class: "name" }, file.name));
  const [family] = file.media_type.split("/");
  if (family !== "audio" && family !== "video") return plain;
  const player = make("span", { class: `sent ${family}` }, make(family, { controls: true, preload: "metadata", src: file.url, "aria-label": alt }));
  orSay(player.firstChild, () => plain, player);
  return player;
}
