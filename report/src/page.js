// page.js - fills the page: the machine, charts and tables, from the data that was put into it.
import { limitCharts, makeStyles, overviewCharts, sceneCharts, setLook, shortNumber, slug } from "./charts.js";
import { echarts } from "./echarts.js";
import { element } from "./page_parts.js";
import { isSound, readResults, standing, withFifths } from "./results.js";

const pictures = JSON.parse(document.getElementById("pictures").textContent);

function grouped(value) {
  return Math.round(value).toLocaleString("en-US");
}

// ---- tables ----

// [heading, field, digits behind the point, what the number is multiplied by if not 1]
const timeColumns = [["update", "update_ms", 4], ["query", "query_ms", 4], ["total", "total_ms", 4],
  ["median", "total_ms_median", 4], ["quartiles", "quartiles", 4], ["setup", "setup_ms", 2],
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

function swatch(method, styles) {
  return element("span", { class: "swatch", style: `background:${styles[method].colour}`, "data-swatch": method });
}

function numberCell(row, field, digits, factor = 1) {
  if (field === "quartiles") {
    return element("td", {}, row.quartiles ? `${row.quartiles[0].toFixed(digits)} to ${row.quartiles[2].toFixed(digits)}` : "");
  }
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

function tableOf(rows, columns, styles, best) {
  const shown = columns.filter(([, field]) => rows.some((row) => row[field] !== undefined));
  const hasBuild = columns === treeColumns;
  const head = element("tr", {}, element("th", { class: "name" }, "method"),
    ...(hasBuild ? [element("th", { class: "name" }, "build")] : []),
    ...shown.map(([heading]) => element("th", {}, heading)));
  const body = rows.map((row) => {
    const name = element("td", { class: "name" }, swatch(row.method, styles), row.method);
    const remark = columns === timeColumns ? remarkOf(row) : "";
    if (remark) name.append(" ", element("span", { class: "remark" }, remark));
    return element("tr", { "data-method": row.method, ...(row === best ? { class: "best" } : {}) }, name,
      ...(hasBuild ? [element("td", { class: "name" }, row.build ?? "")] : []),
      ...shown.map(([, field, digits, factor]) => numberCell(row, field, digits, factor)));
  });
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "table" },
    element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
}

// ---- charts ----

const drawn = [];

/** The figure, and the chart to draw in it once it is on the page. `remake` makes the same for other looks. */
function figureOf(chart, remake) {
  const least = chart.width > 600 ? 700 : 0; // a narrow window then scrolls a wide chart
  const place = element("div",
    { class: "chart", id: chart.id, style: `height:${chart.height}px;min-width:${least}px` });
  const figure = element("figure", {}, element("figcaption", {}, chart.title),
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": chart.title }, place));
  if (chart.note) figure.append(element("p", { class: "note" }, chart.note));
  drawn.push({ place, option: chart.option, id: chart.id, remake });
  return figure;
}

function drawAll() {
  for (const entry of drawn) {
    entry.chart = echarts.init(entry.place, null, { renderer: "svg" });
    entry.chart.setOption(entry.option);
  }
  window.addEventListener("resize", () => drawn.forEach((entry) => entry.chart.resize()));
}

const isDark = matchMedia("(prefers-color-scheme: dark)");

/** All charts in the looks of the page, and the colours beside names. */
function redrawAll(results) {
  setLook(isDark.matches ? "dark" : "light");
  for (const entry of drawn) {
    const chart = entry.remake().find((other) => other.id === entry.id);
    entry.chart.setOption(chart.option, true);
  }
  const styles = makeStyles(results.methods);
  for (const mark of document.querySelectorAll("[data-swatch]")) {
    mark.style.background = styles[mark.dataset.swatch].colour;
  }
}

// ---- sections ----

function machineList(machine) {
  const entries = [["processor", `${machine.processor}, ${machine.cores} cores`],
    ["memory", `${(machine.memory_bytes / 1e9).toFixed(1)} GB`], ["system", machine.system],
    ["compiler", machine.compiler], ["Willow", machine.willow], ["date", machine.date]];
  return element("section", { id: "machine" },
    element("dl", {}, ...entries.flatMap(([name, value]) =>
      [element("dt", {}, name), element("dd", {}, value)])),
    element("pre", { tabindex: "0", "aria-label": "the command" }, machine.command));
}

function sceneSection(results, scene) {
  const first = scene.rows[0];
  const words = `${grouped(first.triangles)} triangles in ${grouped(first.bodies)} `
    + `${first.bodies === 1 ? "body" : "bodies"}, query ${first.query}, ${grouped(first.frames)} frames, `
    + `${grouped(first.pairs)} pairs over all frames`;
  const own = scene.rows.filter((row) => row.volume_tests !== undefined);
  const styles = makeStyles(results.methods);
  const remake = () => sceneCharts(results, scene);
  const rows = [...scene.rows].sort((x, y) => x.total_ms - y.total_ms);
  const { first: fastest, isWin } = standing(scene.rows);
  const section = element("section", { class: "scene", id: idOf(scene), "data-spec": scene.spec, "data-query": scene.query },
    element("h2", {}, scene.title), element("p", {}, words), ...pictureOf(scene),
    element("div", { class: "pair" }, ...remake().map((chart) => figureOf(chart, remake))),
    tableOf(rows, timeColumns, styles, isWin ? fastest : undefined),
    element("p", { class: "note" }, "Times are milliseconds per frame: means, and of update and query together the median and the quartiles over all frames. Pairs are over all frames."),
    element("details", {}, element("summary", {}, "Fifths of the run"),
      element("p", { class: "note" }, "Update and query together, means over each fifth of the frames."),
      tableOf(rows.map(withFifths), fifthColumns, styles)));
  if (own.length > 0) {
    section.append(element("details", {}, element("summary", {}, "Counts and trees"),
      element("p", { class: "note" }, "Counts are over all frames; trees are those after the last one."),
      tableOf(own, countColumns, styles), tableOf(own, treeColumns, styles)));
  }
  return section;
}

function idOf(scene) {
  return `scene_${slug(scene.title)}`;
}

/** Five frames of the scene, as the documentation has them: with other keys perhaps. */
function pictureOf(scene) {
  const source = pictures[scene.name];
  return source ? [element("img", { class: "strip", src: source, alt: `five frames of the scene ${scene.name}` })] : [];
}

// ---- the summary ----

/** The name of a scene, which may be broken behind its punctuation. */
function breakable(title) {
  return title.split(/(?<=[:,])/).flatMap((piece, i) => (i > 0 ? [element("wbr"), piece] : [piece]));
}

function summaryRow(scene, styles) {
  const { first, second, ratios, isWin } = standing(scene.rows);
  const name = element("td", { class: "name wraps" },
    element("a", { href: `#${idOf(scene)}` }, ...breakable(scene.title)));
  if (first === undefined) return element("tr", {}, name, element("td", { class: "name", colspan: 6 }, "no answer that is all there"));
  const spread = first.quartiles ? `${shortNumber(first.quartiles[0])} to ${shortNumber(first.quartiles[2])}` : "";
  const cells = [element("td", { class: "name" }, swatch(first.method, styles), first.method),
    element("td", {}, shortNumber(first.total_ms)), element("td", {}, shortNumber(first.total_ms_median)),
    element("td", {}, spread)];
  if (second === undefined) return element("tr", {}, name, ...cells, element("td", { class: "name" }, ""), element("td", {}, ""));
  const times = ratios ? `${shortNumber(ratios[1])} (${shortNumber(ratios[0])} to ${shortNumber(ratios[2])})`
    : shortNumber(second.total_ms / first.total_ms);
  return element("tr", isWin ? { class: "best", "data-win": first.method } : {}, name, ...cells,
    element("td", { class: "name" }, swatch(second.method, styles), second.method),
    element("td", { class: "wraps" }, isWin ? times : `${times}, no clear win`));
}

function summarySection(results) {
  const styles = makeStyles(results.methods);
  const head = element("tr", {}, ...["scene", "fastest", "mean, ms", "median", "quartiles", "next", "times slower"]
    .map((words, i) => element("th", [0, 1, 5].includes(i) ? { class: "name" } : {}, words)));
  return element("section", { id: "summary" }, element("h2", {}, "Summary"),
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Summary" },
      element("table", {}, element("thead", {}, head),
        element("tbody", {}, ...results.scenes.map((scene) => summaryRow(scene, styles))))),
    element("p", { class: "note" }, "Update and query together. How many times slower the next one is, is counted frame by "
      + "frame: the median, and the quartiles in brackets. Bold is a win: the quartiles leave out 1. Methods whose "
      + "answers are not all there cannot win."));
}

function contents(results) {
  const entries = [["#summary", "Summary"]];
  if (overviewCharts(results).length > 0) entries.push(["#overview", "Overview"]);
  entries.push(...results.scenes.map((scene) => [`#${idOf(scene)}`, scene.title]));
  if (limitCharts(results).length > 0) entries.push(["#limit", "The limit of memory"]);
  return element("nav", { "aria-label": "Contents" }, element("ul", {},
    ...entries.map(([href, words]) => element("li", {}, element("a", { href }, words)))));
}

function overviewSection(results) {
  const remake = () => overviewCharts(results);
  const [first, ...others] = remake();
  const section = element("section", { id: "overview" }, element("h2", {}, "Overview"));
  if (first === undefined) return element("section");
  const isWide = results.isCompared;
  if (isWide) section.append(figureOf(first, remake));
  const rest = isWide ? others : [first, ...others];
  if (rest.length > 0) section.append(element("div", { class: "pair" }, ...rest.map((chart) => figureOf(chart, remake))));
  return section;
}

function limitSection(results) {
  const remake = () => limitCharts(results);
  const charts = remake();
  if (charts.length === 0) return element("section");
  return element("section", { id: "limit" }, element("h2", {}, "The limit of memory"), ...charts.map((chart) => figureOf(chart, remake)));
}

function fill() {
  const results = readResults(JSON.parse(document.getElementById("results").textContent));
  const main = document.querySelector("main");
  setLook(isDark.matches ? "dark" : "light");
  if (results.machine) main.append(machineList(results.machine));
  main.append(contents(results), summarySection(results), overviewSection(results),
    ...results.scenes.map((scene) => sceneSection(results, scene)), limitSection(results));
  drawAll();
  isDark.addEventListener("change", () => redrawAll(results));
  document.documentElement.dataset.drawn = drawn.length;
}

fill();
