#!/usr/bin/env bash
# Probes about steps: impacts of a step, and single decisions about moving features, in scenes and in
# files. At sizes for tests: how fast anything is, nobody asks here.
# shellcheck source=test/support/probe.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/probe.sh"

# --- Questions about steps and distances.
for query in impacts near_features; do
    probe decay --scene selfcloth:triangles=60,frames=14 --query $query --method bottom_up,hybrid
    probe threads --scene selfcloth:triangles=60,frames=14 --query $query
    says "\"query\":\"$query\""
done

# --- All impacts of a step, against all pairs at its end.
probe impacts --scene selfcloth:triangles=128,frames=14 --scene tumble:triangles=80,frames=20 \
    --method bottom_up,hybrid:poses=given --repeat 2
[[ $(wc -l <"$folder/out") == 4 ]] || fail "not 4 lines: $(<"$folder/out")"
read_with_python '
for row in rows:
    assert row["probe"] == "impacts" and row["threads"] == 1, row
    assert row["steps"] == (13 if row["bodies"] == 1 else 19), row
    assert row["impacts"] > 0 and row["pairs"] > 0 and row["feature_tests"] >= row["impacts"], row
    assert row["bytes_after"] >= row["bytes_before"] > 0, row
    assert near(row["ratio"], row["impacts_ms"] / row["pairs_ms"]), row
    total = (row["aim_ms"] + row["impacts_ms"]) / (row["update_ms"] + row["pairs_ms"])
    assert near(row["total_ratio"], total), row
'
ours=$(values impacts | head -1)
bench --scene selfcloth:triangles=128,frames=14 --query impacts --method bottom_up --series
read_with_python "
series = rows[0]['series']['pairs']
whole = rows[0]['pairs']
assert abs($ours * 12 - whole) <= 50 and $ours * 12 <= whole + 0.01, (whole, $ours)"
probe impacts --scene bumpy:triangles=80,frames=14 --frames 6 --table
says "Means per step"
refuse "takes no --query" impacts --query impacts
refuse "not peer:plain" impacts --scene bumpy:triangles=80,frames=14 --method peer:plain
refuse "unexpected argument" impacts one.ply

# --- Decisions about moving features.
probe toi --scene bumpy:triangles=320,frames=20 --scene selfcloth:triangles=200,frames=8
[[ $(wc -l <"$folder/out") == 2 ]] || fail "not 2 lines: $(<"$folder/out")"
read_with_python '
for row in rows:
    assert row["probe"] == "toi" and row["steps"] == 4, row
    for kind in "vertex_face", "edge_edge":
        assert row[kind + "_candidates"] > 0 and row[kind + "_ns"] > 0, row
        assert 0 <= row[kind + "_touch"] <= 1 and row[kind + "_undecided"] == 0, row
        assert near(row[kind + "_ratio"], row[kind + "_ns"] / row["plain_ns"]), row
    assert row["plain_candidates"] > 0, row
    assert min(row["vertex_face_ratio"], row["edge_edge_ratio"]) * 0.999 <= row["ratio"], row
    assert max(row["vertex_face_ratio"], row["edge_edge_ratio"]) * 1.001 >= row["ratio"], row
'
probe toi --scene bumpy:triangles=320,frames=20 --table --set max_iterations=1
says "vertex-face"
says "peer:plain"
refuse "takes no --method" toi --method bottom_up
refuse "takes no --frames" toi --frames 3
refuse "and so no step" toi --scene bumpy:triangles=80,frames=1

# Two frames of one mesh, as files.
if [[ -n $python ]]; then
    "$python" - "$folder" <<'PYTHON'
import struct, sys
def write(name, height, faces):
    points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0.2, 0.2, height), (1.2, 0.2, height), (0.2, 1.2, height + 0.5)]
    with open(sys.argv[1] + "/" + name, "wb") as file:
        file.write(b"ply\nformat binary_little_endian 1.0\nelement vertex 6\nproperty double x\n"
                   b"property double y\nproperty double z\nelement face %d\n"
                   b"property list uchar int vertex_indices\nend_header\n" % len(faces))
        for point in points: file.write(struct.pack("<3d", *point))
        for face in faces: file.write(struct.pack("<B3i", 3, *face))
write("0.ply", 1, [(0, 1, 2), (3, 4, 5)])
write("1.ply", -0.25, [(0, 1, 2), (3, 4, 5)])
write("other.ply", 1, [(0, 1, 2), (3, 5, 4)])
PYTHON
    probe toi "$folder/0.ply" "$folder/1.ply"
    read_with_python '
row = rows[0]
assert row["triangles"] == 2 and row["bodies"] == 1 and row["steps"] == 1, row
assert 0 < row["vertex_face_candidates"] <= 6 and 0 < row["edge_edge_candidates"] <= 9, row
assert row["vertex_face_touch"] > 0 and row["edge_edge_touch"] > 0, row
assert row["plain_candidates"] == 1 and row["plain_meet"] == 1, row
'
    refuse "not two frames of one mesh" toi "$folder/0.ply" "$folder/other.ply"
    refuse "scenes or two files" toi "$folder/0.ply" "$folder/1.ply" --scene bumpy
    printf 'ply\nformat ascii 1.0\n' >"$folder/short.ply"
    refuse "the header ends without end_header" toi "$folder/0.ply" "$folder/short.ply"
fi
refuse "nowhere.ply: no such file" toi "$folder/nowhere.ply" "$folder/nowhere.ply"
refuse "needs two files" toi "$folder/nowhere.ply"
refuse "unexpected argument" toi one two three

exit $((failures > 0))
