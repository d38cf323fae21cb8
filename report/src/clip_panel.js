// clip_panel.js - what the page says in words and tables: a summary, the picked face, the worst frames,
// who meets whom, all objects, and how the page was made.
//
// Way in: fillPanel. `actions` is what a click does: goTo(sample), goToPair(sample, a, b), look(body),
// hide(body, isHidden), pick(body, face).
import { describeNumber, grouped, plural } from "./clip_model.js";
import { bodyColours, cssOf, distanceColour } from "./clip_view.js";
import { button, element } from "./page_parts.js";

function section(id, title, ...children) {
  return element("section", { id, "aria-labelledby": `${id}-title` },
    element("h2", { id: `${id}-title` }, title), ...children);
}

function swatch(model, body) {
  const { number } = model.head.bodies[body];
  return element("span", { class: "swatch", style: `background:${cssOf(bodyColours[number % bodyColours.length])}` });
}

function numberCell(value, attributes = {}) {
  return element("td", { class: "number", ...attributes }, grouped(value));
}

function row(...cells) {
  return element("tr", {}, ...cells);
}

function headRow(...words) {
  return element("thead", {}, row(...words.map((word, i) =>
    element("th", { scope: "col", ...(i > 0 ? { class: "number" } : {}) }, word))));
}

function scrolled(words, ...children) {
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": words }, ...children);
}

// ---- the summary ----

function verdict(model) {
  const { found } = model;
  const hit = found.pairs.filter((_, sample) => model.total(sample) > 0).length;
  const what = found.distance > 0 ? `within ${describeNumber(found.distance)} of each other` : "";
  if (hit === 0) {
    return found.distance > 0 ? `Nothing comes ${what} in ${plural(found.looked_at, "frame")}.`
      : `No collisions in ${plural(found.looked_at, "frame")}.`;
  }
  return `${found.distance > 0 ? `Faces come ${what}` : "Collisions"} in ${grouped(hit)} of ${
    plural(found.looked_at, "frame")}.`;
}

function contactItem(model, title, contact, actions) {
  if (!contact) return [];
  const own = contact.a === contact.b;
  const words = `frame ${model.frameName(contact.sample)}: ${model.name(contact.a)} face ${contact.face_a} ${
    model.found.distance > 0 ? "is near" : "meets"} ${own ? "its own" : model.name(contact.b)} face ${contact.face_b}`;
  return [element("li", {}, element("b", {}, `${title} `),
    button(words, () => actions.goToContact(contact), { class: "link" }))];
}

function legend(model) {
  const { found } = model;
  const key = (style, words) => element("li", {}, element("span", { class: "swatch", style }), words);
  const items = found.distance > 0
    ? [key(`background:linear-gradient(90deg, ${cssOf(distanceColour(0))}, ${cssOf(distanceColour(1))});width:3em`,
      `faces that meet, to faces ${describeNumber(found.distance)} apart`)]
    : [key(`background:${cssOf(distanceColour(0))}`, "faces that meet")];
  items.push(key("background:var(--between)", "timeline: pairs between objects"));
  if (found.self) items.push(key("background:var(--within)", "timeline: pairs within objects"));
  if (found.first || found.first_self) items.push(element("li", {}, "▼ first contacts; a ring where they are"));
  if (found.impacts.length > 0) items.push(key("background:var(--impact)", "first impact between two frames"));
  return element("ul", { class: "legend" }, ...items);
}

function summary(model, actions) {
  const { head, found } = model;
  const triangles = head.bodies.reduce((sum, _, body) => sum + model.mesh(0, body).triangles, 0);
  const size = `${plural(head.bodies.length, "object")}, ${plural(triangles, "triangle")}, ${
    plural(model.sampleCount, "frame")}.`;
  if (!found) return section("summary", "What this is", element("p", {}, `${size} Nothing was checked.`));
  const parts = [element("p", { class: "verdict" }, verdict(model)), element("p", {}, size)];
  const contacts = [...contactItem(model, "First contact", found.first, actions),
    ...contactItem(model, "First self contact", found.first_self, actions)];
  if (contacts.length > 0) parts.push(element("ul", {}, ...contacts));
  if (found.looked_at < found.wanted) {
    parts.push(element("p", {}, `The check ended there: ${found.looked_at} of ${found.wanted} frames were looked at.`));
  }
  parts.push(legend(model));
  return section("summary", "What was found", ...parts);
}

