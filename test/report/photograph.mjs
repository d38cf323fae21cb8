// photograph.mjs PAGE#FRAGMENT OUT - a picture of a page of willow check --report, for the documentation.
import { check, end, openBrowser, openPage } from "./browser.mjs";

const [path, out] = process.argv.slice(2);
const browser = await openBrowser();
const page = await openPage(browser, `file://${path}`, { viewport: { width: 1100, height: 660 } });
await page.waitForFunction(() => document.documentElement.dataset.ready === "1");
const points = await page.evaluate(() => {
  const { view, model, shown } = window.willow;
  const found = [];
  model.hits(shown).forEach((tris, body) => tris.forEach((_, tri) => {
    const at = view.project(body, tri);
    const hit = view.pickAt(...at);
    if (hit?.tri === tri && hit.body === body && found.length < 40) found.push(at);
  }));
  return found;
});
check(points.length > 0, "no face to pick");
await page.mouse.click(...points.at(-1));
await page.waitForTimeout(300);
await page.screenshot({ path: out });
await browser.close();
end(out);
