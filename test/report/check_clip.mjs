// check_clip.mjs PAGE LINES PICTURE FRAME CAMERA - uses the page of willow check --report as a person would.
//
// LINES are those of willow check --json --pairs with the same options: what the page says must be what
// they say. PICTURE is what willow render drew of frame FRAME with the camera "eye&look-at" of CAMERA: bodies and
// faces that collide must be at the same places. Screenshots go beside the page.
import { readFileSync } from "node:fs";
import { check, checkAccess, checkWidth, end, openBrowser, openPage } from "./browser.mjs";

const [path, linesPath, picturePath, pictureFrame, camera] = process.argv.slice(2);
const lines = readFileSync(linesPath, "utf8").trim().split("\n").map((line) => JSON.parse(line));
const { summary } = lines.pop();
const byFrame = new Map(lines.map((line) => [line.frame, line]));
const shots = path.replace(/\.html$/, "");

const browser = await openBrowser();
const desktop = { viewport: { width: 1280, height: 800 }, colorScheme: "light" };

async function open(address, looks) {
  const page = await openPage(browser, address, looks);
  await page.waitForFunction(() => document.documentElement.dataset.ready === "1", null, { timeout: 30000 });
  return page;
}

async function shownFrame(page) {
  return Number(await page.textContent("#frame"));
}

/** What the page shows of this frame is what the tool said. */
async function checkCounts(page) {
  const line = byFrame.get(await shownFrame(page));
  const words = await page.textContent("#counts");
  const [between, within] = words.replaceAll(",", "").match(/\d+/g).map(Number);
  check(between === line.pairs && within === line.self_pairs, `frame ${line.frame}: '${words}', not ${line.pairs} and ${line.self_pairs}`);
}

// ---- opening ----

const start = performance.now();
const page = await open(path, desktop);
const openedMs = performance.now() - start;
check((await page.title()).includes(summary.target.split(" ")[0]), `the title is '${await page.title()}'`);
check((await page.textContent("#about pre")).startsWith("willow check "), "the page does not say how it was made");
const first = summary.first_contact ?? summary.first_self_contact;
check(await shownFrame(page) === first.frame, `it begins in frame ${await shownFrame(page)}, not that of the first contact`);
await checkCounts(page);
await page.screenshot({ path: `${shots}_first.png` });

// ---- frames ----

await page.keyboard.press("Home");
check(await shownFrame(page) === lines[0].frame, "Home is not the first frame");
await page.keyboard.press("ArrowRight");
check(await shownFrame(page) === lines[1].frame, "an arrow does not go on");
await page.click("#play");
await page.waitForFunction((from) => Number(document.getElementById("frame").textContent) > from + 1, lines[1].frame);
await page.click("#play");
const stopped = await shownFrame(page);
await page.waitForTimeout(200);
check(await shownFrame(page) === stopped, "it plays on when stopped");

const line = await page.locator("#timeline canvas").boundingBox();
const atShare = (share) => [line.x + 8 + share * (line.width - 16), line.y + line.height / 2];
await page.mouse.move(...atShare(0.25));
await page.mouse.down();
await page.mouse.move(...atShare(0.75), { steps: 4 });
await page.mouse.up();
check(await shownFrame(page) === lines[Math.round(0.75 * (lines.length - 1))].frame, `dragged to frame ${await shownFrame(page)}`);
await checkCounts(page);
check(Number(await page.getAttribute("#timeline", "aria-valuenow")) === Math.round(0.75 * (lines.length - 1)), "the slider has another value");

// ---- the worst frame ----

await page.click("#worst button >> nth=0");
check(await shownFrame(page) === summary.worst_frame.frame, `the worst frame is ${summary.worst_frame.frame}, not ${await shownFrame(page)}`);
await checkCounts(page);
await page.waitForTimeout(100);
await page.screenshot({ path: `${shots}_worst.png` });

// ---- who meets whom ----

const most = [...summary.meetings].sort((x, y) => y.most - x.most)[0];
const cells = await page.locator("#meetings tbody tr >> nth=0").locator("td").allTextContents();
check(cells[0].includes(most.name_a) && Number(cells[1].replaceAll(",", "")) === most.frames
  && Number(cells[3].replaceAll(",", "")) === most.most, `who meets most: ${cells}`);
check(await page.locator("#meetings tbody tr").count() === summary.meetings.length, "not all meetings are listed");

// ---- picking ----

/** Who the tool says a face meets, as [name, face], sorted. */
function partnersOf(frame, name, face) {
  const list = [];
  for (const pair of byFrame.get(frame).list) {
    if (pair.name_a === name && pair.face_a === face) list.push(`${pair.name_b} ${pair.face_b}`);
    if (pair.name_b === name && pair.face_b === face) list.push(`${pair.name_a} ${pair.face_a}`);
  }
  return list.sort();
}

