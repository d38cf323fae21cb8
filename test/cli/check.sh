#!/usr/bin/env bash
# check: the exit code is the answer, lines add up to the summary, and how the library works does not
# show in what it finds.
set -u
: "${WILLOW:?the path of the tool}"
failures=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
errors=$folder/errors

fail()
{
    echo "$*"
    failures=$((failures + 1))
}

# check CODE ARGUMENTS...: leaves the output in $output; it must end with CODE, and silently on
# standard error unless that is 2.
check()
{
    local wanted=$1 actual
    shift
    output=$("$WILLOW" check "$@" 2>"$errors")
    actual=$?
    [[ $actual == "$wanted" ]] || fail "check $*: ended with $actual, not $wanted: $(<"$errors")"
    if [[ $wanted == 2 ]]; then
        [[ -z $output ]] || fail "check $*: an error, and yet on standard output: $output"
    else
        [[ ! -s $errors ]] || fail "check $*: on standard error: $(<"$errors")"
    fi
}

# refuse WORDS ARGUMENTS...: ends with 2 and says so.
refuse()
{
    local words=$1
    shift
    check 2 "$@"
    [[ $(<"$errors") == *"$words"* ]] || fail "check $*: did not say '$words' but: $(<"$errors")"
}

# sum_of NAME: the sum of a number over the lines of frames in $output.
sum_of()
{
    sed '$d' <<<"$output" | sed -n "s/.*\"$1\":\([0-9]*\)[,}].*/\1/p" | awk '{ n += $1 } END { print n + 0 }'
}

# in_summary NAME: a number of the last line, before what it has of single frames.
in_summary()
{
    tail -n 1 <<<"$output" | sed 's/"first_contact":.*//' | sed -n "s/.*,\"$1\":\([0-9]*\),.*/\1/p"
}

small=scene:bumpy:triangles=320

# --- The exit code is the answer.
check 0 $small --frames 20
[[ $output == *"No collisions in 20 frames."* ]] || fail "clean: $output"
check 1 $small
for words in "2 bodies, 640 triangles, frames 0 to 199" "1 thread" "Collisions in 1" "first contact" \
    "first self contact  none" "worst frame" "time per frame" "between bodies" "within bodies"; do
    [[ $output == *"$words"* ]] || fail "the summary does not say '$words': $output"
done
check 1 --quiet $small
[[ -z $output ]] || fail "--quiet prints: $output"
check 0 -q $small --frames 20
[[ -z $output ]] || fail "-q prints: $output"
check 1 scene:soup:triangles=100,frames=6,bodies=1
check 0 scene:soup:triangles=100,frames=6,bodies=1 --no-self

# --- Errors end with 2, say why, and print nothing else.
refuse "say what to check"
refuse "scenes stand alone" $small $small
refuse "there is no file 'clip.glb'" clip.glb
refuse "did you mean 'scene:bumpy'?" bumpy
refuse "did you mean 'scene:bumpy'?" bumby:triangles=80
refuse "did you mean 'bumpy'?" scene:bumby
refuse "no key 'size'" scene:bumpy:size=3
refuse "did you mean '--frames'?" $small --frame5
refuse "there is no option '-x'" $small -x
refuse "--json takes no value" $small --json=yes
refuse "--frames needs a value" $small --frames
refuse "200 frames, 0 to 199" $small --frames 201
refuse "200 frames, 0 to 199" $small --frames 200-
refuse "200 frames, 0 to 199" $small --frames 0-200
check 1 $small --frames 0
[[ $output == *"frames 0 to 199"* ]] || fail "--frames 0 is not all frames: $output"
for frames in x 5-4 -5 5-x 1-2-3 99999999999999999999-; do
    refuse "--frames $frames: write" $small --frames=$frames
done
refuse "did you mean 'bottom_up'?" $small --method botom_up
refuse "no method 'all'" $small --method all
refuse "--threads 1025" $small --threads 1025
refuse "auto, scalar and avx2" $small --kernel neon
refuse "did you mean 'build'?" $small --set bild=median
refuse "margin is 0 or a distance" $small --set margin=-1
refuse "margin is 0 or a distance" $small --set margin=nan
refuse "margin is 0 or a distance" $small --set margin=inf
refuse "rebuild_ratio is 0 (the default), 1 or more" $small --set rebuild_ratio=0.5
refuse "rebuild_ratio is 0 (the default), 1 or more" $small --set rebuild_ratio=nan
refuse "--limit -1" $small --pairs --limit -1
refuse "--limit is about" $small --limit 3
refuse "--json, --csv and --messages" $small --json --csv
refuse "are about files" $small --fps 24
refuse "--quiet prints nothing" $small --quiet --json

