// results.js - lines of results.jsonl, sorted into what the page and the charts ask for.
//
// Way in: readResults. A line is the machine, a point of the bandwidth curve, or one method on one
// scene; the last two kinds are told apart by their keys.

/** Groups rows by scene and question as they were asked for, in the order in which they ran. The title
 * names the question where there are several. */
function groupByScene(rows) {
  const isOneQuestion = new Set(rows.map((row) => row.query)).size === 1;
  const scenes = new Map();
  for (const row of rows) {
    const title = isOneQuestion ? row.spec : `${row.spec}, query ${row.query}`;
    if (!scenes.has(title)) {
      scenes.set(title, { title, spec: row.spec, query: row.query, name: row.scene, rows: [] });
    }
    scenes.get(title).rows.push(row);
  }
  return [...scenes.values()];
}

/** Fifths as fields of their own, under the names that they have in CSV; one without frames is none. */
export function withFifths(row) {
  const fields = (row.fifths ?? []).map((value, i) => [`fifths_${i + 1}`, value ?? undefined]);
  return { ...row, ...Object.fromEntries(fields) };
}

/** A peer that loses or invents pairs is never best, nor is a wrong method. */
export function isSound(row) {
  return !row.wrong && !row.lost && !row.extra;
}

export function isPeer(row) {
  return row.method.startsWith("peer:");
}

/** The fastest sound row of a scene, or undefined. */
export function fastest(rows) {
  const sound = rows.filter(isSound);
  return sound.reduce((best, row) => (best && best.total_ms <= row.total_ms ? best : row), undefined);
}

/** Means over repetitions: [[frame, update ms, query ms], ...], by frame. */
export function meanSeries(series) {
  const sums = new Map();
  series.frame.forEach((frame, i) => {
    const sum = sums.get(frame) ?? [0, 0, 0];
    sums.set(frame, [sum[0] + 1, sum[1] + series.update_ms[i], sum[2] + series.query_ms[i]]);
  });
  return [...sums].sort((a, b) => a[0] - b[0])
    .map(([frame, [count, update, query]]) => [frame, update / count, query / count]);
}

// ---- spreads ----

/** The value below which that share of sorted numbers is. */
function quantile(sorted, share) {
  const at = share * (sorted.length - 1);
  const low = Math.floor(at);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

export function quartilesOf(numbers) {
  const sorted = [...numbers].sort((x, y) => x - y);
  return [0.25, 0.5, 0.75].map((share) => quantile(sorted, share));
}

/** Update and query together of every counted frame, as often as it was run. */
function frameTimes(row) {
  return row.series ? row.series.update_ms.map((update, i) => update + row.series.query_ms[i]) : [];
}

function withQuartiles(row) {
  const times = frameTimes(row);
  return times.length >= 4 ? { ...row, quartiles: quartilesOf(times) } : row;
}

/** How many times slower one is than another in each frame: the quartiles. Frames of a scene differ much
 * from each other, and all methods do the same ones in turns, so that only frame against frame is fair. */
export function timesSlower(row, other) {
  const [slow, fast] = [frameTimes(row), frameTimes(other)];
  const ratios = slow.map((time, i) => time / fast[i]).filter(Number.isFinite);
  return slow.length === fast.length && ratios.length >= 4 ? quartilesOf(ratios) : undefined;
}

/** {first, second, ratios, isWin}: the fastest sound method and the next, and whether the first is faster in
 * three quarters of the frames, that is, whether the spread of their ratio leaves out 1. */
export function standing(rows) {
  const [first, second] = rows.filter(isSound).sort((x, y) => x.total_ms - y.total_ms);
  if (second === undefined) return { first, second };
  const ratios = timesSlower(second, first);
  return { first, second, ratios, isWin: ratios !== undefined && ratios[0] > 1 };
}

// ---- all ----

export function readResults(lines) {
  const rows = lines.filter((line) => line.method !== undefined).map(withQuartiles);
  return {
    machine: lines.find((line) => line.machine !== undefined)?.machine,
    curve: lines.filter((line) => line.limit === "stream"),
    rows,
    scenes: groupByScene(rows),
    methods: [...new Set(rows.map((row) => row.method))],
    isCompared: rows.some((row) => row.speedup !== undefined),
  };
}
