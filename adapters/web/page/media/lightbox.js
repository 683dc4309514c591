// Pictures over the whole window: zoom, pan, and the others of the group.

import { Icon } from "../icons.js";
import { html, render, useEffect, useLayoutEffect, useRef, useState } from "../view.js";
import { word } from "../words.js";

const MOST = 8; // times larger than what fits
const STEP = 1.5;
const SWIPE = 60; // pixels
const AT_REST = { scale: 1, x: 0, y: 0 };

/** Show a picture of a group. The dialog gives the focus back to what opened it.
 * @param {import("./kinds.js").PageFile[]} pictures
 * @param {import("./kinds.js").PageFile} first */
export function openLightbox(pictures, first) {
  const place = document.createElement("div");
  document.body.append(place);
  const onclose = () => {
    render(null, place);
    place.remove();
  };
  render(html`<${Lightbox} pictures=${pictures} first=${Math.max(0, pictures.indexOf(first))} onclose=${onclose} />`, place);
}

function Lightbox({ pictures, first, onclose }) {
  const dialog = useRef();
  const [index, setIndex] = useState(first);
  const [at, setAt] = useState(AT_REST);
  useLayoutEffect(() => dialog.current.showModal(), []);
  const picture = pictures[index];
  const go = (by) => {
    setIndex((before) => (before + by + pictures.length) % pictures.length);
    setAt(AT_REST);
  };
  const zoom = (times, x = 0, y = 0) => setAt((before) => zoomed(before, times, x, y));
  const pan = (x, y) => setAt((before) => ({ ...before, x: before.x + x, y: before.y + y }));
  const onkey = (event) => {
    const act = actionOf(event.key, at.scale > 1, { go, zoom, pan, rest: () => setAt(AT_REST) });
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };
  const several = pictures.length > 1;
  return html`
    <dialog class="lightbox" ref=${dialog} aria-label=${picture.name} onClose=${onclose} onKeyDown=${onkey}>
      <div class="lightbox-bar">
        <span class="what"><span class="name" dir="auto">${picture.name}</span>
          ${several && html`<span class="muted">${word("picture-of", { number: index + 1, count: pictures.length })}</span>`}</span>
        <${Act} name="minus" label=${word("zoom-out")} press=${() => zoom(1 / STEP)} disabled=${at.scale <= 1} />
        <${Act} name="add" label=${word("zoom-in")} press=${() => zoom(STEP)} disabled=${at.scale >= MOST} />
        <a class="quiet button" href=${picture.url} download=${picture.name} aria-label=${word("download", { name: picture.name })} title=${word("download", { name: picture.name })}><${Icon} name="save" /></a>
        <${Act} name="close" label=${word("close")} press=${() => dialog.current.close()} />
      </div>
      <${Stage} key=${picture.url} picture=${picture} at=${at} zoom=${zoom} pan=${pan} swipe=${several ? go : null} close=${() => dialog.current.close()} />
      ${several && html`
        <div class="lightbox-sides">
          <${Act} name="left" label=${word("previous-picture")} press=${() => go(-1)} />
          <${Act} name="right" label=${word("next-picture")} press=${() => go(1)} />
        </div>`}
      ${picture.alt && picture.alt !== picture.name && html`<p class="lightbox-alt" dir="auto" tabindex="0">${picture.alt}</p>`}
      <p class="unseen" role="status">${several ? `${word("picture-of", { number: index + 1, count: pictures.length })}: ${picture.alt || picture.name}` : ""}</p>
    </dialog>
  `;
}

function Act({ name, label, press, disabled = false }) {
  return html`<button type="button" class="quiet" aria-label=${label} title=${label} onClick=${press} disabled=${disabled}><${Icon} name=${name} /></button>`;
}

