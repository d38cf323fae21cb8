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

export function readResults(lines) {
  const rows = lines.filter((line) => line.method !== undefined);
  return {
    machine: lines.find((line) => line.machine !== undefined)?.machine,
    curve: lines.filter((line) => line.limit === "stream"),
    rows,
    scenes: groupByScene(rows),
    methods: [...new Set(rows.map((row) => row.method))],
    isCompared: rows.some((row) => row.speedup !== undefined),
  };
}
