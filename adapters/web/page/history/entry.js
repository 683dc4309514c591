// One conversation in the list, with what can be done with it.

import { Dialog } from "../dialog.js";
import { Icon } from "../icons.js";
import { Later } from "../lazy.js";
import { Item, Menu } from "../menu.js";
import { start } from "../start.js";
import { html, useLayoutEffect, useRef, useState } from "../view.js";
import { Refused } from "../wire.js";
import { word } from "../words.js";
import { address } from "./history.js";

export function Entry({ listed, isCurrent, history }) {
  const { thread, title, pinned, live, excerpt } = listed;
  const [doing, setDoing] = useState("");
  const done = () => setDoing("");
  if (doing === "rename") return html`<li class="entry"><${Rename} listed=${listed} history=${history} ondone=${done} /></li>`;
  return html`<li class=${isCurrent ? "entry current" : "entry"}>
    <a href=${`#${thread}`} aria-current=${isCurrent ? "page" : undefined} title=${title}>
      <span class="title" dir="auto">${title}</span>
      ${live && html`<span class="live-mark" role="img" aria-label=${word("is-live")} title=${word("is-live")}></span>`}
      ${pinned && html`<${Icon} name="pin" />`}
      ${excerpt && html`<span class="excerpt" dir="auto">${excerpt}</span>`}
    </a>
    <${Menu} label=${word("more-of", { title })} icon="more">
      <${Item} icon="pencil" text=${word("rename")} onclick=${() => setDoing("rename")} />
      <${Item} icon="pin" text=${word(pinned ? "unpin" : "pin")} onclick=${() => history.change(thread, { pinned: !pinned })} />
      <${Item} icon="share" text=${word(start.sharing ? "share" : "share-off")} onclick=${() => setDoing("share")} />
      <${Item} icon="save" text=${word("export-html")} href=${`${address(thread)}/export?format=html`} download />
      <${Item} icon="file" text=${word("export-markdown")} href=${`${address(thread)}/export?format=markdown`} download />
      <${Item} icon="forget" text=${word("forget")} onclick=${() => setDoing("forget")} />
    <//>
    ${doing === "share" && html`<${Later} from="history/sharing.js" view="Sharing" thread=${thread} onclose=${done} />`}
    ${doing === "forget" && html`<${Forget} listed=${listed} history=${history} onclose=${done} />`}
  </li>`;
}

function Rename({ listed, history, ondone }) {
  const box = useRef();
  useLayoutEffect(() => box.current.select(), []);
  const save = () => {
    if (!box.current) return; // it went, and with it the keyboard's place
    const title = box.current.value.trim();
    if (title && title !== listed.title) history.change(listed.thread, { title });
    ondone();
  };
  const key = (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter") save();
    if (event.key !== "Escape") return;
    event.preventDefault();
    ondone();
  };
  return html`<input class="rename" dir="auto" maxlength="80" aria-label=${word("rename")} defaultValue=${listed.title} ref=${box} onkeydown=${key} onblur=${save} />`;
}

function Forget({ listed, history, onclose }) {
  const [problem, setProblem] = useState("");
  const forget = async () => {
    try {
      await history.forget(listed.thread);
      onclose();
    } catch (error) {
      setProblem(error instanceof Refused ? error.message : word("unreachable"));
    }
  };
  return html`<${Dialog} title=${word("forget-title")} onclose=${onclose}>
    <p class="quoted" dir="auto">${listed.title}</p>
    <p>${word("forget-means")}</p>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="row end">
      <button type="button" class="quiet" onclick=${onclose}>${word("cancel")}</button>
      <button type="button" class="primary bad" onclick=${forget}>${word("forget")}</button>
    </div>
  <//>`;
}
