// check_page.mjs RESULTS DOM FILES - looks whether the page shows what the data says.
//
// RESULTS is results.jsonl, DOM what a browser made of the page, FILES the list of SVG files that
// were drawn. The page is read here as text, by rules of its own: nothing of report/ is used.
import { readFileSync } from "node:fs";

const [resultsPath, domPath, filesPath] = process.argv.slice(2);
const lines = readFileSync(resultsPath, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const dom = readFileSync(domPath, "utf8");
const files = readFileSync(filesPath, "utf8").trim().split("\n");
const rows = lines.filter((line) => line.method !== undefined);
const subjects = [...new Set(rows.map((row) => `${row.spec} ${row.query}`))];
let failures = 0;

function check(isTrue, words) {
  if (isTrue) return;
  console.log(words);
  failures++;
}

// ---- charts ----

/** How many charts there must be: two per scene, and those that compare scenes. */
function expectedCharts() {
  const isCompared = rows.some((row) => row.speedup !== undefined);
  const kinds = new Map();
  for (const row of rows) {
    const key = `${row.scene} ${row.query} ${/variant=\w+/.exec(row.spec)?.[0] ?? ""}`;
    kinds.set(key, (kinds.get(key) ?? new Set()).add(row.triangles));
  }
  const withSizes = [...kinds.values()].filter((sizes) => sizes.size > 1).length;
  return 2 * subjects.length + (isCompared ? 1 : 0) + withSizes
    + (lines.some((line) => line.limit === "stream") ? 1 : 0);
}

const places = dom.split('<div class="chart"').slice(1);
const charts = expectedCharts();
check(places.length === charts, `${places.length} charts, not ${charts}`);
check(dom.includes(`data-drawn="${charts}"`), "the page does not say that it drew all charts");
for (const place of places) {
  const id = /id="([^"]*)"/.exec(place)[1];
  const svg = /<svg[\s\S]*?<\/svg>/.exec(place)?.[0] ?? "";
  check((svg.match(/<path/g) ?? []).length > 3, `chart ${id} is empty`);
  check(/<text/.test(svg), `chart ${id} has no words`);
  check(!/NaN|Infinity|undefined/.test(svg), `chart ${id} has no numbers where it needs them`);
}
check(files.length === charts, `${files.length} SVG files, not ${charts}`);
for (const path of files) {
  const svg = readFileSync(path, "utf8");
  check(svg.startsWith("<svg") && svg.trimEnd().endsWith("</svg>"), `${path} is no SVG`);
  check(!/NaN|Infinity|undefined/.test(svg), `${path} has no numbers where it needs them`);
  check((svg.match(/<path/g) ?? []).length > 3 && /<text/.test(svg), `${path} is empty`);
}

// ---- tables ----

function textOf(markup) {
  return markup.replace(/<[^>]*>/g, "").replaceAll("&amp;", "&").replaceAll("&lt;", "<").trim();
}

/** The text of a cell must be the value, rounded to the digits that it shows. */
function checkCell(row, field, text) {
  const shown = Number(text.replaceAll(",", ""));
  const value = field === "limit_share" ? 100 * row[field]
    : field.startsWith("fifths_") ? row.fifths[field.slice(-1) - 1] : row[field];
  const digits = text.split(".")[1]?.length ?? 0;
  check(Math.abs(shown - value) <= 0.5001 * 10 ** -digits,
    `${row.spec}, ${row.method}: ${field} is ${text} in the page and ${value} in the data`);
}

// What the columns of the first table are called, and what must stand below.
const headings = {
  update: "update_ms", query: "query_ms", total: "total_ms", median: "total_ms_median", quartiles: "quartiles", setup: "setup_ms",
  "update ns/triangle": "update_ns_per_triangle", pairs: "pairs", "B/triangle": "bytes_per_triangle",
  "% of the limit": "limit_share", "faster than peer:plain": "speedup",
};

function checkHeadings(section, spec) {
  const table = section.split("</table>")[0];
  const names = [...table.matchAll(/<th(?: [^>]*)?>([^<]*)</g)].slice(1).map((match) => match[1]);
  const wanted = names.map((name) => headings[name]);
  check(!wanted.includes(undefined), `${spec}: columns without a meaning: ${names}`);
  for (const markup of table.split("<tr data-method=").slice(1)) {
    const fields = [...markup.matchAll(/<td(?: data-field="([^"]*)")?>/g)].map((match) => match[1]);
    const isRight = fields.length === names.length
      && fields.every((field, i) => field === undefined || field === wanted[i]);
    check(isRight, `${spec}: ${fields} below ${names}`);
  }
}

let cells = 0;
const sections = dom.split('<section class="scene"').slice(1);
check(sections.length === subjects.length, `${sections.length} scenes, not ${subjects.length}`);
for (const section of sections) {
  const spec = /data-spec="([^"]*)"/.exec(section)[1];
  const query = /data-query="([^"]*)"/.exec(section)[1];
  check(subjects.includes(`${spec} ${query}`), `no data for ${spec}, ${query}`);
  checkHeadings(section, spec);
  for (const markup of section.split("<tr data-method=").slice(1)) {
    const method = /^"([^"]*)"/.exec(markup)[1];
    const row = rows.find((candidate) => candidate.spec === spec && candidate.query === query
      && candidate.method === method);
    check(row !== undefined, `no data for ${spec}, ${method}`);
    if (row === undefined) continue;
    for (const cell of markup.split("</tr>")[0].matchAll(/<td data-field="([^"]*)">([^<]*)</g)) {
      checkCell(row, cell[1], cell[2]);
      cells++;
    }
  }
}
check(cells >= 13 * rows.length, `only ${cells} numbers for ${rows.length} rows`);
for (const row of rows) {
  check(sections.some((section) => section.includes(`data-spec="${row.spec}"`)
    && section.includes(`data-query="${row.query}"`)
    && section.includes(`<tr data-method="${row.method}"`)), `no row for ${row.spec}, ${row.method}`);
}

// ---- the machine ----

const machine = lines[0].machine;
for (const key of ["processor", "compiler", "willow", "date", "command"]) {
  check(textOf(dom).includes(machine[key]), `the page does not say ${key}: ${machine[key]}`);
}

console.log(`${charts} charts, ${cells} numbers in tables`);
process.exit(failures > 0 ? 1 : 0);
