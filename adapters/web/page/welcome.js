// The first screen: what can be tried at once.

import { fileOf, samples } from "./samples.js";
import { html, useEffect, useState } from "./view.js";
import { word } from "./words.js";

export function Welcome({ onsend, isOwner }) {
  return html`<section id="welcome" class="welcome" aria-labelledby="welcome-title">
    <h1 id="welcome-title">${word("welcome-title")}</h1>
    <p class="lead">${word("welcome-lead")}</p>
    <h2>${word("welcome-try")}</h2>
    <ul class="cards" id="cards">${samples.map((each) => html`<${Card} sample=${each} onsend=${onsend} />`)}</ul>
    <p class="hint">${word("welcome-hint")}</p>
    ${isOwner && html`<p><a class="primary button" href="#/setup">${word("do-more")}</a></p>`}
  </section>`;
}

function Card({ sample, onsend }) {
  const picture = usePicture(sample);
  const open = async (event) => {
    if (event.currentTarget.matches(":focus-visible")) document.getElementById("text").focus(); // the card goes; somebody at the keyboard goes on
    onsend({ text: word(sample.text), files: await fileOf(sample) });
  };
  return html`<li><button type="button" class="try" onclick=${open}>
    <span class="look">
      ${sample.draw ? html`<img src=${picture} alt="" />` : html`<span class="quote" aria-hidden="true" lang="en">“”</span>`}
    </span>
    <span class="what"><strong>${word(sample.title)}</strong><span class="muted">${word(sample.text)}</span></span>
  </button></li>`;
}

function usePicture(sample) {
  const [address, setAddress] = useState("data:,");
  useEffect(() => {
    let made = "";
    fileOf(sample).then(([file]) => file && setAddress((made = URL.createObjectURL(file))));
    return () => URL.revokeObjectURL(made);
  }, [sample]);
  return address;
}
