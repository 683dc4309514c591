// The owner's pages: what works, all runs, the channels and what is stored. In English, as all that operators read.

import { Icon } from "../icons.js";
import { html, useEffect, useRef } from "../view.js";
import { load, word } from "../words.js";
import { Channels } from "./channels.js";
import { Health } from "./health.js";
import { OneRun } from "./one_run.js";
import { Runs } from "./runs.js";
import { Storage } from "./storage.js";

await load("page-owner");

const TABS = ["health", "runs", "channels", "storage"];
/** @type {Record<string, any>} */
const VIEWS = { health: Health, runs: Runs, channels: Channels, storage: Storage };

/** @param {{route: string, tell: (text: string) => void}} properties */
export function Owner({ route, tell }) {
  const [path] = route.split("?");
  const [, , tab = "", run = ""] = path.split("/");
  const shown = TABS.includes(tab) ? tab : TABS[0];
  const heading = useRef();
  useEffect(() => heading.current.focus({ preventScroll: true }), [shown, run]);
  const View = VIEWS[shown];
  return html`<section class="owner" lang="en" aria-labelledby="owner-title">
    <link rel="stylesheet" href="/page/owner/owner.css" />
    <p><a class="quiet button" href="#"><${Icon} name="left" /><span>${word("owner-back")}</span></a></p>
    <h1 id="owner-title" tabindex="-1" ref=${heading}>${word(`owner-tab-${shown}`)}</h1>
    <nav class="owner-tabs" aria-label=${word("owner-parts")}>
      ${TABS.map((name) => html`<a key=${name} class="quiet button" href=${`#/owner/${name}`} aria-current=${name === shown ? "page" : null}>${word(`owner-tab-${name}`)}</a>`)}
    </nav>
    ${shown === "runs" && run ? html`<${OneRun} key=${run} reference=${run} tell=${tell} />` : html`<${View} key=${shown} tell=${tell} />`}
  </section>`;
}
