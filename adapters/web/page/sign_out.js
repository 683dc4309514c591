// Leaving this browser: nothing of the person stays behind in it.

import { hasDrafts } from "./composer/drafts.js";
import { forgetKept } from "./composer/kept.js";
import { outbox } from "./composer/outbox.js";
import { Dialog } from "./dialog.js";
import { html, useEffect, useState } from "./view.js";
import { request } from "./wire.js";
import { word } from "./words.js";

/** It asks first: who comes back with the token is somebody new here.
 * @param {{onclose: () => void}} properties */
export function SignOut({ onclose }) {
  const [isUnsent, setUnsent] = useState(false);
  const [problem, setProblem] = useState("");
  const leave = async () => {
    setProblem("");
    await signOut().catch(() => setProblem(word("unreachable")));
  };
  useEffect(() => {
    hasUnsent().then(setUnsent);
  }, []);
  return html`<${Dialog} title=${word("sign-out")} onclose=${onclose}>
    <p>${word("sign-out-means")}</p>
    ${isUnsent && html`<p>${word("sign-out-unsent")}</p>`}
    ${problem && html`<p class="problem" role="alert">${problem}</p>`}
    <div class="row end">
      <button type="button" class="quiet" onclick=${onclose}>${word("cancel")}</button>
      <button type="button" class="primary bad" onclick=${leave}>${word("sign-out")}</button>
    </div>
  <//>`;
}

async function hasUnsent() {
  return outbox.entries.length > 0 || (await hasDrafts());
}

// The session ends last: if the server is away, they are still signed in, and see it.
async function signOut() {
  outbox.forget();
  await forgetKept();
  await request("/logout", { method: "POST" });
  location.replace("/login");
}
