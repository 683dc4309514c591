// Small tools for making elements. Text only ever becomes text: what strangers write is never read as HTML here.

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

const SHAPES = {
  done: "m4.5 10.500 3.500 3.500 7.500-8",
  failed: "m5.500 5.500 9 9m0-9-9 9",
  skipped: "M5 10h10",
  stopped: "M6 6h8v8H6z",
  again: "M16 10a6 6 0 1 1-1.800-4.300M16 3v4h-4",
  other: "M4 7h10l-3-3M16 13H6l3 3",
  first: "M4 16 8.500 4 13 16M5.600 12h5.800",
  second: "M6 4h4.500a3 3 0 0 1 0 6H6zm0 6h5.500a3 3 0 0 1 0 6H6z",
  up: "M7 9v7H4V9zm0 0 3-6c1.500 0 2 1 1.800 2.200L11.300 8h4.200c1 0 1.600.800 1.400 1.800l-1 4.700c-.200.900-.900 1.500-1.700 1.500H7",
  down: "M7 11V4H4v7zm0 0 3 6c1.500 0 2-1 1.800-2.200l-.500-2.800h4.200c1 0 1.600-.800 1.400-1.800l-1-4.700C15.700 4.600 15 4 14.200 4H7",
  details: "M10 9.500V14m0-7.500v.100M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0z",
  copy: "M7 7V4h9v9h-3M4 7h9v9H4z",
  save: "M10 4v8m-3.500-3.500L10 12l3.500-3.500M4 16h12",
  file: "M6 3h5l4 4v10H6zm5 0v4h4",
  close: "m6 6 8 8m0-8-8 8",
};

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
