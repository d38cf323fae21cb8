// positions.mjs OUT FILE... - where three.js has the corners of all triangles of each file, at
// twenty times. OUT gets, in little-endian, for each file:
//   u32 times, u32 bodies, f64 times[], then for each body u32 name bytes, name, u32 corners,
//   f64 x, y, z of each corner at the first time, at the second, and so on.
// Bodies are the nodes of the scene that have triangles, level by level. Materials and images are
// taken out before: nothing here draws.
import fs from 'node:fs'
import path from 'node:path'

globalThis.self = globalThis
globalThis.ProgressEvent ??= class extends Event {}
const THREE = await import('three')
const { GLTFLoader } = await import('three/examples/jsm/loaders/GLTFLoader.js')
const { MeshoptDecoder } = await import('three/examples/jsm/libs/meshopt_decoder.module.js')

const TIMES = 20

function readFile(file) {
    const bytes = fs.readFileSync(file)
    if (bytes.readUInt32LE(0) !== 0x46546c67) return { json: JSON.parse(bytes.toString()) }
    const jsonSize = bytes.readUInt32LE(12)
    const json = JSON.parse(bytes.toString('utf8', 20, 20 + jsonSize))
    const at = 20 + jsonSize
    const bin = at < bytes.length ? bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at)) : null
    return { json, bin }
}

// One GLB without pictures, buffers of files and texts as data URIs.
function plainGlb(file) {
    const { json, bin } = readFile(file)
    delete json.images, delete json.textures, delete json.samplers
    for (const [i, material] of (json.materials ?? []).entries())
        json.materials[i] = { name: material.name }
    // The one scene alone: each that is loaded forgets the nodes of the one before.
    if (json.scenes) json.scenes = [json.scenes[json.scene ?? 0]]
    json.scene = 0
    // A mesh of its own for each node: clones forget which node they are of.
    const meshes = json.meshes ?? []
    json.meshes = []
    for (const node of json.nodes ?? [])
        if (node.mesh !== undefined) node.mesh = json.meshes.push(meshes[node.mesh]) - 1
    for (const buffer of json.buffers ?? []) {
        if (buffer.uri === undefined || buffer.uri.startsWith('data:')) continue
        const beside = fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(buffer.uri)))
        buffer.uri = 'data:application/octet-stream;base64,' + beside.toString('base64')
    }
    const text = Buffer.from(JSON.stringify(json))
    const padded = Buffer.concat([text, Buffer.alloc((4 - (text.length % 4)) % 4, 0x20)])
    const chunk = (type, data) => {
        const head = Buffer.alloc(8)
        head.writeUInt32LE(data.length, 0), head.writeUInt32LE(type, 4)
        return [head, data]
    }
    const parts = [...chunk(0x4e4f534a, padded), ...(bin ? chunk(0x004e4942, bin) : [])]
    const head = Buffer.alloc(12)
    head.writeUInt32LE(0x46546c67, 0), head.writeUInt32LE(2, 4)
    head.writeUInt32LE(12 + parts.reduce((sum, part) => sum + part.length, 0), 8)
    const whole = Buffer.concat([head, ...parts])
    const copy = new ArrayBuffer(whole.length)
    new Uint8Array(copy).set(whole)
    return { json, glb: copy }
}

function isTriangles(primitive) {
    return (primitive.mode ?? 4) >= 4
}

// Numbers of nodes with triangles, level by level from the roots of the scene.
function nodesInOrder(json) {
    const isChild = new Set((json.nodes ?? []).flatMap(node => node.children ?? []))
    const all = [...(json.nodes ?? []).keys()]
    const scene = json.scenes?.[json.scene ?? 0]
    const order = scene ? [...(scene.nodes ?? [])] : all.filter(i => !isChild.has(i))
    for (let i = 0; i < order.length; i++) order.push(...(json.nodes[order[i]].children ?? []))
    return order.filter(i => json.meshes?.[json.nodes[i].mesh]?.primitives.some(isTriangles))
}

// The meshes of three.js that belong to each node, in the order of primitives.
function meshesOfNodes(gltf, json) {
    const found = new Map()
    gltf.scene.traverse(object => {
        if (!object.isMesh) return
        const about = gltf.parser.associations.get(object) ?? {}
        let at = object
        let node
        for (; at !== null && node === undefined; at = at.parent)
            node = gltf.parser.associations.get(at)?.nodes
        if (!found.has(node)) found.set(node, [])
        found.get(node).push({ object, primitive: about.primitives ?? 0 })
    })
    return nodesInOrder(json).map(node => {
        const meshes = found.get(node) ?? []
        meshes.sort((a, b) => a.primitive - b.primitive)
        const json_node = json.nodes[node]
        const name = json_node.name || json.meshes[json_node.mesh].name || `node ${node}`
        return { name, meshes: meshes.map(mesh => mesh.object) }
    })
}

function cornersOf(object) {
    const { index, attributes } = object.geometry
    const count = index ? index.count : attributes.position.count
    const corners = []
    for (let i = 0; i < count - (count % 3); i++) corners.push(index ? index.getX(i) : i)
    return corners
}

function putPositions(bodies, out) {
    const point = new THREE.Vector3()
    for (const body of bodies)
        for (const [object, corners] of body.corners)
            for (const corner of corners) {
                object.getVertexPosition(corner, point)
                point.applyMatrix4(object.matrixWorld)
                out[body.index].push(point.x, point.y, point.z)
            }
}

function timesOf(json, gltf) {
    const animation = gltf.animations[0]
    if (!animation) return [0]
    let first = Infinity
    let last = -Infinity
    for (const track of animation.tracks) {
        first = Math.min(first, track.times[0])
        last = Math.max(last, track.times[track.times.length - 1])
    }
    return Array.from({ length: TIMES }, (_, i) => first + ((last - first) * i) / (TIMES - 1))
}

async function evaluate(file, out) {
    const { json, glb } = plainGlb(file)
    const loader = new GLTFLoader().setMeshoptDecoder(MeshoptDecoder)
    const gltf = await loader.parseAsync(glb, '')
    const bodies = meshesOfNodes(gltf, json)
    bodies.forEach((body, index) => {
        body.index = index
        body.corners = body.meshes.map(object => [object, cornersOf(object)])
    })
    const times = timesOf(json, gltf)
    const positions = bodies.map(() => [])
    const mixer = new THREE.AnimationMixer(gltf.scene)
    for (const time of times) {
        if (gltf.animations.length > 0) {
            const action = mixer.clipAction(gltf.animations[0])
            action.reset().setLoop(THREE.LoopOnce, 1)
            action.clampWhenFinished = true
            action.play()
            mixer.setTime(time)
        }
        gltf.scene.updateMatrixWorld(true)
        putPositions(bodies, positions)
    }
    const u32 = number => {
        const bytes = Buffer.alloc(4)
        bytes.writeUInt32LE(number)
        fs.writeSync(out, bytes)
    }
    u32(times.length), u32(bodies.length)
    fs.writeSync(out, Buffer.from(Float64Array.from(times).buffer))
    for (const body of bodies) {
        const name = Buffer.from(body.name)
        u32(name.length), fs.writeSync(out, name)
        u32(positions[body.index].length / 3 / times.length)
        fs.writeSync(out, Buffer.from(Float64Array.from(positions[body.index]).buffer))
    }
}

const [outPath, ...files] = process.argv.slice(2)
const out = fs.openSync(outPath, 'w')
for (const file of files) await evaluate(file, out)
fs.closeSync(out)
