// build_page.mjs FOLDER - makes the shells of all pages: src/NAME.html with the bundled script inside, as
// FOLDER/NAME.html. The tool puts data in; nothing is fetched when a page is opened.
import { build } from "esbuild";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join, parse } from "node:path";

const out = process.argv[2];
if (out === undefined) {
  console.error("usage: node build_page.mjs FOLDER");
  process.exit(2);
}

// The name that the tool looks for, and the script of the page.
const pages = [["report.html", "page"], ["clip.html", "clip"]];
const mark = '"WILLOW SCRIPT"';
const here = (path) => new URL(path, import.meta.url).pathname;

async function scriptOf(name) {
  const bundle = await build({
    entryPoints: [here(`src/${name}.js`)],
    bundle: true,
    minify: true,
    format: "iife",
    target: "es2020",
    charset: "utf8",
    legalComments: "eof",
    write: false,
  });
  // Inside a script element nothing may look like its end.
  return bundle.outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
}

/** The strips of the documentation, by the name of the scene, as addresses that hold the picture itself. */
async function scenePictures() {
  const folder = here("../docs/pictures/scenes");
  const files = (await readdir(folder)).filter((file) => file.endsWith(".png")).sort();
  const entries = files.map(async (file) =>
    [parse(file).name, `data:image/png;base64,${(await readFile(join(folder, file))).toString("base64")}`]);
  return JSON.stringify(Object.fromEntries(await Promise.all(entries)));
}

const pictureMark = '"WILLOW PICTURES"';
await mkdir(out, { recursive: true });
for (const [file, name] of pages) {
  const page = await readFile(here(`src/${name}.html`), "utf8");
  if (page.split(mark).length !== 2) throw new Error(`src/${name}.html must have ${mark} once`);
  const path = join(out, file);
  const withPictures = page.includes(pictureMark) ? page.split(pictureMark).join(await scenePictures()) : page;
  await writeFile(path, withPictures.split(mark).join(await scriptOf(name)));
  console.log(`${path}: ${Math.round((await readFile(path)).length / 1024)} KiB`);
}
