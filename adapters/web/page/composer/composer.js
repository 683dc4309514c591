// The message box: words, files from everywhere, recordings, and what becomes of them on their way.

import { Icon } from "../icons.js";
import { html, useChanges, useEffect, useLayoutEffect, useRef, useState } from "../view.js";
import { Refused } from "../wire.js";
import { word } from "../words.js";
import { Chosen } from "./chosen.js";
import { draftOf, moveDraft } from "./drafts.js";
import { sift } from "./limits.js";
import { outbox } from "./outbox.js";

const LONG_PASTE = 4000; // characters
const PRELOAD_AFTER = 4000; // milliseconds: one can record offline, too
const SHOWN_FROM = 300_000; // bytes: smaller uploads are over at once

/** `onsend` resolves when the server took the message; it rejects with Refused, or otherwise if the server was not reached.
 * @param {{thread: string, onsend: import("./outbox.js").Send, busy?: boolean, onstop?: () => void}} properties */
export function Composer({ thread, onsend, busy = false, onstop }) {
  const draft = useChanges(draftOf(thread));
  const box = useRef();
  const [problem, setProblem] = useState("");
  const [told, tell] = useState("");
  const [pasted, setPasted] = useState(null);
  const [Recorder, setRecorder] = useState(null);
  useSender(thread, onsend);
  useLayoutEffect(() => fit(box.current), [draft.text, thread]);
  useEffect(() => setProblem(""), [thread]);
  useEffect(() => {
    setTimeout(() => import("./recorder.js").catch(() => {}), PRELOAD_AFTER);
  }, []);

  const focus = () => box.current?.focus({ preventScroll: true });
  const adding = useRef(Promise.resolve());
  const add = (files) => (adding.current = adding.current.then(() => addTo(draft, [...files])));
  const addTo = async (to, files) => {
    const { taken, problem: why } = await sift(files, to.files);
    setProblem(why);
    if (!taken.length) return;
    to.add(taken);
    tell(word("added", { names: taken.map(({ name }) => name).join(", ") }));
    if (!isTouched()) focus();
  };
  const isOver = useDrops(add);

  const submit = async (event) => {
    event.preventDefault();
    await adding.current; // a file that is being looked at goes with it
    if (draft.isEmpty) return;
    const message = { text: draft.text.trim(), files: draft.files };
    draft.clear();
    setProblem("");
    setPasted(null);
    focus();
    try {
      await outbox.post({ ...message, thread });
    } catch (error) {
      draftOf(thread).giveBack(message);
      if (error instanceof Refused) setProblem(error.message);
      focus();
    }
  };
  const key = (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === 229 || isTouched()) return;
    event.preventDefault();
    event.target.form.requestSubmit();
  };
  const paste = (event) => {
    const text = event.clipboardData?.getData("text/plain").replaceAll("\r\n", "\n") ?? "";
    if (text.length > LONG_PASTE && !isOfFiles(event.clipboardData)) setPasted({ text, isFile: false });
  };
  const record = async () => {
    try {
      const { Recorder: View } = await import("./recorder.js");
      setRecorder(() => View);
    } catch {
      setProblem(word("unreachable"));
    }
  };
  const closeRecorder = (file) => {
    setRecorder(null);
    if (file) add([file]);
    focus();
  };

  return html`
    <form id="composer" class="composer" aria-label=${word("composer")} onSubmit=${submit}>
      ${problem && html`<p id="problem" class="problem" role="alert">${problem}</p>`}
      <${Sending} thread=${thread} />
      ${pasted && html`<${Pasted} pasted=${pasted} draft=${draft} change=${setPasted} focus=${focus} />`}
      <${Chosen} draft=${draft} onempty=${focus} />
      ${Recorder && html`<${Recorder} onclose=${closeRecorder} />`}
      <label class="unseen" for="text">${word("text")}</label>
      <textarea id="text" name="text" dir="auto" rows="1" autocomplete="off" enterkeyhint=${isTouched() ? "enter" : "send"} placeholder=${word("placeholder")} ref=${box}
        value=${draft.text} onInput=${(event) => draft.write(event.target.value)} onKeyDown=${key} onPaste=${paste}></textarea>
      <div class="row">
        <${Picker} id="picker" name="attach" label=${word("attach")} onfiles=${add} multiple />
        ${isTouched() && html`<${Picker} id="camera" name="camera" label=${word("camera")} onfiles=${add} accept="image/*" capture="environment" />`}
        <button type="button" class="round" id="record" aria-label=${word("record")} title=${word("record")} aria-expanded=${String(Boolean(Recorder))} disabled=${Boolean(Recorder)} onClick=${record}><${Icon} name="record" /></button>
        <span class="keys" aria-hidden="true">${isTouched() ? "" : word("keys")}</span>
        ${busy && html`<button type="button" class="stop" id="stop" onClick=${onstop}>
          <svg aria-hidden="true" viewBox="0 0 20 20" class="solid"><rect x="5" y="5" width="10" height="10" rx="2" /></svg><span>${word("stop")}</span>
        </button>`}
        <button type="submit" class="round send" id="send" aria-label=${word("send")} title=${word("send")} disabled=${draft.isEmpty}><${Icon} name="send" /></button>
      </div>
      <p class="unseen" role="status">${told}</p>
    </form>
    <div class="drop" hidden=${!isOver}><p>${word("drop")}</p></div>
  `;
}

