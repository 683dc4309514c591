// What the checks of a step have found: first what matters, the rest when somebody asks.

import { Icon } from "../icons.js";
import { html } from "../view.js";
import { word } from "../words.js";

const ASIDE = ["doctor-llm-room", "doctor-llm-room-unknown", "doctor-hub-list", "doctor-llm-good"];
const ICONS = { good: "done", note: "details", bad: "failed" };
const PLANS = "doctor-llm-plans";

/** @param {{room: import("./room.js").Room, place: string, back?: string}} properties `back`: the conversation to ask in again */
export function Outcome({ room, place, back = "" }) {
  const result = room.results[place];
  return html`<div class="setup-outcome" role="status">
    ${room.working === place && html`<p class="setup-wait">${word("setup-checking")}</p>`}
    ${result && html`<${Told} done=${place === "undo" ? "setup-undone" : "setup-in-use"} result=${result} isRenewing=${room.isRenewing} problem=${room.status?.problem} back=${back} />`}
  </div>`;
}

function Told({ done, result, isRenewing, problem, back }) {
  const first = result.findings.filter((each) => !each.good || !ASIDE.includes(each.id));
  first.sort((one, other) => Number(other.id === PLANS) - Number(one.id === PLANS));
  const aside = result.findings.filter((each) => each.good && ASIDE.includes(each.id));
  const isUsed = result.renews && !isRenewing && !problem;
  return html`
    ${result.problem && html`<p class="problem" dir="auto">${result.problem}</p>`}
    ${first.length > 0 && html`<ul class="setup-findings">${first.map((each) => html`<${Finding} finding=${each} />`)}</ul>`}
    ${aside.length > 0 && html`<details><summary>${word("setup-more-checks")}</summary><ul class="setup-findings">${aside.map((each) => html`<${Finding} finding=${each} />`)}</ul></details>`}
    ${isRenewing && html`<p class="setup-wait">${word("setup-renewing")}</p>`}
    ${isUsed && html`<p class="setup-good"><${Icon} name="done" /> ${word(done)}${back && html` <a href=${back}>${word("setup-ask-again")}</a>`}</p>`}
    ${!result.good && !result.problem && html`<p>${word("setup-not-written")}</p>`}
  `;
}

// What a server said, and commands, are in English.
function Finding({ finding }) {
  const isLink = finding.mend.startsWith("https://");
  const sign = (finding.note && "note") || (finding.good ? "good" : "bad");
  return html`<li class=${sign}>
    <${Icon} name=${ICONS[sign]} />
    <div>
      <span class="unseen">${word(`setup-${sign}`)}</span>
      <p dir="auto">${finding.text}</p>
      ${finding.why && html`<p class="muted" dir="auto" lang="en">${finding.why}</p>`}
      ${finding.advice && html`<p dir="auto">${finding.advice}</p>`}
      ${!finding.advice && finding.mend && (isLink ? html`<p><a href=${finding.mend} target="_blank" rel="noopener noreferrer">${finding.mend}</a></p>` : html`<p><code>${finding.mend}</code></p>`)}
    </div>
  </li>`;
}
