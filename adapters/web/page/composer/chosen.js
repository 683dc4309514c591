// The files that go with the message: seen, named anew, taken away.

import { Icon } from "../icons.js";
import { isPicture, kindOf, size } from "../media/kinds.js";
import { html, useLayoutEffect, useMemo, useRef, useState } from "../view.js";
import { word } from "../words.js";
import { useLocal } from "./local.js";

const ICONS = { sound: "sound", table: "table" };

/** @param {{draft: import("./drafts.js").Draft, onempty: () => void}} properties */
export function Chosen({ draft, onempty }) {
  const list = useRef();
  const remove = (file, index) => {
    const rest = [...list.current.querySelectorAll("button.remove")].filter((_, place) => place !== index);
    draft.replace(file);
    if (rest.length) rest[Math.min(index, rest.length - 1)].focus();
    else onempty();
  };
  if (!draft.files.length) return null;
  return html`
    <ul id="chosen" class="chosen" aria-label=${word("chosen")} ref=${list}>
      ${draft.files.map((file, index) => html`<${Chip} key=${keyOf(file)} file=${file} onremove=${() => remove(file, index)} onrename=${(name) => draft.replace(file, new File([file], name, { type: file.type }))} />`)}
    </ul>
  `;
}

function Chip({ file, onremove, onrename }) {
  const [shown] = useLocal(useMemo(() => [file], [file]));
  const [isNaming, setNaming] = useState(false);
  const label = word("remove", { name: file.name });
  const finish = (name) => {
    setNaming(false);
    if (name?.trim() && name.trim() !== file.name) onrename(name.trim());
  };
  return html`
    <li>
      ${isPicture(file.type) ? html`<img src=${shown.url} alt="" />` : html`<${Icon} name=${ICONS[kindOf(shown)] ?? "file"} />`}
      <span class="what">
        ${isNaming
          ? html`<${Naming} name=${file.name} onfinish=${finish} />`
          : html`<button type="button" class="name" dir="auto" title=${word("rename-file", { name: file.name })} onClick=${() => setNaming(true)}>${file.name}</button>`}
        <span class="muted">${size(file.size)}</span>
      </span>
      <button type="button" class="quiet small remove" aria-label=${label} title=${label} onClick=${onremove}><${Icon} name="close" /></button>
    </li>
  `;
}

function Naming({ name, onfinish }) {
  const box = useRef();
  useLayoutEffect(() => {
    box.current.focus();
    box.current.setSelectionRange(0, name.lastIndexOf(".") > 0 ? name.lastIndexOf(".") : name.length);
  }, []);
  const key = (event) => {
    if (event.isComposing || !["Enter", "Escape"].includes(event.key)) return;
    event.preventDefault();
    onfinish(event.key === "Enter" ? event.target.value : null);
  };
  return html`<input class="naming" dir="auto" maxlength="100" value=${name} aria-label=${word("file-name")} ref=${box} onKeyDown=${key} onBlur=${(event) => onfinish(event.target.value)} />`;
}

const keys = new WeakMap();
let count = 0;

function keyOf(file) {
  if (!keys.has(file)) keys.set(file, (count += 1));
  return keys.get(file);
}