// The outbox sends messages of this conversation by `onsend`. A new conversation takes along what was written before it had a name.
function useSender(thread, onsend) {
  const send = useRef();
  const before = useRef(thread);
  const isNaming = useRef(false);
  send.current = onsend;
  useLayoutEffect(() => {
    if (before.current === "" && thread && isNaming.current) moveDraft("", thread);
    before.current = thread;
    isNaming.current = false;
    return outbox.attach(thread, (message) => {
      isNaming.current = thread === "";
      return send.current(message);
    });
  }, [thread]);
}

// Whether files are being dragged over the page. Dropped and pasted ones are handed on, wherever that happens.
function useDrops(add) {
  const [isOver, setOver] = useState(false);
  const current = useRef();
  current.current = add;
  useEffect(() => {
    const leaving = new AbortController();
    const listen = (name, act) => addEventListener(name, act, { signal: leaving.signal });
    let inside = 0;
    const carries = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    const move = (by) => (event) => {
      if (!carries(event)) return;
      inside = Math.max(0, inside + by);
      setOver(inside > 0);
    };
    listen("dragenter", move(1));
    listen("dragleave", move(-1));
    listen("dragover", (event) => carries(event) && event.preventDefault());
    listen("drop", (event) => {
      inside = 0;
      setOver(false);
      if (!carries(event)) return;
      event.preventDefault();
      current.current(event.dataTransfer.files);
    });
    listen("paste", (event) => {
      if (!isOfFiles(event.clipboardData)) return;
      event.preventDefault();
      current.current(event.clipboardData.files);
    });
    return () => leaving.abort();
  }, []);
  return isOver;
}

// Office programs put a picture beside the text that is meant.
function isOfFiles(data) {
  return Boolean(data?.files.length) && !(data.getData("text/html") && data.getData("text/plain").trim());
}

function Picker({ id, name, label, onfiles, ...more }) {
  const input = useRef();
  const take = (event) => {
    onfiles([...event.target.files]);
    event.target.value = "";
  };
  return html`
    <input type="file" id=${id} class="unseen" tabindex="-1" aria-hidden="true" ref=${input} onChange=${take} ...${more} />
    <button type="button" class="round" id=${name} aria-label=${label} title=${label} onClick=${() => input.current.click()}><${Icon} name=${name} /></button>
  `;
}

// A long text that was pasted may become a file, and a text again.
function Pasted({ pasted, draft, change, focus }) {
  const { text, file } = pasted;
  const press = () => {
    if (file) {
      draft.replace(file);
      draft.write(draft.text + text);
      change(null);
    } else {
      draft.write(draft.text.replace(text, "").trim());
      draft.add([new File([text], word("pasted-name"), { type: "text/plain" })]);
      change({ text, file: draft.files.at(-1) });
    }
    focus();
  };
  if (file ? !draft.files.includes(file) : !draft.text.includes(text)) return null; // it was changed meanwhile
  return html`
    <p class="pasted" role="status">
      <span>${word(file ? "pasted-is-file" : "pasted-long")}</span>
      <button type="button" class="quiet small" onClick=${press}><${Icon} name=${file ? "again" : "file"} /><span>${word(file ? "undo" : "pasted-to-file")}</span></button>
      <button type="button" class="quiet small" aria-label=${word("close")} title=${word("close")} onClick=${() => change(null)}><${Icon} name="close" /></button>
    </p>
  `;
}

// How far large uploads are, each with a way to call it off.
function Sending({ thread }) {
  useChanges(outbox);
  const shown = outbox.of(thread).filter(({ state, files }) => state === "sending" && files.reduce((sum, { size }) => sum + size, 0) >= SHOWN_FROM);
  return shown.map(({ key, files, share, cancel }) => html`
    <div class="sending" key=${key}>
      <progress max="1" value=${share} aria-label=${word("sending", { count: files.length })}></progress>
      <span>${word("sending", { count: files.length })} <span class="muted">${Math.floor(share * 100)} %</span></span>
      <button type="button" class="quiet small" onClick=${cancel}><${Icon} name="close" /><span>${word("cancel")}</span></button>
    </div>`);
}

// Whether fingers are all there is: then Enter is the only way to a new line.
function isTouched() {
  return matchMedia("(hover: none) and (pointer: coarse)").matches;
}

function fit(box) {
  box.style.height = "auto";
  box.style.height = `${Math.min(box.scrollHeight, innerHeight * 0.4)}px`;
}
