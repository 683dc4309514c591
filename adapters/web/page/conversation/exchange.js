// A message of a person and the answer to it, with ways to their other versions.

import { Icon } from "../icons.js";
import { SentFiles } from "../media/figure.js";
import { copyText } from "../media/reading.js";
import { RunView } from "../run/view.js";
import { html, useLayoutEffect, useRef, useState } from "../view.js";
import { word } from "../words.js";

export function Exchange({ exchange, conversation, tell }) {
  const { run, id, answers } = exchange;
  const waits = conversation.waits(exchange);
  const again = (made) => {
    conversation.again(exchange, made);
    tell(word("again"));
  };
  return html`
    <li class="said">
      <h2 class="unseen">${word("you")}</h2>
      ${conversation.editing === exchange
        ? html`<${Editor} exchange=${exchange} conversation=${conversation} />`
        : html`<${Said} exchange=${exchange} conversation=${conversation} tell=${tell} />`}
    </li>
    <li class="answer">
      <h2 class="unseen">${word("bot")}</h2>
      <${RunView} key=${run} run=${run} onrun=${again} tell=${tell} waits=${waits !== ""} />
      ${waits && html`<p class="muted waits">${word(waits)}</p>`}
      <${Versions} of=${answers} shown=${id} label=${word("answers")} onwalk=${(other) => conversation.walk(exchange, other)} />
    </li>
  `;
}

function Said({ exchange, conversation, tell }) {
  const { id, text, files, edits, answers } = exchange;
  const copy = async () => {
    await copyText(text);
    tell(word("copied"));
  };
  const edit = () => {
    conversation.editing = exchange;
    conversation.changed();
  };
  const shown = edits.find((each) => answers.includes(each));
  return html`
    ${files.length > 0 && html`<${SentFiles} files=${files} />`}
    ${text && html`<p class="bubble" dir="auto">${text}</p>`}
    ${id && html`<div class="tools-of-message">
      <${Versions} of=${edits} shown=${shown} label=${word("versions")} onwalk=${(other) => conversation.walk(exchange, other)} />
      ${text && html`<${Tool} icon="copy" label=${word("copy-message")} onclick=${copy} />`}
      <${Tool} icon="pencil" label=${word("edit")} onclick=${edit} />
    </div>`}
  `;
}

function Tool({ icon, label, ...more }) {
  return html`<button type="button" class="quiet small" aria-label=${label} title=${label} ...${more}><${Icon} name=${icon} /></button>`;
}

// "2 / 3", with ways to the one before and the one after.
function Versions({ of, shown, label, onwalk }) {
  if (of.length < 2) return null;
  const index = of.indexOf(shown);
  const step = (by, icon, name) => html`<${Tool} icon=${icon} label=${word(name)} disabled=${!of[index + by]} onclick=${() => onwalk(of[index + by])} />`;
  return html`<div class="versions" dir="ltr" role="group" aria-label=${label}>
    ${step(-1, "left", "version-before")}
    <span>${index + 1} / ${of.length}</span>
    ${step(1, "right", "version-after")}
  </div>`;
}

// A message in a box where it stands. It keeps its files, or those that are not removed.
function Editor({ exchange, conversation }) {
  const box = useRef();
  const [files, setFiles] = useState(exchange.files);
  const fit = () => {
    box.current.style.height = "auto";
    box.current.style.height = `${box.current.scrollHeight}px`;
  };
  useLayoutEffect(() => {
    fit();
    box.current.focus({ preventScroll: true });
    box.current.setSelectionRange(box.current.value.length, box.current.value.length);
    box.current.scrollIntoView({ block: "nearest" });
  }, []);
  const close = () => {
    conversation.editing = null;
    conversation.changed();
    document.getElementById("text")?.focus({ preventScroll: true });
  };
  const submit = (event) => {
    event.preventDefault();
    const text = box.current.value.trim();
    if (!text && !files.length) return;
    document.getElementById("text")?.focus({ preventScroll: true });
    conversation.edit(exchange, { text, files });
  };
  const key = (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey && event.target === box.current) submit(event);
    if (event.key === "Escape") {
      event.preventDefault();
      close();
    }
  };
  const remove = (file) => setFiles(files.filter((each) => each !== file));
  return html`<form class="editor" aria-label=${word("edit")} onsubmit=${submit} onkeydown=${key}>
    ${files.length > 0 &&
    html`<ul class="chosen">
      ${files.map((file) => html`<li key=${file.url}>
        <span class="name">${file.name}</span>
        <${Tool} icon="close" label=${word("remove", { name: file.name })} onclick=${() => remove(file)} />
      </li>`)}
    </ul>`}
    <textarea dir="auto" rows="1" aria-label=${word("edit")} ref=${box} oninput=${fit} defaultValue=${exchange.draft ?? exchange.text}></textarea>
    <div class="row">
      <span class="keys">${word("edit-keeps")}</span>
      <button type="button" class="quiet" onclick=${close}>${word("cancel")}</button>
      <button type="submit" class="primary">${word("send")}</button>
    </div>
  </form>`;
}