// What a key does; arrows move a picture that is larger than the window, and walk through the group otherwise.
function actionOf(key, isLarge, { go, zoom, pan, rest }) {
  const step = 80;
  const towards = getComputedStyle(document.documentElement).direction === "rtl" ? -1 : 1;
  const acts = {
    "+": () => zoom(STEP),
    "=": () => zoom(STEP),
    "-": () => zoom(1 / STEP),
    0: rest,
    ArrowLeft: isLarge ? () => pan(step, 0) : () => go(-towards),
    ArrowRight: isLarge ? () => pan(-step, 0) : () => go(towards),
    ArrowUp: isLarge ? () => pan(0, step) : null,
    ArrowDown: isLarge ? () => pan(0, -step) : null,
    PageUp: () => go(-1),
    PageDown: () => go(1),
  };
  return acts[key];
}

// The picture larger or smaller, with the point (x, y) from the middle of the window where it was.
function zoomed({ scale, x: panX, y: panY }, times, x, y) {
  const next = Math.min(MOST, Math.max(1, scale * times));
  if (next === 1) return AT_REST;
  const ratio = next / scale;
  return { scale: next, x: x - (x - panX) * ratio, y: y - (y - panY) * ratio };
}

// The picture itself, moved by mouse, wheel and fingers.
function Stage({ picture, at, zoom, pan, swipe, close }) {
  const stage = useRef();
  const fingers = useRef(new Map());
  const moved = useRef({ x: 0, y: 0, isBeside: false, isPinch: false });
  const [broken, fail] = useState(false);
  const fromMiddle = ({ clientX, clientY }) => {
    const box = stage.current.getBoundingClientRect();
    return [clientX - box.left - box.width / 2, clientY - box.top - box.height / 2];
  };
  useEffect(() => {
    const wheel = (event) => {
      event.preventDefault(); // Preact's listener would be passive in some browsers
      zoom(Math.exp(-event.deltaY / (event.ctrlKey ? 100 : 400)), ...fromMiddle(event));
    };
    stage.current.addEventListener("wheel", wheel, { passive: false });
    return () => stage.current?.removeEventListener("wheel", wheel);
  }, []);
  const down = (event) => {
    if (event.button > 0) return;
    stage.current.setPointerCapture(event.pointerId);
    fingers.current.set(event.pointerId, event);
    moved.current = { x: 0, y: 0, isBeside: event.target === stage.current, isPinch: fingers.current.size > 1 };
  };
  const move = (event) => {
    const before = fingers.current.get(event.pointerId);
    if (!before) return;
    const others = [...fingers.current.values()].filter((each) => each.pointerId !== event.pointerId);
    fingers.current.set(event.pointerId, event);
    const [x, y] = [event.clientX - before.clientX, event.clientY - before.clientY];
    Object.assign(moved.current, { x: moved.current.x + x, y: moved.current.y + y });
    if (others.length) {
      const middle = { clientX: (event.clientX + others[0].clientX) / 2, clientY: (event.clientY + others[0].clientY) / 2 };
      zoom(apart(event, others[0]) / Math.max(1, apart(before, others[0])), ...fromMiddle(middle));
    } else if (at.scale > 1) pan(x, y);
  };
  const up = (event) => {
    if (!fingers.current.delete(event.pointerId) || fingers.current.size) return;
    const { x, y, isBeside, isPinch } = moved.current;
    if (at.scale > 1 || isPinch) return;
    if (swipe && Math.abs(x) > SWIPE && Math.abs(x) > Math.abs(y)) swipe(x < 0 ? 1 : -1);
    else if (isBeside && Math.abs(x) + Math.abs(y) < 5 && event.type === "pointerup") close();
  };
  const twice = (event) => zoom(at.scale > 1 ? 1 / MOST : 2.5, ...fromMiddle(event));
  const style = { transform: `translate(${at.x}px, ${at.y}px) scale(${at.scale})` };
  return html`
    <div class=${at.scale > 1 ? "lightbox-stage large" : "lightbox-stage"} ref=${stage} onPointerDown=${down} onPointerMove=${move} onPointerUp=${up} onPointerCancel=${up} onDblClick=${twice}>
      ${broken ? html`<p>${word("no-file")}</p>` : html`<img src=${picture.url} alt=${picture.alt || picture.name} style=${style} draggable=${false} onError=${() => fail(true)} />`}
    </div>
  `;
}

function apart(one, other) {
  return Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
}
