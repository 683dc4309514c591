// Files as people see them: pictures, players, tables and texts, and cards for the rest.

import { Icon } from "../icons.js";
import { load } from "../lazy.js";
import { html, useEffect, useRef, useState } from "../view.js";
import { word } from "../words.js";
import { ending, isPicture, kindOf, size } from "./kinds.js";

export { isPicture, kindOf, size };

/** @typedef {import("./kinds.js").PageFile} PageFile */

/** All files of an answer. With `run`, several can be saved at once; `origin` draws what leads to where a file was made, `below` what stands under a picture.
 * @param {{files: PageFile[], run?: string, origin?: (file: PageFile) => any, below?: (file: PageFile) => any}} properties */
export function Files({ files, run = "", origin = undefined, below = undefined }) {
  const many = files.filter((file) => isPicture(file.media_type)).length > 1;
  return html`
    <div class=${many ? "files many" : "files"}>
      ${files.map((file, index) => html`<${Figure} key=${index + file.url} file=${file} group=${files} origin=${origin?.(file)} below=${below?.(file)} />`)}
    </div>
    ${run && files.length > 1 && html`
      <p class="download-all">
        <a class="quiet small button" href=${`/api/runs/${encodeURIComponent(run)}/files.zip`} download>
          <${Icon} name="save" /><span>${word("download-all", { count: files.length })}</span>
        </a>
      </p>`}
  `;
}

/** A file of an answer, with what is in it, who made it, and a way to save it.
 * @param {{file: PageFile, group?: PageFile[], origin?: any, below?: any}} properties */
export function Figure({ file, group = [file], origin = null, below = null }) {
  const [broken, fail] = useState(false);
  const kind = kindOf(file);
  const onerror = () => fail(true);
  if (broken) return html`<figure class="shown"><p class="muted cannot">${word("no-file")}</p><${Caption} file=${file} origin=${origin} /></figure>`;
  if (kind === "picture") return html`<figure class="shown"><${Picture} file=${file} group=${group} onerror=${onerror} /><${Caption} file=${file} origin=${origin} />${below}</figure>`;
  if (kind === "sound" || kind === "film") {
    return html`<figure class=${`shown ${kind}`}><${Player} file=${file} kind=${kind} onerror=${onerror} /><${Caption} file=${file} origin=${origin} /></figure>`;
  }
  if (kind === "table" || kind === "text") {
    return html`<figure class="shown read"><${FileCard} file=${file} origin=${origin} /><${Preview} file=${file} /></figure>`;
  }
  return html`<div class="shown card"><${FileCard} file=${file} origin=${origin} /></div>`;
}

/** A picture that opens large, with the others of its group.
 * @param {{file: PageFile, group: PageFile[], onerror?: () => void, small?: boolean}} properties */
function Picture({ file, group, onerror, small = false }) {
  const open = async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return; // a tab of its own
    event.preventDefault();
    try {
      const { openLightbox } = await import("./lightbox.js");
      openLightbox(group.filter((each) => isPicture(each.media_type)), file);
    } catch {
      window.open(file.url, "_blank", "noopener"); // the server is away, the picture may be here
    }
  };
  const title = word("enlarge", { name: file.name });
  return html`
    <a class=${small ? "sent picture" : "picture"} href=${file.url} target="_blank" rel="noopener" title=${title} aria-haspopup="dialog" onClick=${open}>
      <img src=${file.url} alt=${file.alt || file.name} loading="lazy" decoding="async" onError=${onerror} />
    </a>
  `;
}

function Player({ file, kind, onerror }) {
  const label = file.alt || file.name;
  return kind === "sound"
    ? html`<audio controls preload="metadata" src=${file.url} aria-label=${label} onError=${onerror}></audio>`
    : html`<video controls playsinline preload="metadata" src=${file.url} aria-label=${label} onError=${onerror}></video>`;
}

function Caption({ file, origin }) {
  const details = [file.model && word("made-by", { model: file.model }), size(file.size)].filter(Boolean).join(" · ");
  return html`
    <figcaption>
      <span class="what"><span class="name" dir="auto" title=${file.name}>${file.name}</span><span class="muted">${details}</span>${origin}</span>
      <${Save} file=${file} />
    </figcaption>
  `;
}

function Save({ file }) {
  const label = word("download", { name: file.name });
  return html`<a class="quiet small button" href=${file.url} download=${file.name} aria-label=${label} title=${label}><${Icon} name="save" /></a>`;
}

/** A file's name and size, and ways to open and to save it.
 * @param {{file: PageFile, origin?: any}} properties */
export function FileCard({ file, origin = null }) {
  const kind = kindOf(file);
  const details = [file.model && word("made-by", { model: file.model }), ending(file.name).toUpperCase() || file.media_type.split(";")[0], size(file.size)].filter(Boolean).join(" · ");
  const label = word("open", { name: file.name });
  return html`
    <span class="file">
      <${Icon} name=${kind === "table" ? "table" : "file"} />
      <span class="what"><span class="name" dir="auto" title=${file.name}>${file.name}</span><span class="muted">${details}</span>${origin}</span>
      ${kind !== "file" && html`<a class="quiet small button" href=${file.url} target="_blank" rel="noopener" aria-label=${label} title=${label}><${Icon} name="open" /></a>`}
      <${Save} file=${file} />
    </span>
  `;
}

// A table or the beginning of a text. It is read once it comes into sight.
function Preview({ file }) {
  const place = useRef();
  const [View, show] = useState(null);
  const [tries, setTries] = useState(1);
  const again = () => {
    show(null);
    setTries(tries + 1);
  };
  useEffect(() => {
    const watch = new IntersectionObserver(async (seen) => {
      if (!seen.some((each) => each.isIntersecting)) return;
      watch.disconnect();
      try {
        const { readPreview } = await load("media/preview.js", tries);
        const view = await readPreview(file);
        show(() => view);
      } catch {
        show(() => () => html`<p class="muted cannot">${word("no-file")} <button type="button" class="quiet small" onClick=${again}><${Icon} name="again" /><span>${word("retry")}</span></button></p>`);
      }
    }, { rootMargin: "200px" });
    watch.observe(place.current);
    return () => watch.disconnect();
  }, [file.url, tries]);
  return html`<div class="preview" ref=${place}>${View ? html`<${View} />` : html`<p class="muted" aria-busy="true">…</p>`}</div>`;
}

/** Files that a person sent, small.
 * @param {{files: PageFile[]}} properties */
export function SentFiles({ files }) {
  if (!files.length) return null;
  return html`<div class="sent-files">${files.map((file, index) => html`<${Sent} key=${index + file.url} file=${file} group=${files} />`)}</div>`;
}

function Sent({ file, group }) {
  const [broken, fail] = useState(false);
  const kind = kindOf(file);
  const onerror = () => fail(true);
  if (kind === "picture" && !broken) return html`<${Picture} file=${file} group=${group} onerror=${onerror} small />`;
  if ((kind === "sound" || kind === "film") && !broken) {
    return html`<span class=${`sent ${kind}`}><${Player} file=${file} kind=${kind} onerror=${onerror} /><span class="muted name" dir="auto">${file.name}</span></span>`;
  }
  return html`<a class="sent plain" href=${file.url} target="_blank" rel="noopener">
    <${Icon} name=${kind === "table" ? "table" : "file"} />
    <span class="what"><span class="name" dir="auto">${file.name}</span>${file.size !== undefined && html`<span class="muted">${size(file.size)}</span>`}</span>
  </a>`;
}
