// The list of conversations, beside the page where there is room, else over it.

import { Icon } from "../icons.js";
import { html, useChanges, useEffect, useLayoutEffect, useRef, useState } from "../view.js";
import { word } from "../words.js";
import { grouped } from "./days.js";
import { Entry } from "./entry.js";

/** @param {{history: import("./history.js").History, current: string, onfresh: () => void, onfold: () => void, onsearch?: any}} properties */
export function Sidebar({ history, current, onfresh, onfold }) {
  useChanges(history);
  const { query, found, threads, searching, problem } = history;
  const shown = query ? found : threads;
  return html`
    <div class="sidebar-head">
      <a class="brand" href="/" onclick=${(event) => (event.preventDefault(), onfresh())}><img src="/page/icon.svg" alt="" width="28" height="28" /><span>Troupe</span></a>
      <button type="button" class="quiet small" id="fold" aria-label=${word("fold")} title=${word("fold")} onclick=${onfold}><${Icon} name="side" /></button>
    </div>
    <button type="button" class="quiet fresh" onclick=${onfresh}><${Icon} name="add" /><span>${word("fresh")}</span></button>
    <label class="search"><${Icon} name="search" /><span class="unseen">${word("search")}</span>
      <input type="search" id="search" dir="auto" placeholder=${word("search")} value=${query} oninput=${(event) => history.search(event.target.value)} />
    </label>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="listed" aria-busy=${searching}>
      ${query
        ? html`<${Group} name=${word("found")} threads=${shown} current=${current} history=${history} />`
        : grouped(shown).map((each) => html`<${Group} key=${each.name} ...${each} current=${current} history=${history} />`)}
      ${!shown.length && !searching && !problem && html`<p class="muted empty">${word(query ? "nothing-found" : "nothing-yet")}</p>`}
      ${history.hasMore && html`<${Rest} history=${history} count=${shown.length} />`}
    </div>
  `;
}

function Group({ name, threads, current, history }) {
  if (!threads.length) return null;
  return html`<section>
    <h2>${name}</h2>
    <ul>${threads.map((each) => html`<${Entry} key=${each.thread} listed=${each} isCurrent=${each.thread === current} history=${history} />`)}</ul>
  </section>`;
}

// The next page comes as one scrolls to it.
function Rest({ history, count }) {
  const mark = useRef();
  useEffect(() => {
    const seen = new IntersectionObserver(([entry]) => entry.isIntersecting && history.more(), { rootMargin: "300px" });
    seen.observe(mark.current);
    return () => seen.disconnect();
  }, [count]);
  return html`<button type="button" class="quiet small" ref=${mark} onclick=${() => history.more()}>${word("more")}</button>`;
}

/** The sidebar as a drawer over a narrow page. */
export function Drawer({ onclose, children }) {
  const box = useRef();
  useLayoutEffect(() => box.current.showModal(), []);
  const pressed = ({ target }) => (target === box.current || target.closest(".entry > a")) && onclose();
  return html`<dialog class="drawer sidebar" aria-label=${word("navigation")} ref=${box} onclose=${onclose} onclick=${pressed}>
    <div class="drawer-inside">${children}</div>
  </dialog>`;
}

/** Whether there is room for a list beside the page. */
export function useWide() {
  const wide = matchMedia("(min-width: 1000px)");
  const [is, set] = useState(wide.matches);
  useEffect(() => {
    const changed = () => set(wide.matches);
    wide.addEventListener("change", changed);
    return () => wide.removeEventListener("change", changed);
  }, []);
  return is;
}
