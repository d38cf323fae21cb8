#!/usr/bin/env bash
# willow check --write and --messages: files for other programs have what --json says. VTK reads them in
# write_vtk.sh, Blender in write_blender.sh; here Python takes them apart.
# shellcheck source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$folder" || exit 1

cat >clip.obj <<'END'
o Shirt & "co"
v -1 -1 0
v 1 -1 0
v 1 1 0
v -1 1 0
v 5 5 5
v 6 5 5
v 5 6 5
f 1 2 3 4
f 5 6 7
o Body
v 0 0 -1
v 0 1 1
v 0 -1 1
f 8 9 10
END

# --- Messages, as compilers print them, and nothing else.
expect 1 'clip.obj:frame 0: Shirt & "co" face 0 meets Body face 0 at (' check clip.obj --messages
[[ $("$WILLOW" check clip.obj --messages | wc -l) == 2 ]] || fail "not two messages"
[[ $("$WILLOW" check clip.obj --messages --limit 1 | tail -n 1) == "clip.obj:frame 0: and 1 more" ]] ||
    fail "--limit does not say what it leaves out"
[[ -z $("$WILLOW" check clip.obj --only Body --messages) ]] || fail "a clean clip has messages"
expect 2 "give one of them" check clip.obj --messages --json

# --- What is refused is refused before anything is checked.
expect 2 "must end in .pvd" check clip.obj --write found.obj
expect 2 "must end in .pvd" check clip.obj --write .ply
expect 2 "Not a directory" check clip.obj --write clip.obj/found.ply
expect 2 "tell of all of them" check clip.obj -q --write found.ply

# --- All kinds at once, in folders that were not there.
scene=scene:bumpy:triangles=320,frames=80
expect 1 "Written: out/b/found.glb" check "$scene" --frames 60- --write out/a/found.pvd --write out/b/found.glb \
    --write out/worst.ply --write 'out/each%03d.ply' --write out/select.py --report out/page.html \
    --template "$root/report/src/clip.html"
[[ $(find out -type f | wc -l) == $((1 + 20 + 1 + 1 + 20 + 1 + 1)) ]] || fail "other files: $(find out -type f)"
"$WILLOW" check "$scene" --frames 60- --json --pairs >lines

command -v python3 >/dev/null || exit $((failures > 0))
cat >look.py <<'END'
import json, re, struct, sys
lines = [json.loads(line) for line in open("lines")]
summary = lines.pop()["summary"]
by_frame = {line["frame"]: line for line in lines}

def faces_of(line, body):
    return {pair["face_" + side] for pair in line["list"] for side in "ab" if pair["name_" + side] == body}

def read_ply(path):
    """Bodies and faces whose triangles are red, and how many triangles there are."""
    head, data = open(path, "rb").read().split(b"end_header\n", 1)
    vertices, triangles = (int(n) for n in re.findall(rb"element \w+ (\d+)", head))
    red, at = set(), vertices * 15
    for _ in range(triangles):
        count, a, b, c, r, g, blue, body, face = struct.unpack_from("<Biii3Bii", data, at)
        assert count == 3 and max(a, b, c) < vertices
        if (r, g, blue) == (226, 34, 24): red.add((body, face))
        at += struct.calcsize("<Biii3Bii")
    assert at == len(data)
    return red, triangles

def wanted(line):
    return {(i, face) for i, name in enumerate(summary["names"]) for face in faces_of(line, name)}

worst = summary["worst_frame"]["frame"]
assert read_ply("out/worst.ply") == (wanted(by_frame[worst]), summary["triangles"])
for frame, line in by_frame.items():
    assert read_ply(f"out/each{frame:03d}.ply")[0] == wanted(line), frame
assert any(wanted(line) for line in lines)

# GLB: as many triangles have the material of collisions as collide in any frame.
data = open("out/b/found.glb", "rb").read()
size = struct.unpack_from("<I", data, 12)[0]
doc = json.loads(data[20:20 + size])
colliding = [m["name"] for m in doc["materials"]].index("colliding")
assert doc["materials"][colliding]["pbrMetallicRoughness"]["baseColorFactor"][0] > 0.5
corners = sum(doc["accessors"][p["indices"]]["count"] for mesh in doc["meshes"] for p in mesh["primitives"]
              if p.get("material") == colliding)
in_any = set().union(*(wanted(line) for line in lines))
assert corners == 3 * len(in_any), (corners, len(in_any))

# The script, with a Blender that is made here.
class Part(list):
    def foreach_set(self, name, values):
        for item, value in zip(self, values): item.select = value
class Item:
    select = True
class Mesh:
    def __init__(self, count):
        self.vertices, self.edges, self.polygons = Part(), Part(), Part(Item() for _ in range(count))
    def update(self): pass
class Thing:
    mode, type, selected = "OBJECT", "MESH", True
    def __init__(self, count): self.data = Mesh(count)
    def select_set(self, value): self.selected = value
class Any:
    def __getattr__(self, name): return Any.__call__ if name == "mode_set" else self.__dict__.setdefault(name, Any())
    def __call__(self, *args, **kw): return None
things = {name: Thing(320) for name in summary["names"]}
bpy = Any()
bpy.data.objects = things
bpy.context.object = None
bpy.context.view_layer.objects = type("Objects", (list,), {})(things.values())
bpy.ops.object.mode_set = lambda mode: None
sys.modules["bpy"] = bpy
text = open("out/select.py").read()
exec(text, {})
for i, name in enumerate(summary["names"]):
    chosen = {face for face, item in enumerate(things[name].data.polygons) if item.select}
    assert chosen == {face for body, face in in_any if body == i}, name
exec(text.replace("FRAME = None", f"FRAME = {worst}"), {})
for i, name in enumerate(summary["names"]):
    chosen = {face for face, item in enumerate(things[name].data.polygons) if item.select}
    assert chosen == faces_of(by_frame[worst], name), name
END
python3 look.py >/dev/null || fail "a file is not what it should be"

# --- What collides in the file is what collides in the clip.
"$WILLOW" check out/b/found.glb --json >again
[[ $(tail -n 1 again | grep -o '"pairs":[0-9]*,"self_pairs":[0-9]*') == \
    $(tail -n 1 lines | grep -o '"pairs":[0-9]*,"self_pairs":[0-9]*') ]] || fail "the GLB collides differently"

# --- Triangles that change: faces that are not there any more are left alone.
mkdir frames
for i in 0 1 2; do
    sed "s/^v 0 /v 0.$i /" clip.obj >frames/f$i.obj
    for ((k = 0; k < i * 3; k++)); do echo "f 1 2 5"; done >>frames/f$i.obj
done
expect 1 "triangles change in this clip" check 'frames/f%d.obj' --write out/changing.glb --write out/changing.pvd \
    --write out/changing.py

exit $((failures > 0))
