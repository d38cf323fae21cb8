// clip_view.js - the clip in 3D, with three.js: bodies, faces that meet, a picked face, marks.
//
// Way in: View. Positions are put into buffers when a sample is shown, and a picture is drawn only when
// something has changed. What is drawn is in the units of the file, less the middle of the clip.
import {
  BufferAttribute, BufferGeometry, CanvasTexture, Color, DirectionalLight, DoubleSide, Group, HemisphereLight,
  LineBasicMaterial, LineSegments, Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, PerspectiveCamera,
  Raycaster, Scene, Sprite, SpriteMaterial, Vector2, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { boxOfPlace, positionsOf, transformed } from "./clip_data.js";

// As willow render has them: no reds, which are for collisions.
export const bodyColours = [[86, 142, 194], [224, 182, 104], [112, 172, 122], [156, 130, 192], [92, 176, 172],
  [206, 160, 128], [142, 162, 182], [186, 196, 112], [120, 132, 200], [202, 190, 168]];
const hitColour = [226, 34, 24];
const nearColour = [250, 204, 60];
const degreesUpright = 36;

export function cssOf([r, g, b]) {
  return `rgb(${r}, ${g}, ${b})`;
}

function colourOf(rgb) {
  return new Color(cssOf(rgb));
}

/** From red, where things meet, to yellow, as far apart as they were looked for. */
export function distanceColour(share) {
  return hitColour.map((from, k) => Math.round(from + share * (nearColour[k] - from)));
}

/** A ring that has the same size wherever it is. */
function ringTexture() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const context = canvas.getContext("2d");
  for (const [width, colour] of [[11, "#ffffff"], [6, "#111111"]]) {
    context.lineWidth = width;
    context.strokeStyle = colour;
    context.beginPath();
    context.arc(32, 32, 24, 0, 2 * Math.PI);
    context.stroke();
  }
  return new CanvasTexture(canvas);
}

/** A geometry of loose triangles or lines that is filled anew for every sample. */
class Soup {
  constructor(object, hasColours) {
    this.object = object;
    this.hasColours = hasColours;
    this.room = 0;
    object.frustumCulled = false;
    object.visible = false;
  }

  fill(count, put) {
    const { geometry } = this.object;
    if (count > this.room) {
      this.room = Math.ceil(count * 1.5);
      geometry.dispose();
      geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * this.room), 3));
      if (this.hasColours) geometry.setAttribute("color", new BufferAttribute(new Float32Array(3 * this.room), 3));
    }
    this.object.visible = count > 0;
    if (count === 0) return;
    put(geometry.attributes.position.array, geometry.attributes.color?.array);
    geometry.attributes.position.needsUpdate = true;
    if (this.hasColours) geometry.attributes.color.needsUpdate = true;
    geometry.setDrawRange(0, count);
  }
}

export class View {
  constructor(place, model) {
    this.model = model;
    this.place = place;
    this.renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
    this.canvas = this.renderer.domElement;
    place.append(this.canvas);
    this.camera = new PerspectiveCamera(degreesUpright, 1, model.size / 1000, model.size * 50);
    this.controls = new OrbitControls(this.camera, this.canvas);
    this.controls.addEventListener("change", () => this.invalidate());
    this.shown = -1;
    this.hidden = new Set();
    this.isWaiting = false;
    this.makeScene();
    this.makeBodies();
    this.setUp(model.head.up);
    new ResizeObserver(() => this.resize()).observe(place);
    this.resize();
  }

  // ---- making ----

