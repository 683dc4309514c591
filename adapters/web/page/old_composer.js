// The message box that makes its elements by hand, as a view of Preact.

import { Composer as Box } from "./composer.js";
import { sent } from "./media.js";
import { html, useEffect, useLayoutEffect, useRef } from "./view.js";
import { Refused } from "./wire.js";
import { word } from "./words.js";

export function Composer({ onsend, busy, onstop }) {
  const send = useRef();
  send.current = onsend;
  useEffect(() => {
    const box = new Box((message) => send.current(message).catch((error) => box.giveBack(message, error instanceof Refused ? error.message : word("unsent"))));
  }, []);
  return html`
    <form id="composer" class="composer" aria-label=${word("composer")}>
      <p id="problem" class="problem" role="alert" hidden></p>
      <ul id="chosen" class="chosen" aria-label=${word("chosen")}></ul>
      <label class="unseen" for="text">${word("text")}</label>
      <textarea id="text" name="text" dir="auto" rows="1" autocomplete="off" enterkeyhint="send" placeholder=${word("placeholder")}></textarea>
      <div class="row">
        <input type="file" id="picker" class="unseen" multiple tabindex="-1" aria-hidden="true" />
        <button type="button" class="round" id="attach" aria-label=${word("attach")} title=${word("attach")}>
          <svg aria-hidden="true" viewBox="0 0 20 20"><path d="m15.5 9-6 6a3.5 3.5 0 0 1-5-5l6.5-6.5a2.4 2.4 0 0 1 3.4 3.4L8 13.200a1.200 1.200 0 0 1-1.700-1.700L12 5.800" /></svg>
        </button>
        <span class="keys" aria-hidden="true">${word("keys")}</span>
        <button type="button" class="stop" id="stop" hidden=${!busy} onclick=${onstop}>
          <svg aria-hidden="true" viewBox="0 0 20 20" class="solid"><rect x="5" y="5" width="10" height="10" rx="2" /></svg><span>${word("stop")}</span>
        </button>
        <button type="submit" class="round send" id="send" aria-label=${word("send")} title=${word("send")}>
          <svg aria-hidden="true" viewBox="0 0 20 20"><path d="M10 16V4m-5 5 5-5 5 5" /></svg>
        </button>
      </div>
    </form>
    <div class="drop" id="drop" hidden><p>${word("drop")}</p></div>
  `;
}

export function SentFiles({ files }) {
  const place = useRef();
  useLayoutEffect(() => place.current.replaceChildren(...files.map(sent)), [files]);
  return html`<div class="sent-files" ref=${place}></div>`;
}
