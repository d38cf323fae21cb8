// check_site.mjs FOLDER - reads the site of ./dev docs as people do who have it on disk.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { check, checkAccess, checkWidth, end, openBrowser, openPage } from "./browser.mjs";

const [site] = process.argv.slice(2);

// ---- links ----

const pages = readdirSync(site, { recursive: true }).filter((file) => file.endsWith(".html"));
const idsOf = new Map();

function idsIn(path) {
  if (!idsOf.has(path)) {
    idsOf.set(path, new Set([...readFileSync(path, "utf8").matchAll(/\s(?:id|name)="([^"]*)"/g)].map((match) => match[1])));
  }
  return idsOf.get(path);
}

let links = 0;
for (const page of pages) {
  const text = readFileSync(join(site, page), "utf8");
  for (const [, what, target] of text.matchAll(/\s(href|src)="([^"]*)"/g)) {
    if (/^(https?:|mailto:|data:)/.test(target)) {
      check(what === "href", `${page} fetches ${target}`);
      continue;
    }
    links++;
    const [file, id] = decodeURI(target.replaceAll("&amp;", "&")).split("#");
    const path = file === "" ? join(site, page) : resolve(site, dirname(page), file.replace(/\?.*/, ""));
    const isThere = existsSync(path) && statSync(path).isFile();
    check(isThere, `${page}: ${target} is not there`);
    if (isThere && id && path.endsWith(".html")) check(idsIn(path).has(id), `${page}: ${target} has no such place`);
  }
}
check(pages.length > 40 && links > 1000, `only ${links} links in ${pages.length} pages`);

// ---- reading ----

const browser = await openBrowser();
for (const [name, looks] of [["light", { viewport: { width: 1280, height: 800 }, colorScheme: "light" }],
  ["dark phone", { viewport: { width: 320, height: 640 }, colorScheme: "dark" }]]) {
  for (const file of ["index.html", "docs/start-animation.html", "docs/tutorial-cloth.html"]) {
    const page = await openPage(browser, join(site, file), looks);
    await checkWidth(page, `${file}, ${name}`);
    if (process.env.WILLOW_REPORT_SHOTS) {
      await page.screenshot({ path: join(process.env.WILLOW_REPORT_SHOTS, `site_${file.replace(/\W/g, "_")}_${name.replace(" ", "_")}.png`) });
    }
    await page.context().close();
  }
}

// ---- searching ----

const wanted = [["continuous collision", "docs/queries.html"], ["self-intersection", "docs/start-animation.html"],
  ["BVH refit", "docs/start-research.html"], ["willow_find_impacts", "include/willow/query.h.html"]];
for (const [words, expected] of wanted) {
  const page = await openPage(browser, join(site, "index.html"), { viewport: { width: 1280, height: 800 } });
  await page.fill('input[name="q"]', words);
  await page.press('input[name="q"]', "Enter");
  await page.waitForFunction(() => /finished|did not match/.test(document.querySelector("#search-results")?.textContent ?? ""),
    null, { timeout: 20000 });
  const found = await page.locator("#search-results ul.search a").evaluateAll((list) => list.map((link) => link.href));
  check(found.some((href) => href.includes(expected)), `'${words}' finds ${found.map((href) => href.replace(/.*html\//, ""))}`);
  if (process.env.WILLOW_REPORT_SHOTS) await page.screenshot({ path: join(process.env.WILLOW_REPORT_SHOTS, `search_${words.replace(/\W/g, "_")}.png`) });
  // What it leads to is there, too.
  await page.click("#search-results ul.search a >> nth=0");
  await page.waitForLoadState();
  check(await page.locator("h1").count() > 0, `'${words}': the first result is no page`);
  await page.context().close();
}
await browser.close();
end(`${links} links in ${pages.length} pages, ${wanted.length} searches`);
