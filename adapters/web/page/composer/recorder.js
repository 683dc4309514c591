// A recording of somebody's voice: with its level and length, paused, heard before it is sent.

import { Icon } from "../icons.js";
import { html, useEffect, useLayoutEffect, useRef, useState } from "../view.js";
import { word } from "../words.js";

const LONGEST = 600; // seconds
const SILENT = 0.01; // of the level
const SILENT_FOR = 4; // seconds
const TYPES = ["audio/webm;codecs=opus", "audio/ogg;codecs=opus", "audio/mp4"];
/** @type {Record<string, string>} */
const ENDINGS = { "audio/webm": "webm", "audio/ogg": "ogg", "audio/mp4": "m4a" };
/** @type {Record<string, string>} */
const PROBLEMS = { NotAllowedError: "mic-refused", SecurityError: "mic-refused", NotFoundError: "mic-missing", NotReadableError: "mic-busy" };

/** A recording as it goes on. `state`: "asking", "recording", "paused", "done" or "failed". */
class Recording {
  state = "asking";
  problem = "";
  level = 0;
  /** @type {File | null} */
  file = null;
  #pieces = [];
  #before = 0; // seconds until the last pause
  #since = 0;
  #heard = 0; // second at which something was heard last
  #isOver = false;
  #onchange;
  /** @type {MediaStream | undefined} */
  #stream;
  /** @type {MediaRecorder | undefined} */
  #recorder;
  /** @type {AudioContext | undefined} */
  #context;
  #timer = 0;

  /** @param {() => void} onchange */
  constructor(onchange) {
    this.#onchange = onchange;
  }

  async begin() {
    try {
      if (!navigator.mediaDevices || !window.MediaRecorder) throw new DOMException("", "Unsafe");
      this.#stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      if (this.#isOver) return this.#release();
      const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type));
      this.#recorder = new MediaRecorder(this.#stream, { mimeType, audioBitsPerSecond: 64_000 });
    } catch (error) {
      return this.#fail(word(PROBLEMS[error.name] ?? (error.name === "Unsafe" ? "mic-unsafe" : "mic-busy")));
    }
    this.#recorder.ondataavailable = ({ data }) => data.size && this.#pieces.push(data);
    this.#recorder.onstop = () => this.#finish();
    this.#recorder.onerror = () => this.stop();
    this.#stream.getAudioTracks()[0].onended = () => this.stop(); // it was unplugged
    this.#recorder.start(1000);
    this.#since = performance.now();
    this.state = "recording";
    this.#listen();
    this.#onchange();
  }

  get seconds() {
    return this.#before + (this.state === "recording" ? (performance.now() - this.#since) / 1000 : 0);
  }

  /** Whether nothing was heard for a while. */
  get isSilent() {
    return this.state === "recording" && this.seconds - this.#heard > SILENT_FOR;
  }

  pause() {
    this.#recorder.pause();
    this.#before = this.seconds;
    this.state = "paused";
    this.level = 0;
    this.#onchange();
  }

  resume() {
    this.#recorder.resume();
    this.#since = performance.now();
    this.#heard = this.#before;
    this.state = "recording";
    this.#onchange();
  }

  stop() {
    if (!this.#recorder || this.#recorder.state === "inactive") return;
    this.#before = this.seconds;
    this.state = "paused";
    this.#recorder.stop();
  }

  /** Throw all away. */
  drop() {
    this.#isOver = true;
    this.stop();
    this.#release();
  }

  #finish() {
    this.#release();
    if (this.#isOver) return;
    const type = this.#recorder.mimeType.split(";")[0] || "audio/webm";
    const name = `${word("recording-name")}.${ENDINGS[type] ?? "webm"}`;
    this.file = new File(this.#pieces, name, { type });
    this.state = this.file.size ? "done" : "failed";
    if (!this.file.size) this.problem = word("mic-busy");
    this.#onchange();
  }

  #fail(problem) {
    Object.assign(this, { state: "failed", problem });
    this.#release();
    if (!this.#isOver) this.#onchange();
  }

  #listen() {
    this.#context = new AudioContext();
    const analyser = new AnalyserNode(this.#context, { fftSize: 1024 });
    this.#context.createMediaStreamSource(this.#stream).connect(analyser);
    const waves = new Float32Array(analyser.fftSize);
    this.#timer = setInterval(() => {
      if (this.state !== "recording") return;
      analyser.getFloatTimeDomainData(waves);
      const loud = Math.sqrt(waves.reduce((sum, each) => sum + each * each, 0) / waves.length);
      this.level = Math.min(1, Math.max(loud * 4, this.level * 0.7));
      if (loud > SILENT) this.#heard = this.seconds;
      if (this.seconds >= LONGEST) this.stop();
      this.#onchange();
    }, 100);
  }

  #release() {
    clearInterval(this.#timer);
    this.#stream?.getTracks().forEach((track) => track.stop());
    if (this.#context?.state !== "closed") this.#context?.close();
  }
}

