#!/usr/bin/env bash
# Questions about steps and nearness: all methods give one answer, BRUTE among them, whatever the
# threads, the kernel and the trees; and the probes of steps add up.
# shellcheck source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"

# bench ARGUMENTS...: leaves the output in $folder/out; must end with 0.
bench()
{
    "$WILLOW" bench "$@" >"$folder/out" 2>"$folder/errors" ||
        fail "willow bench $*: ended with $?: $(<"$folder/errors")"
}

# refuse WORDS ARGUMENTS...: must end with 2, say WORDS, and print nothing.
refuse()
{
    local words=$1
    shift
    "$WILLOW" bench "$@" >"$folder/out" 2>"$folder/errors"
    local code=$?
    [[ $code == 2 ]] || fail "willow bench $*: ended with $code, not 2"
    grep -qF -- "$words" "$folder/errors" || fail "willow bench $*: did not say '$words': $(<"$folder/errors")"
    [[ ! -s $folder/out ]] || fail "willow bench $*: printed $(<"$folder/out")"
}

# says WORDS: the output has them.
says() { grep -qF -- "$1" "$folder/out" || fail "no '$1' in: $(<"$folder/out")"; }

# values NAME: a field of every line, one per line.
values() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p" "$folder/out"; }

# one NAME: the field is the same in all lines.
one() { [[ $(values "$1" | sort -u | wc -l) == 1 ]] || fail "not one $1: $(<"$folder/out")"; }

read_with_python()
{
    [[ -n $python ]] || return 0
    "$python" -c "
import json, sys
rows = [json.loads(line) for line in sys.stdin]
def near(a, b): return abs(a - b) <= 1e-4 * abs(b)
$1" <"$folder/out" || fail "the numbers are not as they should be: $(<"$folder/out")"
}

scenes="bumpy:triangles=80,frames=24 selfcloth:triangles=128,frames=12 soup:triangles=40,frames=5,variant=strips"

# --- One answer from all methods, and something is found.
for query in impacts toi near near_features; do
    for scene in $scenes; do
        bench --scene "$scene" --query $query --method all,brute,auto,van_den_bergen:poses=none
        (($(wc -l <"$folder/out") >= 7)) || fail "$scene, $query: few methods: $(<"$folder/out")"
        one hash
        one pairs
        (($(values pairs | head -1) > 0)) || fail "$scene, $query: nothing was found: $(<"$folder/out")"
        ! grep -q '"wrong":true' "$folder/out" || fail "$scene, $query: $(<"$folder/errors")"
        read_with_python "
for row in rows:
    assert row['query'] == '$query' and 'distance' in row and 'speedup' not in row, row
    if '$query' in ('impacts', 'toi'): assert row['distance'] == 0, row
    else: assert row['distance'] > 0, row
    if row['method'] != 'brute': assert row['feature_tests'] > 0 or '$query' == 'near', row
"
    done
done

# --- Threads, kernels and trees do not show; nor does a second round.
for query in impacts toi near near_features; do
    reference=
    for options in "" "--threads 2" "--kernel scalar" "--set arity=2 --set leaf_triangles=1" "--repeat 2" \
        "--set descend=larger" "--set poses=apply"; do
        # shellcheck disable=SC2086 # several words
        bench --scene selfcloth:triangles=200,frames=12 --query $query --method bottom_up $options
        reference=${reference:-$(values hash)}
        [[ -n $reference && $(values hash) == "$reference" ]] || fail "$query, '$options': another answer: $(<"$folder/out")"
    done
done

# --- The last frame has no step, but a part of the frames has one for each.
for frames in "" "--frames 11" "--frames 12"; do
    # shellcheck disable=SC2086 # several words
    bench --scene bumpy:triangles=80,frames=12 --query impacts --method bottom_up $frames
    [[ $(values frames) == 11 ]] || fail "not 11 steps: $(<"$folder/out")"
done
bench --scene bumpy:triangles=80,frames=12 --query impacts,pairs --method bottom_up --frames 5
[[ $(values frames | tr '\n' ' ') == "5 5 " ]] || fail "not 5 steps and 5 frames: $(<"$folder/out")"
refuse "one step, which would not be counted" --scene bumpy:triangles=80,frames=2 --query toi
refuse "makes it longer" --scene bumpy:triangles=80,frames=12 --query toi --frames 13

# --- Rigid bodies turn where they are handed over by poses: another step, another answer, and each
# kind is compared with its own.
for query in impacts toi; do
    bench --scene tumble:triangles=80,frames=20 --query $query \
        --method bottom_up,brute,hybrid:poses=apply,bottom_up:poses=given,brute:poses=given,hybrid:poses=all,brute:poses=all
    [[ $(values hash | head -3 | sort -u | wc -l) == 1 ]] || fail "straight steps: $(<"$folder/out")"
    [[ $(values hash | tail -4 | sort -u | wc -l) == 1 ]] || fail "steps that turn: $(<"$folder/out")"
    [[ $(values hash | sort -u | wc -l) == 2 ]] || fail "not two kinds of steps: $(<"$folder/out")"
done
bench --scene tumble:triangles=80,frames=20 --query near --method bottom_up,bottom_up:poses=given,brute:poses=all
one hash

