// check_data.mjs TOOL ROOT - pages of clips that are made here, so that it is known what must be in them.
//
// Works in the folder that it is started in, in which shell.html is a page without anything but marks.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const [tool, root] = process.argv.slice(2);
const { unpack, positionsOf, transformed } = await import(`${root}/report/src/clip_data.js`);
const { Model } = await import(`${root}/report/src/clip_model.js`);
let failures = 0;

function check(isTrue, words) {
  if (isTrue) return;
  console.log(words);
  failures++;
}

/** Runs the tool with --report and --json --pairs: {clip, lines, summary, bytes}. */
async function report(...words) {
  const run = spawnSync(tool, ["check", ...words, "--json", "--pairs", "--template", "shell.html", "--report", "out/page.html"],
    { encoding: "utf8", maxBuffer: 1 << 28 });
  check(run.status < 2, `willow check ${words.join(" ")}: ${run.stderr}`);
  const lines = run.stdout.trim().split("\n").map((line) => JSON.parse(line));
  const { summary } = lines.pop();
  const text = readFileSync("out/page.html", "utf8");
  const [head, letters] = text.split("\n");
  return { clip: await unpack(JSON.parse(head), letters), lines, summary, text };
}

/** Numbers that are the same in every run. */
function random(seed) {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
}

/** Positions of a body in a shown sample, as the page would draw them. */
function placed(clip, shown, body) {
  const place = clip.samples[shown].places[body];
  const mesh = clip.meshes[place.mesh];
  const out = new Float64Array(3 * mesh.vertices);
  positionsOf(place.grid ?? mesh.grid, clip.head.bodies[body].step, [0, 0, 0], out);
  if (place.grid) return out;
  for (let i = 0; i < out.length; i += 3) out.set(transformed(place.matrix, out.subarray(i, i + 3)), i);
  return out;
}

/** Every pair of every line is in the page, and no other. */
function checkPairs(name, { clip, lines }) {
  const model = new Model(clip);
  check(lines.some((line) => line.list.length > 0), `${name}: nothing was found`);
  clip.samples.forEach(({ sample, runs }, shown) => {
    const line = lines[sample];
    check(line.pairs === clip.head.found.pairs[sample] && line.self_pairs === clip.head.found.self_pairs[sample],
      `${name}: counts of frame ${line.frame} differ`);
    const list = runs.flatMap((run) => [...run.trisA].map((tri, i) => [model.name(run.a), model.name(run.b), tri, run.trisB[i],
      model.face(shown, run.a, tri), model.face(shown, run.b, run.trisB[i])].join()));
    const wanted = line.list.map((pair) => [pair.name_a, pair.name_b, pair.tri_a, pair.tri_b, pair.face_a, pair.face_b].join());
    check(JSON.stringify(list) === JSON.stringify(wanted), `${name}: pairs of frame ${line.frame} differ`);
    runs.flatMap((run) => [...run.distances ?? []]).forEach((distance, i) =>
      check(Math.abs(distance - line.list[i].distance) <= clip.head.found.distance / 65535, `${name}: distance ${i}`));
  });
}

// ---- a sequence of meshes, two of which change their triangles ----