# --- A line per frame, and a last one that they add up to.
for scene in $small scene:soup:triangles=100,frames=9 scene:soup:triangles=60,frames=5,variant=strips \
    scene:degenerate:frames=5; do
    check 1 "$scene" --json
    [[ $(in_summary frames) == $(($(wc -l <<<"$output") - 1)) ]] || fail "$scene: lines and frames"
    for name in pairs self_pairs; do
        [[ $(in_summary $name) == $(sum_of $name) ]] || fail "$scene: $name do not add up"
    done
    (($(sum_of pairs) + $(sum_of self_pairs) > 0)) || fail "$scene: nothing was found"
    hit=$(sed '$d' <<<"$output" | grep -vc '"pairs":0,"self_pairs":0,')
    [[ $(in_summary frames_with_collisions) == "$hit" ]] || fail "$scene: frames that collide"
done

# --- The table says the same as the lines, and --verbose has every frame.
check 1 $small --json
lines=$(sed -n 's/.*"frame":\([0-9]*\),"time":[^,]*,"pairs":\([0-9]*\),"self_pairs":\([0-9]*\),"upd.*/\1 \2 \3/p' <<<"$output")
first=$(grep -m 1 -v ' 0 0$' <<<"$lines")
worst=$(sort -k2,2nr -k1,1n <<<"$lines" | head -n 1)
check 1 $small --verbose
table=$(awk '/^frame  *between/ { on = 1; next } on { print $1, $2, $3 }' <<<"$output")
[[ $table == "$lines" ]] || fail "the table differs from the lines: $table"
[[ $output == *"first contact       frame ${first%% *}: body 1 face"* ]] || fail "first is $first: $output"
[[ $output == *"worst frame         frame ${worst%% *}: "* ]] || fail "worst is $worst: $output"
check 1 $small
(($(wc -l <<<"$output") < 40)) || fail "this is no summary: $output"

# --- Part of the frames: the same numbers as in the whole.
check 1 $small --frames 90-95 --json
part=$(sed -n 's/.*"frame":\([0-9]*\),"time":[^,]*,"pairs":\([0-9]*\),"self_pairs":\([0-9]*\),"upd.*/\1 \2 \3/p' <<<"$output")
[[ $part == "$(sed -n 91,96p <<<"$lines")" ]] || fail "frames 90-95 are $part"
check 1 $small --frames 199- --json
[[ $output == '{"frame":199,'* && $(wc -l <<<"$output") == 2 ]] || fail "the last frame: $output"

# --- How the library works does not show in what it finds.
finds()
{
    check 1 scene:soup:triangles=100,frames=6 --json --pairs "$@"
    sed '$d' <<<"$output" | sed 's/"update_ms":[^,]*,"query_ms":[^,]*,//'
}
reference=$(finds)
[[ $reference == *'"list":[{"body_a":1,"body_b":1,"name_a":"body 1","name_b":"body 1","face_a":'* ]] || fail "no list: $reference"
for method in $("$WILLOW" complete check --method ""); do
    [[ $(finds --method "$method") == "$reference" ]] || fail "$method finds something else"
done
for options in "--threads 2" "--threads 3" "--kernel scalar" "--set arity=2 --set leaf_triangles=1" \
    "--set margin=0.1" "--method bottom_up --set margin=1e30" "--set margin=1e-45 --set rebuild_ratio=1" \
    "--method top_down --set rebuild_ratio=1 --set leaf_triangles=2" "--method hybrid --set rebuild_ratio=inf" \
    "--method hybrid --set hybrid_level=1 --set leaf_triangles=2" "--method auto --set margin=3.4e38"; do
    # shellcheck disable=SC2086 # several words
    [[ $(finds $options) == "$reference" ]] || fail "with $options something else is found"
done

# --- Lists of pairs, and their limit.
check 1 $small --frames 90-90 --pairs
count=$(sed -n '91s/.* \([0-9]*\) 0$/\1/p' <<<"$lines")
[[ $(grep -c '^frame 90: body 1 face [0-9]* meets body 2 face [0-9]* at (.*)$' <<<"$output") == "$count" ]] ||
    fail "not $count pairs: $output"
check 1 $small --frames 90-90 --pairs --limit 2
[[ $output == *"frame 90: and $((count - 2)) more"* ]] || fail "no limit: $output"
check 1 $small --frames 90-90 --pairs --limit 2 --json
[[ $output == *'"listed":2,"list":[{'*'},{'*'}]}'* && $(in_summary pairs) == "$count" ]] ||
    fail "no limit: $output"

