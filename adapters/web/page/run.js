// @ts-nocheck
// One run as it happens: its steps, its answer, its files, and what can be done with it.

import { button, icon, make } from "./dom.js";
import { card, figure, isPicture } from "./media.js";
import { Refused, press } from "./wire.js";
import { word } from "./words.js";

const TEXT_PREVIEW = 400;

export class RunView {
  constructor({ onretry, tell }) {
    this.run = "";
    this.live = true;
    this.onretry = onretry;
    this.tell = tell;
    this.tasks = new Map();
    this.began = performance.now();
    this.head = make("span", { class: "head" }, word("planning"));
    this.fault = make("span", { class: "fault" });
    this.clock = make("span", { class: "clock" });
    this.list = make("ol", { class: "tasks" });
    this.plan = make("details", { class: "plan", open: true }, make("summary", {}, make("span", { class: "spinner" }), this.head, this.fault, this.clock), this.list);
    this.text = make("div", { class: "text" });
    this.files = make("div", { class: "files" });
    this.after = make("div", { class: "after" });
    this.element = make("section", { class: "run live", "aria-label": word("bot"), "aria-busy": "true" }, this.plan, this.text, this.files, this.after);
    this.timer = setInterval(() => this.tick(), 1000);
  }

  apply(name, data, { replayed = false } = {}) {
    if (replayed) this.replayed = true;
    this[`on_${name}`]?.(data);
  }

  on_accepted({ run }) {
    this.run = run;
    this.after.replaceChildren();
    this.tasks = new Map(); // the story is told from its beginning
  }

  on_delayed({ reason }) {
    this.after.replaceChildren(make("p", { class: "muted" }, reason));
    this.tell(reason);
  }

  on_planned({ tasks, estimate }) {
    this.estimate = estimate;
    const before = this.tasks;
    this.tasks = new Map(tasks.map((task) => [task.id, before.get(task.id) ?? new TaskView(task)]));
    const numbers = new Map(tasks.map((task, index) => [task.id, index + 1]));
    for (const task of tasks) this.tasks.get(task.id).number(numbers, task.dep);
    this.list.replaceChildren(...[...this.tasks.values()].map((view) => view.element));
    this.summarise();
    if (!this.replayed) this.tell(word("told-plan", { count: counted(tasks.length) }));
  }

  on_chose({ task, model, reason }) {
    this.tasks.get(task)?.chose(model, reason);
  }

  on_started({ task, model, place, provider }) {
    this.tasks.get(task)?.started(model, place, provider);
    this.summarise();
  }

  on_progressed({ task, fraction, note }) {
    this.tasks.get(task)?.progressed(fraction, note);
  }

  on_fell_back({ task, model, error }) {
    this.tasks.get(task)?.fellBack(model, error);
  }

  on_finished({ task, ...outcome }) {
    this.tasks.get(task)?.finished(outcome, (id) => this.tasks.get(id)?.position ?? id);
    this.summarise();
  }

  on_answer_part({ html }) {
    if (html) this.text.innerHTML = html; // the server made it of Markdown, with no HTML of the text's own
    if (this.tasks.size) this.head.textContent = word("answering"); // what was heard of a voice message comes before the plan
  }

  on_answer(answer) {
    if (answer.error !== undefined) return this.apologised(answer);
    this.text.innerHTML = answer.html ?? "";
    this.files.replaceChildren(...answer.files.map(figure));
    this.files.classList.toggle("many", answer.files.filter((file) => isPicture(file.media_type)).length > 1);
    this.finish();
    this.after.replaceChildren(...notices(answer.notices), this.actions(answer.actions, { copies: true }));
    if (!this.replayed) {
      const files = answer.files.length ? ` ${word("told-files", { count: answer.files.length })}` : "";
      this.tell(word("told-answer", { text: this.text.textContent }) + files);
    }
  }

  on_broken({ error }) {
    this.apologised({ error, reference: "", actions: ["retry"] });
  }

  apologised({ error, reference, stopped, actions }) {
    const lines = stopped
      ? [make("p", { class: "calm" }, error)]
      : [make("h3", {}, word("apology")), make("p", {}, error), reference ? make("p", { class: "muted" }, word("reference", { reference })) : null];
    this.text.replaceChildren(make("div", { class: stopped ? "ended" : "ended failed", role: "alert" }, ...lines));
    this.finish();
    for (const task of this.tasks.values()) task.abandon();
    this.after.replaceChildren(this.actions(actions));
  }

