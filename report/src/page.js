// page.js - fills the page: the machine, charts and tables, from the data that was put into it.
import { limitCharts, overviewCharts, sceneCharts } from "./charts.js";
import { echarts } from "./echarts.js";
import { fastest, isSound, readResults, withFifths } from "./results.js";

/** An element with attributes and children; text is text, never markup. */
function element(tag, attributes = {}, ...children) {
  const e = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
  e.append(...children);
  return e;
}

function grouped(value) {
  return Math.round(value).toLocaleString("en-US");
}

// ---- tables ----

// [heading, field, digits behind the point, what the number is multiplied by if not 1]
const timeColumns = [["update", "update_ms", 4], ["query", "query_ms", 4], ["total", "total_ms", 4],
  ["median", "total_ms_median", 4], ["setup", "setup_ms", 2],
  ["update ns/triangle", "update_ns_per_triangle", 1], ["pairs", "pairs", 0],
  ["B/triangle", "bytes_per_triangle", 1], ["% of the limit", "limit_share", 0, 100],
  ["faster than peer:plain", "speedup", 2]];
const countColumns = [["volume tests", "volume_tests", 0], ["triangle tests", "triangle_tests", 0],
  ["exact tests", "exact_tests", 0], ["nodes updated", "nodes_updated", 0],
  ["share of nodes per frame", "nodes_share", 3], ["nodes opened", "nodes_opened", 0], ["leaf pairs", "leaf_pairs", 0], ["events", "events", 0]];
const treeColumns = [["arity", "arity", 0], ["leaf triangles", "leaf_triangles", 0], ["nodes", "nodes", 0],
  ["leaves", "leaves", 0], ["height", "height", 0], ["cost", "cost", 1]];

const fifthColumns = [["1st fifth", "fifths_1", 4], ["2nd", "fifths_2", 4], ["3rd", "fifths_3", 4],
  ["4th", "fifths_4", 4], ["5th", "fifths_5", 4]];

function numberCell(row, field, digits, factor = 1) {
  if (row[field] === undefined) return element("td");
  const value = row[field] * factor;
  const text = digits === 0 ? grouped(value) : value.toFixed(digits);
  return element("td", { "data-field": field }, text);
}

function remarkOf(row) {
  if (row.wrong) return "wrong answer";
  if (isSound(row)) return "";
  return `loses ${grouped(row.lost)}, invents ${grouped(row.extra)} pairs`;
}

function tableOf(rows, columns, best) {
  const shown = columns.filter(([, field]) => rows.some((row) => row[field] !== undefined));
  const hasBuild = columns === treeColumns;
  const head = element("tr", {}, element("th", { class: "name" }, "method"),
    ...(hasBuild ? [element("th", { class: "name" }, "build")] : []),
    ...shown.map(([heading]) => element("th", {}, heading)));
  const body = rows.map((row) => {
    const name = element("td", { class: "name" }, row.method);
    const remark = columns === timeColumns ? remarkOf(row) : "";
    if (remark) name.append(" ", element("span", { class: "remark" }, remark));
    return element("tr", { "data-method": row.method, ...(row === best ? { class: "best" } : {}) }, name,
      ...(hasBuild ? [element("td", { class: "name" }, row.build ?? "")] : []),
      ...shown.map(([, field, digits, factor]) => numberCell(row, field, digits, factor)));
  });
  return element("div", { class: "scroll" },
    element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
}

// ---- charts ----

const drawn = [];

/** The figure, and the chart to draw in it once it is on the page. */
function figureOf(chart) {
  const least = chart.width > 600 ? 700 : 0; // a narrow window then scrolls a wide chart
  const place = element("div",
    { class: "chart", id: chart.id, style: `height:${chart.height}px;min-width:${least}px` });
  const figure = element("figure", {}, element("figcaption", {}, chart.title),
    element("div", { class: "scroll" }, place));
  if (chart.note) figure.append(element("p", { class: "note" }, chart.note));
  drawn.push({ place, option: chart.option });
  return figure;
}

function drawAll() {
  for (const entry of drawn) {
    entry.chart = echarts.init(entry.place, null, { renderer: "svg" });
    entry.chart.setOption(entry.option);
  }
  window.addEventListener("resize", () => drawn.forEach((entry) => entry.chart.resize()));
}

// ---- sections ----

function machineList(machine) {
  const entries = [["processor", `${machine.processor}, ${machine.cores} cores`],
    ["memory", `${(machine.memory_bytes / 1e9).toFixed(1)} GB`], ["system", machine.system],
    ["compiler", machine.compiler], ["Willow", machine.willow], ["date", machine.date]];
  return element("section", { id: "machine" },
    element("dl", {}, ...entries.flatMap(([name, value]) =>
      [element("dt", {}, name), element("dd", {}, value)])),
    element("pre", {}, machine.command));
}

function sceneSection(results, scene) {
  const first = scene.rows[0];
  const words = `${grouped(first.triangles)} triangles in ${grouped(first.bodies)} `
    + `${first.bodies === 1 ? "body" : "bodies"}, query ${first.query}, ${grouped(first.frames)} frames, `
    + `${grouped(first.pairs)} pairs over all frames`;
  const own = scene.rows.filter((row) => row.volume_tests !== undefined);
  const section = element("section", { class: "scene", "data-spec": scene.spec, "data-query": scene.query },
    element("h2", {}, scene.title), element("p", {}, words),
    element("div", { class: "pair" }, ...sceneCharts(results, scene).map(figureOf)),
    tableOf(scene.rows, timeColumns, fastest(scene.rows)),
    element("p", { class: "note" }, "Times are milliseconds per frame, pairs are over all frames."),
    element("details", {}, element("summary", {}, "Fifths of the run"),
      element("p", { class: "note" }, "Update and query together, means over each fifth of the frames."),
      tableOf(scene.rows.map(withFifths), fifthColumns)));
  if (own.length > 0) {
    section.append(element("details", {}, element("summary", {}, "Counts and trees"),
      element("p", { class: "note" }, "Counts are over all frames; trees are those after the last one."),
      tableOf(own, countColumns), tableOf(own, treeColumns)));
  }
  return section;
}

function overviewSection(results) {
  const [first, ...others] = overviewCharts(results);
  const section = element("section", { id: "overview" }, element("h2", {}, "Overview"));
  if (first === undefined) return element("section");
  const isWide = results.isCompared;
  if (isWide) section.append(figureOf(first));
  const rest = isWide ? others : [first, ...others];
  if (rest.length > 0) section.append(element("div", { class: "pair" }, ...rest.map(figureOf)));
  return section;
}

function limitSection(results) {
  const charts = limitCharts(results);
  if (charts.length === 0) return element("section");
  return element("section", { id: "limit" }, element("h2", {}, "The limit of memory"), ...charts.map(figureOf));
}

function fill() {
  const results = readResults(JSON.parse(document.getElementById("results").textContent));
  const main = document.querySelector("main");
  if (results.machine) main.append(machineList(results.machine));
  main.append(overviewSection(results),
    ...results.scenes.map((scene) => sceneSection(results, scene)), limitSection(results));
  drawAll();
  document.documentElement.dataset.drawn = drawn.length;
}

fill();
