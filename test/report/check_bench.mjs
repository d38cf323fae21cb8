// check_bench.mjs PAGE RESULTS - uses the page of willow bench --report: its summary says what the data say,
// contents lead somewhere, methods have one colour, and it can be read in the dark and on a phone.
import { readFileSync } from "node:fs";
import { check, checkAccess, checkWidth, end, openBrowser, openPage } from "./browser.mjs";

const [path, resultsPath] = process.argv.slice(2);
const rows = readFileSync(resultsPath, "utf8").trim().split("\n").map((line) => JSON.parse(line))
  .filter((line) => line.method !== undefined);
const browser = await openBrowser();

async function open(looks) {
  const page = await openPage(browser, path, looks);
  await page.waitForFunction(() => document.documentElement.dataset.drawn !== undefined);
  return page;
}

const page = await open({ viewport: { width: 1200, height: 900 }, colorScheme: "light" });
await page.screenshot({ path: path.replace(/\.html$/, ".png") });
await page.locator("section.scene").first().screenshot({ path: path.replace(/\.html$/, "_scene.png") });

// ---- the summary ----

const subjects = [...new Set(rows.map((row) => `${row.spec} ${row.query}`))];
const lines = await page.locator("#summary tbody tr").evaluateAll((list) => list.map((line) =>
  ({ cells: [...line.cells].map((cell) => cell.textContent), win: line.dataset.win })));
check(lines.length === subjects.length, `${lines.length} lines in the summary, not ${subjects.length}`);

/** Frame against frame: in how many is the first faster? */
function shareFaster(first, second) {
  const time = (row, i) => row.series.update_ms[i] + row.series.query_ms[i];
  const count = first.series.frame.length;
  return [...Array(count).keys()].filter((i) => time(first, i) < time(second, i)).length / count;
}

subjects.forEach((subject, i) => {
  const sound = rows.filter((row) => `${row.spec} ${row.query}` === subject && !row.wrong && !row.lost && !row.extra)
    .sort((x, y) => x.total_ms - y.total_ms);
  const { cells, win } = lines[i];
  check(cells[1] === sound[0].method, `${subject}: ${cells[1]} is said to be the fastest, not ${sound[0].method}`);
  if (sound.length < 2) return;
  check(cells[5] === sound[1].method, `${subject}: ${cells[5]} is said to be the next, not ${sound[1].method}`);
  const share = shareFaster(sound[0], sound[1]);
  if (share > 0.8) check(win === sound[0].method, `${subject}: no win, though ${share} of the frames are faster`);
  if (share < 0.7) check(win === undefined, `${subject}: a win, though only ${share} of the frames are faster`);
});

// ---- contents, colours, order ----

const broken = await page.evaluate(() => [...document.querySelectorAll('a[href^="#"]')]
  .map((link) => link.getAttribute("href").slice(1)).filter((id) => !document.getElementById(id)));
check(broken.length === 0, `links that lead nowhere: ${broken}`);
const colours = await page.evaluate(() => Object.entries(Object.groupBy
  ? Object.groupBy(document.querySelectorAll("[data-swatch]"), (mark) => mark.dataset.swatch) : {})
  .map(([method, marks]) => [method, [...new Set(marks.map((mark) => mark.style.background))]]));
check(colours.length > 0 && colours.every(([, list]) => list.length === 1), `colours: ${JSON.stringify(colours)}`);
const totals = await page.locator("section.scene").evaluateAll((list) => list.map((section) =>
  [...section.querySelector("table").querySelectorAll('[data-field="total_ms"]')].map((cell) => Number(cell.textContent))));
check(totals.every((list) => list.every((value, i) => i === 0 || value >= list[i - 1])), "tables are not sorted");
check(await page.locator("section.scene img.strip").count() === subjects.length, "a scene has no picture");
const words = await page.evaluate(() => [...document.querySelectorAll("svg text")].map((text) => text.textContent));
check(words.some((word) => word.includes("(log scale)")), "no axis says that it is logarithmic");
await checkAccess(page, "light");

// ---- from light to dark while it is open ----

const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
const light = await paper();
await page.emulateMedia({ colorScheme: "dark" });
await page.waitForTimeout(200);
check(await paper() !== light, "the page stays light");
await checkAccess(page, "dark");
await page.locator("section.scene").first().screenshot({ path: path.replace(/\.html$/, "_dark.png") });
await page.context().close();

const phone = await open({ viewport: { width: 320, height: 640 }, colorScheme: "dark" });
await checkWidth(phone, "320 pixels");
await phone.screenshot({ path: path.replace(/\.html$/, "_phone.png") });
await browser.close();
end(`${lines.filter((line) => line.win).length} wins in ${lines.length} scenes`);
