#!/usr/bin/env bash
# Blender selects the faces that willow check found, with the script of --write. Ends with 77 without Blender.
# shellcheck source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"
cd "$folder" || exit 1
command -v blender >/dev/null || { echo "no Blender"; exit 77; }

# Quads, so that faces are not triangles.
cat >clip.obj <<'END'
o Shirt
v -1 -1 0
v 1 -1 0
v 1 1 0
v -1 1 0
v 5 5 5
v 6 5 5
v 6 6 5
v 5 6 5
f 5 6 7 8
f 1 2 3 4
o Body
v 0 0 -1
v 0 1 1
v 0 -1 1
v 9 9 9
v 9 9 8
v 9 8 9
f 12 13 14
f 9 10 11
END
"$WILLOW" check clip.obj --write select.py --json --pairs >lines
(($? == 1)) || exit 1
cat >look.py <<'END'
import bpy, json, sys
for thing in list(bpy.data.objects): bpy.data.objects.remove(thing)
load = getattr(bpy.ops.wm, "obj_import", None)
try: load(filepath="clip.obj")
except Exception: bpy.ops.import_scene.obj(filepath="clip.obj")
exec(open("select.py").read(), {})
assert bpy.context.object.mode == "EDIT", bpy.context.object.mode
bpy.ops.object.mode_set(mode="OBJECT")
found = json.loads(open("lines").readline())["list"]
for name in ("Shirt", "Body"):
    faces = bpy.data.objects[name].data.polygons
    chosen = {face.index for face in faces if face.select}
    wanted = {pair["face_" + side] for pair in found for side in "ab" if pair["name_" + side] == name}
    print(name, len(faces), chosen, wanted)
    if chosen != wanted or not wanted or len(wanted) == len(faces): sys.exit("other faces")
print("all selected")
END
blender --background --factory-startup --python look.py >words 2>&1
grep -q "all selected" words || { cat words; exit 1; }
