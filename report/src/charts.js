// charts.js - what each chart shows, as options of ECharts.
//
// Way in: allCharts. Nothing here touches a page or a file, so that the page (page.js) and the SVG
// files (draw_charts.mjs) are the same charts. A chart is {id, title, note, width, height, option};
// `id` is also the name of its file.
import { fastest, isPeer, meanSeries } from "./results.js";

// ---- looks ----

const font = "Helvetica, Arial, sans-serif";
const looks = {
  light: { ink: "#222", faint: "#e3e3e3", paper: "#fff", strong: "#111",
    peers: ["#333333", "#7a7a7a", "#a8a8a8", "#5b6b7b", "#8a7f70"] },
  dark: { ink: "#dfe3e8", faint: "#3a3f46", paper: "#16181b", strong: "#fff",
    peers: ["#e0e0e0", "#a0a0a0", "#7c7c7c", "#9bb0c4", "#b8ac99"] },
};
let look = looks.light;

/** Charts that are made from now on are for a light or a dark page. */
export function setLook(name) {
  look = looks[name];
}

// Okabe and Ito's colours, which most people can tell apart; peers are greys with broken lines.
const methodColours = ["#1a7fbf", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8a6fc9",
  "#a0705f", "#3d9a58", "#d0435a", "#1f8f86", "#7a55a8"];
const peerLines = ["dashed", "dotted", [8, 3, 2, 3], [2, 2], [10, 4]];
const symbols = ["circle", "rect", "triangle", "diamond", "emptyCircle", "emptyRect", "emptyTriangle",
  "emptyDiamond"];

/** Every method looks the same in all charts: {colour, line, symbol} by name. */
export function makeStyles(methods) {
  const styles = {};
  let own = 0;
  let peers = 0;
  for (const method of methods) {
    const isOther = isPeer({ method });
    const i = isOther ? peers++ : own++;
    styles[method] = {
      colour: isOther ? look.peers[i % look.peers.length] : methodColours[i % methodColours.length],
      line: isOther ? peerLines[i % peerLines.length] : "solid",
      symbol: symbols[(own + peers - 1) % symbols.length],
    };
  }
  return styles;
}

/** "0.0123", "12.3", "1,235": three digits that count. */
export function shortNumber(value) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1000) return Math.round(value).toLocaleString("en-US");
  const digits = Math.max(0, 2 - Math.floor(Math.log10(size)));
  return String(Number(value.toFixed(Math.min(digits, 6))));
}

function axisBase() {
  return {
    nameLocation: "middle",
    nameTextStyle: { color: look.ink, fontFamily: font, fontSize: 12 },
    axisLabel: { color: look.ink, fontFamily: font, fontSize: 11, hideOverlap: true },
    axisLine: { show: true, lineStyle: { color: look.ink } },
    axisTick: { show: true },
    splitLine: { show: true, lineStyle: { color: look.faint } },
  };
}

/** Round numbers from 1e-9 to 1e12: so many per decade that a range of that width can be read. */
function roundNumbers(range) {
  const steps = range > 300 ? [1] : range > 8 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 7];
  const numbers = [];
  for (let power = -9; power <= 12; power++) {
    for (const step of steps) numbers.push(Number((step * 10 ** power).toPrecision(3)));
  }
  return numbers;
}

/** A log axis that ends a little beyond the values, with marks at round numbers or where it is told. */
function logAxis(name, gap, values, given) {
  const positive = values.filter((value) => value > 0);
  const first = Math.min(...positive) / 1.15;
  const last = Math.max(...positive) * 1.15;
  const marks = given ?? roundNumbers(last / first).filter((mark) => mark >= first && mark <= last);
  return {
    ...axisBase(), type: "log", logBase: 10, name: `${name} (log scale)`, nameGap: gap, min: first, max: last,
    axisTick: { show: true, customValues: marks },
    splitLine: { show: true, lineStyle: { color: look.faint } },
    axisLabel: {
      ...axisBase().axisLabel, customValues: marks, formatter: shortNumber,
    },
  };
}

function valueAxis(name, gap, more = {}) {
  return { ...axisBase(), type: "value", name, nameGap: gap, min: 0, ...more };
}

/** Rows of the legend that names take in a chart of that width, as ECharts lays them out. */
function legendRows(names, width) {
  let rows = 1;
  let used = 0;
  for (const name of names) {
    const entry = 52 + 6.8 * name.length;
    if (used > 0 && used + entry > width - 40) {
      rows++;
      used = 0;
    }
    used += entry;
  }
  return rows;
}

