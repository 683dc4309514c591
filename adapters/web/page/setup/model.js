// A language model: by a key, or on this machine.

import { html, useState } from "../view.js";
import { word } from "../words.js";
import { Check, Field, Secret } from "./fields.js";
import { Outcome } from "./findings.js";

/** @param {{room: import("./room.js").Room, back: string}} properties */
export function Key({ room, back }) {
  const [key, setKey] = useState("");
  const [provider, setProvider] = useState("");
  const [address, setAddress] = useState("");
  const [model, setModel] = useState("");
  const known = room.status.providers.find((each) => each.id === provider);
  const submit = async (event) => {
    event.preventDefault();
    const fields = { key, provider, address: provider === "other" ? address : "", model };
    if (await room.apply("key", fields)) setKey("");
  };
  return html`<form class="setup-form" onsubmit=${submit}>
    <h3>${word("setup-key-title")}</h3>
    <p class="muted">${word("setup-key-lead")}</p>
    <${Secret} label=${word("setup-key")} value=${key} onvalue=${setKey} />
    <label class="field">${word("setup-service")}
      <select value=${provider} onchange=${(event) => setProvider(event.target.value)}>
        <option value="">${word("setup-service-by-key")}</option>
        ${room.status.providers.map((each) => html`<option value=${each.id}>${each.name}</option>`)}
        <option value="other">${word("setup-service-other")}</option>
      </select>
    </label>
    ${provider === "other" && html`<${Field} label=${word("setup-address")} value=${address} onvalue=${setAddress} placeholder="https://example.com/v1" />`}
    ${known && html`<p class="muted"><${KeysAt} provider=${known} /></p>`}
    ${!provider && html`<details><summary>${word("setup-get-key")}</summary><ul>${room.status.providers.map((each) => html`<li><${KeysAt} provider=${each} /></li>`)}</ul></details>`}
    <details><summary>${word("setup-choose-model")}</summary><${Field} label=${word("setup-model")} value=${model} onvalue=${setModel} /></details>
    <${Check} room=${room} text=${word("setup-check-and-use")} />
    <${Outcome} room=${room} place="key" back=${back} />
  </form>`;
}

function KeysAt({ provider }) {
  return html`<a href=${provider.keys_at} target="_blank" rel="noopener noreferrer">${word("setup-keys-at", { service: provider.name })}</a>`;
}

/** @param {{room: import("./room.js").Room, back: string}} properties */
export function Servers({ room, back }) {
  const { servers } = room.status;
  return html`<div class="setup-form">
    <h3>${word("setup-servers-title")}</h3>
    <p class="muted">${word(servers.length ? "setup-servers-lead" : "setup-servers-none")}</p>
    <ul class="setup-servers">${servers.map((each) => html`<${Server} key=${each.address} room=${room} server=${each} back=${back} />`)}</ul>
    ${!servers.length && html`<div><button type="button" class="quiet" disabled=${room.isBusy} onclick=${() => room.load()}>${word("setup-look-again")}</button></div>`}
  </div>`;
}

function Server({ room, server, back }) {
  const [model, setModel] = useState(server.models[0]);
  const use = (event) => {
    event.preventDefault();
    room.apply("server", { address: server.address, model }, server.address);
  };
  return html`<li><form onsubmit=${use}>
    <p><strong>${server.name || word("setup-server")}</strong> <span class="muted">${server.address}</span>${server.used && html` <span class="setup-badge on">${word("setup-used")}</span>`}</p>
    <label class="field">${word("setup-model")}
      <select value=${model} onchange=${(event) => setModel(event.target.value)}>${server.models.map((each) => html`<option value=${each}>${each}</option>`)}</select>
    </label>
    <${Check} room=${room} text=${word("setup-check-and-use")} />
    <${Outcome} room=${room} place=${server.address} back=${back} />
  </form></li>`;
}
