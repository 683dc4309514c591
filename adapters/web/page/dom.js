// Small tools for making elements. Text only ever becomes text: what strangers write is never read as HTML here.

import { SHAPES } from "./icons.js";

export function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

export function icon(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", SHAPES[name]);
  svg.append(path);
  return svg;
}

export function button(name, label, press, { shown = true, ...more } = {}) {
  const inside = shown ? [icon(name), make("span", {}, label)] : [icon(name)];
  const named = shown ? {} : { "aria-label": label, title: label };
  return make("button", { type: "button", class: "quiet small", onclick: press, ...named, ...more }, ...inside);
}
