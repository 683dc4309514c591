// @ts-nocheck
// The message box: words, files by picker, drop and paste.

import { icon, make } from "./dom.js";
import { isPicture, size } from "./media.js";
import { word } from "./words.js";

const $ = (id) => document.getElementById(id);

export class Composer {
  constructor(send) {
    this.files = [];
    this.send = send;
    $("composer").addEventListener("submit", (event) => this.submit(event));
    $("attach").addEventListener("click", () => $("picker").click());
    $("picker").addEventListener("change", (event) => {
      this.add(event.target.files);
      event.target.value = "";
    });
    $("text").addEventListener("input", () => this.fit());
    $("text").addEventListener("keydown", (event) => this.key(event));
    this.listenForFiles();
    this.fit();
  }

  listenForFiles() {
    let inside = 0;
    const show = (shown) => ($("drop").hidden = !shown);
    const carries = (event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
    addEventListener("dragenter", (event) => carries(event) && show((inside += 1) > 0));
    addEventListener("dragleave", (event) => carries(event) && show((inside -= 1) > 0));
    addEventListener("dragover", (event) => carries(event) && event.preventDefault());
    addEventListener("drop", (event) => {
      inside = 0;
      show(false);
      if (!carries(event)) return;
      event.preventDefault();
      this.add(event.dataTransfer.files);
    });
    addEventListener("paste", (event) => {
      if (!event.clipboardData?.files.length) return;
      event.preventDefault();
      this.add(event.clipboardData.files);
    });
  }

  key(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    $("composer").requestSubmit();
  }

  submit(event) {
    event.preventDefault();
    const text = $("text").value.trim();
    if (!text && !this.files.length) return;
    const files = this.files;
    this.clear();
    this.send({ text, files });
  }

  add(files) {
    this.files.push(...files);
    this.show();
    $("text").focus();
  }

  // Put back what could not be sent, and say why.
  giveBack({ text, files }, problem) {
    if (!$("text").value) $("text").value = text;
    this.files = [...files, ...this.files];
    this.show();
    this.fit();
    this.problem(problem);
    $("text").focus();
  }

  problem(text) {
    $("problem").textContent = text;
    $("problem").hidden = !text;
  }

  clear() {
    $("text").value = "";
    this.files = [];
    this.problem("");
    this.show();
    this.fit();
  }

  show() {
    const list = $("chosen");
    for (const image of list.querySelectorAll("img")) URL.revokeObjectURL(image.src);
    list.replaceChildren(...this.files.map((file, index) => this.chip(file, index)));
    this.ready();
  }

  chip(file, index) {
    const look = isPicture(file.type) ? make("img", { src: URL.createObjectURL(file), alt: "" }) : icon("file");
    const remove = () => {
      this.files = this.files.filter((each) => each !== file);
      this.show();
      ($("chosen").querySelectorAll("button")[index] ?? $("text")).focus();
    };
    const label = word("remove", { name: file.name });
    return make(
      "li",
      {},
      look,
      make("span", { class: "what" }, make("span", { class: "name" }, file.name), make("span", { class: "muted" }, size(file.size))),
      make("button", { type: "button", class: "quiet small", "aria-label": label, title: label, onclick: remove }, icon("close")),
    );
  }

  fit() {
    const box = $("text");
    box.style.height = "auto";
    box.style.height = `${Math.min(box.scrollHeight, innerHeight * 0.4)}px`;
    this.ready();
  }

  ready() {
    $("send").disabled = !$("text").value.trim() && !this.files.length;
  }
}
