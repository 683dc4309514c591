// The page: conversations beside, the one that is open in the middle, the message box below.

import { Composer } from "./composer/composer.js";
import { dropDraft, moveDraft } from "./composer/drafts.js";
import { outbox } from "./composer/outbox.js";
import { Outgoing } from "./composer/outgoing.js";
import { Conversation } from "./conversation/conversation.js";
import { Thread } from "./conversation/thread.js";
import { History } from "./history/history.js";
import { Drawer, Sidebar, useWide } from "./history/sidebar.js";
import { Icon } from "./icons.js";
import { Later, Part, titleOfPart } from "./lazy.js";
import { Options } from "./options.js";
import { listen } from "./shortcuts.js";
import { start } from "./start.js";
import { html, render, useChanges, useEffect, useLayoutEffect, useState } from "./view.js";
import { Welcome } from "./welcome.js";
import { Refused } from "./wire.js";
import { word } from "./words.js";

const FOLDED = "troupe-folded";
const NAME = /^[\w-]{16,64}$/; // of a conversation
const UNREADABLE = "%"; // for an address that is no text

const conversation = new Conversation();
const history = new History();

function App() {
  useChanges(conversation);
  useChanges(history);
  useChanges(outbox);
  useChanges(start);
  const isWide = useWide();
  const [isOpen, setOpen] = useState(isWide && !isFolded());
  const [route, setRoute] = useState(routeNow());
  const [dialog, setDialog] = useState("");
  const { thread, exchanges, loading, busy, problem } = conversation;

  useEffect(() => setOpen(isWide && !isFolded()), [isWide]);
  useEffect(() => {
    const part = route.startsWith("/") && titleOfPart(route);
    document.title = [part || titleOf(thread), word("title")].filter(Boolean).join(" · ");
  });
  useEffect(() => {
    const moved = () => {
      const now = routeNow();
      setRoute(now);
      if (!isWide) setOpen(false);
      if (!now.startsWith("/") && now !== conversation.thread) visit(now);
    };
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, [isWide]);

  const fold = () => {
    if (isWide) keepFolded(isOpen);
    setOpen(!isOpen);
  };
  const fresh = () => {
    if (!isWide) setOpen(false);
    if (location.hash) location.hash = "";
    else visit("");
  };
  const search = () => {
    setOpen(true);
    requestAnimationFrame(() => document.getElementById("search").focus());
  };
  useLayoutEffect(() => void Object.assign(actions, { fold, fresh, search, shortcuts: () => setDialog("shortcuts") }));

  const sidebar = html`<${Sidebar} history=${history} current=${route.startsWith("/") ? "" : thread} onfresh=${fresh} onfold=${fold} />`;
  return html`
    <a class="skip" href="#text" onclick=${toBox}>${word("skip")}</a>
    ${isOpen && (isWide ? html`<nav class="sidebar" aria-label=${word("navigation")}>${sidebar}</nav>` : html`<${Drawer} onclose=${() => setOpen(false)}>${sidebar}<//>`)}
    <div class=${isOpen && isWide ? "page beside" : "page"}>
      <header class="top">
        ${!(isOpen && isWide) &&
        html`<div class="tools">
          <button type="button" class="quiet" id="unfold" aria-label=${word("unfold")} title=${word("unfold")} onclick=${fold}><${Icon} name="side" /></button>
          <a class="brand" href="/" onclick=${(event) => (event.preventDefault(), fresh())}><img src="/page/icon.svg" alt="" width="28" height="28" /><span>Troupe</span></a>
        </div>`}
        <${thread && !route.startsWith("/") ? "h1" : "p"} class="title" dir="auto">${!route.startsWith("/") && titleOf(thread)}<//>
        <div class="tools">
          ${!(isOpen && isWide) && html`<button type="button" class="quiet" onclick=${fresh}><${Icon} name="add" /><span>${word("fresh")}</span></button>`}
          <${Options} isOwner=${start.owner} doMore=${start.do_more} isSignedIn=${start.signed_in} open=${setDialog} />
        </div>
      </header>
      <main id="main">
        ${route.startsWith("/")
          ? html`<${Part} route=${route} tell=${tell} back=${`#${thread}`} />`
          : exchanges.length || loading
            ? html`<${Thread} conversation=${conversation} tell=${tell} />`
            : !outbox.of(thread).length && html`<${Welcome} examples=${start.examples} doMore=${start.do_more} onsend=${say} />`}
        ${!route.startsWith("/") && html`<${Outgoing} thread=${thread} />`}
      </main>
      <div class="dock" hidden=${route.startsWith("/")}>
        ${problem && html`<p class="problem" role="alert">${problem}</p>`}
        <${Composer} thread=${thread} onsend=${(message) => conversation.send(message)} busy=${busy} onstop=${stop} />
      </div>
    </div>
    ${dialog === "shortcuts" && html`<${Later} from="shortcut_list.js" view="Shortcuts" onclose=${() => setDialog("")} />`}
    ${dialog === "device" && html`<${Later} from="history/sharing.js" view="Device" onclose=${() => setDialog("")} />`}
    ${dialog === "sign-out" && html`<${Later} from="sign_out.js" view="SignOut" onclose=${() => setDialog("")} />`}
  `;
}

function routeNow() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return UNREADABLE;
  }
}

// The address of the conversation, unless another part of the page is shown.
function nameAddress(thread) {
  if (!routeNow().startsWith("/")) window.history.replaceState(null, "", thread ? `#${thread}` : "/");
}

function titleOf(thread) {
  return thread && (history.threads.find((each) => each.thread === thread)?.title || conversation.title);
}

// An example of the first screen.
async function say(message) {
  try {
    await outbox.post({ ...message, thread: conversation.thread });
  } catch (error) {
    conversation.problem = error instanceof Refused ? error.message : word("unsent");
    conversation.changed();
  }
}

async function visit(thread) {
  const isName = !thread || NAME.test(thread);
  await conversation.open(isName ? thread : "");
  if (!isName) {
    nameAddress("");
    conversation.problem = word("gone");
    conversation.changed();
  }
  focusBox();
}

async function stop() {
  await conversation.stop();
  focusBox();
}

function focusBox() {
  document.getElementById("text")?.focus({ preventScroll: true });
}

function toBox(event) {
  event.preventDefault();
  focusBox();
}

function tell(text) {
  document.getElementById("told").textContent = text;
}

function isFolded() {
  try {
    return localStorage.getItem(FOLDED) === "yes";
  } catch {
    return false;
  }
}

function keepFolded(is) {
  try {
    localStorage.setItem(FOLDED, is ? "yes" : "no");
  } catch {
    // private windows may refuse
  }
}

// What the keys do; App adds those that concern its own state.
/** @type {Record<string, () => void>} */
const actions = {
  stop: () => conversation.busy && stop(),
  box: focusBox,
  edit: () => {
    if (!conversation.last?.id) return;
    conversation.editing = conversation.last;
    conversation.changed();
  },
};

conversation.addEventListener("entered", () => {
  nameAddress(conversation.thread);
  history.enter(conversation.thread, conversation.title);
});
conversation.addEventListener("left", (event) => {
  const { detail } = /** @type {CustomEvent} */ (event);
  nameAddress("");
  moveDraft(detail, "");
  history.leave(detail);
});
history.addEventListener("run", (event) => {
  const news = /** @type {CustomEvent} */ (event).detail;
  if (news.thread === conversation.thread) conversation.arrived(news);
});
for (const name of ["opened", "anew"]) history.addEventListener(name, () => conversation.look());
history.addEventListener("erased", (event) => {
  const { thread } = /** @type {CustomEvent} */ (event).detail;
  dropDraft(thread);
  outbox.forget(thread);
  if (thread !== conversation.thread) return;
  nameAddress("");
  visit("");
});
history.addEventListener("forgotten", (event) => {
  const { thread } = /** @type {CustomEvent} */ (event).detail;
  if (thread === conversation.thread) conversation.look();
  else dropDraft(thread);
});

outbox.addEventListener("sent", (event) => {
  const { run, thread } = /** @type {CustomEvent} */ (event).detail;
  if (thread === conversation.thread) conversation.arrived({ run });
});

listen(actions);
render(html`<${App} />`, document.getElementById("app"));
start.load();
history.follow();
if (!routeNow().startsWith("/")) visit(routeNow());
