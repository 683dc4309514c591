// Messages that wait for the connection, as they stand in their conversation.

import { Icon } from "../icons.js";
import { SentFiles } from "../media/figure.js";
import { html, useChanges, useEffect, useRef } from "../view.js";
import { word } from "../words.js";
import { draftOf } from "./drafts.js";
import { useLocal } from "./local.js";
import { outbox } from "./outbox.js";

const JUST_NOW = 3000; // milliseconds

/** @param {{thread: string}} properties */
export function Outgoing({ thread }) {
  useChanges(outbox);
  const shown = outbox.of(thread).filter(({ state }) => state !== "sending");
  if (!shown.length) return null;
  return html`<ol class="thread outgoing" aria-label=${word("outgoing")}>${shown.map((entry) => html`<${Waiting} key=${entry.key} entry=${entry} />`)}</ol>`;
}

function Waiting({ entry }) {
  const files = useLocal(entry.files);
  const item = useRef();
  useEffect(() => {
    if (Date.now() - entry.at < JUST_NOW) item.current.scrollIntoView({ block: "nearest" });
  }, []);
  const edit = () => {
    draftOf(entry.thread).giveBack(entry);
    outbox.remove(entry);
    document.getElementById("text")?.focus();
  };
  const remove = () => {
    outbox.remove(entry);
    document.getElementById("text")?.focus();
  };
  const refused = entry.state === "refused";
  return html`
    <li class="said waiting" ref=${item}>
      <${SentFiles} files=${files} />
      ${entry.text && html`<p class="bubble" dir="auto">${entry.text}</p>`}
      <p class=${refused ? "problem" : "muted"} role=${refused ? "alert" : "status"}><${Icon} name="wait" /> ${entry.problem || word(refused ? "not-sent" : "waits-for-connection")}</p>
      <div class="waiting-actions">
        <button type="button" class="quiet small" onClick=${() => outbox.flush(entry)} hidden=${refused}><${Icon} name="send" /><span>${word("send-now")}</span></button>
        <button type="button" class="quiet small" onClick=${edit}><${Icon} name="pencil" /><span>${word("put-back")}</span></button>
        <button type="button" class="quiet small" onClick=${remove}><${Icon} name="close" /><span>${word("remove-message")}</span></button>
      </div>
    </li>
  `;
}
