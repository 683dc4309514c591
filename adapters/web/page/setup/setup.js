// "Do more": what works now, and how to turn on the rest. Only for whoever runs the program, at the machine itself.

import { Icon } from "../icons.js";
import { html, useChanges, useEffect, useRef, useState } from "../view.js";
import { load, word } from "../words.js";
import { Outcome } from "./findings.js";
import { Key, Servers } from "./model.js";
import { Discord, Local, Sharing, Slack } from "./platforms.js";
import { Room } from "./room.js";

await load("page-setup");

/** @param {{tell: (text: string) => void, back: string}} properties `back`: the address of the conversation */
export function Setup({ tell, back }) {
  const [room] = useState(() => new Room());
  useChanges(room);
  const heading = useRef();
  useEffect(() => {
    room.load();
    heading.current.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (room.isRenewing) tell(word("setup-renewing"));
  }, [room.isRenewing]);
  const { status, problem } = room;
  return html`<section class="setup" aria-labelledby="setup-title">
    <link rel="stylesheet" href="/page/setup/setup.css" />
    <p><a class="quiet button" href=${back}><${Icon} name="left" /><span>${word("setup-back")}</span></a></p>
    <h1 id="setup-title" tabindex="-1" ref=${heading}>${word("do-more")}</h1>
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    ${!status && !problem && html`<p class="muted" role="status">${word("loading")}</p>`}
    ${status && html`<${Panel} room=${room} back=${back} />`}
  </section>`;
}

function Panel({ room, back }) {
  const { status } = room;
  const states = Object.fromEntries(status.states.map((each) => [each.id, each]));
  return html`
    <p class="lead">${word("setup-lead", { can: status.kinds.can, all: status.kinds.all })}</p>
    ${status.problem && html`<p class="problem" role="alert" dir="auto">${status.problem}</p>`}
    <${Undo} room=${room} />
    <${Card} title=${word("setup-model-card")} states=${[states.llm, states.hosted]} isOpen=${!states.llm.on}>
      <${Key} room=${room} back=${back} /><${Servers} room=${room} back=${back} />
    <//>
    <${Card} title="Slack" states=${[states.slack]}><${Slack} room=${room} /><//>
    <${Card} title="Discord" states=${[states.discord]}><${Discord} room=${room} /><//>
    <${Card} title=${word("setup-local-card")} states=${[states.local]}><${Local} room=${room} /><//>
    <${Card} title=${word("share")} states=${[states.sharing]}><${Sharing} room=${room} /><//>
    <${Missing} missing=${status.missing} />
    <p class="muted">${word("setup-where", { file: status.file })}</p>
  `;
}

function Card({ title, states, isOpen = false, children }) {
  const [open, setOpen] = useState(isOpen);
  const isOn = states[0].on;
  return html`<details class="setup-card" open=${open} ontoggle=${(event) => setOpen(event.currentTarget.open)}>
    <summary>
      <h2>${title}</h2>
      <span class=${isOn ? "setup-badge on" : "setup-badge"}>${word(isOn ? "setup-on" : "setup-off")}</span>
      ${states.map((each) => html`<span class="setup-state"><span dir="auto">${each.text}</span>${each.problem && html` <span class="setup-trouble" dir="auto">${each.problem}</span>`}</span>`)}
    </summary>
    <div class="setup-inside">${children}</div>
  </details>`;
}

function Undo({ room }) {
  const names = room.status.undo;
  return html`
    ${names.length > 0 && html`<p class="setup-undo"><span title=${names.join(", ")}>${word("setup-changed", { names: nameStep(room.status.undo_step) || names.join(", ") })}</span>
      <button type="button" class="quiet outlined" disabled=${room.isBusy} onclick=${() => room.undo()}>${word("setup-undo")}</button></p>`}
    <${Outcome} room=${room} place="undo" />
  `;
}

// What people call that which a step sets up; "" for a step of another version.
function nameStep(step) {
  const names = { key: word("setup-model-card"), server: word("setup-model-card"), slack: "Slack", discord: "Discord", sharing: word("share") };
  return names[step] ?? "";
}

function Missing({ missing }) {
  if (!missing.length) return null;
  return html`<details class="setup-card">
    <summary><h2>${word("setup-missing")}</h2></summary>
    <dl class="setup-inside setup-missing">${missing.map((each) => html`<div><dt dir="auto">${each.needs}</dt><dd dir="auto">${each.kinds.join(" · ")}</dd></div>`)}</dl>
  </details>`;
}
