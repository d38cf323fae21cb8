// clip.js - the page of willow check --report and willow view: reads the clip that was put into it, and
// puts view, timeline and words together.
import { unpack } from "./clip_data.js";
import { Model, grouped } from "./clip_model.js";
import { fillPanel, pickedWords } from "./clip_panel.js";
import { Timeline } from "./clip_timeline.js";
import { View } from "./clip_view.js";
import { element } from "./page_parts.js";

const byId = (id) => document.getElementById(id);

class Page {
  constructor(model) {
    this.model = model;
    this.shown = 0;
    this.picked = null;
    this.timer = null;
    this.actions = {
      goToContact: (contact) => this.goToContact(contact),
      goToWorst: (sample) => this.goToWorst(sample),
      goToPair: (sample, a, b) => this.goToPair(sample, a, b),
      goToImpact: (impact) => this.goToImpact(impact),
      look: (body) => this.view?.lookAtBody(body),
      hide: (body, isHidden) => this.view?.setHidden(body, isHidden),
      pick: (body, tri) => this.pick({ body, tri }),
    };
    document.title = `${model.head.title} - Willow`;
    byId("title").textContent = model.head.title;
    fillPanel(byId("panel"), model, this.actions);
    this.makeView();
    this.timeline = new Timeline(byId("timeline"), model, (sample) => this.goTo(sample));
    this.connect();
    this.setTheme(null);
    this.readAddress();
  }

  makeView() {
    try {
      this.view = new View(byId("view"), this.model);
      this.view.canvas.setAttribute("role", "img");
      this.view.canvas.setAttribute("aria-label", "The clip in 3D; a click on a face picks it");
    } catch (error) {
      this.view = null;
      byId("view").append(element("p", { class: "sorry" },
        `This browser shows no 3D (${error.message}). All that was found is listed beside this.`));
    }
  }

  // ---- time ----

  get sample() {
    return this.model.head.shown[this.shown];
  }

  goTo(sample) {
    this.showPlace(this.model.nearestShown(sample));
  }

  showPlace(shown) {
    const { model } = this;
    this.shown = Math.min(Math.max(shown, 0), model.head.shown.length - 1);
    const { sample } = this;
    this.view?.show(this.shown);
    this.view?.setMarks(this.marksOf(sample));
    this.timeline.setSample(sample);
    byId("frame").textContent = model.frameName(sample);
    byId("time").textContent = model.timeName(sample);
    byId("counts").textContent = model.found
      ? `${grouped(model.found.pairs[sample])} between, ${grouped(model.found.self_pairs[sample])} within` : "";
    this.showPicked();
  }

  marksOf(sample) {
    const { found } = this.model;
    if (!found) return [];
    return [found.first, found.first_self, ...found.impacts]
      .filter((mark) => mark && mark.sample === sample).map((mark) => mark.at);
  }

  step(count) {
    this.stop();
    this.showPlace(this.shown + count);
  }

  /** The next or the previous sample with pairs. */
  stepToHit(direction) {
    if (!this.model.found) return;
    this.stop();
    for (let i = this.shown + direction; i >= 0 && i < this.model.head.shown.length; i += direction) {
      if (this.model.total(this.model.head.shown[i]) > 0) {
        this.showPlace(i);
        return;
      }
    }
  }

  /** Milliseconds from one shown sample to the next, as the file has it, or 24 a second. */
  pause() {
    const { seconds, has_times: hasTimes, shown } = this.model.head;
    const next = shown[this.shown + 1];
    const apart = hasTimes && next !== undefined ? 1000 * (seconds[next] - seconds[this.sample])
      : 1000 / 24 * this.model.head.stride;
    return Math.min(Math.max(apart, 10), 1000) / Number(byId("speed").value);
  }

  play() {
    if (this.shown === this.model.head.shown.length - 1) this.showPlace(0);
    const go = () => {
      if (this.shown + 1 >= this.model.head.shown.length) {
        this.stop();
        return;
      }
      this.showPlace(this.shown + 1);
      this.timer = setTimeout(go, this.pause());
    };
    this.timer = setTimeout(go, this.pause());
    this.showPlaying();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.showPlaying();
  }

  toggle() {
    if (this.timer === null) this.play();
    else this.stop();
  }

  showPlaying() {
    byId("play").textContent = this.timer === null ? "▶ Play" : "❚❚ Stop";
  }

  // ---- going to what was found ----

  /** All triangles that meet in this frame, or those of two objects. */
  trisThatMeet(a, b) {
    const list = [];
    for (const run of this.model.clip.samples[this.shown].runs) {
      if (a !== undefined && (run.a !== a || run.b !== b)) continue;
      run.trisA.forEach((tri) => list.push({ body: run.a, tri }));
      run.trisB.forEach((tri) => list.push({ body: run.b, tri }));
    }
    return list;
  }

  /** Stops, goes there, and brings the picture into sight where it stands above the words. */
  visit(sample) {
    this.stop();
    this.goTo(sample);
    byId("view").scrollIntoView({ block: "nearest" });
  }

  goToPair(sample, a, b) {
    this.visit(sample);
    this.view?.lookAtTris(this.trisThatMeet(a, b));
  }

  goToWorst(sample) {
    this.visit(sample);
    this.view?.lookAtTris(this.trisThatMeet());
  }

