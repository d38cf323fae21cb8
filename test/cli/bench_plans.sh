#!/usr/bin/env bash
# Bodies that get their paths once: the same answers, from everybody, and the counts of kinetic trees.
# Without python3 the counts are not looked at.
# shellcheck source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"

# read_with_python SCRIPT: `rows` is the output, by method.
read_with_python()
{
    [[ -n $python ]] || return 0
    "$python" -c "
import json, sys
rows = {row['method']: row for row in map(json.loads, sys.stdin) if 'method' in row}
$1" <"$folder/out" || fail "the numbers are not as they should be: $(<"$folder/out")"
}

says() { grep -q -- "$1" "$folder/out" || fail "it does not say '$1': $(<"$folder/out")"; }

# --- With plans and without, of all methods and the yardstick: one answer. Changes of the velocities of
# spheres are at frames, between them, and several between two.
binary=arity=2:leaf_triangles=1
kinetic=kinetic_boxtree:$binary,kinetic_boxtree:exact_events=1:events=stream,kinetic_aabb:$binary,kinetic_aabb:events=stream:$binary,kinetic_aabb:events=batch:search_keyframes=1
for scene in avatar:triangles=200,frames=33,inbetween=4 tablecloth:triangles=200,frames=45,inbetween=8 \
    selfcloth:triangles=128,frames=24,inbetween=3 spheres:triangles=320,frames=200 \
    spheres:triangles=320,frames=130 spheres:triangles=320,frames=37; do
    bench --motion positions --scene $scene --method bottom_up
    says '"plans":false'
    wanted=$(sed -n 's/.*"hash":"\([0-9a-f]*\)".*/\1/p' "$folder/out")
    bench --plans --scene $scene --method "all,auto,van_den_bergen,$kinetic,peer:plain"
    hashes=$(grep -v peer: "$folder/out" | sed -n 's/.*"hash":"\([0-9a-f]*\)".*/\1/p' | sort -u)
    [[ $hashes == "$wanted" ]] || fail "$scene: with plans the hashes are $hashes, without $wanted"
    ! grep -E '"pairs":0,' "$folder/out" || fail "$scene: no pairs"
    ! grep -E '"(lost|extra)":[1-9]' "$folder/out" || fail "$scene: peer:plain differs: $(<"$folder/errors")"
    [[ $(grep -c '"plans":true' "$folder/out") == 15 ]] || fail "$scene: not all 15 have plans: $(<"$folder/out")"
    read_with_python "
for name, row in rows.items():
    if name.startswith('peer:'):
        assert 'events' not in row and 'values' not in row, row
    elif 'kinetic' in name:
        assert row['setups'] >= 1 and row['values'] >= row['values_updated'], row
        has_events = 'events=' in name or 'boxtree' in name
        assert (row['certificates_checked'] > 0) == has_events, row
        assert row['vertices_evaluated'] > 0 or not has_events, row
        assert has_events or row['events'] == row['queue_operations'] == 0 < row['values_updated'], row
    elif name != 'auto':
        assert row['events'] == row['setups'] == row['values_updated'] == 0, row
tree = rows['bottom_up']
if 'spheres' not in '$scene' and tree['bodies_built'] + tree['subtrees_built'] == 0:
    assert tree['values'] == 6 * (tree['nodes'] + tree['leaves']) * (tree['frames'] - 1), tree
if '$scene'.startswith('spheres'):
    stream = rows['kinetic_aabb:events=stream:$binary']
    assert stream['plan_changes'] > 0 and stream['events'] > 0, stream
"
done

# --- Without plans a kinetic method is not among all; with them, only where paths are known.
bench --motion positions --scene avatar:triangles=200,frames=12
! grep -q kinetic "$folder/out" || fail "kinetic_aabb would only refit: $(<"$folder/out")"
bench --plans --scene bumpy:triangles=80,frames=12
! grep -q kinetic "$folder/out" || fail "bumpy has no paths: $(<"$folder/out")"
says '"plans":false'
bench --plans --scene avatar:triangles=200,frames=30 --repeat 2 --threads 2 --method kinetic_aabb,bottom_up
says '"repeat":2'

# --- No keyframe hides where frames are not counted, however far they are apart.
for distance in 1 2 3 5 6 10 14 15 20 30 70 90; do
    bench --plans --scene avatar:triangles=20,inbetween=$((distance - 1)),frames=$((12 * distance + 1)) \
        --query none --method kinetic_aabb --series
    read_with_python "
frames = rows['kinetic_aabb']['series']['frame']
keys = [frame for frame in frames if frame % $distance == 0]
assert len(keys) >= 10 and len(set(frames)) == len(frames), frames
"
done

# --- The tables.
bench --plans --scene avatar:triangles=200,frames=12 --method bottom_up,kinetic_aabb,peer:plain --table
says '^kinetic trees .* events .* ends .* queue .* checked .* vertices .* changes .* values .* setups$'
[[ $(sed -n '/^kinetic trees/,$p' "$folder/out" | grep -c '^\(bottom_up\|kinetic_aabb\|peer:plain\) ') == 2 ]] ||
    fail "two have trees: $(<"$folder/out")"
bench --scene avatar:triangles=200,frames=12 --method bottom_up,peer:plain --table
! grep -q '^kinetic trees' "$folder/out" || fail "nothing is kinetic: $(<"$folder/out")"
bench --plans --scene spheres:triangles=80,frames=20 --method bottom_up,kinetic_aabb --csv
says '^scene,.*,plans,.*,events,.*,plan_changes,setups,values,'

# --- Settings that are none.
for setting in events=never search_keyframes=2 exact_events=2; do
    "$WILLOW" bench --set $setting >"$folder/out" 2>&1 && fail "--set $setting was taken"
    says "is \(not possible\|out of range\)"
done

exit $((failures > 0))