// ---- worst frames ----

function worst(model, actions) {
  const samples = model.worstSamples(8);
  if (samples.length === 0) return [];
  const items = samples.map((sample) => element("li", {},
    button(`frame ${model.frameName(sample)}`, () => actions.goToWorst(sample), { class: "link", "data-sample": sample }),
    ` ${plural(model.found.pairs[sample], "pair")} between, ${grouped(model.found.self_pairs[sample])} within`));
  return [section("worst", "Worst frames", element("ol", {}, ...items))];
}

// ---- who meets whom ----

const listedMeetings = 100;

function meetings(model, actions) {
  const list = [...model.found.meetings].sort((x, y) => y.most - x.most || x.a - y.a || x.b - y.b);
  if (list.length === 0) return [];
  const rows = list.slice(0, listedMeetings).map((m) => row(
    element("td", {}, button(model.pairName(m.a, m.b), () => actions.goToPair(m.worst, m.a, m.b), { class: "link" })),
    numberCell(m.frames), element("td", { class: "number" }, model.frameName(m.first)), numberCell(m.most)));
  const parts = [scrolled("Who meets whom", element("table", {},
    headRow("objects", "frames", "first", "most pairs"), element("tbody", {}, ...rows)))];
  if (list.length > listedMeetings) parts.push(element("p", {}, `${grouped(list.length - listedMeetings)} more.`));
  return [section("meetings", "Who meets whom", ...parts)];
}

const matrixSize = 24;

/** Objects against objects: those that meet most. */
function matrix(model, actions) {
  const most = new Map();
  for (const m of model.found.meetings) {
    for (const body of [m.a, m.b]) most.set(body, Math.max(most.get(body) ?? 0, m.most));
  }
  const bodies = [...most.keys()].sort((x, y) => most.get(y) - most.get(x)).slice(0, matrixSize)
    .sort((x, y) => x - y);
  if (bodies.length < 2) return [];
  const peak = Math.max(...most.values());
  const of = (x, y) => model.found.meetings.find((m) => m.a === Math.min(x, y) && m.b === Math.max(x, y));
  const cell = (x, y) => {
    const m = of(x, y);
    if (!m) return element("td", { class: "none" }, "·");
    const share = Math.round(20 + 60 * m.most / peak);
    return element("td", { class: "number", style: `background:color-mix(in srgb, var(--heat) ${share}%, transparent)` },
      button(grouped(m.most), () => actions.goToPair(m.worst, m.a, m.b),
        { class: "cell", title: `${model.pairName(m.a, m.b)}: frame ${model.frameName(m.worst)}` }));
  };
  const head = element("thead", {}, row(element("td", {}), ...bodies.map((body) =>
    element("th", { scope: "col", class: "turned" }, element("span", {}, model.name(body))))));
  const rows = bodies.map((y) => row(element("th", { scope: "row" }, model.name(y)), ...bodies.map((x) => cell(x, y))));
  const parts = [element("p", {}, "Most pairs in one frame; a click goes there."),
    scrolled("Objects against objects", element("table", { class: "matrix" }, head, element("tbody", {}, ...rows)))];
  if (most.size > bodies.length) parts.push(element("p", {}, `The ${matrixSize} of ${most.size} that meet most.`));
  return [section("matrix", "Objects against objects", ...parts)];
}

// ---- between frames ----

const listedImpacts = 20;

function impacts(model, actions) {
  const { found } = model;
  if (!found.continuous) return [];
  const items = found.impacts.slice(0, listedImpacts).map((impact) => element("li", {},
    button(`frame ${model.frameName(impact.sample)} + ${impact.share.toFixed(3)}`,
      () => actions.goToImpact(impact), { class: "link" }),
    ` ${model.name(impact.a)} ${impact.feature_a} touches ${model.name(impact.b)} ${impact.feature_b}`));
  const words = found.impacts.length === 0 ? "Nothing touches between the frames."
    : `${plural(found.impacts.length, "step")} with impacts; the first ones:`;
  return [section("impacts", "Between frames", element("p", {}, words), element("ul", {}, ...items))];
}

// ---- objects ----

