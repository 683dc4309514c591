// Every sentence of the page itself. What the bot says comes from the server, in the language of the browser.

const english = {
  title: "Troupe",
  skip: "To the message box",
  navigation: "Conversations",
  earlier: "Earlier",
  fresh: "New",
  freshLong: "New conversation",
  conversation: "Conversation",
  composer: "Your message",
  text: "Your message",
  placeholder: "Ask for something, or drop a file",
  attach: "Attach files",
  chosen: "Files to send",
  remove: "Remove {name}",
  keys: "Enter sends, Shift + Enter starts a new line",
  send: "Send",
  stop: "Stop",
  latest: "Latest",
  drop: "Drop your files here",
  you: "You said",
  bot: "Troupe answered",
  welcomeTitle: "What shall we do?",
  welcomeLead:
    "Say what you want, with pictures, recordings or documents. Troupe plans the steps, picks a model for each, and brings back the result.",
  welcomeTry: "Three things to try",
  welcomeHint: "These need no account and no key. You can also drag files onto the page, or paste them.",
  tryInvoice: "Have an invoice read to you",
  tryInvoiceText: "Read the total on this invoice aloud",
  trySketch: "Make a picture a pencil sketch",
  trySketchText: "Make this picture a pencil sketch",
  tryMood: "Find out how a review feels",
  tryMoodText:
    "What is the sentiment of this review? “The room was lovely and the breakfast even better, but it took us an hour to check in.”",
  withFile: "with {name}",
  sampleInvoice: "invoice.png",
  samplePicture: "lake.png",
  planning: "Planning",
  working: "Working",
  answering: "Writing the answer",
  steps: "{count} steps",
  step: "1 step",
  stepsOf: "{done} of {count} steps",
  took: "{seconds} s",
  after: "after step {steps}",
  tried: "{model} did not do it: {error}",
  because: "Not begun, because step {step} did not finish.",
  result: "Result",
  states: {
    waiting: "waiting",
    running: "at work",
    done: "done",
    failed: "failed",
    skipped: "skipped",
    stopped: "stopped",
  },
  places: {
    embedded: "built in",
    hosted: "Hugging Face",
    llm: "language model",
    local: "expert server",
  },
  notices: "Worth knowing",
  download: "Download {name}",
  open: "Open {name}",
  save: "Save",
  madeBy: "made by {model}",
  actions: "About this answer",
  retry: "Retry",
  another: "Another model",
  up: "Good answer",
  down: "Bad answer",
  details: "Details",
  copy: "Copy",
  copied: "Copied",
  stopped: "Stopped.",
  apology: "That did not work out",
  reference: "Reference {reference}",
  lost: "The connection was lost. Trying again …",
  lostForGood: "The bot cannot be reached. Your message was kept: reload the page to look again.",
  unsent: "The bot cannot be reached. Nothing was sent.",
  gone: "This conversation is not there any more.",
  toldPlan: "Plan with {count}.",
  toldAnswer: "Answer: {text}",
  toldFiles: "{count} files came with it.",
  again: "Once more",
  noFile: "This file could not be shown here.",
};

export function word(name, values = {}) {
  const found = name.split(".").reduce((at, part) => at?.[part], english) ?? name;
  return found.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}

// Fill the static parts of the page: data-word is text, the others are attributes.
export function fill(root = document) {
  for (const each of root.querySelectorAll("[data-word]")) each.textContent = word(each.dataset.word);
  for (const each of root.querySelectorAll("[data-label]")) each.setAttribute("aria-label", word(each.dataset.label));
  for (const each of root.querySelectorAll("[data-title]")) each.title = word(each.dataset.title);
  for (const each of root.querySelectorAll("[data-placeholder]")) each.placeholder = word(each.dataset.placeholder);
}
