// A link by which others read a conversation, as long as it is wanted.

import { Dialog } from "../dialog.js";
import { copyText } from "../media/reading.js";
import { start } from "../start.js";
import { html, useChanges, useEffect, useState } from "../view.js";
import { Refused, get, send } from "../wire.js";
import { language, word } from "../words.js";
import { address } from "./history.js";

const DAYS = [1, 7, 30];
const ONLY_HERE = /^(localhost|127(\.\d+){3}|\[::1\])$/;
const date = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

/** @param {{thread: string, onclose: () => void}} properties */
export function Sharing({ thread, onclose }) {
  useChanges(start);
  return html`<${Dialog} title=${word("share")} onclose=${onclose}>
    ${start.sharing ? html`<${Links} thread=${thread} />` : html`<${Off} onclose=${onclose} />`}
  <//>`;
}

// Whoever runs the program can turn it on.
function Off({ onclose }) {
  if (!start.do_more) return html`<p>${word("share-is-off")}</p>`;
  return html`<p>${word("share-turn-on")}</p><p><a class="button quiet outlined" href="#/setup" onclick=${onclose}>${word("do-more")}</a></p>`;
}

function Links({ thread }) {
  const [shares, setShares] = useState(/** @type {any[]} */ ([]));
  const [days, setDays] = useState(7);
  const [problem, setProblem] = useState("");
  /** @param {() => Promise<void>} action */
  const attempt = async (action) => {
    try {
      setProblem("");
      await action();
    } catch (error) {
      setProblem(error instanceof Refused ? error.message : word("unreachable"));
    }
  };
  const load = () => attempt(async () => setShares((await get(`${address(thread)}/shares`)).shares ?? []));
  const make = () =>
    attempt(async () => {
      await send(`${address(thread)}/shares`, "POST", { days });
      await load();
    });
  const revoke = (share) =>
    attempt(async () => {
      await send(`/api/shares/${encodeURIComponent(share)}`, "DELETE");
      await load();
    });
  useEffect(() => void load(), []);
  return html`
    <p>${word("share-means")}</p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="row">
      <label class="field">${word("share-days")}
        <select value=${days} onchange=${(event) => setDays(Number(event.target.value))}>
          ${DAYS.map((each) => html`<option value=${each}>${word("days", { count: each })}</option>`)}
        </select>
      </label>
      <button type="button" class="primary" onclick=${make}>${word("share-make")}</button>
    </div>
    ${shares.length > 0 &&
    html`<ul class="shares" aria-label=${word("shares")}>
      ${shares.map(
        ({ share, url, expires }) => html`<li key=${share}>
          <${Address} url=${url} />
          <p class="muted">${word("until", { date: date.format(Date.parse(expires)) })}
            <button type="button" class="quiet small" onclick=${() => revoke(share)}>${word("revoke")}</button></p>
        </li>`,
      )}
    </ul>`}
  `;
}

/** A one-time link that opens this person's conversations on another device. */
export function Device({ onclose }) {
  const [link, setLink] = useState(/** @type {any} */ (null));
  const [problem, setProblem] = useState("");
  useEffect(() => {
    send("/api/devices", "POST", {}).then(setLink, (error) => setProblem(error instanceof Refused ? error.message : word("unreachable")));
  }, []);
  return html`<${Dialog} title=${word("device")} onclose=${onclose}>
    <p>${word("device-means")}</p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${link && html`<${Address} url=${link.url} /><p class="muted">${word("until", { date: date.format(Date.parse(link.expires)) })}</p>`}
  <//>`;
}

// An address to take along.
function Address({ url }) {
  const [copied, setCopied] = useState(false);
  const { href: whole, hostname } = new URL(url, location.href);
  const copy = async () => {
    await copyText(whole);
    setCopied(true);
  };
  return html`<div class="address">
    <input readonly dir="ltr" value=${whole} aria-label=${word("address")} onfocus=${(event) => event.target.select()} />
    <button type="button" class="quiet small" onclick=${copy}>${word(copied ? "copied" : "copy")}</button>
  </div>
  ${ONLY_HERE.test(hostname) && html`<p class="muted">${word("address-here")}</p>`}`;
}
