// The table from which a chart was drawn, under the chart.

import { load } from "../lazy.js";
import { FileCard, kindOf } from "../media/figure.js";
import { html, useRef, useState } from "../view.js";
import { get } from "../wire.js";
import { word } from "../words.js";

/** @param {{run: import("./run.js").Run, step: number}} properties `step`: the one that drew it */
export function ChartData({ run, step }) {
  const [View, show] = useState(/** @type {any} */ (null));
  const [isAway, setAway] = useState(false);
  const tries = useRef(0);
  const open = async () => {
    setAway(false);
    try {
      const { inputs } = await get(`${run.path}/steps/${step}`);
      const { file } = inputs.flatMap(({ pieces }) => pieces).find((piece) => piece.file);
      const view = kindOf(file) === "table" ? await preview(file, (tries.current += 1)) : () => html`<p><${FileCard} file=${file} /></p>`;
      show(() => view);
    } catch {
      setAway(true);
    }
  };
  return html`<details class="chart-data preview" onToggle=${(event) => event.currentTarget.open && !View && open()}>
    <summary>${word("chart-data")}</summary>
    ${isAway && html`<p class="muted cannot">${word("no-file")} <button type="button" class="quiet small" onClick=${open}>${word("mic-again")}</button></p>`}
    ${View && html`<${View} />`}
  </details>`;
}

async function preview(file, tries) {
  const { readPreview } = await load("media/preview.js", tries);
  return readPreview(file);
}
