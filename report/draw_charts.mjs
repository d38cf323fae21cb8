// draw_charts.mjs DIR - draws the charts of DIR/results.jsonl as DIR/*.svg, for documents.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { allCharts } from "./src/charts.js";
import { echarts } from "./src/echarts.js";
import { readResults } from "./src/results.js";

const folder = process.argv[2];
if (folder === undefined) {
  console.error("usage: node draw_charts.mjs DIR");
  process.exit(2);
}

/** The title is part of the picture here, since no page stands around it. */
function withTitle(chart) {
  const shift = 32;
  const option = copyOf(chart.option);
  option.legend.top += shift - 6;
  option.legend.itemGap += 8; // widths of words are only estimated without a browser
  option.grid.top += shift;
  option.graphic = [{ type: "text", left: 14, top: 8,
    style: { text: chart.title, font: "bold 14px Helvetica, Arial, sans-serif", fill: "#222" } }];
  return { option, width: chart.width, height: chart.height + shift };
}

/** Only what withTitle changes is copied; formatters are functions and stay shared. */
function copyOf(option) {
  return { ...option, legend: { ...option.legend }, grid: { ...option.grid } };
}

function draw(chart) {
  const { option, width, height } = withTitle(chart);
  const instance = echarts.init(null, null, { renderer: "svg", ssr: true, width, height });
  instance.setOption(option);
  const svg = instance.renderToSVGString();
  instance.dispose();
  return svg;
}

const text = await readFile(join(folder, "results.jsonl"), "utf8");
const results = readResults(text.trim().split("\n").map((line) => JSON.parse(line)));
for (const chart of allCharts(results)) {
  const path = join(folder, `${chart.id}.svg`);
  await writeFile(path, draw(chart));
  console.log(path);
}
