#!/usr/bin/env bash
# The suite of flight plans, a few frames of each scene: it has plans, methods and questions, unless
# others are named. The scenes of figure 22 have methods of their own and are asked for pairs.
# shellcheck source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"

count() { grep -c -- "$1" "$folder/out"; }

bench --suite kinetic --frames 4
scenes=$(sed -n 's/.*"spec":"\([^"]*\)".*/\1/p' "$folder/out" | sort -u | wc -l)
((scenes >= 10)) || fail "only $scenes scenes: $(<"$folder/out")"
lists=$(count '"method":"bottom_up.*"query":"pairs","frames"')
((lists >= 6 && $(count '"query":"pairs","frames"') == 5 * lists)) || fail "not five on each scene of figure 22: $(<"$folder/out")"
[[ $(count 'watch=list","query":"pairs","frames"') == $((2 * lists)) ]] || fail "not two lists on each: $(<"$folder/out")"
others=$((scenes - lists))
[[ $(count '"plans":true,.*"threads":1,') == $((7 * others + 5 * lists)) ]] || fail "not all with plans: $(<"$folder/out")"
[[ $(count '"query":"first","frames"') == $((7 * others)) ]] || fail "the suite asks for the first pair: $(<"$folder/out")"
[[ $(count '"method":"peer:plain","query":"first","frames"') == "$others" ]] || fail "no yardstick: $(<"$folder/out")"
! grep -E '"wrong":true|"(lost|extra)":[1-9]' "$folder/out" || fail "answers differ"

bench --suite kinetic --scene bumpy:triangles=80,frames=12 --frames 2 --method kinetic_aabb --query none
[[ $(count '"query":"none","frames"') == $((scenes + 1)) && $(count '"plans":false') == 1 ]] ||
    fail "what was named was not taken: $(<"$folder/out")"

exit $((failures > 0))
