// The chat page: one conversation at a time, kept by the server, found again by its name in the address.

import { Composer } from "./composer.js";
import { make } from "./dom.js";
import { sent } from "./media.js";
import { RunView } from "./run.js";
import { fileOf, samples } from "./samples.js";
import { Refused, events, follow, history, press, say } from "./wire.js";
import { word } from "./words.js";

const $ = (id) => document.getElementById(id);
const KEPT = 30;
const TRIES = 6;

let thread = "";
let views = [];

const composer = new Composer(send);

function tell(text) {
  $("told").textContent = text;
}

// --- sending and following ---

async function send(message) {
  const bubble = said(message.text, message.files.map(local));
  const view = show();
  try {
    const response = await say({ ...message, thread }, () => view.on_delayed({ reason: word("held") }));
    await listen(view, response);
  } catch (error) {
    if (view.run) return recover(view);
    if (error.status === 404 && thread) {
      await leave(thread); // it was forgotten: this begins a new one
      return send(message);
    }
    bubble.remove();
    drop(view);
    composer.giveBack(message, error instanceof Refused ? error.message : word("unsent"));
  }
}

async function listen(view, response) {
  let over = false;
  for await (const [name, data] of events(response)) {
    if (name === "accepted") enter(data.thread, view);
    if (name === "broken") break; // the program was stopped; when it runs again, it goes on with this
    view.apply(name, data);
    over ||= name === "answer";
    if (over) refresh();
  }
  if (!over) throw new Error("cut off");
}

// The connection broke, the run did not: look again.
async function recover(view) {
  for (let attempt = 0; attempt < TRIES && view.live; attempt += 1) {
    composer.problem(word("lost"));
    await new Promise((done) => setTimeout(done, 500 * 2 ** attempt));
    try {
      const response = await follow(view.run);
      composer.problem("");
      return await listen(view, response);
    } catch {
      // not there yet; the program may still be starting
    }
  }
  if (view.live) view.on_broken({ error: word("lost-for-good") });
  composer.problem("");
  refresh();
}

async function attend(run, view) {
  view.run = run;
  try {
    await listen(view, await follow(run));
  } catch {
    await recover(view);
  }
}

function again(run) {
  const view = show(word("again"));
  attend(run, view);
}

async function stop() {
  const live = views.filter((view) => view.live && view.run);
  $("stop").disabled = true;
  await Promise.allSettled(live.map((view) => press(view.run, "stop")));
  $("stop").disabled = false;
  $("text").focus({ preventScroll: true });
}

// --- showing ---

function local(file) {
  return { name: file.name, media_type: file.type, url: URL.createObjectURL(file), alt: file.name };
}

function said(text, files) {
  const bubble = make(
    "li",
    { class: "said", "aria-label": word("you") },
    files.length ? make("div", { class: "sent-files" }, ...files.map(sent)) : null,
    text ? make("p", { class: "bubble" }, text) : null,
  );
  $("welcome").hidden = true;
  $("thread").append(bubble);
  return bubble;
}

function show(title = "") {
  const view = new RunView({ onretry: again, tell });
  views.push(view);
  view.item = make("li", { class: "answer" }, title ? make("p", { class: "muted" }, title) : null, view.element);
  $("thread").append(view.item);
  following = true;
  refresh();
  return view;
}

function drop(view) {
  views = views.filter((each) => each !== view);
  view.finish();
  view.item.remove();
  $("welcome").hidden = $("thread").childElementCount > 0;
  refresh();
}

function refresh() {
  $("stop").hidden = !views.some((view) => view.live);
}

// Follow what grows at the end, as long as the question stays in sight; never pull away somebody who reads further up.
let following = true;
let lastY = 0;

function followOn() {
  if (following) scrollTo({ top: Math.max(scrollY, Math.min(end(), questionAt())) });
  onScroll();
}

function end() {
  return document.documentElement.scrollHeight - innerHeight;
}

function questionAt() {
  const asked = [...$("thread").querySelectorAll(".said, .answer > .muted")].at(-1);
  return asked ? asked.getBoundingClientRect().top + scrollY - 72 : Infinity;
}

function onScroll() {
  if (scrollY < lastY - 2) following = false; // only people scroll up
  if (scrollY >= end() - 40) following = true;
  lastY = scrollY;
  $("latest").hidden = scrollY >= end() - 160;
}