const frames = 9;
const next = random(7);
const base = Array.from({ length: 60 }, () => [next() * 2 - 1, next() * 2 - 1, next() * 2 - 1]);
const known = [];
mkdirSync("frames");
for (let f = 0; f < frames; f++) {
  // Far from the origin and on the way, smooth at first, then with a jump.
  const jump = f === 5 ? 3 : 0;
  const vertices = base.map(([x, y, z], i) => [1000 + x + 0.1 * f * f + jump, y * (1 + 0.05 * f), z + Math.sin(f + i) * 0.2]);
  const faces = Array.from({ length: f < 6 ? 40 : 30 }, (_, i) => [i, (i * 7 + 11) % 60, (i * 13 + 29) % 60])
    .filter(([a, b, c]) => a !== b && b !== c && a !== c);
  // A polygon of four corners is two triangles of one face.
  const text = [...vertices.map((v) => `v ${v.map((x) => x.toFixed(6)).join(" ")}`), "f 1 2 3 4",
    ...faces.map((corners) => `f ${corners.map((v) => v + 1).join(" ")}`)].join("\n");
  writeFileSync(`frames/shell${f}.obj`, `${text}\n`);
  known.push(vertices.map((v) => v.map((x) => Math.fround(Number(x.toFixed(6))))));
}
const sequence = await report("frames/shell%d.obj");
check(sequence.clip.samples.length === frames, `${sequence.clip.samples.length} samples`);
check(sequence.clip.meshes.length === 2, `${sequence.clip.meshes.length} meshes, not 2`);
const half = sequence.clip.head.bodies[0].step / 2;
known.forEach((vertices, f) => {
  const positions = placed(sequence.clip, f, 0);
  check(positions.length === 3 * vertices.length, `frame ${f}: ${positions.length / 3} vertices`);
  const most = Math.max(...vertices.flatMap((v, i) => v.map((x, k) => Math.abs(x - positions[3 * i + k]))));
  check(most <= half * 1.001, `frame ${f}: a vertex is off by ${most}, more than ${half}`);
});
checkPairs("sequence", sequence);
check(sequence.lines.some((line) => line.self_pairs > 0), "the sequence has no pairs");
const { faces: numbers } = sequence.clip.meshes[0];
check(numbers[0] === 0 && numbers[1] === 0 && numbers[2] === 1, `faces begin ${numbers.slice(0, 3)}`);

// ---- bodies that are posed, morphed and skinned, as glTF has them and as positions ----

for (const scene of ["tumble:triangles=80,frames=12", "dolphins:triangles=200,frames=5", "avatar:frames=3"]) {
  execFileSync(tool, ["scene", "export", scene, "--out", "clip.glb"], { stdio: "pipe" });
  const page = await report("clip.glb");
  checkPairs(scene, page);
  check(page.clip.samples.length === page.lines.length, `${scene}: not all frames are shown`);
  check(page.clip.head.bodies.map((body) => body.name).join() === page.summary.names.join(), `${scene}: other names`);
  for (const { frame, list } of page.lines) {
    for (const pair of list.slice(0, 20)) {
      // The point of a pair is on both triangles: it is no farther from them than they are rounded.
      for (const side of ["a", "b"]) {
        const body = pair[`body_${side}`] - 1;
        const positions = placed(page.clip, frame, body);
        const { corners } = page.clip.meshes[page.clip.samples[frame].places[body].mesh];
        const tri = pair[`tri_${side}`];
        const slack = 4 * page.clip.head.bodies[body].step + 1e-6;
        for (let k = 0; k < 3; k++) {
          const values = [0, 1, 2].map((c) => positions[3 * corners[3 * tri + c] + k]);
          check(pair.at[k] >= Math.min(...values) - slack && pair.at[k] <= Math.max(...values) + slack,
            `${scene}, frame ${frame}: triangle ${tri} is not where it was checked`);
        }
      }
    }
  }
}

// ---- distances, names that look like markup, and two runs ----

writeFileSync("near.obj", "o <b>&\"A\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\no </script>\nv 0 0 .05\nv 1 0 .05\nv 0 1 .05\nf 4 5 6\n");
const near = await report("near.obj", "--distance", "0.1");
checkPairs("near", near);
check(near.clip.samples[0].runs.length === 1, "nothing is near");
check(!near.text.includes("</script>") && !near.text.includes("<b>"), "a name can end a script");
check(near.clip.head.bodies[1].name === "</script>", `the name is ${near.clip.head.bodies[1].name}`);
const again = await report("near.obj", "--distance", "0.1");
check(again.text === near.text, "two runs make two pages");

// ---- a long clip is thinned, and what stands out stays ----

const long = await report("scene:bumpy:triangles=80,frames=12000", "--no-self");
check(long.clip.head.stride > 1 && long.clip.samples.length < 12000, "a long clip is not thinned");
check(long.clip.head.numbers.length === 12000, "not all counts are there");
check(long.clip.head.shown.includes(long.summary.worst_frame.frame), "the worst frame is not shown");
check(long.clip.head.shown.includes(long.summary.first_contact.frame), "the first contact is not shown");
checkPairs("long", long);

process.exit(failures > 0 ? 1 : 0);
