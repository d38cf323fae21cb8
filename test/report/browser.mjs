// browser.mjs - a headless browser without a network, for tests of pages. Needs playwright-core and
// axe-core, which ./dev report-page fetches, and the browser that the environment variable BROWSER names.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const require = createRequire(new URL("../../report/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

let failures = 0;

export function check(isTrue, words) {
  if (isTrue) return;
  console.log(words);
  failures++;
}

export function end(words) {
  console.log(words);
  process.exit(failures > 0 ? 1 : 0);
}

export async function openBrowser() {
  return chromium.launch({ executablePath: process.env.BROWSER, headless: true,
    args: ["--no-sandbox", "--headless", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
      "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run",
      "--host-resolver-rules=MAP * ~NOTFOUND"] });
}

/** A page whose messages on the console are failures. `looks` are options of a page of playwright. */
export async function openPage(browser, path, looks) {
  const context = await browser.newContext({ offline: true, reducedMotion: "reduce", ...looks });
  const page = await context.newPage();
  page.on("console", (message) => check(false, `${path}: the console says: ${message.text()}`));
  page.on("pageerror", (error) => check(false, `${path}: ${error.message}`));
  page.on("requestfailed", (request) => check(false, `${path} does not get ${request.url()}`));
  page.on("request", (request) => check(/^(file|data|blob):/.test(request.url()), `${path} asks for ${request.url()}`));
  await page.goto(path.startsWith("file:") ? path : `file://${path}`);
  return page;
}

/** No serious problem for those who do not see, or use no mouse. */
export async function checkAccess(page, words) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run());
  for (const one of violations) {
    const isSerious = one.impact === "serious" || one.impact === "critical";
    check(!isSerious, `${words}: axe finds ${one.id} (${one.impact}): ${one.nodes.map((node) => node.html).slice(0, 3)}`);
  }
}

/** Nothing of the page is wider than the window. */
export async function checkWidth(page, words) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  check(wide <= 0, `${words}: ${wide} pixels wider than the window`);
}