  makeScene() {
    this.scene = new Scene();
    this.root = new Group();
    this.scene.add(this.root, this.camera, new HemisphereLight(0xffffff, 0x8890a0, 1.7));
    const lamp = new DirectionalLight(0xffffff, 1.8);
    lamp.position.set(0.4, 0.6, 1);
    this.camera.add(lamp);
    // By a constant only: one that grows with the slope would let red shine through at outlines.
    const pulled = { side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 0, polygonOffsetUnits: -4 };
    this.hitMaterial = new MeshLambertMaterial({ ...pulled, vertexColors: true, flatShading: true });
    this.hits = new Soup(new Mesh(new BufferGeometry(), this.hitMaterial), true);
    this.hits.object.renderOrder = 1;
    this.glow = new Mesh(this.hits.object.geometry, new MeshBasicMaterial({
      side: DoubleSide, vertexColors: true, transparent: true, opacity: 0.4, depthTest: false, depthWrite: false,
    }));
    this.glow.frustumCulled = false;
    this.glow.renderOrder = 2;
    const faces = { side: DoubleSide, transparent: true, opacity: 0.75, depthTest: false };
    this.picked = new Soup(new Mesh(new BufferGeometry(), new MeshBasicMaterial({ ...faces, color: 0x1565ff })));
    this.partners = new Soup(new Mesh(new BufferGeometry(), new MeshBasicMaterial({ ...faces, color: 0xffd400 })));
    this.outline = new Soup(new LineSegments(new BufferGeometry(),
      new LineBasicMaterial({ color: 0x000000, depthTest: false, transparent: true })));
    this.partners.object.renderOrder = 3;
    this.picked.object.renderOrder = 4;
    this.outline.object.renderOrder = 5;
    this.ring = new SpriteMaterial({ map: ringTexture(), depthTest: false, sizeAttenuation: false });
    this.marks = new Group();
    this.root.add(this.hits.object, this.glow, this.picked.object, this.partners.object, this.outline.object,
      this.marks);
    this.isXRay = true;
  }

  makeBodies() {
    this.bodies = this.model.head.bodies.map((body, i) => {
      const material = new MeshLambertMaterial({ color: colourOf(bodyColours[body.number % bodyColours.length]),
        side: DoubleSide, flatShading: true });
      const object = new Mesh(new BufferGeometry(), material);
      object.frustumCulled = false;
      object.matrixAutoUpdate = false;
      object.userData.body = i;
      this.root.add(object);
      return { object, mesh: -1 };
    });
  }

  // ---- bodies ----

