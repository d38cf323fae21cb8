#!/usr/bin/env bash
# The bench proves answers, prints lines that a program can read, and keeps its streams apart.
set -u
: "${WILLOW:?the path of the tool}"
failures=0
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT

fail()
{
    echo "$*"
    failures=$((failures + 1))
}

# bench ARGUMENTS...: leaves the output in $output; must end with 0.
bench()
{
    output=$("$WILLOW" bench "$@" 2>"$errors") || fail "willow bench $*: ended with $?: $(<"$errors")"
}

# field NAME LINE: the value of a field, without quotes.
field()
{
    sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p" <<<"$2"
}

# One object per line: braces at both ends, every key quoted, no key twice.
check_lines()
{
    local line
    while IFS= read -r line; do
        [[ $line =~ ^\{(\"[a-z_]+\":(\"[^\"\\]*\"|-?[0-9.e+-]+|true|false|\[[0-9.e+,nul-]*\]),?)+\}$ ]] ||
            fail "this is no line of JSON: $line"
        local twice
        twice=$(grep -o '"[a-z_]*":' <<<"$line" | sort | uniq -d)
        [[ -z $twice ]] || fail "twice in one line: $twice"
    done <<<"$output"
}

# --- Every field is there, and all methods give the same pairs and the same hash, peers that lose
# pairs apart.
bench --scene bumpy:triangles=320,frames=40 --method all --peers
check_lines
hashes=$(grep -v '"lost":[1-9]' <<<"$output" | sed -n 's/.*"hash":"\([0-9a-f]*\)".*/\1/p' |
    sort -u | wc -l)
[[ $hashes == 1 ]] || fail "not one hash but $hashes: $output"
for name in scene spec triangles method query frames repeat threads kernel update_ms query_ms total_ms \
    setup_ms update_ms_median query_ms_median total_ms_median total_ms_least total_ms_most fifths pairs hash bytes bytes_hierarchy \
    bytes_per_triangle speedup; do
    missing=$(grep -vc "\"$name\":" <<<"$output")
    [[ $missing == 0 ]] || fail "$missing lines without $name"
done
plain=$(grep '"peer:plain"' <<<"$output")
[[ $(field lost "$plain") == 0 && $(field extra "$plain") == 0 ]] || fail "peer:plain differs: $plain"
[[ -n $(field refit_ns_per_triangle "$plain") ]] || fail "no refit time in $plain"
brute=$(grep '"method":"brute"' <<<"$output")
[[ $(field pairs "$brute") -gt 0 ]] || fail "no pairs at all: $brute"
[[ $(field triangles "$brute") == 640 && $(field frames "$brute") == 40 ]] || fail "wrong subject: $brute"
for name in nodes_updated volume_tests triangle_tests exact_tests; do
    [[ -n $(field $name "$brute") ]] || fail "no $name in $brute"
done

# --- Answers do not depend on threads, kernels, arity or leaves.
reference=
for options in "" "--threads 2" "--kernel scalar" "--set arity=2 --set leaf_triangles=1" \
    "--set arity=4 --set leaf_triangles=32 --set build=median" "--repeat 2"; do
    # shellcheck disable=SC2086 # several words
    bench --scene soup:triangles=200,frames=12 --method bottom_up $options
    hash=$(field hash "$output")
    reference=${reference:-$hash}
    [[ -n $hash && $hash == "$reference" ]] || fail "with '$options' the hash is $hash, not $reference"
done

# --- Methods with settings of their own, side by side: one hash, whatever they are.
contenders=van_den_bergen,rebuild:build=sah:arity=4
for build in midpoint mean median connectivity sah; do contenders+=,bottom_up:build=$build; done
for poses in given apply none all; do contenders+=,bottom_up:poses=$poses:leaf_triangles=4; done
for other in descend=larger broad=one_axis broad=all_pairs; do contenders+=,bottom_up:$other; done
for scene in tumble:triangles=320,frames=40 many:triangles=80,frames=30,variant=rigid \
    many:triangles=80,frames=30,variant=arms tablecloth:triangles=512,frames=30; do
    bench --scene "$scene" --method "$contenders"
    check_lines
    [[ $(wc -l <<<"$output") == 14 ]] || fail "$scene: not 14 lines: $output"
    [[ $(grep -c '"method":"van_den_bergen"' <<<"$output") == 1 ]] || fail "no classic: $output"
    hashes=$(sed -n 's/.*"hash":"\([0-9a-f]*\)".*/\1/p' <<<"$output" | sort -u | wc -l)
    [[ $hashes == 1 ]] || fail "$scene: not one hash but $hashes: $output"
    [[ $(field pairs "$(head -1 <<<"$output")") -gt 0 ]] || fail "$scene: no pairs: $output"
done
"$WILLOW" bench --method bottom_up:leaves=3 >"$errors" 2>&1 && fail "an unknown setting was taken"
grep -q "no key 'leaves'" "$errors" || fail "no words about 'leaves': $(<"$errors")"

# --- Questions, on scenes where peers must agree but for what they leave out.
for query in pairs first self none; do
    for scene in soup:triangles=100,frames=12,variant=strips degenerate:frames=12; do
        bench --scene "$scene" --query $query --method all,peer:plain
        check_lines
        plain=$(grep '"peer:plain"' <<<"$output")
        [[ $(field lost "$plain") == 0 && $(field extra "$plain") == 0 ]] ||
            fail "$scene, $query: peer:plain differs: $(<"$errors")"
    done
done
bench --scene soup:triangles=100,frames=12,variant=strips --query self --method bottom_up
with=$(field pairs "$output")
bench --scene soup:triangles=100,frames=12,variant=strips --query self --method bottom_up \
    --set skip_neighbours=1
without=$(field pairs "$output")
((without < with)) || fail "neighbours were not skipped: $with and $without pairs"

# --- Neighbours decided and neighbours skipped, side by side: two right answers, told apart.
skipping=bottom_up:skip_neighbours=1,hybrid:skip_neighbours=1
for query in pairs self first; do
    for methods in bottom_up,$skipping,peer:plain,brute $skipping,peer:plain peer:plain,$skipping,bottom_up; do
        for scene in soup:triangles=100,frames=12,variant=strips selfcloth:triangles=200,frames=30; do
            bench --scene "$scene" --query $query --method "$methods"
            check_lines
            ! grep -q '"wrong":true' <<<"$output" || fail "$scene, $query, $methods: $(<"$errors")"
            plain=$(grep '"peer:plain"' <<<"$output")
            [[ $(field lost "$plain") == 0 && $(field extra "$plain") == 0 ]] ||
                fail "$scene, $query, $methods: peer:plain differs: $(<"$errors")"
            rules=$(sed -n 's/.*"method":"\([^"]*\)".*"neighbours":"\([a-z]*\)".*/\1 \2/p' <<<"$output")
            [[ $(wc -l <<<"$rules") == "$(wc -l <<<"$output")" ]] || fail "lines without a rule: $output"
            ! grep -E '(skip_neighbours=1|peer:plain) decided|(bottom_up|brute) skipped' <<<"$rules" ||
                fail "another rule: $rules"
        done
    done
done
bench --scene selfcloth:triangles=200,frames=30 --query self --method bottom_up,$skipping,peer:plain
[[ $(sed -n 's/.*"hash":"\([0-9a-f]*\)".*/\1/p' <<<"$output" | sort | uniq -c | awk '{ print $1 }' | sort | tr '\n' ' ') == "1 3 " ]] ||
    fail "not one answer with neighbours and three without: $output"
bench --scene selfcloth:triangles=200,frames=30 --query self --method bottom_up,$skipping,peer:plain --table
[[ $(grep -cE '^[a-z_:=1]+ .* [0-9]+\* ' <<<"$output") == 3 && $output == *"* without triangles"* ]] ||
    fail "three are to be marked: $output"

# Where nothing within bodies is asked for, there is no rule to tell.
for scene in "bumpy:triangles=80,frames=12" "selfcloth:triangles=200,frames=12 --query none"; do
    # shellcheck disable=SC2086 # several words
    bench --scene $scene --method bottom_up,$skipping,peer:plain
    [[ $output != *neighbours\":* ]] || fail "$scene has no neighbours: $output"
    # shellcheck disable=SC2086
    bench --scene $scene --method bottom_up,$skipping,peer:plain --table
    [[ $output != *\** ]] || fail "$scene: nobody is to be marked: $output"
done

# --- What queries looked at, per frame: the counts of the JSON over the frames, in a table of its own.
bench --scene selfcloth:triangles=200,frames=30 --query self --method bottom_up,peer:plain
line=$(head -1 <<<"$output")
wanted=
for name in body_pairs nodes_opened volume_tests leaf_pairs vertices_blended leaf_pairs_culled stars stars_left triangle_tests exact_tests feature_tests pairs; do
    count=$(field $name "$line")
    wanted+=" $(awk -v count="${count:-none}" 'BEGIN { printf "%.1f", count / 30 }')"
done
[[ $(field volume_tests "$line") -gt 0 && $(field triangle_tests "$line") -gt 0 ]] || fail "no stages: $line"
bench --scene selfcloth:triangles=200,frames=30 --query self --method bottom_up,peer:plain --table --stages
stages=$(sed -n '/^in stages/,$p' <<<"$output")
[[ $(head -1 <<<"$stages" | tr -s ' ') == "in stages bodies nodes volumes leaves blended culled stars stars left triangles exact features pairs" ]] ||
    fail "no heads of stages: $output"
[[ $(grep '^bottom_up' <<<"$stages" | tr -s ' ') == "bottom_up$wanted" ]] ||
    fail "the stages are not $wanted: $output"
[[ $(grep '^peer:plain' <<<"$stages" | tr -s ' ') =~ ^"peer:plain - - - - - - - - - - - "[0-9.]+$ ]] ||
    fail "a peer has no stages: $output"

# --- For people.
bench --scene bumpy:triangles=80,frames=20 --method bottom_up --peers --table
[[ $output == *speedup* && $output == *bottom_up* && $output != *\{* ]] || fail "no table: $output"

# --- A peer that cannot answer is left out; the library need not be here.
if "$WILLOW" info | grep -q peer:cgal-self; then
    bench --scene bumpy:triangles=80,frames=20 --method bottom_up,peer:cgal-self-intersections
    [[ $output != *peer:cgal* ]] || fail "it was asked for pairs between bodies: $output"
    grep -q "peer:cgal-self-intersections is left out" "$errors" || fail "no word: $(<"$errors")"
    bench --scene selfcloth:triangles=200,frames=20 --method bottom_up,peer:cgal-self-intersections
    [[ $(field peer_version "$output") == *.* ]] || fail "no version: $output"

    # It decides neighbours, and has the very answer of Willow: also where triangles are points or
    # segments, or too many at an edge.
    for scene in selfcloth:triangles=800,frames=40 soup:triangles=100,frames=12,variant=strips degenerate; do
        for methods in bottom_up bottom_up,bottom_up:skip_neighbours=1,peer:plain; do
            bench --scene $scene --query self --method $methods,peer:cgal-self-intersections
            [[ $(field hash "$(tail -1 <<<"$output")") == "$(field hash "$(head -1 <<<"$output")")" ]] ||
                fail "$scene: another answer: $output"
            [[ $(field neighbours "$(tail -1 <<<"$output")") == decided ]] || fail "no rule: $output"
            ! grep -qE '"(lost|extra)":[1-9]' <<<"$output" || fail "$scene: pairs differ: $output"
        done
        bench --scene $scene --query self --method bottom_up:skip_neighbours=1,peer:cgal-self-intersections
        ! grep -qE '"(lost|extra)":[1-9]' <<<"$output" || fail "$scene: pairs differ: $output"
    done
    "$WILLOW" bench --scene bumpy:triangles=80 --method peer:cgal-self-intersections >"$errors" 2>&1
    [[ $? == 2 ]] || fail "a bench of nobody went well: $(<"$errors")"
fi

exit $((failures > 0))
