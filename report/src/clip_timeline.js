// clip_timeline.js - pairs over all samples as a chart that is dragged and clicked, and a slider for
// those who do not use a mouse.
import { grouped } from "./clip_model.js";

const height = 84;
const margin = 8;
const top = 14;
const bottom = 6;

export class Timeline {
  constructor(place, model, onSample) {
    this.model = model;
    this.place = place;
    this.onSample = onSample;
    this.sample = 0;
    this.canvas = document.createElement("canvas");
    this.canvas.setAttribute("aria-hidden", "true");
    place.append(this.canvas);
    place.setAttribute("role", "slider");
    place.setAttribute("tabindex", "0");
    place.setAttribute("aria-label", "Frame");
    place.setAttribute("aria-valuemin", "0");
    place.setAttribute("aria-valuemax", String(model.sampleCount - 1));
    place.addEventListener("pointerdown", (event) => {
      place.setPointerCapture(event.pointerId);
      this.isDragged = true;
      this.goTo(event);
    });
    place.addEventListener("pointermove", (event) => this.isDragged && this.goTo(event));
    for (const end of ["pointerup", "pointercancel"]) {
      place.addEventListener(end, () => { this.isDragged = false; });
    }
    new ResizeObserver(() => this.draw()).observe(place);
  }

  goTo(event) {
    const box = this.canvas.getBoundingClientRect();
    const share = (event.clientX - box.left - margin) / Math.max(1, box.width - 2 * margin);
    const last = this.model.sampleCount - 1;
    this.onSample(Math.round(Math.min(Math.max(share, 0), 1) * last));
  }

  setSample(sample) {
    const { model } = this;
    this.sample = sample;
    this.place.setAttribute("aria-valuenow", String(sample));
    const counts = model.found ? `, ${grouped(model.total(sample))} pairs` : "";
    this.place.setAttribute("aria-valuetext", `frame ${model.frameName(sample)}${counts}`);
    this.draw();
  }

  xOf(sample, width) {
    const last = this.model.sampleCount - 1;
    return margin + (last > 0 ? sample / last : 0.5) * (width - 2 * margin);
  }

  /** The most of each column of pixels: [between, within], so that no peak is lost. */
  columns(width) {
    const { found } = this.model;
    const count = this.model.sampleCount;
    const columns = new Map();
    for (let i = 0; i < found.pairs.length; i++) {
      const x = Math.round(this.xOf(i, width));
      const old = columns.get(x);
      const sum = found.pairs[i] + found.self_pairs[i];
      if (!old || sum > old[0] + old[1]) columns.set(x, [found.pairs[i], found.self_pairs[i]]);
    }
    return { columns, wide: Math.max(1, Math.floor((width - 2 * margin) / Math.max(count, 1) - 0.5)) };
  }

  drawCounts(context, width, colours) {
    const { found } = this.model;
    const { columns, wide } = this.columns(width);
    let most = 1;
    for (const [between, within] of columns.values()) most = Math.max(most, between + within);
    const room = height - top - bottom;
    const tall = (count) => (count > 0 ? Math.max(2, count / most * room) : 0);
    for (const [x, [between, within]] of columns) {
      const left = x - Math.floor(wide / 2);
      context.fillStyle = colours.between;
      context.fillRect(left, height - bottom - tall(between), wide, tall(between));
      context.fillStyle = colours.within;
      context.fillRect(left, height - bottom - tall(between) - tall(within), wide, tall(within));
    }
    for (const contact of [found.first, found.first_self]) {
      if (contact) this.drawFlag(context, this.xOf(contact.sample, width), colours.ink);
    }
    context.fillStyle = colours.impact;
    for (const impact of found.impacts) {
      context.fillRect(this.xOf(impact.sample + impact.share, width) - 1, height - bottom, 2, bottom);
    }
  }

  /** A first contact: a flag that points down. */
  drawFlag(context, x, colour) {
    context.fillStyle = colour;
    context.beginPath();
    context.moveTo(x - 6, 1);
    context.lineTo(x + 6, 1);
    context.lineTo(x, 11);
    context.fill();
  }

  draw() {
    const width = this.place.clientWidth;
    if (width === 0) return;
    const ratio = Math.min(window.devicePixelRatio, 2);
    this.canvas.width = width * ratio;
    this.canvas.height = height * ratio;
    this.canvas.style.width = `${width}px`;
    this.canvas.style.height = `${height}px`;
    const style = getComputedStyle(this.place);
    const colours = Object.fromEntries(["between", "within", "impact", "ink", "line"]
      .map((name) => [name, style.getPropertyValue(`--${name}`)]));
    const context = this.canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.clearRect(0, 0, width, height);
    context.fillStyle = colours.line;
    context.fillRect(margin, height - bottom, width - 2 * margin, 1);
    if (this.model.found) this.drawCounts(context, width, colours);
    const x = this.xOf(this.sample, width);
    context.fillStyle = colours.ink;
    context.fillRect(x - 1, top - 3, 2, height - top);
    context.beginPath();
    context.arc(x, height - bottom, 5, 0, 2 * Math.PI);
    context.fill();
  }
}
