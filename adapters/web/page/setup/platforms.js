// Slack and Discord, step by step, each step checked live; models on this machine; and links for readers.

import { html, useState } from "../view.js";
import { word } from "../words.js";
import { Check, Secret } from "./fields.js";
import { Outcome } from "./findings.js";

const DISCORD = "https://discord.com/developers/applications";

/** @param {{room: import("./room.js").Room}} properties */
export function Slack({ room }) {
  const [bot, setBot] = useState("");
  const [app, setApp] = useState("");
  const checkBot = (event) => {
    event.preventDefault();
    room.apply("slack", { bot_token: bot }, "slack-bot");
  };
  const connect = async (event) => {
    event.preventDefault();
    if (!(await room.apply("slack", { bot_token: bot, app_token: app }))) return;
    setBot("");
    setApp("");
  };
  return html`<ol class="setup-steps">
    <li><p>${word("setup-slack-1")}</p><p><a class="button quiet outlined" href=${room.status.slack.manifest_url} target="_blank" rel="noopener noreferrer">${word("setup-slack-create")}</a></p></li>
    <li><form onsubmit=${checkBot}>
      <p>${word("setup-slack-2")}</p>
      <${Secret} label=${word("setup-bot-token")} value=${bot} onvalue=${setBot} placeholder="xoxb-…" />
      <${Check} room=${room} text=${word("setup-check")} />
      <${Outcome} room=${room} place="slack-bot" />
    </form></li>
    <li><form onsubmit=${connect}>
      <p>${word("setup-slack-3")}</p>
      <${Secret} label=${word("setup-app-token")} value=${app} onvalue=${setApp} placeholder="xapp-…" />
      <${Check} room=${room} text=${word("setup-check-and-connect")} />
      <${Outcome} room=${room} place="slack" />
    </form></li>
    <li><p>${word("setup-slack-4")}</p></li>
  </ol>`;
}

/** @param {{room: import("./room.js").Room}} properties */
export function Discord({ room }) {
  const [token, setToken] = useState("");
  const connect = async (event) => {
    event.preventDefault();
    if (await room.apply("discord", { token })) setToken("");
  };
  return html`<ol class="setup-steps">
    <li><p>${word("setup-discord-1")}</p><p><a class="button quiet outlined" href=${DISCORD} target="_blank" rel="noopener noreferrer">${word("setup-discord-create")}</a></p></li>
    <li><p>${word("setup-discord-2")}</p></li>
    <li><form onsubmit=${connect}>
      <p>${word("setup-discord-3")}</p>
      <${Secret} label=${word("setup-bot-token")} value=${token} onvalue=${setToken} />
      <${Check} room=${room} text=${word("setup-check-and-connect")} />
      <${Outcome} room=${room} place="discord" />
    </form></li>
    <li><p>${word("setup-discord-4")}</p></li>
  </ol>`;
}

/** @param {{room: import("./room.js").Room}} properties */
export function Sharing({ room }) {
  const allow = (event) => {
    event.preventDefault();
    room.apply("sharing", {});
  };
  return html`<form class="setup-form" onsubmit=${allow}>
    <p>${word("setup-sharing-means")}</p>
    <${Check} room=${room} text=${word("setup-sharing-allow")} />
    <${Outcome} room=${room} place="sharing" />
  </form>`;
}

/** @param {{room: import("./room.js").Room}} properties */
export function Local({ room }) {
  const { folders, models } = room.status.local;
  return html`<ol class="setup-steps">
    <li><p>${word("setup-local-1")}</p><pre><code>make local</code></pre></li>
    <li><p>${word("setup-local-2")}</p><pre><code>.venv/bin/hf download openai/whisper-small</code></pre>
      <p class="muted">${word("setup-local-folders")}</p><ul class="setup-paths">${folders.map((each) => html`<li><code>${each}</code></li>`)}</ul>
    </li>
    <li><p>${word("setup-local-3")}</p><pre><code>make run</code></pre></li>
  </ol>
  ${models.length > 0 && html`<p>${word("setup-local-models", { models: models.join(", ") })}</p>`}`;
}
