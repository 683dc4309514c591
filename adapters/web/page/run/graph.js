// The steps of a run as a graph, drawn from what each of them needs.

import { Later } from "../lazy.js";
import { html, useLayoutEffect, useMemo, useRef, useState } from "../view.js";
import { Graph as Layout, layout } from "../vendor/dagre.js";
import { isPicture } from "../media/figure.js";
import { word } from "../words.js";
import { Clock } from "./clock.js";
import { dollars } from "./format.js";
import { Mark } from "./steps.js";

const NODE = { width: 12.5, height: 6.2 }; // in rem, as all lengths here
const BETWEEN = { beside: 0.9, along: 2.2 };
const NARROW = 34; // then it goes from top to bottom
const WORDS = 60; // characters of a result

/** @param {import("./plan.js").Shown} properties */
export function Graph({ run, shown, show, onrun, tell }) {
  const place = useRef();
  const [rem, setRem] = useState(16);
  const [across, setAcross] = useState(true);
  const marker = useMemo(() => `end-${Math.random().toString(36).slice(2)}`, []);
  useLayoutEffect(() => {
    const measure = () => {
      const size = parseFloat(getComputedStyle(document.documentElement).fontSize);
      setRem(size);
      setAcross(place.current.clientWidth >= NARROW * size);
    };
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(place.current);
    return () => watch.disconnect();
  }, []);
  const shape = run.plan.map(({ id, needs }) => `${id}<${needs.join()}`).join(" ");
  const { nodes, edges, width, height } = useMemo(() => lay(run.plan, across, rem), [shape, across, rem]);
  useLayoutEffect(() => {
    const first = run.plan.find((each) => each.state === "running") ?? run.plan[0];
    if (first) place.current.scrollLeft = nodes.get(first.id).x - (place.current.clientWidth - NODE.width * rem) / 2;
  }, [nodes]);
  const step = run.steps.get(shown);
  return html`
    <div class="graph" ref=${place} role="group" aria-label=${word("graph")}>
      <ol style=${{ width: `${width}px`, height: `${height}px` }}>
        ${run.plan.map((each) => html`
          <li key=${each.id} style=${{ transform: `translate(${nodes.get(each.id).x}px, ${nodes.get(each.id).y}px)` }}>
            <${Node} run=${run} step=${each} isShown=${shown === each.id} press=${() => show(shown === each.id ? -1 : each.id)} />
          </li>`)}
      </ol>
      <svg aria-hidden="true" width=${width} height=${height} viewBox=${`0 0 ${width} ${height}`}>
        <marker id=${marker} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="m1 1 6 3-6 3" /></marker>
        ${edges.map(({ from, to, path }) => html`<path key=${`${from}-${to}`} class=${run.steps.get(from).state} d=${path} marker-end=${`url(#${marker})`} />`)}
      </svg>
    </div>
    ${step && html`<${Later} from="run/panel.js" view="Panel" key=${step.id} run=${run} step=${step} show=${show} onrun=${onrun} tell=${tell} />`}
  `;
}

function Node({ run, step, isShown, press }) {
  const { output, files } = step.result;
  const picture = files.find((file) => isPicture(file.media_type));
  const words = output.trim().slice(0, WORDS) || (!picture && files[0]?.name) || "";
  const told = step.state === "running" && step.note ? step.note : step.taken || (step.state === "done" ? words : word(`state-${step.state}`));
  return html`
    <button type="button" class=${`node ${step.state}`} aria-expanded=${String(isShown)} aria-label=${describe(run, step, words)} onClick=${press}>
      <span class="node-top"><${Mark} state=${step.state} number=${step.number} /><span class="title">${step.says}</span></span>
      <span class="node-model">${step.model}</span>
      <span class="node-end">
        <span class="node-words" dir="auto">${told}</span>
        <${Clock} name="time" read=${() => step.lasting(run.elapsed)} live=${step.state === "running"} />
        ${step.cost ? html`<span class="time">${dollars(step.cost)}</span>` : null}
      </span>
      ${picture && html`<img src=${picture.url} alt="" loading="lazy" />`}
    </button>
  `;
}

function describe(run, step, words) {
  const steps = step.needs.map((id) => run.steps.get(id)?.number).filter(Boolean);
  const after = steps.length ? word("after", { steps: steps.join(" + ") }) : "";
  return [word("step", { number: step.number, says: step.says }), word(`state-${step.state}`), step.model, after, words].filter(Boolean).join(", ");
}

/** Where each node and each edge lies, in pixels.
 * @param {import("./step.js").Step[]} plan @param {boolean} across @param {number} rem pixels */
function lay(plan, across, rem) {
  const graph = new Layout();
  graph.setGraph({ rankdir: across ? "LR" : "TB", nodesep: BETWEEN.beside * rem, ranksep: BETWEEN.along * rem, marginx: rem, marginy: rem });
  graph.setDefaultEdgeLabel(() => ({}));
  const size = { width: NODE.width * rem, height: NODE.height * rem };
  for (const { id } of plan) graph.setNode(String(id), { ...size });
  const known = new Set(plan.map(({ id }) => id));
  const pairs = plan.flatMap(({ id, needs }) => needs.filter((need) => known.has(need)).map((need) => ({ from: need, to: id })));
  for (const { from, to } of pairs) graph.setEdge(String(from), String(to));
  layout(graph);
  const nodes = new Map(plan.map(({ id }) => {
    const { x, y } = graph.node(String(id));
    return [id, { x: x - size.width / 2, y: y - size.height / 2 }];
  }));
  const edges = pairs.map(({ from, to }) => {
    const way = graph.edge(String(from), String(to)).points.slice(1, -1);
    return { from, to, path: curve([leave(nodes.get(from), size, across), ...(way.length > 1 ? way : []), enter(nodes.get(to), size, across)], across) };
  });
  return { nodes, edges, ...graph.graph() };
}

// The middle of the side where edges leave a node, and of that where they enter one.
function leave({ x, y }, { width, height }, across) {
  return across ? { x: x + width, y: y + height / 2 } : { x: x + width / 2, y: y + height };
}

function enter({ x, y }, { width, height }, across) {
  return across ? { x, y: y + height / 2 } : { x: x + width / 2, y };
}

// A smooth line through points, that leaves and enters each in the direction of the graph.
function curve(points, across) {
  const at = (x, y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const [first] = points;
  const parts = points.slice(1).map((to, index) => {
    const from = points[index];
    const half = across ? (from.x + to.x) / 2 : (from.y + to.y) / 2;
    const bends = across ? [at(half, from.y), at(half, to.y)] : [at(from.x, half), at(to.x, half)];
    return `C${bends.join(" ")} ${at(to.x, to.y)}`;
  });
  return `M${at(first.x, first.y)} ${parts.join(" ")}`;
}
