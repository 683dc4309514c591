// The buttons under an answer: those that the server says mean something.

import { Icon } from "../icons.js";
import { Later } from "../lazy.js";
import { copyText } from "../media/reading.js";
import { html, useLayoutEffect, useRef, useState } from "../view.js";
import { word } from "../words.js";
import { Problem, usePress } from "./presses.js";
import { Words } from "./text.js";

const MOMENT = 1500; // milliseconds

/** @param {{run: import("./run.js").Run, text: {current: any}, onrun: (id: string) => void, tell: (text: string) => void}} properties */
export function Actions({ run, text, onrun, tell }) {
  const [copied, setCopied] = useState(false);
  const [details, setDetails] = useState(/** @type {any} */ (null));
  const { ask, problem, busy } = usePress(run.id);
  const has = (name) => run.actions.includes(name);
  const begin = (action) => ask(action, ({ run: made }) => made && onrun(made));
  const rate = (action) => ask(action, (reply) => {
    run.rate(action);
    tell(reply.text);
  });
  const copy = async () => {
    await copyText(text.current?.innerText ?? "");
    setCopied(true);
    tell(word("copied"));
    setTimeout(() => setCopied(false), MOMENT);
  };
  const explain = () => (details ? setDetails(null) : ask("details", setDetails));
  const thumb = (name) => html`<${Button} name=${name} icon only press=${() => rate(name)} disabled=${busy} aria-pressed=${String(run.vote === name)} />`;
  return html`
    <div>
      <div class="actions" role="group" aria-label=${word("actions")}>
        ${has("retry") && html`<${Button} name="retry" icon="again" press=${() => begin("retry")} disabled=${busy} />`}
        ${has("up") && html`${thumb("up")}${thumb("down")}`}
        ${run.answer && html`<${Button} name="copy" icon="copy" only press=${copy} pressed=${copied} />`}
        ${has("another") && html`<${Button} name="another" icon="other" press=${() => begin("another")} disabled=${busy} />`}
        ${has("details") && html`<${Button} name="details" icon="details" press=${explain} disabled=${busy} aria-expanded=${String(Boolean(details))} />`}
        <${Problem} text=${problem} />
      </div>
      ${details && html`<${Details} run=${run.id} reply=${details} onrun=${onrun} tell=${tell} />`}
    </div>
  `;
}

// What the server tells of the run, and a choice of other models for its steps.
function Details({ run, reply, onrun, tell }) {
  const panel = useRef();
  useLayoutEffect(() => panel.current.scrollIntoView({ block: "nearest" }), []);
  return html`
    <div class="panel" ref=${panel}>
      <${Words} text=${reply.html} />
      ${reply.select && html`<${Later} from="run/choice.js" view="Choice" run=${run} select=${reply.select} onrun=${onrun} tell=${tell} />`}
    </div>
  `;
}

/** A button with an icon and its word; with `only`, the word is its name alone. */
function Button({ name, icon, press, only = false, pressed = false, ...more }) {
  const label = word(name);
  const named = only ? { "aria-label": label, title: label } : {};
  return html`
    <button type="button" class=${pressed ? "quiet small pressed" : "quiet small"} onClick=${press} ...${named} ...${more}>
      <${Icon} name=${icon === true ? name : icon} />${!only && html`<span>${label}</span>`}
    </button>
  `;
}