/** What all charts have: legend above, room for names of axes, no movement. */
function frame(names, width, margins) {
  const legendHeight = names.length > 0 ? 10 + 21 * legendRows(names, width) : 8;
  return {
    legendHeight,
    option: {
      animation: false,
      backgroundColor: look.paper,
      textStyle: { fontFamily: font, color: look.ink },
      legend: {
        show: names.length > 0, data: names, top: 4, left: 12, right: 12, itemWidth: 26, itemGap: 20,
        textStyle: { color: look.ink, fontFamily: font, fontSize: 12 },
      },
      grid: {
        left: margins.left, right: margins.right ?? 24, top: legendHeight + 12,
        bottom: margins.bottom ?? 48, containLabel: false,
      },
    },
  };
}

/** The name of a file: letters, digits and lines. */
export function slug(text) {
  return text.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
}

function longest(texts) {
  return Math.max(...texts.map((text) => text.length));
}

// ---- speed-up ----

/** BRUTE is there to check the others, and so slow that it would leave them no room. */
function comparable(methods) {
  const others = methods.filter((method) => method !== "brute");
  return others.length > 0 ? others : methods;
}

function speedupByScene(results, styles, width) {
  const scenes = results.scenes.filter((scene) => scene.rows.some((row) => row.speedup > 0));
  const methods = comparable(results.methods).filter((method) => method !== "peer:plain");
  const values = scenes.flatMap((scene) => scene.rows
    .filter((row) => methods.includes(row.method)).map((row) => row.speedup));
  const names = scenes.map((scene) => scene.title);
  const { option, legendHeight } = frame(methods, width, { left: Math.min(20 + 6.4 * longest(names), 380) });
  return {
    id: "speedup_by_scene",
    title: "Speed-up over peer:plain, by scene",
    note: "Total time per frame of peer:plain over that of each method; right of the line at 1 is faster. "
      + "brute is left out.",
    width,
    height: legendHeight + 72 + 26 * scenes.length,
    option: {
      ...option,
      legend: { ...option.legend, itemWidth: 12, itemHeight: 12 },
      tooltip: { trigger: "item", valueFormatter: shortNumber },
      xAxis: logAxis("times faster than peer:plain", 28, [...values, 1]),
      yAxis: { ...axisBase(), type: "category", data: names, inverse: true,
        axisTick: { show: false }, axisLabel: { ...axisBase().axisLabel, interval: 0 } },
      series: methods.map((method, i) => ({
        name: method, type: "scatter", symbol: styles[method].symbol, symbolSize: 10,
        itemStyle: { color: styles[method].colour },
        data: scenes.flatMap((scene) => scene.rows
          .filter((row) => row.method === method && row.speedup > 0)
          .map((row) => [row.speedup, scene.title])),
        markLine: i > 0 ? undefined : {
          silent: true, symbol: "none", label: { show: false },
          lineStyle: { color: look.ink, type: "solid", width: 1.2 }, data: [{ xAxis: 1 }],
        },
      })),
    },
  };
}

/** Kinds of scenes that were run in several sizes: [[name, scenes], ...]. */
function kindsWithSizes(results) {
  const kinds = new Map();
  for (const scene of results.scenes) {
    const variant = /variant=(\w+)/.exec(scene.spec)?.[1];
    const question = scene.title !== scene.spec ? scene.query : undefined;
    const key = [scene.name, variant, question].filter(Boolean).join(" ");
    kinds.set(key, [...(kinds.get(key) ?? []), scene]);
  }
  return [...kinds].filter(([, scenes]) =>
    new Set(scenes.map((scene) => scene.rows[0].triangles)).size > 1);
}

