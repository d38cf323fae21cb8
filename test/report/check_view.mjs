// check_view.mjs PAGE - opens a page, plays a little of it, and says how long opening took: from the
// address to the first picture.
import { check, checkAccess, checkWidth, end, openBrowser, openPage } from "./browser.mjs";

const [path] = process.argv.slice(2);
const browser = await openBrowser();
const times = [];
for (const width of [1280, 320]) {
  const start = performance.now();
  const page = await openPage(browser, path, { viewport: { width, height: 720 } });
  await page.waitForFunction(() => document.documentElement.dataset.ready === "1", null, { timeout: 60000 });
  times.push(Math.round(performance.now() - start));
  const frame = await page.textContent("#frame");
  await page.keyboard.press(frame === "0" ? "ArrowRight" : "Home");
  check(await page.textContent("#frame") !== frame, "the frame does not change");
  await page.screenshot({ path: path.replace(/\.html$/, `_${width}.png`) });
  const box = await page.locator("#view canvas").boundingBox();
  const isDrawn = await page.evaluate(() => {
    const { canvas } = window.willow.view;
    const copy = new OffscreenCanvas(canvas.width, canvas.height);
    const context = copy.getContext("2d");
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    return data.some((value, i) => i % 4 < 3 && Math.abs(value - data[i % 4]) > 30);
  });
  check(isDrawn && box.width > 200, "nothing is drawn");
  await checkWidth(page, `${width} pixels`);
  await checkAccess(page, `${width} pixels`);
  await page.context().close();
}
await browser.close();
end(`opened after ${times.join(" and ")} ms`);