new ResizeObserver(followOn).observe($("thread"));

// --- conversations ---

function enter(name, view) {
  if (thread === name) return;
  thread = name;
  window.history.replaceState(null, "", `#${name}`);
  remember(name, view.item.previousElementSibling?.textContent ?? "");
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem("troupe")) ?? [];
  } catch {
    return [];
  }
}

function keep(list) {
  try {
    localStorage.setItem("troupe", JSON.stringify(list.slice(0, KEPT)));
  } catch {
    // private windows may refuse; the conversation itself is kept by the server
  }
  menu();
}

function remember(name, title) {
  keep([{ name, title: title.trim().slice(0, 80) || name }, ...kept().filter((each) => each.name !== name)]);
}

function menu() {
  const list = kept();
  $("earlier-button").hidden = list.length === 0;
  $("earlier").replaceChildren(
    ...list.map(({ name, title }) => {
      const current = name === thread ? { "aria-current": "page" } : {};
      return make("a", { href: `#${name}`, ...current, onclick: () => $("earlier").hidePopover() }, title);
    }),
  );
}

async function open(name) {
  thread = name;
  for (const view of views) view.finish();
  views = [];
  for (const { src, href } of $("thread").querySelectorAll("[src^='blob:'], [href^='blob:']")) URL.revokeObjectURL(src ?? href);
  $("thread").replaceChildren();
  $("welcome").hidden = name !== "";
  composer.problem("");
  menu();
  refresh();
  if (name) await restore(name);
  $("text").focus({ preventScroll: true });
}

async function restore(name) {
  let told;
  try {
    told = await history(name);
  } catch (error) {
    if (error.status !== 404) return composer.problem(error instanceof Refused ? error.message : word("unreachable"));
    await leave(name);
    return composer.problem(word("gone"));
  }
  for (const exchange of told.runs) replay(exchange);
  scrollTo({ top: document.documentElement.scrollHeight });
}

// A conversation that is not there any more.
async function leave(name) {
  keep(kept().filter((each) => each.name !== name));
  window.history.replaceState(null, "", "/");
  await open("");
}

function replay({ run, text, files, again: isAgain, events: before, answer, live }) {
  if (!isAgain) said(text, files);
  const view = show(isAgain ? word("again") : "");
  view.run = run;
  if (live) return attend(run, view);
  for (const { type, ...data } of before) view.apply(type, data, { replayed: true });
  view.apply("answer", answer, { replayed: true });
  refresh();
}

// --- the beginning ---

async function cards() {
  for (const sample of samples) {
    const [file] = await fileOf(sample);
    const look = file
      ? make("img", { src: URL.createObjectURL(file), alt: "" })
      : make("span", { class: "quote", "aria-hidden": "true", lang: "en" }, "“”");
    const open = async (event) => {
      if (event.target.matches(":focus-visible")) $("text").focus(); // the card goes; somebody at the keyboard goes on
      return send({ text: word(sample.text), files: await fileOf(sample) });
    };
    const card = make(
      "button",
      { type: "button", class: "try", onclick: open },
      make("span", { class: "look" }, look),
      make("span", { class: "what" }, make("strong", {}, word(sample.title)), make("span", { class: "muted" }, word(sample.text))),
    );
    $("cards").append(make("li", {}, card));
  }
}

function fresh() {
  if (location.hash) location.hash = "";
  else open("");
}

// The static parts of the page: data-word is text, the others are attributes.
for (const each of document.querySelectorAll("[data-word]")) each.textContent = word(each.dataset.word);
for (const each of document.querySelectorAll("[data-label]")) each.setAttribute("aria-label", word(each.dataset.label));
for (const each of document.querySelectorAll("[data-title]")) each.title = word(each.dataset.title);
for (const each of document.querySelectorAll("[data-placeholder]")) each.placeholder = word(each.dataset.placeholder);
document.title = word("title");
$("fresh").addEventListener("click", fresh);
$("brand").addEventListener("click", (event) => {
  event.preventDefault();
  fresh();
});
$("stop").addEventListener("click", stop);
$("latest").addEventListener("click", () => scrollTo({ top: document.documentElement.scrollHeight, behavior: "smooth" }));
addEventListener("scroll", onScroll, { passive: true });
addEventListener("hashchange", () => location.hash.slice(1) !== thread && open(location.hash.slice(1)));
await open(location.hash.slice(1));
await cards();
