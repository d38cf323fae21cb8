#!/usr/bin/env bash
# Bodies that are given as morphs: the same answers as without, from everybody, and what is counted.
# shellcheck source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"

# bench ARGUMENTS...: leaves the output in $folder/out; must end with 0.
bench()
{
    "$WILLOW" bench "$@" >"$folder/out" 2>"$folder/errors" ||
        fail "willow bench $*: ended with $?: $(<"$folder/errors")"
}

says() { grep -q -- "$1" "$folder/out" || fail "it does not say '$1': $(<"$folder/out")"; }
hashes() { grep -o '"pairs":[0-9]*,"hash":"[0-9a-f]*"' "$folder/out" | sort -u; }

# --- With morphs and without: one answer, of all methods and the yardstick.
for scene in dolphins:triangles=564,frames=24,bodies=4 morphing:triangles=320,frames=40; do
    bench --scene $scene --method hybrid
    says '"morphs":false'
    wanted=$(hashes)
    [[ $wanted != *'"pairs":0,'* ]] || fail "$scene: nothing meets"
    bench --morphs --scene $scene \
        --method all,auto,blend:blend_both=1:arity=4:reference=best,hybrid:poses=apply,peer:plain
    [[ $(hashes) == "$wanted" ]] || fail "$scene: with morphs the answers are $(hashes), without $wanted"
    [[ $(grep -c '"morphs":true' "$folder/out") == 10 ]] || fail "$scene: not all 10 have morphs: $(<"$folder/out")"
    says '"method":"blend",.*"vertices_evaluated":0,.*"vertices_blended":[1-9]'
    says '"method":"hybrid",.*"vertices_evaluated":[1-9].*"vertices_blended":0,'
    says '"method":"auto",.*"stands_for":"blend"'
done

# --- Threads and other questions; those about steps are asked as ever.
bench --morphs --scene dolphins:triangles=564,frames=12,bodies=3 --threads 2 --method blend,bottom_up \
    --query first,near,impacts
[[ $(grep -c '"morphs":true' "$folder/out") == 4 ]] || fail "not four with morphs: $(<"$folder/out")"

# --- Without morphs, BLEND is not among all.
bench --scene morphing:triangles=80,frames=12
! grep -q '"method":"blend"' "$folder/out" || fail "blend is among all: $(<"$folder/out")"
bench --morphs --scene bumpy:triangles=80,frames=12
! grep -q '"method":"blend"' "$folder/out" || fail "blend is among all of bumpy: $(<"$folder/out")"
