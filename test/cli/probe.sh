#!/usr/bin/env bash
# Probes of whole scenes, at sizes for tests: their numbers belong together, their answers are compared,
# and mistakes are found before anything is measured. How fast anything is, nobody asks here.
# shellcheck source=test/support/probe.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/probe.sh"

# --- Threads against copies of the process.
probe threads --scene many:triangles=80,bodies=8,frames=32
lines 1
says '"probe":"threads","threads":2,'
says '"method":"auto","query":"pairs","frames":32,"blocks":3,' # frame 31 alone would not be counted
probe threads --scene many:triangles=80,bodies=8,frames=24 --threads 3 --repeat 2 \
    --method rebuild,bottom_up:build=sah
lines 2
read_with_python '
assert [row["method"] for row in rows] == ["rebuild", "bottom_up:build=sah"], rows
for row in rows:
    assert row["threads"] == 3 and row["blocks"] == 6 and row["triangles"] == 640, row
    assert row["alone_ms"] > 0 and row["threads_ms"] > 0 and row["copies_ms"] > 0, row
    assert near(row["gain_threads"], row["alone_ms"] / row["threads_ms"]), row
    assert near(row["gain_copies"], 3 * row["alone_ms"] / row["copies_ms"]), row
    assert near(row["ratio"], row["gain_threads"] / row["gain_copies"]), row
'
for query in first self none; do
    probe threads --scene soup:triangles=40,frames=12,variant=strips --query $query
    says "\"query\":\"$query\""
done
probe threads --scene many:triangles=80,bodies=8,frames=12,variant=rigid --set poses=given --frames 12
says '"ratio":'
probe threads --scene many:triangles=80,bodies=8,frames=12 --table
says "2 processes at once"
says "the aim is at least 0.85"
refuse "two threads or more" threads --threads 1
refuse "3 frames or more" threads --frames 2
refuse "not peer:plain" threads --method bottom_up,peer:plain
refuse "not peer:" threads --peers
refuse "not several" threads --scene many --scene bumpy
refuse "makes it longer" threads --scene many:triangles=80,frames=12 --frames 13

# --- What a probe would leave out is refused, whichever it is.
refuse "a probe takes one query, not several" decay --query pairs,first
refuse "a probe takes one query, not several" threads --query self,none
refuse "reconstruct takes no --query: it asks for the first pair" reconstruct --query self
for name in refit build decide; do
    for option in "--query self" "--method bottom_up" "--frames 3" --peers; do
        # shellcheck disable=SC2086 # several words
        refuse "$name takes no ${option%% *}" $name $option
    done
done
for option in --csv --fifths --stages --series --limit --plans --morphs --strangers --report --results; do
    refuse "there is no option '$option'" refit $option
done

# --- The program itself.
refuse "no probe is named"
refuse "did you mean 'decay'?" decai
refuse "refit, build, decide, threads, reconstruct, decay, impacts, toi, kinetic and bodies" everything
refuse "is no number" refit --scene soup:triangles=0x
refuse "Try 'willow_probe --help'." refit bumpy
refuse "not several" refit --scene bumpy --scene soup
probe --help
for name in refit build decide threads reconstruct decay impacts toi kinetic bodies; do
    grep -q "^  $name  " "$folder/out" || fail "the help does not explain $name: $(<"$folder/out")"
done
"$WILLOW" bench --probe refit >"$folder/out" 2>&1 && fail "willow bench still has probes"

# --- Single bodies.
for name in refit build; do
    probe $name --scene bumpy:triangles=1280
    lines 1
    says '"ratio":'
done
probe decide --scene bumpy:triangles=1280,frames=20
lines 1
says '"differing":0,"inexact":0'
probe decide --scene bumpy:triangles=320,frames=20 --table
says "times faster"

# --- Kept trees against fresh ones.
probe decay --scene stir:triangles=40,frames=34 --scene twist:triangles=20,frames=12 --method rebuild,bottom_up
lines 4
read_with_python '
assert [row["spec"][:5] for row in rows] == ["stir:", "stir:", "twist", "twist"], rows
for row in rows:
    assert row["tail_frames"] == min(20, row["frames"] - 1), row
    assert row["kept_ms"] > 0 and row["fresh_ms"] > 0, row
    assert near(row["ratio"], row["kept_ms"] / row["fresh_ms"]), row
    if row["method"] == "rebuild":
        assert row["bodies_built"] == row["bodies"] * (row["frames"] - 1), row
        assert row["subtrees_built"] == 0, row
'
probe decay --scene many:triangles=320,bodies=8 --frames 100 --method bottom_up:rebuild_ratio=1.05,bottom_up:rebuild_ratio=inf
read_with_python '
assert [row["bodies_built"] for row in rows] == [0, 0], rows
assert rows[0]["subtrees_built"] > 0 and rows[1]["subtrees_built"] == 0, rows
'
probe decay --scene stir:triangles=40,frames=34 --frames 30 --repeat 2 --query self
says '"query":"self","frames":30,"tail_frames":20,'
says '"method":"brute"'
probe decay --scene twist:triangles=20,frames=5 --method auto,bottom_up:arity=2 --table
says "the last 4 of 5 frames"
says "bottom_up:arity=2"
says "at most 1.5"
says "ratio      built      parts"
refuse "3 frames or more" decay --frames 2
refuse "not peer:plain" decay --method peer:plain