  finish() {
    this.live = false;
    clearInterval(this.timer);
    this.element.classList.remove("live");
    this.element.setAttribute("aria-busy", "false");
    if (this.replayed) this.clock.textContent = this.total();
    else this.tick();
    const all = [...this.tasks.values()];
    const failed = all.filter((task) => task.state === "failed").length;
    this.head.textContent = counted(all.length);
    this.fault.textContent = failed ? `${all.length > 1 ? failed : ""} ${word("state-failed")}`.trim() : "";
    this.plan.hidden = all.length === 0;
    this.plan.open = false; // the answer tells what failed
  }

  total() {
    const longest = Math.max(0, ...[...this.tasks.values()].map((task) => task.took));
    return longest ? seconds(longest) : "";
  }

  // The server says which buttons mean something; an answer can always be copied.
  actions(names, { copies = false } = {}) {
    const panel = make("div", { class: "panel text", hidden: true });
    const bar = make("div", { class: "actions", role: "group", "aria-label": word("actions") });
    if (names.includes("retry")) bar.append(button("again", word("retry"), () => this.retry("retry", bar)));
    const compared = names.includes("first");
    const [better, worse] = compared ? ["first", "second"] : ["up", "down"];
    if (names.includes(better)) {
      const up = button(better, word(better), () => this.vote(better, up, down), { shown: compared, "aria-pressed": "false" });
      const down = button(worse, word(worse), () => this.vote(worse, down, up), { shown: compared, "aria-pressed": "false" });
      bar.append(up, down);
    }
    if (copies) {
      const copy = button("copy", word("copy"), () => this.copy(copy), { shown: false });
      bar.append(copy);
    }
    if (names.includes("another")) bar.append(button("other", word("another"), () => this.retry("another", bar)));
    if (names.includes("details")) {
      const details = button("details", word("details"), () => this.details(details, panel), { "aria-expanded": "false" });
      bar.append(details);
    }
    return make("div", {}, bar, panel);
  }

  async retry(action, bar) {
    await this.pressed(action, bar, ({ run }) => run && this.onretry(run));
  }

  async vote(action, chosen, other) {
    await this.pressed(action, chosen.parentElement, ({ text }) => {
      chosen.setAttribute("aria-pressed", "true");
      other.setAttribute("aria-pressed", "false");
      this.tell(text);
    });
  }

  async copy(copy) {
    await navigator.clipboard.writeText(this.text.innerText);
    copy.classList.add("pressed");
    this.tell(word("copied"));
    setTimeout(() => copy.classList.remove("pressed"), 1500);
  }

  async details(details, panel) {
    if (!panel.hidden) {
      panel.hidden = true;
      details.setAttribute("aria-expanded", "false");
      return;
    }
    await this.pressed("details", details.parentElement, ({ html, select }) => {
      panel.innerHTML = html; // as above: made by the server
      if (select) panel.append(this.choice(select));
      panel.hidden = false;
      details.setAttribute("aria-expanded", "true");
      panel.scrollIntoView({ block: "nearest" });
    });
  }

  // The other models that can do a step, to try one of them.
  choice({ action, label, options }) {
    const groups = new Map();
    for (const { value, label: name, group } of options) {
      if (!groups.has(group)) groups.set(group, make("optgroup", { label: group }));
      groups.get(group).append(make("option", { value }, name));
    }
    const select = make("select", {}, ...groups.values());
    const form = make("form", { class: "choice" }, make("label", {}, make("span", {}, label), select), make("button", { class: "quiet small", type: "submit" }, word("try-it")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.pressed(action, form, ({ run, text }) => (run ? this.onretry(run) : this.tell(text)), select.value);
    });
    return form;
  }

  async pressed(action, bar, then, value = "") {
    bar.querySelector(".problem")?.remove();
    try {
      then(await press(this.run, action, value));
    } catch (error) {
      const told = error instanceof Refused ? error.message : word("unreachable");
      bar.append(make("span", { class: "problem", role: "alert" }, told));
    }
  }

  summarise() {
    const all = [...this.tasks.values()];
    const done = all.filter((task) => task.over).length;
    const steps = all.length ? word("steps-of", { done, count: all.length }) : word("working");
    this.head.textContent = [steps, this.estimate].filter(Boolean).join(" · ");
  }

