// A conversation on the screen: its messages and answers, followed as they grow.

import { Icon } from "../icons.js";
import { html, useChanges, useEffect, useLayoutEffect, useRef, useState } from "../view.js";
import { word } from "../words.js";
import { Exchange } from "./exchange.js";

const FAR = 160;
const HEADER = 72;

export function Thread({ conversation, tell }) {
  useChanges(conversation);
  const { exchanges, more, loading } = conversation;
  const list = useRef();
  const [isFar, setFar] = useState(false);
  const follower = useRef();
  useLayoutEffect(() => {
    follower.current = new Follower(list.current, setFar);
    const sent = () => follower.current.begin();
    conversation.addEventListener("sent", sent);
    return () => {
      conversation.removeEventListener("sent", sent);
      follower.current.end();
    };
  }, []);
  useLayoutEffect(() => scrollTo({ top: bottom() }), [conversation.thread === "" || loading]);
  useKeptPlace(list, exchanges[0]?.key);
  return html`
    ${more && html`<${Earlier} conversation=${conversation} />`}
    <ol id="thread" class="thread" aria-label=${word("conversation")} ref=${list}>
      ${exchanges.map((each) => html`<${Exchange} key=${each.key} exchange=${each} conversation=${conversation} tell=${tell} />`)}
    </ol>
    <button type="button" class="latest" id="latest" hidden=${!isFar} onclick=${() => scrollTo({ top: bottom(), behavior: isCalm() ? "auto" : "smooth" })}>
      <${Icon} name="down_arrow" /><span>${word("latest")}</span>
    </button>
  `;
}

// Earlier messages come as one scrolls to them.
function Earlier({ conversation }) {
  const button = useRef();
  useEffect(() => {
    const seen = new IntersectionObserver(([entry]) => entry.isIntersecting && conversation.older(), { rootMargin: "600px 0px 0px" });
    seen.observe(button.current);
    return () => seen.disconnect();
  }, [conversation.exchanges[0]?.key]);
  return html`<button type="button" class="quiet small earlier" ref=${button} onclick=${() => conversation.older()}>${word("earlier-messages")}</button>`;
}

// What is read stays where it is when something comes above it.
function useKeptPlace(list, first) {
  const height = useRef(0);
  useLayoutEffect(() => {
    const grown = document.documentElement.scrollHeight - height.current;
    if (height.current && grown > 0 && scrollY < bottom() - grown) scrollBy({ top: grown });
  }, [first]);
  useLayoutEffect(() => {
    height.current = list.current.childElementCount ? document.documentElement.scrollHeight : 0;
  });
}

// Follow what grows at the end, as long as the question stays in sight; never pull away somebody who reads further up.
class Follower {
  constructor(list, setFar) {
    this.list = list;
    this.setFar = setFar;
    this.following = true;
    this.last = 0;
    this.scrolled = () => this.look();
    this.watch = new ResizeObserver(() => this.followOn());
    this.watch.observe(list);
    addEventListener("scroll", this.scrolled, { passive: true });
  }

  begin() {
    this.following = true;
    this.followOn();
  }

  followOn() {
    if (this.following) scrollTo({ top: Math.max(scrollY, Math.min(bottom(), this.question())) });
    this.look();
  }

  question() {
    const asked = [...this.list.querySelectorAll(".said")].at(-1);
    return asked ? asked.getBoundingClientRect().top + scrollY - HEADER : Infinity;
  }

  look() {
    if (scrollY < this.last - 2) this.following = false; // only people scroll up
    if (scrollY >= bottom() - 40) this.following = true;
    this.last = scrollY;
    this.setFar(scrollY < bottom() - FAR);
  }

  end() {
    this.watch.disconnect();
    removeEventListener("scroll", this.scrolled);
  }
}

function bottom() {
  return document.documentElement.scrollHeight - innerHeight;
}

// Whether somebody asked for less motion.
function isCalm() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}
