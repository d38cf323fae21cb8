// clip_model.js - questions about a clip that every part of the page asks: which sample is shown where,
// which faces meet, and what to call things.

export function describeNumber(value) {
  return Number(value.toPrecision(10)).toString();
}

export function grouped(value) {
  return value.toLocaleString("en-US");
}

export function plural(count, one, many = `${one}s`) {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

export class Model {
  constructor(clip) {
    this.clip = clip;
    this.head = clip.head;
    this.found = clip.head.found ?? null;
    this.sampleCount = this.head.numbers.length;
    this.shownOf = new Map(this.head.shown.map((sample, i) => [sample, i]));
    this.centre = [0, 1, 2].map((k) => (clip.box.lower[k] + clip.box.upper[k]) / 2);
    this.size = Math.hypot(...[0, 1, 2].map((k) => clip.box.upper[k] - clip.box.lower[k])) || 1;
  }

  /** The place among the shown samples that is nearest to a sample. */
  nearestShown(sample) {
    const list = this.head.shown;
    let low = 0;
    let high = list.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (list[middle] <= sample) low = middle;
      else high = middle - 1;
    }
    return low + 1 < list.length && list[low + 1] - sample < sample - list[low] ? low + 1 : low;
  }

  frameName(sample) {
    return describeNumber(this.head.numbers[sample]);
  }

  timeName(sample) {
    return this.head.has_times ? `${this.head.seconds[sample].toFixed(3)} s` : "";
  }

  name(body) {
    return this.head.bodies[body].name;
  }

  pairName(a, b) {
    return a === b ? `${this.name(a)} and itself` : `${this.name(a)} and ${this.name(b)}`;
  }

  mesh(shown, body) {
    return this.clip.meshes[this.clip.samples[shown].places[body].mesh];
  }

  face(shown, body, tri) {
    const { faces } = this.mesh(shown, body);
    return faces ? faces[tri] : tri;
  }

  total(sample) {
    return this.found.pairs[sample] + this.found.self_pairs[sample];
  }

  /** True if the sample has more pairs than are in the page. */
  isCut(sample) {
    return this.found !== null && this.found.listed[sample] < this.total(sample);
  }

  /** By body: triangles that are in a pair, each with its least distance (0 where things meet). */
  hits(shown) {
    const hits = this.head.bodies.map(() => new Map());
    const add = (body, tri, distance) => {
      const least = hits[body].get(tri);
      if (least === undefined || distance < least) hits[body].set(tri, distance);
    };
    for (const run of this.clip.samples[shown].runs) {
      for (let i = 0; i < run.trisA.length; i++) {
        const distance = run.distances ? run.distances[i] : 0;
        add(run.a, run.trisA[i], distance);
        add(run.b, run.trisB[i], distance);
      }
    }
    return hits;
  }

  /** All pairs that one of these triangles is in: [{body, tri, face, distance}], sorted by body and face. */
  partners(shown, body, tris) {
    const wanted = new Set(tris);
    const list = [];
    for (const run of this.clip.samples[shown].runs) {
      if (run.a !== body && run.b !== body) continue;
      for (let i = 0; i < run.trisA.length; i++) {
        const distance = run.distances ? run.distances[i] : null;
        if (run.a === body && wanted.has(run.trisA[i])) list.push({ body: run.b, tri: run.trisB[i], distance });
        if (run.b === body && wanted.has(run.trisB[i])) list.push({ body: run.a, tri: run.trisA[i], distance });
      }
    }
    for (const partner of list) partner.face = this.face(shown, partner.body, partner.tri);
    return list.sort((x, y) => x.body - y.body || x.face - y.face || x.tri - y.tri);
  }

  /** Triangles that one face of the file was divided into. */
  trisOfFace(shown, body, face) {
    const { faces } = this.mesh(shown, body);
    if (!faces) return [face];
    const tris = [];
    faces.forEach((other, tri) => other === face && tris.push(tri));
    return tris;
  }

  /** Samples with the most pairs, no two of them side by side in time. */
  worstSamples(count) {
    const order = [...Array(this.found.pairs.length).keys()].filter((sample) => this.total(sample) > 0)
      .sort((x, y) => this.total(y) - this.total(x) || x - y);
    const apart = Math.max(1, Math.floor(this.found.pairs.length / (2 * count)));
    const chosen = [];
    for (const sample of order) {
      if (chosen.every((other) => Math.abs(other - sample) >= apart)) chosen.push(sample);
      if (chosen.length === count) break;
    }
    return chosen;
  }
}
