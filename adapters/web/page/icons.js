// The page's icons: one line each, in the colour of the text around them.

import { html } from "./view.js";

/** @type {Record<string, string>} */
export const SHAPES = {
  done: "m4.5 10.500 3.500 3.500 7.500-8",
  failed: "m5.500 5.500 9 9m0-9-9 9",
  skipped: "M5 10h10",
  stopped: "M6 6h8v8H6z",
  again: "M16 10a6 6 0 1 1-1.800-4.300M16 3v4h-4",
  other: "M4 7h10l-3-3M16 13H6l3 3",
  up: "M7 9v7H4V9zm0 0 3-6c1.500 0 2 1 1.800 2.200L11.300 8h4.200c1 0 1.600.800 1.400 1.800l-1 4.700c-.200.900-.900 1.500-1.700 1.500H7",
  down: "M7 11V4H4v7zm0 0 3 6c1.500 0 2-1 1.800-2.200l-.500-2.800h4.200c1 0 1.600-.800 1.400-1.800l-1-4.700C15.700 4.600 15 4 14.200 4H7",
  details: "M10 9.500V14m0-7.500v.100M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0z",
  copy: "M7 7V4h9v9h-3M4 7h9v9H4z",
  save: "M10 4v8m-3.500-3.500L10 12l3.500-3.500M4 16h12",
  file: "M6 3h5l4 4v10H6zm5 0v4h4",
  close: "m6 6 8 8m0-8-8 8",
  add: "M10 4v12M4 10h12",
  side: "M3.500 4.500h13v11h-13zM8 4.500v11",
  search: "M13.200 13.200 17 17m-2.500-8.250a5.750 5.750 0 1 1-11.500 0 5.750 5.750 0 0 1 11.500 0z",
  more: "M5 10h.010M10 10h.010M15 10h.010",
  pin: "M7 3h6l-.700 5 2.700 3H5l2.700-3zm3 8v6",
  forget: "M4 6h12M8 6V4h4v2M6 6l.700 10.500h6.600L14 6",
  share: "M10 12V3m-3 3 3-3 3 3M6 9H4v8h12V9h-2",
  leave: "M11 4H4v12h7M8 10h9m-3-3 3 3-3 3",
  device: "M6.500 3h7v14h-7zm2.500 11.500h2",
  settings: "M3 6h7m4 0h3M3 14h3m4 0h7M12 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  attach: "m15.500 9-6 6a3.500 3.500 0 0 1-5-5l6.500-6.500a2.400 2.400 0 0 1 3.400 3.400L8 13.200a1.200 1.200 0 0 1-1.700-1.700L12 5.800",
  camera: "M3 6.500h3l1.500-2h5l1.500 2h3V16H3zm7 1.700a2.900 2.900 0 1 0 .100 0",
  down_arrow: "M10 4v12m-5-5 5 5 5-5",
  left: "m12 5-5 5 5 5",
  minus: "M4 10h12",
  open: "M8 4H4v12h12v-4M11 4h5v5m0-5-7 7",
  pause: "M7.500 5v10m5-10v10",
  pencil: "m4 16 1-4 8.500-8.500 3 3L8 15zM11.500 5.500l3 3",
  play: "M7 4.500v11l8.500-5.500z",
  record: "M10 12.500a2.500 2.500 0 0 0 2.500-2.500V5.500a2.500 2.500 0 0 0-5 0V10a2.500 2.500 0 0 0 2.500 2.500zM5.500 10a4.500 4.500 0 0 0 9 0M10 14.500V17",
  right: "m8 5 5 5-5 5",
  send: "M10 16V4m-5 5 5-5 5 5",
  sound: "M4 8v4h2.500L10 15V5L6.500 8zm9-.500a3.500 3.500 0 0 1 0 5m2-7a6.500 6.500 0 0 1 0 9",
  table: "M3.500 4.500h13v11h-13zm0 3.700h13m-13 3.600h13M8 4.500v11",
  wait: "M10 6v4l2.500 2M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0z",
};

/** An icon of the table above; hidden from screen readers, as its button has a name.
 * @param {{name: string}} properties */
export function Icon({ name }) {
  return html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d=${SHAPES[name]} /></svg>`;
}
