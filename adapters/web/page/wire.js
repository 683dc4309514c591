// Talking to the server: messages out, events in.

// The server said no, and why.
export class Refused extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

// Server-sent events of a response, one by one, as [name, data].
export async function* events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value;
    const blocks = rest.split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const event = parsed(block);
      if (event) yield event;
    }
  }
}

function parsed(block) {
  let name = "message";
  let data = "";
  for (const line of block.split("\n")) {
    if (line.startsWith("event: ")) name = line.slice(7);
    else if (line.startsWith("data: ")) data += line.slice(6);
  }
  return data ? [name, JSON.parse(data)] : null;
}

// Send a message; `hold` is called when it is refused for a moment, as nothing can be saved, and is sent again.
export async function say({ text, thread, files }, hold) {
  const form = new FormData();
  form.append("text", text);
  if (thread) form.append("thread", thread);
  for (const file of files) form.append("files", file, file.name);
  for (;;) {
    const response = await fetch("/api/chat?html=1", { method: "POST", body: form, headers: { Accept: "text/event-stream" } });
    const seconds = Number(response.headers.get("Retry-After"));
    if (response.status !== 503 || !seconds) return checked(response);
    hold();
    await new Promise((done) => setTimeout(done, 1000 * seconds));
  }
}

export async function follow(run) {
  return checked(await fetch(`/api/runs/${run}/events?html=1`, { headers: { Accept: "text/event-stream" } }));
}

export async function press(run, action, value = "") {
  const query = value && `?value=${encodeURIComponent(value)}`;
  const response = await checked(await fetch(`/api/runs/${run}/${action}${query}`, { method: "POST" }));
  return response.json();
}

export async function history(thread) {
  const response = await checked(await fetch(`/api/threads/${encodeURIComponent(thread)}`));
  return response.json();
}

async function checked(response) {
  if (response.ok) return response;
  const told = await response.json().catch(() => ({}));
  if (response.status === 401) location.assign("/login");
  throw new Refused(told.error || response.statusText, response.status);
}
