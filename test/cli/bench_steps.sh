#!/usr/bin/env bash
# Questions about steps and nearness: all methods give one answer, BRUTE among them, whatever the
# threads, the kernel and the trees. test/cli/probe_steps.sh has the probes of steps.
# shellcheck source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"

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

# --- How far the first body is from the others.
bench --scene shells:triangles=320,frames=6,bodies=3 --query distance --method all,brute,auto
one hash
[[ $(values pairs | head -1) == 6 ]] || fail "a closest pair in every frame: $(<"$folder/out")"

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
count near near --set near_distance=0.5
count farther near --set near_distance=0.6
count apart near --set near_distance=0.5 --set skip_neighbours=1
count moved near --set near_distance=0.5 --set skip_neighbours=1 --set skip_close_at_rest=1
((moved < apart && apart < near && near < farther)) || fail "near: $moved, $apart, $near, $farther"
[[ $(values distance | head -1) == 0.5 ]] || fail "not the distance: $(<"$folder/out")"
count touching impacts
count thick impacts --set touch_distance=0.05
count early impacts --set tolerance=0.5
((touching < thick && touching <= early)) || fail "impacts: $touching, $thick, $early"
bench --scene selfcloth:triangles=128,frames=8 --query impacts --method bottom_up --set max_iterations=1
(($(values pairs) > touching)) || fail "all was decided in one iteration: $(<"$folder/out")"
bench --scene selfcloth:triangles=128,frames=8 --query near --method bottom_up,bottom_up:skip_neighbours=1,brute:skip_neighbours=1
[[ $(values hash | sort -u | wc -l) == 2 && $(values neighbours | tr '\n' ' ') == "decided skipped skipped " ]] ||
    fail "two rules: $(<"$folder/out")"
for setting in near_distance=-1 near_distance=inf touch_distance=-1 touch_distance=nan tolerance=2 tolerance=-1 max_iterations=-1 skip_close_at_rest=2; do
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

# --- Words behind the options are none of its business.
refuse "unexpected argument" one.ply two.ply

# --- The suite has scenes of this build only: what is not here would be an error.
bench --suite impacts --query none --method bottom_up --frames 2
(($(wc -l <"$folder/out") >= 5)) || fail "few scenes: $(<"$folder/out")"
[[ $(values scene | sort -u | tr '\n' ' ') == *"bumpy "*"selfcloth "*"tablecloth "* ]] || fail "other scenes: $(<"$folder/out")"

exit $((failures > 0))
