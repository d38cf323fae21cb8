#!/usr/bin/env bash
# VTK, which ParaView is made of, reads what willow check --write has written. Ends with 77 without
# python3-vtk9.
# shellcheck source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"
cd "$folder" || exit 1
# Another Python than the system's may come first.
for python in python3 /usr/bin/python3 ""; do
    [[ -n $python ]] || { echo "no python3-vtk9"; exit 77; }
    "$python" -c 'import vtkmodules.vtkIOXML' 2>/dev/null && break
done

"$WILLOW" check scene:bumpy:triangles=320,frames=80 --frames 60:70:5 --distance 0.05 --json --pairs \
    --write found.pvd --write found.ply --write found.glb >lines
(($? < 2)) || exit 1
"$python" - <<'END'
import json, xml.etree.ElementTree as tree
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader
from vtkmodules.vtkIOPLY import vtkPLYReader
from vtkmodules.vtkIOGeometry import vtkGLTFReader

lines = [json.loads(line) for line in open("lines")]
summary = lines.pop()["summary"]

def read(reader, path):
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()

sets = tree.parse("found.pvd").getroot().findall("./Collection/DataSet")
assert [float(one.get("timestep")) for one in sets] == [line["frame"] for line in lines]
for one, line in zip(sets, lines):
    mesh = read(vtkXMLPolyDataReader(), one.get("file"))
    assert mesh.GetNumberOfPolys() == summary["triangles"], mesh.GetNumberOfPolys()
    cells = mesh.GetCellData()
    value = lambda name, i: cells.GetArray(name).GetTuple1(i)
    names = mesh.GetFieldData().GetAbstractArray("body names")
    assert [names.GetValue(i) for i in range(names.GetNumberOfValues())] == summary["names"]
    partners, least = {}, {}
    for pair in line["list"]:
        for side in "ab":
            key = (pair[f"body_{side}"] - 1, pair[f"face_{side}"])
            partners[key] = partners.get(key, 0) + 1
            least[key] = min(least.get(key, 1e9), pair["distance"])
    assert partners or line["pairs"] == 0
    for i in range(mesh.GetNumberOfPolys()):
        key = (int(value("body", i)), int(value("face", i)))
        assert value("partners", i) == partners.get(key, 0), key
        assert value("colliding", i) == (key in partners), key
        assert abs(value("distance", i) - least.get(key, -1)) < 1e-6, key
    # The point of a pair is near both of its triangles.
    triangle = {(int(value("body", i)), int(value("face", i))): i for i in range(mesh.GetNumberOfPolys())}
    for pair in line["list"][:50]:
        box = mesh.GetCell(triangle[pair["body_a"] - 1, pair["face_a"]]).GetBounds()
        assert all(box[2 * k] - 0.06 <= pair["at"][k] <= box[2 * k + 1] + 0.06 for k in range(3)), pair
assert any(line["pairs"] for line in lines)

ply = read(vtkPLYReader(), "found.ply")
assert ply.GetNumberOfPolys() == summary["triangles"]
assert ply.GetPointData().GetArray("RGB") is not None
glb = read(vtkGLTFReader(), "found.glb")
count = 0
walk = glb.NewIterator()
while not walk.IsDoneWithTraversal():
    count += walk.GetCurrentDataObject().GetNumberOfPolys()
    walk.GoToNextItem()
assert count == summary["triangles"], count
END