function objects(model, actions) {
  const rows = model.head.bodies.map((body, i) => {
    const box = element("input", { type: "checkbox", checked: "", id: `show-${i}`, "aria-label": `show ${body.name}` });
    box.addEventListener("change", () => actions.hide(i, !box.checked));
    return row(element("td", {}, box, swatch(model, i), button(body.name, () => actions.look(i), { class: "link" })),
      element("td", { class: "number" }, body.motion), numberCell(model.mesh(0, i).triangles));
  });
  return section("objects", "Objects", scrolled("Objects", element("table", {}, headRow("shown", "motion", "triangles"),
    element("tbody", {}, ...rows))));
}

// ---- how it was made ----

function limits(model) {
  const { head } = model;
  const finest = Math.max(...head.bodies.map((body) => body.step)) / 2;
  const lines = [`Positions in this picture are rounded by up to ${describeNumber(Number(finest.toPrecision(2)))
  } in the units of the file; what was found is exact for the file itself.`];
  if (head.stride > 1) {
    lines.push(`The clip is large: one of ${head.stride} frames is shown, with those that stand out. Counts are of all.`);
  }
  const cut = model.found ? head.shown.filter((sample) => model.isCut(sample)).length : 0;
  if (cut > 0) lines.push(`${plural(cut, "frame")} had so many pairs that only the first ones are in this page.`);
  return lines.map((line) => element("p", {}, line));
}

function about(model) {
  const notes = model.head.notes.map((note) => element("li", {}, note));
  return section("about", "How this was made",
    element("pre", { tabindex: "0", "aria-label": "the command" }, model.head.command),
    ...(notes.length > 0 ? [element("ul", {}, ...notes)] : []), ...limits(model),
    element("p", {}, `Willow ${model.head.willow}; drawn with three.js.`));
}

const keys = [["space", "play, stop"], ["← →", "a frame back, on"], ["Home End", "first, last frame"],
  ["N P", "next, previous frame with pairs"], ["W", "the worst frame"], ["F", "all of the clip"],
  ["C", "what meets in this frame"], ["X", "through what hides it"], ["I J K L", "turn the camera"],
  ["+ −", "nearer, farther"], ["Esc", "forget the picked face"]];

function keyboard() {
  return element("details", { id: "keys" }, element("summary", {}, "Keyboard"),
    element("dl", {}, ...keys.flatMap(([key, words]) =>
      [element("dt", {}, element("kbd", {}, key)), element("dd", {}, words)])));
}

// ---- the picked face ----

const listedPartners = 200;

/** What is known of a face: who it meets in this frame. */
export function pickedWords(model, picked, sample, partners, actions) {
  const intro = element("p", {}, swatch(model, picked.body), element("b", { "data-picked-body": "" }, model.name(picked.body)),
    " face ", element("b", { "data-picked-face": "" }, String(picked.face)));
  const near = model.found?.distance > 0;
  if (!model.found) return [intro];
  const where = `in frame ${model.frameName(sample)}`;
  if (partners.length === 0) {
    return [intro, element("p", {}, model.isCut(sample) ? `No pair of it is in this page ${where}.`
      : `It ${near ? "is near" : "meets"} nothing ${where}.`)];
  }
  const items = partners.slice(0, listedPartners).map((partner) => element("li", {},
    button(`${partner.body === picked.body ? "its own" : model.name(partner.body)} face ${partner.face}`,
      () => actions.pick(partner.body, partner.tri), { class: "link", "data-partner": partner.face,
        "data-partner-body": model.name(partner.body) }),
    partner.distance > 0 ? ` ${describeNumber(Number(partner.distance.toPrecision(3)))} apart` : ""));
  return [intro, element("p", {}, `It ${near ? "is near" : "meets"} ${plural(partners.length, "face")} ${where}:`),
    element("ul", { class: "partners" }, ...items)];
}

export function fillPanel(panel, model, actions) {
  panel.append(summary(model, actions),
    section("picked", "Picked face", element("div", { id: "picked-words", "aria-live": "polite" },
      element("p", {}, "Click on a face to see what it meets."))));
  if (model.found) panel.append(...worst(model, actions), ...meetings(model, actions), ...matrix(model, actions),
    ...impacts(model, actions));
  panel.append(objects(model, actions), about(model), keyboard());
}