# --- Steps in which everything is new, and updates alone.
probe reconstruct --scene many:triangles=80,bodies=9,frames=13 --method rebuild,bottom_up:build=sah --threads 2
lines 3
read_with_python '
assert [row["method"] for row in rows] == ["rebuild", "bottom_up:build=sah", "peer:plain"], rows
for row in rows:
    assert row["bodies"] == 9 and row["triangles"] == 720 and row["vertices"] == 378, row
    assert near(row["plain_total_ms"], rows[2]["total_ms"]), row
    assert near(row["ratio"], row["plain_total_ms"] / row["total_ms"]), row
    for form, written in ("stored", 16), ("borrowed", 0), ("ordered", 0):
        if row["method"] == "peer:plain":
            assert not any(name.startswith(form) for name in row), row
            continue
        assert row[form + "_bytes_read"] == 12 * 378 and row[form + "_bytes_written"] == written * 378, row
        assert near(row[form + "_ns_per_vertex"], row[form + "_update_ms"] * 1e6 / 378), row
        assert row[form + "_limit_share"] > 0, row
'
probe reconstruct --scene degenerate:frames=12 --method brute,bottom_up --table
says "vertices new in every step"
says "12 bytes read per vertex, and 16 written"
refuse "3 frames or more" reconstruct --frames 2
refuse "no method 'nobody'" reconstruct --scene many:triangles=80,frames=12 --method nobody

# --- What kinetic trees promise: the same events at every rate, and none where all goes straight on.
probe kinetic --scene tablecloth:triangles=128,frames=21,inbetween=4 --method kinetic_aabb:events=batch:arity=2:leaf_triangles=1,kinetic_aabb:events=batch,kinetic_boxtree:arity=2:leaf_triangles=1
lines 41
read_with_python '
for method in "kinetic_aabb:events=batch:arity=2:leaf_triangles=1", "kinetic_aabb:events=batch", "kinetic_boxtree:arity=2:leaf_triangles=1":
    own = [row for row in rows if row["method"] == method]
    parts = {part: [row for row in own if row["part"] == part] for part in ("rate", "size", "growth", "event", "straight")}
    rates = parts["rate"]
    assert [row["between"] for row in rates] == [20, 200, 2000], rates
    assert [row["updates"] for row in rates] == [4 * 21, 4 * 201, 4 * 2001], rates
    assert len({row["events"] for row in rates}) == 1 and rates[0]["events"] > 0, rates
    assert all(row["ratio"] == 1 and row["triangles"] == 128 for row in rates), rates
    sizes = parts["size"]
    assert len(sizes) == 5 and sizes[-1]["events"] == rates[0]["events"], sizes
    assert [row["triangles"] for row in sizes] == sorted({row["triangles"] for row in sizes}), sizes
    for row in sizes:
        n = row["triangles"]
        assert near(row["ratio"], row["events"] / (n * math.log2(n))), row
    points = [(math.log(row["triangles"]), math.log(row["events"])) for row in sizes if row["events"] > 0]
    x, y = (sum(values) / len(points) for values in zip(*points))
    power = sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, b in points)
    assert near(parts["growth"][0]["exponent"], power), (parts["growth"], power)
    event = parts["event"][0]
    assert near(event["event_ns"], event["update_ms"] * 1e6 / event["events"]), event
    assert near(event["ratio"], event["event_ns"] / event["refit_ns_per_triangle"]), event
    assert [row["events"] for row in parts["straight"]] == [0, 0], parts["straight"]
for method in "kinetic_aabb:arity=2:leaf_triangles=1", "kinetic_aabb":
    row, = [row for row in rows if row["method"] == method]
    assert row["part"] == "event" and row["events"] == row["event_ns"] == row["ratio"] == 0 < row["update_ms"], row
refits = [row for row in rows if row["method"].startswith(("bottom_up", "hybrid"))]
assert [row["ratio"] for row in refits] == [0, 0, 0], refits
best = min(row["update_ms"] * 1e6 / row["triangles"] for row in refits)
assert near(refits[0]["refit_ns_per_triangle"], best), (refits, best)
'
probe kinetic --scene avatar:triangles=64,frames=13,inbetween=2 --frames 7 --table
says "3 keyframes"
says "as n log n to the power of"
says "The aim is at most 200"
says "flies straight on"
refuse "needs two keyframes or more; bumpy" kinetic --scene bumpy:triangles=80
refuse "takes the methods kinetic_aabb and kinetic_boxtree, not hybrid" kinetic --scene avatar:triangles=64 --method kinetic_aabb,hybrid
refuse "not peer:plain" kinetic --scene avatar:triangles=64 --method peer:plain
refuse "kinetic takes no --query" kinetic --query first

# --- Many small bodies.
probe bodies 300
lines 2
says '"bodies":300,"shared":false,'
says '"bodies":300,"shared":true,'
probe bodies 200 --threads 2 --table
says "200 bodies of 4 triangles, shared: created in"
refuse "'few' is not a number of bodies" bodies few
refuse "bodies takes no --query" bodies --query first
refuse "bodies takes no --scene" bodies --scene bumpy

exit $((failures > 0))
