#!/usr/bin/env bash
# Bodies that are given as morphs: the same answers as without, from everybody, and what is counted.
# shellcheck source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"

says() { grep -q -- "$1" "$folder/out" || fail "it does not say '$1': $(<"$folder/out")"; }
hashes() { grep -o '"pairs":[0-9]*,"hash":"[0-9a-f]*"' "$folder/out" | sort -u; }

# --- With morphs and without: one answer, of all methods and the yardstick.
for scene in dolphins:triangles=564,frames=24,bodies=4 morphing:triangles=320,frames=40 faces:triangles=320,frames=24; do
    bench --motion positions --scene $scene --method hybrid
    says '"morphs":false'
    wanted=$(hashes)
    [[ $wanted != *'"pairs":0,'* ]] || fail "$scene: nothing meets"
    bench --morphs --scene $scene \
        --method all,auto,blend:blend_both=1:arity=4:reference=best,hybrid:poses=apply,peer:plain
    [[ $(hashes) == "$wanted" ]] || fail "$scene: with morphs the answers are $(hashes), without $wanted"
    [[ $(grep -c '"morphs":true' "$folder/out") == 10 ]] || fail "$scene: not all 10 have morphs: $(<"$folder/out")"
    says '"method":"blend",.*"vertices_evaluated":0,.*"vertices_blended":[1-9]'
    says '"method":"hybrid",.*"vertices_evaluated":[1-9].*"vertices_blended":0,'
    # AUTO refits small heads that are deep in each other
    [[ $scene == faces* ]] || says '"method":"auto",.*"stands_for":"blend"'
done

# --- Threads and other questions.
bench --morphs --scene dolphins:triangles=564,frames=12,bodies=3 --threads 2 --method blend,bottom_up \
    --query first,near
[[ $(grep -c '"morphs":true' "$folder/out") == 4 ]] || fail "not four with morphs: $(<"$folder/out")"

# --- Steps go from weights to weights, and turn with the pose: one answer of all methods. Vertices that
# somebody else blends go straight, as without morphs.
of_given() { grep 'poses=apply' "$folder/out" | grep -o '"pairs":[0-9]*,"hash":"[0-9a-f]*"' | sort -u; }
for scene in morphing:triangles=320,frames=40 faces:triangles=320,frames=24; do
    for query in impacts toi; do
        bench --motion positions --scene $scene --query $query --method hybrid
        wanted=$(hashes)
        bench --morphs --scene $scene --query $query --threads 2 \
            --method all,auto,blend:arity=4,hybrid:poses=apply,bottom_up:poses=apply
        [[ $(grep -c '"morphs":true' "$folder/out") == 10 ]] || fail "$scene: not all 10 have morphs: $(<"$folder/out")"
        [[ $wanted != *'"pairs":0,'* ]] || fail "$scene: nothing meets on the way"
        [[ $(of_given) == "$wanted" ]] || fail "$scene: $query of given vertices is $(of_given), without morphs $wanted"
        [[ $(grep -v 'poses=apply' "$folder/out" | grep -o '"hash":"[0-9a-f]*"' | sort -u | wc -l) == 1 ]] ||
            fail "$scene: methods differ in $query: $(<"$folder/out")"
    done
done

# --- Without morphs, BLEND is not among all.
bench --motion positions --scene morphing:triangles=80,frames=12
! grep -q '"method":"blend"' "$folder/out" || fail "blend is among all: $(<"$folder/out")"
bench --morphs --scene bumpy:triangles=80,frames=12
! grep -q '"method":"blend"' "$folder/out" || fail "blend is among all of bumpy: $(<"$folder/out")"

# --- Skins, and the yardstick in float: nearly the same answers, and what differs is counted.
for variant in ball self; do
    query=first,picks
    [[ $variant == ball ]] || query=self
    bench --morphs --scene walker:triangles=2000,frames=24,variant=$variant --query $query \
        --method skin,bottom_up:poses=apply,bottom_up:poses=apply:float_skins=1,peer:plain,peer:plain:float_skins=1
    says '"method":"skin"'
    ! grep -q '"wrong":true' "$folder/out" || fail "$variant: a wrong answer: $(<"$folder/out")"
    grep 'float_skins=1' "$folder/out" | grep -qv '"lost":[0-9]*,"extra":[0-9]*' &&
        fail "$variant: what differs is not counted: $(<"$folder/out")"
    grep '"method":"peer:plain"' "$folder/out" | grep -q '"lost":[1-9]' && fail "$variant: the pass in double differs"
done
refuse 'no key but float_skins' --scene bumpy --method peer:plain:arity=2

exit $((failures > 0))
