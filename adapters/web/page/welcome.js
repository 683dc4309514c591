// The first screen: what can be tried at once.

import { Icon } from "./icons.js";
import { builtIn, fileOf } from "./samples.js";
import { html, useEffect, useState } from "./view.js";
import { word } from "./words.js";

/** @param {{examples: import("./samples.js").Example[] | null, doMore: boolean, onsend: (message: any) => void}} properties `examples`: null until they are known */
export function Welcome({ examples, doMore, onsend }) {
  const shown = examples?.length ? examples : builtIn();
  return html`<section id="welcome" class="welcome" aria-labelledby="welcome-title">
    <h1 id="welcome-title">${word("welcome-title")}</h1>
    <p class="lead">${word("welcome-lead")}</p>
    <h2>${word("welcome-try")}</h2>
    <ul class="cards" id="cards">${examples && shown.map((each) => html`<${Card} key=${each.id} example=${each} onsend=${onsend} />`)}</ul>
    <p class="hint">${word("welcome-hint")}</p>
    ${doMore && html`<a class="more-to-do" href="#/setup"><${Icon} name="add" /><span class="what"><strong>${word("do-more")}</strong><span class="muted">${word("do-more-means")}</span></span></a>`}
  </section>`;
}

function Card({ example, onsend }) {
  const picture = usePicture(example.sample);
  const [isAway, setAway] = useState(false);
  const open = async (event) => {
    if (event.currentTarget.matches(":focus-visible")) document.getElementById("text").focus(); // the card goes; somebody at the keyboard goes on
    const files = await fileOf(example.sample).catch(() => null);
    setAway(!files);
    if (files) onsend({ text: example.text, files });
  };
  return html`<li><button type="button" class="try" onclick=${open}>
    <span class="look">
      ${picture ? html`<img src=${picture} alt="" />` : html`<span class="quote" aria-hidden="true" lang="en">“”</span>`}
    </span>
    <span class="what"><strong>${example.title}</strong><span class="muted">${example.text}</span></span>
  </button>${isAway && html`<p class="problem" role="alert">${word("unreachable")}</p>`}</li>`;
}

function usePicture(sample) {
  const [address, setAddress] = useState("");
  useEffect(() => {
    let made = "";
    fileOf(sample).then(([file]) => file && setAddress((made = URL.createObjectURL(file))), () => {});
    return () => URL.revokeObjectURL(made);
  }, [sample]);
  return address;
}
