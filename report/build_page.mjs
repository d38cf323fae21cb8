// build_page.mjs OUT - makes the template of the page: src/page.html with the bundled script inside.
// The tool puts the results in; nothing is fetched when the page is opened.
import { build } from "esbuild";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

const out = process.argv[2];
if (out === undefined) {
  console.error("usage: node build_page.mjs OUT");
  process.exit(2);
}

const here = (path) => new URL(path, import.meta.url).pathname;
const bundle = await build({
  entryPoints: [here("src/page.js")],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "utf8",
  legalComments: "eof",
  write: false,
});
// Inside a script element nothing may look like its end.
const script = bundle.outputFiles[0].text.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
const page = await readFile(here("src/page.html"), "utf8");
const mark = '"WILLOW SCRIPT"';
if (page.split(mark).length !== 2) throw new Error(`src/page.html must have ${mark} once`);
await mkdir(dirname(out), { recursive: true });
await writeFile(out, page.split(mark).join(script));
console.log(`${out}: ${Math.round((await readFile(out)).length / 1024)} KiB`);
