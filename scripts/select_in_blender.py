"""Selects the faces that willow check has found to collide, in Blender.

In Blender: Scripting, Open, this file, Run; or blender scene.blend --python THIS_FILE. Objects must have the
names that they have in the file that was checked, and their faces must be those of that file. All of these faces
are selected in Edit Mode, of all frames or of the one that FRAME says.
"""
import bpy

# A frame of the file that was checked, as willow check numbers it; None: faces of all frames.
FRAME = None

# By object and frame: numbers of faces.
FOUND = {}  # filled in by willow check --write


def faces_of(frames):
    """The numbers of all faces that are wanted, each once."""
    wanted = frames if FRAME is None else {key: faces for key, faces in frames.items() if float(key) == FRAME}
    return sorted({face for faces in wanted.values() for face in faces})


def select_in(mesh, faces):
    """Selects these faces of a mesh and nothing else; how many of them there are."""
    for part in (mesh.vertices, mesh.edges, mesh.polygons):
        part.foreach_set("select", [False] * len(part))
    there = [face for face in faces if face < len(mesh.polygons)]
    for face in there:
        mesh.polygons[face].select = True
    mesh.update()
    return len(there)


def select_found():
    if bpy.context.object is not None and bpy.context.object.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")
    for other in bpy.context.view_layer.objects:
        other.select_set(False)
    first = None
    for name, frames in FOUND.items():
        faces = faces_of(frames)
        thing = bpy.data.objects.get(name)
        if thing is None or thing.type != "MESH":
            print(f"willow: there is no mesh object named {name!r}")
            continue
        count = select_in(thing.data, faces)
        print(f"willow: {name}: {count} faces selected")
        if count < len(faces):
            print(f"willow: {name}: {len(faces) - count} faces are not there; is this the file that was checked?")
        if count > 0:
            thing.select_set(True)
            first = first or thing
    if first is None:
        return
    bpy.context.view_layer.objects.active = first
    bpy.context.tool_settings.mesh_select_mode = (False, False, True)  # before: Edit Mode takes over what it says
    bpy.ops.object.mode_set(mode="EDIT")


select_found()
