// What a person chooses for this browser, and the ways to other parts of the page.

import { Item, Menu } from "./menu.js";
import { THEMES, chooseTheme, theme } from "./theme.js";
import { html, useState } from "./view.js";
import { LANGUAGES, choose, chosen, word } from "./words.js";

/** `open` opens a dialog of the page.
 * @param {{isOwner: boolean, doMore: boolean, isSignedIn: boolean, open: (dialog: string) => void}} properties */
export function Options({ isOwner, doMore, isSignedIn, open }) {
  const [shown, setShown] = useState(theme());
  const paint = (name) => {
    chooseTheme(name);
    setShown(name);
  };
  const speak = (event) => {
    choose(event.target.value);
    location.reload();
  };
  return html`<${Menu} label=${word("options")} icon="settings" class="quiet">
    <fieldset class="themes">
      <legend>${word("theme")}</legend>
      ${THEMES.map((name) => html`<label><input type="radio" name="theme" checked=${shown === name} onchange=${() => paint(name)} /><span>${word(`theme-${name}`)}</span></label>`)}
    </fieldset>
    <label class="field">${word("language")}
      <select value=${chosen()} onchange=${speak}>
        <option value="">${word("language-browser")}</option>
        ${LANGUAGES.map((name) => html`<option value=${name} lang=${name}>${nameOf(name)}</option>`)}
      </select>
    </label>
    <${Item} icon="device" text=${word("device")} onclick=${() => open("device")} />
    <${Item} icon="details" text=${word("shortcuts")} onclick=${() => open("shortcuts")} />
    ${doMore && html`<${Item} icon="add" text=${word("do-more")} href="#/setup" />`}
    ${isOwner && html`<${Item} icon="settings" text=${word("owner")} href="#/owner" />`}
    ${isSignedIn && html`<${Item} icon="leave" text=${word("sign-out")} onclick=${() => open("sign-out")} />`}
  <//>`;
}

// A language in its own words.
function nameOf(language) {
  return new Intl.DisplayNames([language], { type: "language" }).of(language);
}