  goToContact(contact) {
    this.visit(contact.sample);
    const [tri] = this.model.trisOfFace(this.shown, contact.a, contact.face_a);
    this.pick({ body: contact.a, tri });
    this.view?.lookAtTris([...this.model.trisOfFace(this.shown, contact.a, contact.face_a)
      .map((one) => ({ body: contact.a, tri: one })), ...this.model.trisOfFace(this.shown, contact.b, contact.face_b)
      .map((one) => ({ body: contact.b, tri: one }))]);
  }

  goToImpact(impact) {
    this.visit(impact.sample);
    this.view?.lookAtBody(impact.a);
  }

  // ---- the picked face ----

  pick(hit) {
    if (hit === null) {
      this.picked = null;
      this.showPicked();
      return;
    }
    this.picked = { body: hit.body, face: this.model.face(this.shown, hit.body, hit.tri) };
    this.showPicked();
  }

  showPicked() {
    const words = byId("picked-words");
    if (!this.picked) {
      this.view?.setPicked([], []);
      if (words.dataset.face) words.replaceChildren(element("p", {}, "Click on a face to see what it meets."));
      delete words.dataset.face;
      return;
    }
    const { body, face } = this.picked;
    const tris = this.model.trisOfFace(this.shown, body, face);
    const partners = this.model.partners(this.shown, body, tris);
    words.dataset.face = face;
    words.replaceChildren(...pickedWords(this.model, this.picked, this.sample, partners, this.actions));
    this.view?.setPicked(tris.filter((tri) => tri < this.model.mesh(this.shown, body).triangles)
      .map((tri) => ({ body, tri })), partners);
  }

  // ---- looks ----

  setTheme(theme) {
    if (theme) document.documentElement.dataset.theme = theme;
    const style = getComputedStyle(document.documentElement);
    this.view?.setBackground(style.getPropertyValue("--sky").trim());
    this.timeline.draw();
  }

  toggleTheme() {
    const isDark = getComputedStyle(document.documentElement).getPropertyValue("--scheme").trim() === "dark";
    this.setTheme(isDark ? "light" : "dark");
  }

  toggleXRay() {
    const isOn = byId("x-ray").getAttribute("aria-pressed") !== "true";
    byId("x-ray").setAttribute("aria-pressed", String(isOn));
    this.view?.setXRay(isOn);
  }

  toggleUp() {
    this.view?.setUp(this.view.up === "z" ? "y" : "z");
  }

  // ---- mouse, fingers, keys ----

  connect() {
    byId("play").addEventListener("click", () => this.toggle());
    byId("back").addEventListener("click", () => this.step(-1));
    byId("on").addEventListener("click", () => this.step(1));
    byId("fit").addEventListener("click", () => this.view?.fit());
    byId("x-ray").addEventListener("click", () => this.toggleXRay());
    byId("up").addEventListener("click", () => this.toggleUp());
    byId("theme").addEventListener("click", () => this.toggleTheme());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.setTheme(null));
    document.addEventListener("keydown", (event) => this.onKey(event));
    if (!this.view) return;
    let from = null;
    this.view.canvas.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; });
    this.view.canvas.addEventListener("pointerup", (event) => {
      const isClick = from && Math.hypot(event.clientX - from[0], event.clientY - from[1]) < 5;
      if (isClick) this.pick(this.view.pickAt(event.clientX, event.clientY));
      from = null;
    });
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches("input, select, pre, .scroll")) return;
    if (event.key === " " && event.target.matches("button, summary")) return;
    const turn = Math.PI / 24;
    const actions = {
      " ": () => this.toggle(), ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1),
      Home: () => this.step(-Infinity), End: () => this.step(Infinity), n: () => this.stepToHit(1),
      p: () => this.stepToHit(-1), f: () => this.view?.fit(), x: () => this.toggleXRay(),
      c: () => this.view?.lookAtTris(this.trisThatMeet()), Escape: () => this.pick(null),
      w: () => this.model.found && this.goToWorst(this.model.worstSamples(1)[0] ?? 0),
      j: () => this.view?.orbit(-turn, 0), l: () => this.view?.orbit(turn, 0), i: () => this.view?.orbit(0, turn),
      k: () => this.view?.orbit(0, -turn), "+": () => this.view?.zoom(1.25), "-": () => this.view?.zoom(0.8),
    };
    const action = actions[event.key] ?? actions[event.key.toLowerCase()];
    if (!action) return;
    event.preventDefault();
    action();
  }

  /** "#frame=42&eye=1,2,3&look-at=0,0,0": where to begin, and from where to look. */
  readAddress() {
    const words = new URLSearchParams(location.hash.slice(1));
    const first = this.model.found?.first?.sample ?? this.model.found?.first_self?.sample ?? 0;
    const wanted = words.has("frame") ? this.model.head.numbers.indexOf(Number(words.get("frame"))) : first;
    this.goTo(Math.max(wanted, 0));
    const points = ["eye", "look-at"].map((name) => (words.get(name) ?? "").split(",").map(Number));
    if (points.every((point) => point.length === 3 && point.every(Number.isFinite))) this.view?.setCamera(...points);
  }
}

async function begin() {
  const head = JSON.parse(byId("clip").textContent);
  const letters = byId("data").textContent;
  byId("data").remove();
  const page = new Page(new Model(await unpack(head, letters)));
  window.willow = page; // for tests, and whoever wants to know more
  const isDrawn = () => { document.documentElement.dataset.ready = "1"; };
  if (page.view) page.view.onDrawn = isDrawn;
  else isDrawn();
}

begin().catch((error) => {
  byId("title").textContent = "This page cannot be shown";
  byId("view").append(element("p", { class: "sorry" }, error.message));
  throw error;
});