  tick() {
    this.clock.textContent = seconds((performance.now() - this.began) / 1000);
    for (const task of this.tasks.values()) task.tick();
  }
}

class TaskView {
  constructor({ id, says }) {
    this.id = id;
    this.state = "waiting";
    this.took = 0;
    this.mark = make("span", { class: "mark" });
    this.title = make("span", { class: "title" }, says);
    this.meta = make("span", { class: "meta" });
    this.time = make("span", { class: "time" });
    this.told = make("span", { class: "unseen" }, word("state-waiting"));
    this.bar = make("progress", { max: 1, hidden: true, "aria-label": says });
    this.more = make("div", { class: "more" });
    this.parts = { model: "", place: "", after: "", note: "" };
    this.element = make(
      "li",
      { class: "task waiting" },
      this.mark,
      make("div", { class: "body" }, this.title, this.meta, this.bar, this.more),
      make("span", {}, this.time, this.told),
    );
  }

  get over() {
    return !["waiting", "running"].includes(this.state);
  }

  number(numbers, needs) {
    this.position = numbers.get(this.id);
    const steps = needs.map((id) => numbers.get(id)).filter(Boolean);
    this.parts.after = steps.length ? word("after", { steps: steps.join(" + ") }) : "";
    this.describe();
  }

  chose(model, reason) {
    this.parts.model = model;
    this.meta.title = reason;
    this.describe();
  }

  started(model, place, provider) {
    this.began = performance.now();
    this.parts.model = model;
    this.parts.place = where(place, provider);
    this.become("running");
    this.describe();
  }

  progressed(fraction, note) {
    this.bar.hidden = fraction < 0;
    if (fraction >= 0) this.bar.value = fraction;
    this.parts.note = note;
    this.describe();
  }

  fellBack(model, error) {
    this.error = error;
    this.more.append(make("p", { class: "warn" }, word("tried", { model, error })));
  }

  finished(outcome, position) {
    this.become(outcome.state);
    this.bar.hidden = true;
    this.parts.note = [outcome.taken, ...(outcome.note ?? "").split("\n")].filter(Boolean).join(" · ");
    if (outcome.model) this.parts.model = outcome.model;
    if (outcome.place) this.parts.place = where(outcome.place, outcome.provider);
    this.describe();
    if (outcome.took !== undefined) this.took = outcome.took;
    this.time.textContent = outcome.took === undefined || outcome.taken ? "" : seconds(outcome.took);
    if (outcome.reason && outcome.reason !== this.error) this.more.append(make("p", { class: "bad" }, outcome.reason));
    if (outcome.because_of !== undefined) this.more.append(make("p", { class: "muted" }, word("because", { step: position(outcome.because_of) })));
    if (outcome.output || outcome.files?.length) this.more.append(result(outcome));
  }

  abandon() {
    if (!this.over) this.become("stopped");
  }

  become(state) {
    this.element.classList.remove(this.state);
    this.state = state;
    this.element.classList.add(state);
    this.told.textContent = word(`state-${state}`);
    this.mark.replaceChildren(...(state === "waiting" || state === "running" ? [] : [icon(state)]));
  }

  describe() {
    const { model, place, after, note } = this.parts;
    const pieces = [model ? make("code", {}, model) : null, place, after, note].filter(Boolean);
    this.meta.replaceChildren(...pieces.flatMap((piece, index) => (index ? [" · ", piece] : [piece])));
  }

  tick() {
    if (this.state === "running") this.time.textContent = seconds((performance.now() - this.began) / 1000);
  }
}

function where(place, provider) {
  const key = `place-${place}`;
  const name = word(key) === key ? place : word(key); // a place without words of its own
  return provider ? `${name} (${provider})` : name;
}

function result({ output, files = [] }) {
  const text = output.length > TEXT_PREVIEW ? `${output.slice(0, TEXT_PREVIEW)} …` : output;
  return make(
    "details",
    { class: "result" },
    make("summary", {}, word("result")),
    text ? make("p", {}, text) : null,
    ...files.map(card),
  );
}

function notices(told) {
  if (!told?.length) return [];
  return [make("div", { class: "notices" }, make("h3", {}, word("notices")), make("ul", {}, ...told.map((each) => make("li", {}, each))))];
}

function counted(count) {
  return word("steps", { count });
}

function seconds(value) {
  return word("took", { seconds: value < 1 ? value.toFixed(2) : value < 10 ? value.toFixed(1) : Math.round(value) });
}