/** `onclose` gets the file, or nothing.
 * @param {{onclose: (file?: File) => void}} properties */
export function Recorder({ onclose }) {
  const [, draw] = useState(0);
  const [recording, setRecording] = useState(null);
  const main = useRef();
  const begin = () => {
    const next = new Recording(() => draw((count) => count + 1));
    setRecording(next);
    next.begin();
    return next;
  };
  useEffect(() => {
    begin();
  }, []);
  useEffect(() => () => recording?.drop(), [recording]);
  useLayoutEffect(() => main.current?.focus(), [recording?.state]);
  if (!recording) return null;
  const { state, problem, file, seconds, isSilent } = recording;
  const key = (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    onclose();
  };
  return html`
    <div class="recorder" role="group" aria-label=${word("record")} onKeyDown=${key}>
      ${state === "asking" && html`<p role="status">${word("mic-asking")}</p>`}
      ${state === "failed" && html`<p class="problem" role="alert">${problem}</p>`}
      ${(state === "recording" || state === "paused") && html`
        <p class="recorder-line">
          <span class=${`recorder-dot ${state}`} aria-hidden="true"></span>
          <span role="timer" aria-live="off">${clock(seconds)}</span>
          <span class="recorder-level" aria-hidden="true"><span style=${{ width: `${Math.round(recording.level * 100)}%` }}></span></span>
          <span class="muted">${word("recording-most", { time: clock(LONGEST) })}</span>
        </p>
        <p class="unseen" role="status">${word(state === "paused" ? "recording-paused" : "recording-now")}</p>
        ${isSilent && html`<p class="muted" role="status">${word("mic-silent")}</p>`}`}
      ${state === "done" && html`<${Heard} file=${file} seconds=${seconds} />`}
      <div class="recorder-actions">
        ${state === "recording" && html`<button type="button" class="quiet" ref=${main} onClick=${() => recording.pause()}><${Icon} name="pause" /><span>${word("pause")}</span></button>`}
        ${state === "paused" && html`<button type="button" class="quiet" ref=${main} onClick=${() => recording.resume()}><${Icon} name="record" /><span>${word("go-on")}</span></button>`}
        ${(state === "recording" || state === "paused") && html`<button type="button" class="primary" onClick=${() => recording.stop()}>${word("recording-done")}</button>`}
        ${state === "done" && html`<button type="button" class="primary" ref=${main} onClick=${() => onclose(file)}>${word("recording-use")}</button>`}
        ${(state === "done" || state === "failed") && html`<button type="button" class="quiet" onClick=${begin}><${Icon} name="again" /><span>${word(state === "done" ? "record-again" : "mic-again")}</span></button>`}
        <button type="button" class="quiet" ref=${state === "asking" || state === "failed" ? main : null} onClick=${() => onclose()}><${Icon} name="close" /><span>${word("cancel")}</span></button>
      </div>
    </div>
  `;
}

function Heard({ file, seconds }) {
  const [url, setUrl] = useState("");
  useEffect(() => {
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return html`
    <p class="recorder-line"><span>${word("recording-listen")}</span> <span class="muted">${clock(seconds)}</span></p>
    ${url && html`<audio controls src=${url} aria-label=${file.name}></audio>`}
  `;
}

/** 75 as "1:15". @param {number} seconds */
function clock(seconds) {
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}