function bySize(kind, scenes, results, styles, width) {
  const field = results.isCompared ? "speedup" : "total_ms";
  const words = results.isCompared ? "times faster than peer:plain" : "total ms per frame";
  const methods = comparable(results.methods);
  const rows = scenes.flatMap((scene) => scene.rows)
    .filter((row) => row[field] > 0 && methods.includes(row.method));
  const sizes = [...new Set(rows.map((row) => row.triangles))];
  const { option, legendHeight } = frame(methods, width, { left: 72 });
  return {
    id: `${results.isCompared ? "speedup" : "time"}_by_size_${slug(kind)}`,
    title: `${results.isCompared ? "Speed-up" : "Time"} against size: ${kind}`,
    note: "",
    width,
    height: legendHeight + 300,
    option: {
      ...option,
      tooltip: { trigger: "item", valueFormatter: shortNumber },
      xAxis: logAxis("triangles of all bodies", 28, sizes, sizes),
      yAxis: logAxis(words, 48, rows.map((row) => row[field])),
      series: methods.map((method) => ({
        name: method, type: "line", symbol: styles[method].symbol, symbolSize: 8,
        itemStyle: { color: styles[method].colour },
        lineStyle: { color: styles[method].colour, type: styles[method].line, width: 2 },
        data: rows.filter((row) => row.method === method)
          .map((row) => [row.triangles, row[field]]).sort((a, b) => a[0] - b[0]),
      })),
    },
  };
}

// ---- one scene ----

/** Methods that would make all other bars invisible are told in words. */
const offTheScale = 12;

function stackedTimes(scene, styles, width) {
  const sorted = [...scene.rows].sort((x, y) => x.total_ms - y.total_ms);
  const best = fastest(scene.rows)?.total_ms ?? 0;
  const shown = sorted.filter((row) => row.total_ms <= offTheScale * best);
  const rest = sorted.filter((row) => row.total_ms > offTheScale * best);
  const names = shown.map((row) => row.method);
  const { option, legendHeight } = frame([], width, { left: 24 + 7 * longest([...names, "method"]), right: 78 });
  // The colour is that of the method in all charts; the paler end of a bar is the query.
  const bar = (name, field, opacity) => ({
    name, type: "bar", stack: "time", barMaxWidth: 20,
    data: shown.map((row) => ({ value: row[field], itemStyle: { color: styles[row.method].colour, opacity } })),
  });
  const query = bar("query", "query_ms", 0.55);
  // Behind the bar and its line, whichever is longer.
  const totals = { name: "total", type: "scatter", silent: true, symbolSize: 0, z: 7, tooltip: { show: false },
    data: shown.map((row) => [Math.max(row.total_ms, row.quartiles?.[2] ?? 0), row.method]),
    label: {
      show: true, position: "right", color: look.ink, fontFamily: font, fontSize: 11,
      formatter: ({ dataIndex }) => `${shortNumber(shown[dataIndex].total_ms)} ms`,
    } };
  const spread = quartileMarks(shown);
  const note = `Update, and paler the query, sorted. ${spread.length > 0
    ? "Lines go from the lower to the upper quartile of the frames, dots are medians. " : ""}${
    rest.length === 0 ? "" : `Off the scale: ${
      rest.map((row) => `${row.method} ${shortNumber(row.total_ms)} ms`).join(", ")}.`}`;
  return {
    id: `${slug(scene.title)}_times`,
    title: "Update and query, mean per frame",
    note,
    width,
    height: legendHeight + 72 + Math.max(34 * shown.length, 90),
    option: {
      ...option,
      tooltip: { trigger: "axis", axisPointer: { type: "shadow" }, valueFormatter: (value) => `${shortNumber(value)} ms` },
      xAxis: valueAxis("ms per frame", 28),
      yAxis: { ...axisBase(), type: "category", data: names, inverse: true, splitLine: { show: false },
        axisTick: { show: false }, axisLabel: { ...axisBase().axisLabel, interval: 0 } },
      series: [bar("update", "update_ms", 1), query, ...spread, totals],
    },
  };
}

/** Quartiles and medians over the bars: a line and a dot for each method. */
function quartileMarks(rows) {
  const marked = rows.filter((row) => row.quartiles);
  if (marked.length === 0) return [];
  const line = { color: look.strong, width: 1.6 };
  return [
    ...marked.map((row) => ({
      name: "quartiles", type: "line", silent: true, symbol: "rect", symbolSize: [1.6, 8], z: 5,
      itemStyle: { color: look.strong }, lineStyle: line, tooltip: { show: false },
      data: [[row.quartiles[0], row.method], [row.quartiles[2], row.method]],
    })),
    { name: "median", type: "scatter", silent: true, symbolSize: 6, z: 6, tooltip: { show: false },
      itemStyle: { color: look.paper, borderColor: look.strong, borderWidth: 1.6 },
      data: marked.map((row) => [row.quartiles[1], row.method]) },
  ];
}

/** About ten markers along a curve, at other places than those of its neighbours. */
function withSparseSymbols(points, symbol, turn) {
  const apart = Math.max(1, Math.ceil(points.length / 10));
  return points.map((value, i) => ({ value, symbol: i % apart === (2 * turn) % apart ? symbol : "none" }));
}

