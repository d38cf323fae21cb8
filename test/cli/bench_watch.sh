#!/usr/bin/env bash
# Separation lists in benchmarks: the suite has three totals side by side, like for like, and the
# answers are the same; so are those within bodies, and those of bodies that a list is not for.
# shellcheck source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"

count() { grep -c -- "$1" "$folder/out"; }

# one_hash METHODS: all of them gave the same answer, and found something.
one_hash()
{
    [[ $(count '"hash"') == "$1" ]] || fail "not $1 methods: $(<"$folder/out")"
    [[ $(sed -n 's/.*"hash":"\([0-9a-f]*\)".*/\1/p' "$folder/out" | sort -u | wc -l) == 1 ]] ||
        fail "not one hash: $(<"$folder/out")"
    ! grep -q '"pairs":0,' "$folder/out" || fail "nothing was found: $(<"$folder/out")"
}

bench --suite watch --frames 3
[[ $(count '"query":"pairs","frames"') == 20 && $(count '"query":"first","frames"') == 20 ]] ||
    fail "not two questions to ten methods on two scenes: $(<"$folder/out")"
[[ $(count '"plans":true,') == 40 ]] || fail "not all with plans: $(<"$folder/out")"
[[ $(count ':watch=list"') == 12 ]] || fail "not three with lists on each: $(<"$folder/out")"
! grep -q '"wrong":true' "$folder/out" || fail "a wrong answer"
bench --suite watch --frames 2 --method kinetic_aabb --table
[[ $(count 'strangers only') == 4 ]] || fail "the suite has strangers only: $(<"$folder/out")"

cloth=tablecloth:triangles=800,inbetween=9,frames=60
bench --scene "$cloth" --plans --set poses=given --method bottom_up,kinetic_aabb,kinetic_aabb:watch=list,kinetic_aabb:watch=auto
one_hash 4
bench --scene "$cloth" --plans --query first --method bottom_up,kinetic_aabb,kinetic_aabb:watch=list,kinetic_aabb:watch=roots,hybrid:watch=front
one_hash 5
bench --scene selfcloth:triangles=512,frames=40 --plans --query self --set watch=list --method bottom_up,kinetic_aabb,kinetic_boxtree
one_hash 3

exit $((failures > 0))