async function checkPicked() {
  const name = await page.textContent("[data-picked-body]");
  const face = Number(await page.textContent("[data-picked-face]"));
  const shown = (await page.locator("[data-partner]").evaluateAll((items) =>
    items.map((item) => `${item.dataset.partnerBody} ${item.dataset.partner}`))).sort();
  const wanted = partnersOf(await shownFrame(page), name, face);
  check(JSON.stringify(shown) === JSON.stringify(wanted), `${name} face ${face} meets ${shown}, not ${wanted}`);
  return wanted.length;
}

/** Faces that meet and can be seen, as points of the window. */
const points = await page.evaluate(() => {
  const { view, model, shown } = window.willow;
  const found = [];
  model.hits(shown).forEach((tris, body) => {
    for (const tri of tris.keys()) {
      const at = view.project(body, tri);
      const hit = view.pickAt(...at);
      if (hit && hit.body === body && hit.tri === tri) found.push(at);
      if (found.length >= 5) return;
    }
  });
  return found;
});
check(points.length > 0, "no face that meets can be seen in the worst frame");
let partners = 0;
for (const point of points) {
  await page.mouse.click(...point);
  partners += await checkPicked();
}
check(partners > 0, "no picked face meets anything");
await page.waitForTimeout(100);
await page.screenshot({ path: `${shots}_picked.png` });
await page.click("[data-partner] >> nth=0");
check(await checkPicked() > 0, "a partner meets nothing");
await page.keyboard.press("Escape");
check(await page.locator("[data-picked-face]").count() === 0, "Escape does not forget the face");
await checkAccess(page, "light");
await checkWidth(page, "1280 pixels");
await page.context().close();

// ---- the same picture as that of the tool ----

/** Of two pictures of equal size: how many pixels are red in both and in either, and the same for bodies. */
async function compare(other, renderedPath, shotPath) {
  const urls = [renderedPath, shotPath].map((one) => `data:image/png;base64,${readFileSync(one).toString("base64")}`);
  return other.evaluate(async (sources) => {
    const read = async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext("2d");
      context.drawImage(image, 0, 0);
      return { size: [image.width, image.height], data: context.getImageData(0, 0, image.width, image.height).data };
    };
    const [a, b] = [await read(sources[0]), await read(sources[1])];
    const isRed = ({ data }, i) => data[i] > 90 && data[i] > 2.2 * data[i + 1] && data[i] > 2.2 * data[i + 2];
    const isBody = ({ data }, i) => [0, 1, 2].some((k) => Math.abs(data[i + k] - data[k]) > 12);
    const result = { sizes: [a.size, b.size], red: [0, 0], body: [0, 0] };
    for (let i = 0; i < a.data.length; i += 4) {
      for (const [key, test] of [["red", isRed], ["body", isBody]]) {
        const [x, y] = [test(a, i), test(b, i)];
        result[key][0] += x && y ? 1 : 0;
        result[key][1] += x || y ? 1 : 0;
      }
    }
    return result;
  }, urls);
}

const [eye, lookAt] = camera.split("&");
const twin = await open(`file://${path}#frame=${pictureFrame}&eye=${eye}&look-at=${lookAt}`,
  { viewport: { width: 1180, height: 800 }, colorScheme: "light" });
await twin.addStyleTag({ content: "#view { position: fixed; inset: 0 auto auto 0; width: 800px; height: 600px; z-index: 9 }" });
await twin.keyboard.press("x");
await twin.evaluate(() => window.willow.view.setMarks([]));
await twin.waitForTimeout(300);
await twin.locator("#view canvas").screenshot({ path: `${shots}_twin.png` });
const alike = await compare(twin, picturePath, `${shots}_twin.png`);
check(String(alike.sizes[0]) === String(alike.sizes[1]), `pictures of ${alike.sizes.join(" and ")}`);
const [bodyShare, redShare] = [alike.body[0] / alike.body[1], alike.red[0] / alike.red[1]];
check(alike.red[1] > 100, `only ${alike.red[1]} red pixels`);
check(bodyShare > 0.95, `bodies are at the same place in ${bodyShare} of the pixels`);
check(redShare > 0.6, `faces that meet are at the same place in ${redShare} of the pixels`);
await twin.context().close();

// ---- a phone, and the dark ----

for (const [name, looks] of [["phone", { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true, colorScheme: "light" }],
  ["dark", { ...desktop, colorScheme: "dark" }],
  ["dark_phone", { viewport: { width: 320, height: 640 }, colorScheme: "dark" }]]) {
  const other = await open(path, looks);
  await checkWidth(other, name);
  await checkAccess(other, name);
  await other.click("#worst button >> nth=0");
  check(await shownFrame(other) === summary.worst_frame.frame, `${name}: the worst frame is not shown`);
  await other.waitForTimeout(100);
  await other.screenshot({ path: `${shots}_${name}.png`, fullPage: name.includes("phone") });
  await other.context().close();
}

await browser.close();
check(openedMs < 3000 || process.env.WILLOW_REPORT_TIME !== "gate", `opened after ${Math.round(openedMs)} ms`);
end(`opened after ${Math.round(openedMs)} ms; ${points.length} faces picked, ${partners} partners; bodies ${
  bodyShare.toFixed(3)}, red ${redShare.toFixed(3)} alike`);