function timesOverFrames(scene, styles, width) {
  const rows = scene.rows.filter((row) => row.series);
  const lines = rows.map((row) => meanSeries(row.series)
    .map(([frameNumber, update, query]) => [frameNumber, update + query])
    .filter(([, total]) => total > 0));
  const names = rows.map((row) => row.method);
  const { option, legendHeight } = frame(names, width, { left: 72 });
  return {
    id: `${slug(scene.title)}_frames`,
    title: "Update and query together, frame by frame",
    note: "",
    width,
    height: legendHeight + 300,
    option: {
      ...option,
      tooltip: { trigger: "axis", valueFormatter: (value) => `${shortNumber(value)} ms` },
      xAxis: valueAxis("frame", 28, { max: "dataMax", splitLine: { show: false },
        axisLabel: { ...axisBase().axisLabel, showMaxLabel: false } }),
      yAxis: logAxis("ms", 48, lines.flat().map(([, total]) => total)),
      series: rows.map((row, i) => ({
        name: row.method, type: "line", data: withSparseSymbols(lines[i], styles[row.method].symbol, i), symbolSize: 7,
        symbol: styles[row.method].symbol, itemStyle: { color: styles[row.method].colour },
        lineStyle: { color: styles[row.method].colour, type: styles[row.method].line, width: 1.5 },
      })),
    },
  };
}

// ---- the limit ----

function sizeWords(bytes) {
  if (bytes >= 2 ** 20) return `${shortNumber(bytes / 2 ** 20)} MiB`;
  return `${shortNumber(bytes / 2 ** 10)} KiB`;
}

function bandwidth(results, width) {
  const refits = results.rows.filter((row) => row.refit_gb_per_s > 0);
  const kinds = [["read", "read_gb_per_s", "#0072b2"], ["write", "write_gb_per_s", "#d55e00"],
    ["copy", "copy_gb_per_s", "#009e73"]];
  const names = [...kinds.map(([name]) => name), "refits"];
  const { option } = frame(names, width, { left: 72, right: 36 });
  const speeds = results.curve.flatMap((point) => kinds.map(([, field]) => point[field]));
  const sizes = results.curve.map((point) => point.bytes);
  return {
    id: "bandwidth",
    title: "Streaming bandwidth and refits",
    note: "Lines: what one thread reads, writes or copies in order. Dots: bytes that a refit moves over its time.",
    width,
    height: 360,
    option: {
      ...option,
      tooltip: { trigger: "item", valueFormatter: shortNumber },
      xAxis: {
        ...logAxis("working set", 28, [...sizes, ...refits.map((row) => row.refit_bytes)], sizes),
        axisLabel: { ...axisBase().axisLabel, customValues: sizes, formatter: sizeWords },
      },
      yAxis: logAxis("GB/s", 48, [...speeds, ...refits.map((row) => row.refit_gb_per_s)]),
      series: [
        ...kinds.map(([name, field, colour]) => ({
          name, type: "line", symbolSize: 6, itemStyle: { color: colour }, lineStyle: { width: 2, color: colour },
          data: results.curve.map((point) => [point.bytes, point[field]]),
        })),
        { name: "refits", type: "scatter", symbolSize: 8, itemStyle: { color: "#333" },
          data: refits.map((row) => [row.refit_bytes, row.refit_gb_per_s]) },
      ],
    },
  };
}

// ---- all ----

const pageWidth = 1080;
const halfWidth = 530;

export function overviewCharts(results) {
  const styles = makeStyles(results.methods);
  const charts = kindsWithSizes(results)
    .map(([kind, scenes]) => bySize(kind, scenes, results, styles, halfWidth));
  if (results.isCompared) charts.unshift(speedupByScene(results, styles, pageWidth));
  return charts;
}

export function sceneCharts(results, scene) {
  const styles = makeStyles(results.methods);
  const charts = [stackedTimes(scene, styles, halfWidth)];
  if (scene.rows.some((row) => row.series)) charts.push(timesOverFrames(scene, styles, halfWidth));
  return charts;
}

export function limitCharts(results) {
  return results.curve.length > 0 ? [bandwidth(results, pageWidth)] : [];
}

export function allCharts(results) {
  return [
    ...overviewCharts(results),
    ...results.scenes.flatMap((scene) => sceneCharts(results, scene)),
    ...limitCharts(results),
  ];
}
