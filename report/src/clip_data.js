// clip_data.js - the bytes of a clip as numbers: meshes, where bodies are in each shown sample, and pairs.
//
// Way in: unpack, which reads what cli/page/page_data.c has written, in the same order. Nothing here
// touches the page.

/** The letters of base 64 as bytes. */
function bytesOf(letters) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(letters);
  const text = atob(letters);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

async function inflate(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Reads one value after the other. */
class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
  }

  byte() {
    return this.bytes[this.at++];
  }

  count() {
    let value = 0;
    let factor = 1;
    for (;;) {
      const byte = this.bytes[this.at++];
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
  }

  difference() {
    const value = this.count();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  real() {
    this.at += 8;
    return this.view.getFloat64(this.at - 8, true);
  }
}

// ---- meshes ----

function readMesh(reader, mesh) {
  const corners = new Uint32Array(3 * mesh.triangles);
  let before = 0;
  for (let i = 0; i < corners.length; i++) {
    before += reader.difference();
    corners[i] = before;
  }
  if (!mesh.faces) return { ...mesh, corners, faces: null };
  const faces = new Uint32Array(mesh.triangles);
  before = -1;
  for (let i = 0; i < faces.length; i++) {
    before += reader.difference();
    faces[i] = before;
  }
  return { ...mesh, corners, faces };
}

// ---- positions ----

const byNeighbour = 0;
const bySample = 1;

function clamp(value) {
  return value < 0 ? 0 : value > 65535 ? 65535 : value;
}

/** What the writer foretold of coordinate i; see page_data.c. */
function foretold(by, now, i, shift, last, before) {
  const axis = Math.floor(i / now.vertices);
  if (by === byNeighbour) return i % now.vertices > 0 ? now.at[i - 1] : 0;
  if (by === bySample) return clamp(last.at[i] + shift[axis]);
  return clamp(2 * last.at[i] - before.at[i] + shift[axis]);
}

/** Whole numbers of steps, axis by axis. `history` has the samples before: [last, the one before it]. */
function readGrid(reader, vertices, history) {
  const by = reader.byte();
  const origin = [reader.real(), reader.real(), reader.real()];
  const now = { vertices, origin, at: new Uint16Array(3 * vertices) };
  const [last, before] = history;
  const shift = by === byNeighbour ? [0, 0, 0]
    : origin.map((at, k) => (by === bySample ? last.origin[k] : 2 * last.origin[k] - before.origin[k]) - at);
  const count = 3 * vertices;
  const { bytes, at: start } = reader;
  for (let i = 0; i < count; i++) {
    const folded = bytes[start + i] | (bytes[start + count + i] << 8);
    const apart = folded % 2 === 0 ? folded / 2 : 0xffff - (folded - 1) / 2;
    now.at[i] = foretold(by, now, i, shift, last, before) + apart;
  }
  reader.at += 2 * count;
  return now;
}

/** x, y, z of every vertex, less what all bodies have in common, so that float32 is enough. */
export function positionsOf(grid, step, centre, out) {
  const n = grid.vertices;
  for (let axis = 0; axis < 3; axis++) {
    const base = grid.origin[axis] * step - centre[axis];
    for (let i = 0; i < n; i++) out[3 * i + axis] = grid.at[axis * n + i] * step + base;
  }
}

/** Lower and upper corner of a grid, as steps. */
function boundsOf(grid) {
  const lower = [];
  const upper = [];
  for (let axis = 0; axis < 3; axis++) {
    let most = 0;
    for (let i = axis * grid.vertices; i < (axis + 1) * grid.vertices; i++) most = Math.max(most, grid.at[i]);
    lower.push(grid.origin[axis]);
    upper.push(grid.origin[axis] + most);
  }
  return { lower, upper };
}

// ---- samples ----

function readPlace(reader, head, meshes, body, history) {
  const mesh = reader.count();
  if (head.bodies[body].posed) {
    const matrix = [];
    for (let i = 0; i < 12; i++) matrix.push(reader.real());
    return { mesh, matrix };
  }
  const grid = readGrid(reader, meshes[mesh].vertices, history);
  history.unshift(grid);
  history.length = Math.min(history.length, 2);
  return { mesh, grid };
}

/** One run of two bodies, or of one with itself: {a, b, trisA, trisB, distances}. */
function readRun(reader, hasDistances, longest) {
  const a = reader.count();
  const b = reader.count();
  const count = reader.count();
  const trisA = new Uint32Array(count);
  const trisB = new Uint32Array(count);
  let beforeA = 0;
  let beforeB = 0;
  for (let i = 0; i < count; i++) {
    beforeA += reader.difference();
    beforeB += reader.difference();
    trisA[i] = beforeA;
    trisB[i] = beforeB;
  }
  if (!hasDistances) return { a, b, trisA, trisB, distances: null };
  const distances = new Float32Array(count);
  for (let i = 0; i < count; i++) {
    const low = reader.byte();
    distances[i] = (low | (reader.byte() << 8)) / 65535 * longest;
  }
  return { a, b, trisA, trisB, distances };
}

function readRuns(reader, found) {
  const runs = [];
  if (!found) return runs;
  for (let left = reader.count(); left > 0; left--) {
    runs.push(readRun(reader, found.distance > 0, found.distance));
  }
  return runs;
}

// ---- bounds ----

function extend(box, point) {
  for (let k = 0; k < 3; k++) {
    box.lower[k] = Math.min(box.lower[k], point[k]);
    box.upper[k] = Math.max(box.upper[k], point[k]);
  }
}

function emptyBox() {
  return { lower: [Infinity, Infinity, Infinity], upper: [-Infinity, -Infinity, -Infinity] };
}

export function transformed(matrix, p) {
  return [0, 1, 2].map((i) => matrix[4 * i] * p[0] + matrix[4 * i + 1] * p[1] + matrix[4 * i + 2] * p[2]
    + matrix[4 * i + 3]);
}

/** The box of one body in one shown sample, in the units of the file. */
export function boxOfPlace(clip, shown, body) {
  const place = clip.samples[shown].places[body];
  const mesh = clip.meshes[place.mesh];
  const step = clip.head.bodies[body].step;
  const box = emptyBox();
  if (mesh.vertices === 0) return box;
  const { lower, upper } = place.bounds ?? mesh.bounds;
  for (let corner = 0; corner < 8; corner++) {
    const p = [0, 1, 2].map((k) => ((corner >> k) & 1 ? upper[k] : lower[k]) * step);
    extend(box, place.matrix ? transformed(place.matrix, p) : p);
  }
  return box;
}

function boxOfClip(clip) {
  const box = emptyBox();
  clip.samples.forEach((sample, shown) => sample.places.forEach((_, body) => {
    const one = boxOfPlace(clip, shown, body);
    if (one.lower[0] > one.upper[0]) return;
    extend(box, one.lower);
    extend(box, one.upper);
  }));
  if (box.lower[0] > box.upper[0]) return { lower: [0, 0, 0], upper: [1, 1, 1] };
  return box;
}

// ---- all ----

/** {head, meshes, samples: [{sample, places, runs}], box} */
export async function unpack(head, letters) {
  const reader = new Reader(await inflate(bytesOf(letters)));
  if (reader.bytes.length !== head.bytes) throw new Error("the data of this page are not whole");
  const meshes = head.meshes.map((mesh) => readMesh(reader, mesh));
  for (const mesh of meshes) {
    if (!head.bodies[mesh.body].posed) continue;
    mesh.grid = readGrid(reader, mesh.vertices, []);
    mesh.bounds = boundsOf(mesh.grid);
  }
  const histories = head.bodies.map(() => []);
  const samples = head.shown.map((sample) => {
    const places = head.bodies.map((_, body) => readPlace(reader, head, meshes, body, histories[body]));
    for (const place of places) if (place.grid) place.bounds = boundsOf(place.grid);
    return { sample, places, runs: readRuns(reader, head.found) };
  });
  if (reader.at !== reader.bytes.length) throw new Error("the data of this page are not as they should be");
  const clip = { head, meshes, samples };
  clip.box = boxOfClip(clip);
  return clip;
}