# --- Between the frames: bodies that pass through each other unseen, and where they do.
passing=scene:tumble:triangles=80,frames=4
check 0 $passing
check 1 $passing --continuous
for words in "No collisions in 4 frames, but between them." "first impact        frame 1 + 0." \
    "steps with impacts  2 of 3"; do
    [[ $output == *"$words"* ]] || fail "--continuous does not say '$words': $output"
done
[[ $output =~ "body 1 "(vertex|face|edge)" "[0-9-]+" touches body 2 "(vertex|face|edge)" "[0-9]+ ]] || fail "no features: $output"
check 1 -q $passing --continuous
check 0 $small --frames 3 --continuous
[[ $output == *"first impact        none in 2 steps"* ]] || fail "no impacts: $output"
check 0 scene:soup:triangles=40,frames=4,bodies=1 --continuous --no-self
check 1 scene:soup:triangles=40,frames=4,bodies=1 --continuous
[[ $output == *"steps with impacts  3 of 3"* ]] || fail "nothing touches within: $output"
# Which of several contacts at time 0 is named is free (C3).
impacts()
{
    check 1 "$1" --continuous --json "${@:2}"
    sed 's/"update_ms":[^,}]*,"query_ms":[^,}]*//; s/"setup_ms":[^}]*//; s/"\(method\|kernel\)":"[^"]*"//g; s/"threads":[0-9]*//
        s/"impact":{"time":0[,}][^}]*}*/"impact":{"time":0/g' <<<"$output"
}
for scene in $passing scene:selfcloth:triangles=128,frames=9 $small; do
    reference=$(impacts "$scene")
    [[ $(sed '$d' <<<"$reference" | grep -c '"impact":') == $(($(wc -l <<<"$reference") - 2)) ]] ||
        fail "$scene: not an impact or null for every step: $reference"
    hit=$(sed '$d' <<<"$reference" | grep -c '"impact":{"time":')
    [[ $(tail -n 1 <<<"$reference") == *"\"steps_with_impacts\":$hit,"* ]] || fail "$scene: not $hit steps: $reference"
    for options in "--method brute" "--method bottom_up --threads 2" "--kernel scalar --set arity=2"; do
        # shellcheck disable=SC2086 # several words
        [[ $(impacts "$scene" $options) == "$reference" ]] || fail "$scene, $options: other impacts"
    done
done

# --- Every line is JSON, for those who read it.
python=$(command -v python3)
if [[ -n $python ]] && "$python" -c 'import json' 2>/dev/null; then
    for options in "" "--pairs" "--pairs --limit 3" "--frames 20" "--continuous --pairs --limit 1" "--frames 1-1 --no-self --pairs"; do
        # shellcheck disable=SC2086 # several words
        "$WILLOW" check $small --json $options |
            "$python" -c 'import json, sys; [json.loads(line) for line in sys.stdin]' ||
            fail "with '$options' this is no JSON"
    done
fi

# --- Blocks where the locale has them, and ASCII where not.
output=$(LC_ALL=C "$WILLOW" check $small)
LC_ALL=C grep -q '[^ -~]' <<<"$output" && fail "not ASCII: $output"
[[ $output == *"..:"* ]] || fail "no chart: $output"
if [[ $(locale -a 2>/dev/null) == *C.[Uu][Tt][Ff]* ]]; then
    [[ $(LC_ALL=C.UTF-8 "$WILLOW" check $small) == *"··▁"* ]] || fail "no blocks in UTF-8"
fi

# --- Progress is for terminals.
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then # there is a terminal to be had
    script -qec "'$WILLOW' check $small --json >/dev/null" /dev/null >"$folder/tty" </dev/null
    grep -q 'frame 0 of 200 \[' "$folder/tty" || fail "no progress on a terminal: $(<"$folder/tty")"
    script -qec "'$WILLOW' check $small -q" /dev/null >"$folder/tty" </dev/null
    [[ ! -s $folder/tty ]] || fail "--quiet shows progress: $(<"$folder/tty")"
fi

# --- What cannot be written or held is an error.
if [[ -w /dev/full ]]; then
    "$WILLOW" check $small >/dev/full 2>"$errors"
    [[ $? == 2 && $(<"$errors") == *"could not be written"* ]] || fail "a full disk: $(<"$errors")"
fi
# Sanitizers need more addresses than this, and are left alone.
if (ulimit -v 300000 && "$WILLOW" --version) >/dev/null 2>&1; then
    output=$(ulimit -v 300000 && "$WILLOW" check scene:soup:triangles=1000000,bodies=100,frames=2 2>"$errors")
    [[ $? == 2 && -z $output && $(<"$errors") == *"out of memory"* ]] || fail "no memory: $output $(<"$errors")"
fi

exit $((failures > 0))