  /** A new mesh: its corners, and room for its positions. */
  setMesh(entry, number) {
    const mesh = this.model.clip.meshes[number];
    const geometry = new BufferGeometry();
    geometry.setIndex(new BufferAttribute(mesh.corners, 1));
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(3 * mesh.vertices), 3));
    entry.object.geometry.dispose();
    entry.object.geometry = geometry;
    entry.mesh = number;
    entry.isPlaced = false;
  }

  /** Bodies with a matrix have positions about a middle of their own. */
  middleOf(mesh, body) {
    const { step } = this.model.head.bodies[body];
    return [0, 1, 2].map((k) => (mesh.bounds.lower[k] + mesh.bounds.upper[k]) / 2 * step);
  }

  placeBody(body, shown) {
    const entry = this.bodies[body];
    const place = this.model.clip.samples[shown].places[body];
    if (entry.mesh !== place.mesh) this.setMesh(entry, place.mesh);
    const mesh = this.model.clip.meshes[place.mesh];
    const { step } = this.model.head.bodies[body];
    const positions = entry.object.geometry.attributes.position;
    if (place.grid) {
      positionsOf(place.grid, step, this.model.centre, positions.array);
      positions.needsUpdate = true;
      return;
    }
    const middle = this.middleOf(mesh, body);
    if (!entry.isPlaced) positionsOf(mesh.grid, step, middle, positions.array);
    entry.isPlaced = true;
    const m = place.matrix;
    const at = transformed(m, middle).map((value, k) => value - this.model.centre[k]);
    entry.object.matrix = new Matrix4(m[0], m[1], m[2], at[0], m[4], m[5], m[6], at[1], m[8], m[9], m[10], at[2],
      0, 0, 0, 1);
    entry.object.matrixWorldNeedsUpdate = true;
  }

  /** Writes the three corners of a triangle, as they are shown; `out` from `at` on. */
  putCorners(body, tri, out, at) {
    const { object } = this.bodies[body];
    const { index, attributes } = object.geometry;
    const corner = new Vector3();
    for (let k = 0; k < 3; k++) {
      corner.fromBufferAttribute(attributes.position, index.array[3 * tri + k]).applyMatrix4(object.matrix);
      corner.toArray(out, at + 3 * k);
    }
  }

  /** The middle of a triangle, for tests and marks. */
  middleOfTri(body, tri) {
    const corners = new Float32Array(9);
    this.putCorners(body, tri, corners, 0);
    return [0, 1, 2].map((k) => (corners[k] + corners[3 + k] + corners[6 + k]) / 3);
  }

  // ---- samples ----

  show(shown) {
    this.shown = shown;
    for (let body = 0; body < this.bodies.length; body++) this.placeBody(body, shown);
    this.fillHits();
    this.invalidate();
  }

  fillHits() {
    const longest = this.model.found?.distance || 1;
    const list = [];
    this.model.hits(this.shown).forEach((tris, body) => {
      if (this.hidden.has(body)) return;
      for (const [tri, distance] of tris) list.push([body, tri, distance / longest]);
    });
    this.hits.fill(3 * list.length, (positions, colours) => {
      list.forEach(([body, tri, share], i) => {
        this.putCorners(body, tri, positions, 9 * i);
        const colour = colourOf(distanceColour(Math.min(share, 1)));
        for (let k = 0; k < 3; k++) colour.toArray(colours, 9 * i + 3 * k);
      });
    });
    this.glow.visible = this.isXRay && list.length > 0;
  }

  /** Where something happened, in the units of the file. */
  setMarks(points) {
    this.marks.clear();
    for (const point of points) {
      const sprite = new Sprite(this.ring);
      sprite.position.set(...point.map((value, k) => value - this.model.centre[k]));
      sprite.scale.setScalar(0.045);
      sprite.renderOrder = 6;
      this.marks.add(sprite);
    }
    this.invalidate();
  }

  /** Shows triangles of a picked face, and those that they meet: lists of {body, tri}. */
  setPicked(faces, partners) {
    const fill = (soup, list) => soup.fill(3 * list.length, (positions) => {
      list.forEach(({ body, tri }, i) => this.putCorners(body, tri, positions, 9 * i));
    });
    fill(this.picked, faces);
    fill(this.partners, partners);
    const all = [...faces, ...partners];
    this.outline.fill(6 * all.length, (positions) => {
      const c = new Float32Array(9);
      all.forEach(({ body, tri }, i) => {
        this.putCorners(body, tri, c, 0);
        [0, 1, 1, 2, 2, 0].forEach((k, end) => positions.set(c.subarray(3 * k, 3 * k + 3), 18 * i + 3 * end));
      });
    });
    this.invalidate();
  }

  setHidden(body, isHidden) {
    if (isHidden) this.hidden.add(body);
    else this.hidden.delete(body);
    this.bodies[body].object.visible = !isHidden;
    this.fillHits();
    this.invalidate();
  }

  setXRay(isOn) {
    this.isXRay = isOn;
    this.glow.visible = isOn && this.hits.object.visible;
    this.invalidate();
  }

  setBackground(css) {
    this.renderer.setClearColor(new Color(css));
    this.invalidate();
  }

  // ---- the camera ----

  /** Files have y upwards, as three.js has; scenes have z. */
  setUp(up) {
    this.up = up;
    this.root.rotation.x = up === "z" ? -Math.PI / 2 : 0;
    this.root.updateMatrixWorld(true);
    this.fit();
  }

  toWorld(point) {
    return this.root.localToWorld(new Vector3(...point.map((value, k) => value - this.model.centre[k])));
  }

  /** Looks at a ball from the side where the camera is, or from the front and above. */
  lookAtBall(centre, radius, direction) {
    const half = (degreesUpright / 2) * (Math.PI / 180);
    const narrow = Math.min(half, Math.atan(Math.tan(half) * this.camera.aspect));
    const distance = radius / Math.sin(narrow);
    this.controls.target.copy(centre);
    this.camera.position.copy(centre).addScaledVector(direction.normalize(), distance);
    this.camera.near = distance / 1000;
    this.camera.far = distance + 20 * this.model.size;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.invalidate();
  }

  fit() {
    this.lookAtBall(new Vector3(0, 0, 0), this.model.size / 2, new Vector3(0.5, 0.42, 0.75));
  }

  /** Comes so near to these triangles, [{body, tri}], that they fill a part of the picture. */
  lookAtTris(tris) {
    if (tris.length === 0) return;
    const corners = new Float32Array(9);
    const lower = new Vector3(Infinity, Infinity, Infinity);
    const upper = new Vector3(-Infinity, -Infinity, -Infinity);
    const p = new Vector3();
    for (const { body, tri } of tris) {
      this.putCorners(body, tri, corners, 0);
      for (let k = 0; k < 3; k++) {
        this.root.localToWorld(p.fromArray(corners, 3 * k));
        lower.min(p);
        upper.max(p);
      }
    }
    const radius = Math.max(lower.distanceTo(upper) * 1.2, this.model.size / 25);
    const direction = this.camera.position.clone().sub(this.controls.target);
    this.lookAtBall(lower.add(upper).multiplyScalar(0.5), radius, direction);
  }

  lookAtBody(body) {
    const { lower, upper } = boxOfPlace(this.model.clip, this.shown, body);
    const radius = Math.hypot(...[0, 1, 2].map((k) => upper[k] - lower[k])) / 2 || this.model.size / 25;
    const direction = this.camera.position.clone().sub(this.controls.target);
    this.lookAtBall(this.toWorld(lower.map((value, k) => (value + upper[k]) / 2)), radius, direction);
  }

  /** The camera of willow render --eye --look-at, whose points for files have z upwards too. */
  setCamera(eye, lookAt) {
    this.camera.position.copy(this.toWorld(eye));
    this.controls.target.copy(this.toWorld(lookAt));
    this.camera.near = this.model.size / 1000;
    this.camera.far = 50 * this.model.size;
    this.camera.updateProjectionMatrix();
    this.controls.update();
    this.invalidate();
  }

  orbit(right, up) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    const radius = offset.length();
    const side = Math.atan2(offset.x, offset.z) + right;
    const height = Math.min(Math.max(Math.acos(offset.y / radius) - up, 0.05), Math.PI - 0.05);
    offset.set(Math.sin(height) * Math.sin(side), Math.cos(height), Math.sin(height) * Math.cos(side));
    this.camera.position.copy(this.controls.target).addScaledVector(offset, radius);
    this.controls.update();
    this.invalidate();
  }

  zoom(factor) {
    const offset = this.camera.position.clone().sub(this.controls.target);
    this.camera.position.copy(this.controls.target).addScaledVector(offset, 1 / factor);
    this.controls.update();
    this.invalidate();
  }

  // ---- picking ----

  /** The triangle under a point of the window: {body, tri}, or null. */
  pickAt(clientX, clientY) {
    const box = this.canvas.getBoundingClientRect();
    const point = new Vector2((clientX - box.left) / box.width * 2 - 1, 1 - (clientY - box.top) / box.height * 2);
    const caster = new Raycaster();
    caster.setFromCamera(point, this.camera);
    const objects = this.bodies.filter((_, i) => !this.hidden.has(i)).map(({ object }) => object);
    for (const object of objects) {
      object.geometry.computeBoundingSphere();
      object.geometry.computeBoundingBox();
    }
    const [first] = caster.intersectObjects(objects, false);
    return first ? { body: first.object.userData.body, tri: first.faceIndex } : null;
  }

  /** Where in the window the middle of a triangle is: [x, y]. */
  project(body, tri) {
    const p = this.root.localToWorld(new Vector3(...this.middleOfTri(body, tri))).project(this.camera);
    const box = this.canvas.getBoundingClientRect();
    return [box.left + (p.x + 1) / 2 * box.width, box.top + (1 - p.y) / 2 * box.height];
  }

  // ---- drawing ----

  resize() {
    const { clientWidth, clientHeight } = this.place;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(clientWidth, clientHeight);
    this.camera.aspect = clientWidth / clientHeight;
    this.camera.updateProjectionMatrix();
    this.invalidate();
  }

  invalidate() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    requestAnimationFrame(() => {
      this.isWaiting = false;
      this.renderer.render(this.scene, this.camera);
      this.onDrawn?.();
    });
  }
}