# --- Keys of these questions change answers as they should.
# count NAME ARGUMENTS...: how many there are goes into the variable of that name.
count()
{
    bench --scene selfcloth:triangles=128,frames=8 --query "${@:2}" --method bottom_up,brute
    one hash
    printf -v "$1" %s "$(values pairs | head -1)"
}
near=0 farther=0 apart=0 moved=0 touching=0 thick=0 early=0
count near near --set distance=0.5
count farther near --set distance=0.6
count apart near --set distance=0.5 --set skip_neighbours=1
count moved near --set distance=0.5 --set skip_neighbours=1 --set skip_close_at_rest=1
((moved < apart && apart < near && near < farther)) || fail "near: $moved, $apart, $near, $farther"
[[ $(values distance | head -1) == 0.5 ]] || fail "not the distance: $(<"$folder/out")"
count touching impacts
count thick impacts --set distance=0.05
count early impacts --set tolerance=0.5
((touching < thick && touching <= early)) || fail "impacts: $touching, $thick, $early"
bench --scene selfcloth:triangles=128,frames=8 --query impacts --method bottom_up --set max_iterations=1
(($(values pairs) > touching)) || fail "all was decided in one iteration: $(<"$folder/out")"
bench --scene selfcloth:triangles=128,frames=8 --query near --method bottom_up,bottom_up:skip_neighbours=1,brute:skip_neighbours=1
[[ $(values hash | sort -u | wc -l) == 2 && $(values neighbours | tr '\n' ' ') == "decided skipped skipped " ]] ||
    fail "two rules: $(<"$folder/out")"
for setting in distance=-1 distance=inf distance=nan tolerance=2 tolerance=-1 max_iterations=-1 skip_close_at_rest=2; do
    refuse "${setting%%=*} is 0" --set $setting
done

# --- For people, and as a page.
bench --scene bumpy:triangles=80,frames=24 --query impacts,near --method bottom_up,brute --table --stages \
    --results "$folder/page.md"
says "query impacts, distance 0, 23 frames"
says "impacts are over all frames"
says " features     impacts"
says "query near, distance 0."
grep -q "impacts over all frames" "$folder/page.md" || fail "no impacts in the page: $(<"$folder/page.md")"
grep -q "query near, distance 0\." "$folder/page.md" || fail "no distance in the page: $(<"$folder/page.md")"
bench --scene bumpy:triangles=80,frames=24 --query toi --method bottom_up --csv
says ",distance,"

# --- Peers are left out, with a word.
bench --scene bumpy:triangles=80,frames=12 --query impacts --method bottom_up,peer:plain
[[ $(wc -l <"$folder/out") == 1 ]] || fail "a peer answered: $(<"$folder/out")"
grep -q "peer:plain is left out: it does not find impacts" "$folder/errors" || fail "no word: $(<"$folder/errors")"
bench --scene bumpy:triangles=80,frames=12 --query near --method bottom_up,peer:plain
grep -q "peer:plain is left out: it does not find what is near" "$folder/errors" || fail "no word: $(<"$folder/errors")"

# --- Other probes ask these questions too.
for query in impacts near_features; do
    bench --probe decay --scene selfcloth:triangles=60,frames=14 --query $query --method bottom_up,hybrid
    bench --probe threads --scene selfcloth:triangles=60,frames=14 --query $query
    says "\"query\":\"$query\""
done

# --- All impacts of a step, against all pairs at its end.
bench --probe impacts --scene selfcloth:triangles=128,frames=14 --scene tumble:triangles=80,frames=20 \
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
bench --probe impacts --scene bumpy:triangles=80,frames=14 --frames 6 --table
says "Means per step"
refuse "takes no --query" --probe impacts --query impacts
refuse "not about peer:plain" --probe impacts --scene bumpy:triangles=80,frames=14 --method peer:plain
refuse "one word too many" --probe impacts one.ply
refuse "one word too many" one.ply two.ply

# --- Decisions about moving features.
bench --probe toi --scene bumpy:triangles=320,frames=20 --scene selfcloth:triangles=200,frames=8
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
bench --probe toi --scene bumpy:triangles=320,frames=20 --table --set max_iterations=1
says "vertex-face"
says "peer:plain"
refuse "takes no --method" --probe toi --method bottom_up
refuse "takes no --frames" --probe toi --frames 3
refuse "and so no step" --probe toi --scene bumpy:triangles=80,frames=1

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
    bench --probe toi "$folder/0.ply" "$folder/1.ply"
    read_with_python '
row = rows[0]
assert row["triangles"] == 2 and row["bodies"] == 1 and row["steps"] == 1, row
assert 0 < row["vertex_face_candidates"] <= 6 and 0 < row["edge_edge_candidates"] <= 9, row
assert row["vertex_face_touch"] > 0 and row["edge_edge_touch"] > 0, row
assert row["plain_candidates"] == 1 and row["plain_meet"] == 1, row
'
    refuse "not two frames of one mesh" --probe toi "$folder/0.ply" "$folder/other.ply"
    refuse "scenes or two files" --probe toi "$folder/0.ply" "$folder/1.ply" --scene bumpy
    printf 'ply\nformat ascii 1.0\n' >"$folder/ascii.ply"
    refuse "not what is read here: format ascii" --probe toi "$folder/0.ply" "$folder/ascii.ply"
fi
refuse "nowhere.ply: cannot be read" --probe toi "$folder/nowhere.ply" "$folder/nowhere.ply"
refuse "needs two files" --probe toi "$folder/nowhere.ply"
refuse "one word too many" --probe toi one two three

# --- The suite has scenes of this build only: what is not here would be an error.
bench --suite impacts --query none --method bottom_up --frames 2
(($(wc -l <"$folder/out") >= 5)) || fail "few scenes: $(<"$folder/out")"
[[ $(values scene | sort -u | tr '\n' ' ') == *"bumpy "*"selfcloth "*"tablecloth "* ]] || fail "other scenes: $(<"$folder/out")"

exit $((failures > 0))
