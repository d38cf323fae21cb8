#!/usr/bin/env bash
# render: files of the right size appear, the same bytes however the library works, and what cannot be
# drawn is refused before anything is written.
set -u
: "${WILLOW:?the path of the tool}"
failures=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
errors=$folder/errors
small=scene:bumpy:triangles=320

fail()
{
    echo "$*"
    failures=$((failures + 1))
}

# render CODE NAME ARGUMENTS...: draws into the folder NAME, which is new; must end with CODE, and
# silently on standard error unless that is 2. Leaves the output in $output.
render()
{
    local wanted=$1 out=$folder/$2 actual
    shift 2
    rm -rf "$out"
    output=$("$WILLOW" render --out "$out" "$@" 2>"$errors")
    actual=$?
    [[ $actual == "$wanted" ]] || fail "render $*: ended with $actual, not $wanted: $(<"$errors")"
    if [[ $wanted == 2 ]]; then
        [[ -z $output ]] || fail "render $*: an error, and yet on standard output: $output"
    else
        [[ ! -s $errors ]] || fail "render $*: on standard error: $(<"$errors")"
    fi
}

# refuse WORDS ARGUMENTS...: ends with 2, says so, and writes nothing.
refuse()
{
    local words=$1
    shift
    render 2 refused "$@"
    [[ $(<"$errors") == *"$words"* ]] || fail "render $*: did not say '$words' but: $(<"$errors")"
    [[ ! -e $folder/refused ]] || fail "render $*: refused, and yet there is a folder"
}

# files NAME: what is in the folder, in one line.
files() { (cd "$folder/$1" 2>/dev/null && echo *); }

# size_of FILE: as the header of the PNG says, WIDTHxHEIGHT.
size_of()
{
    [[ $(head -c 8 "$folder/$1" | od -An -tx1) == " 89 50 4e 47 0d 0a 1a 0a" ]] || fail "$1 is no PNG"
    od -An -j16 -N8 -tu1 "$folder/$1" | awk '{ print $3 * 256 + $4 "x" $7 * 256 + $8 }'
}

# expect WHAT ACTUAL WANTED
expect() { [[ $2 == "$3" ]] || fail "$1: '$2', not '$3'"; }

# same NAME NAME: equal files in both folders.
same() { diff -r "$folder/$1" "$folder/$2" >/dev/null || fail "pictures differ: $1 and $2"; }
differ() { ! diff -r "$folder/$1" "$folder/$2" >/dev/null || fail "pictures are the same: $1 and $2"; }

if ! "$WILLOW" render $small --frames 1 --size 1x1 --out "$folder/one" >/dev/null 2>"$errors"; then
    cat "$errors"
    grep -q "cannot write PNG" "$errors" && exit 77
    exit 1
fi
expect "the smallest picture" "$(size_of one/frame0000.png)" 1x1

# --- Files, their names and sizes.
render 0 frames $small --frames 60-90 --every 10 --size 40x30
expect "frames" "$(files frames)" "frame0060.png frame0070.png frame0080.png frame0090.png"
expect "size" "$(size_of frames/frame0060.png)" 40x30
for words in "4 pictures of 40x30" "4 frames; method auto, 1 thread" reconstruction tracing "rays, " drawing; do
    [[ $output == *"$words"* ]] || fail "the summary does not say '$words': $output"
done
render 0 default $small --frames 1 --sampling 10
expect "default size" "$(size_of default/frame0000.png)" 640x480
[[ $output == *"reconstruction  none after the first frame"* ]] || fail "one frame: $output"
render 0 strip $small --strip 3 --size 40x30 --colours 16
expect "a strip" "$(files strip) $(size_of strip/strip.png)" "strip.png 128x30"
render 0 a/b/c $small --frames 1 --size 8x6 --quiet
expect "quiet" "$output" ""
expect "folders in folders" "$(files a/b/c)" frame0000.png
render 0 still $small --strip 3 --frames 5-5 --size 8x6 # the same frame three times
expect "a strip of one frame" "$(size_of still/strip.png)" 32x6

# --- JSON: a line per frame and a summary.
render 0 json $small --frames 60-62 --size 16x12 --json
expect "lines" "$(wc -l <<<"$output")" 4
[[ $output == *'"frame":61,"file":"'"$folder"'/json/frame0061.png","rays":'* ]] || fail "json: $output"
[[ $output == *'"complete":true'*'"frames":3,"pictures":3,'*'"cut_short":0,'* ]] || fail "json: $output"

# --- The picture does not depend on how the library works.
look=(--frames 60-70 --every 5 --size 48x36 --x-ray --edges --floor --quiet)
render 0 wanted $small "${look[@]}" --method brute
for how in "--method auto" "--method rebuild" "--method bottom_up --set arity=2" "--method top_down --set arity=4" \
    "--method hybrid --threads 4" "--kernel scalar" "--threads 3 --set leaf_triangles=1"; do
    # shellcheck disable=SC2086 # several words
    render 0 other $small "${look[@]}" $how
    same other wanted
done
render 0 wanted scene:spheres:triangles=320 --frames 100-102 --size 32x24 --method brute
for method in kinetic_aabb kinetic_boxtree; do # on flight plans
    render 0 other scene:spheres:triangles=320 --frames 100-102 --size 32x24 --method $method
    same other wanted
done
render 0 wanted scene:morphing:triangles=320 --frames 150-152 --size 32x24 --method brute
render 0 other scene:morphing:triangles=320 --frames 150-152 --size 32x24 --method blend --threads 2
same other wanted
mirrors=(scene:rays9:triangles=320 --frames 2 --size 48x36)
render 0 wanted "${mirrors[@]}" --method brute
render 0 other "${mirrors[@]}" --method hybrid --threads 2
same other wanted

# --- What options show.
render 0 plain $small --frames 66-66 --size 48x36
for option in --no-pairs --floor --x-ray "--zoom 2" "--eye 3,0,0" "--look-at 1,0,0" --follow "--boxes 2" \
    "--boxes 0-1" "--antialias 2" "--sampling 5" "--colours 4"; do
    # shellcheck disable=SC2086 # several words
    render 0 shown $small --frames 66-66 --size 48x36 $option
    differ shown plain
done
render 0 other scene:bumpy:triangles=20 --frames 1 --size 48x36
render 0 shown scene:bumpy:triangles=20 --frames 1 --size 48x36 --edges
differ shown other
render 0 other scene:soup:triangles=40 --frames 1 --size 48x36
render 0 shown scene:soup:triangles=40 --frames 1 --size 48x36 --no-self
differ shown other

# Which boxes were made true: all of a method that refits, few of one that waits to be asked.
boxes_of() { sed -n 's/.*"boxes":\([0-9]*\),"fresh_boxes":\([0-9]*\),.*/\1 \2/p' <<<"$output"; }
fine=scene:bumpy:triangles=5120
render 0 boxes $fine --frames 3-3 --size 8x6 --boxes 1-9 --json --method bottom_up
read -r all fresh <<<"$(boxes_of)"
((all > 20 && fresh == all)) || fail "bottom_up: $fresh of $all boxes are fresh"
render 0 boxes $fine --frames 3-3 --size 8x6 --boxes 1-9 --json --method top_down
read -r all fresh <<<"$(boxes_of)"
((fresh > 0 && fresh < all)) || fail "top_down: $fresh of $all boxes are fresh"
render 0 boxes $fine --frames 90-90 --size 64x48 --boxes 1-9 --json --method top_down
read -r all by_rays <<<"$(boxes_of)"
render 0 boxes $fine --frames 90-90 --size 64x48 --boxes 1-9 --json --method top_down --fresh-by pairs --no-self
read -r all by_pairs <<<"$(boxes_of)"
((by_pairs > 0 && by_pairs < by_rays)) || fail "pairs needed $by_pairs of $all boxes, rays $by_rays"

# --- Sub-sampling: the scene's, unless something else is said; a ray in each square of pixels.
rays_of() { sed -n 's/^{"frame".*"rays":\([0-9]*\),.*/\1/p' <<<"$output"; }
# shellcheck disable=SC2054 # points have commas
away=(--size 40x30 --frames 1 --eye 100,0,0 --look-at 200,0,0 --no-pairs --json) # sees nothing
render 0 rays $small "${away[@]}"
expect "rays" "$(rays_of)" 1200
render 0 rays $small "${away[@]}" --sampling 5
expect "rays of 5x5" "$(rays_of)" 48
render 0 rays scene:rays9:triangles=80,sampling=10 "${away[@]}"
expect "rays of 10x10" "$(rays_of)" 12
render 0 rays scene:rays9:triangles=80,sampling=10 "${away[@]}" --sampling 1
expect "rays of 1x1" "$(rays_of)" 1200
render 0 rays scene:rays9:triangles=80,sampling=10 "${away[@]}" --antialias 2
expect "rays of 2x2 in a pixel" "$(rays_of)" 4800

# --- A budget: whatever time is left, there is a picture; with time for all, it is the same.
render 0 hurried "${mirrors[@]}" --budget 0.000001 --json
expect "pictures in no time" "$(files hurried)" "frame0000.png frame0001.png"
[[ $output == *'"complete":false'*'"cut_short":2,'* ]] || fail "no budget at all: $output"
render 0 hurried "${mirrors[@]}" --budget 0.000001
[[ $output == *"2 of 2 frames were cut short at 1e-06 ms; the longest took "* ]] || fail "budget: $output"
render 0 relaxed "${mirrors[@]}" --budget 1000000 --threads 2 --quiet
same relaxed wanted

# --- Refusals.
refuse "say what to draw"
refuse "did you mean 'bumpy'?" scene:bumby
refuse "there is no file" pictures
refuse "scenes stand alone" $small more
refuse "there is no option '--frobnicate'" $small --frobnicate
while read -r option value words; do
    refuse "$words" $small "--$option" "$value"
    refuse "--$option $value: " $small "--$option=$value"
done <<'END'
size 640 write width x height
size 640x write width x height
size x480 write width x height
size 0x480 write width x height
size 640x0 write width x height
size -1x9 write width x height
size 640x480x3 write width x height
size 640X480 write width x height
size 8193x1 of 1 to 8192 pixels
size 99999999999999999999x1 of 1 to 8192 pixels
size 1e2x9 write width x height
size ,, write width x height
sampling 0 1, 5 or 10 is needed
sampling 2 1, 5 or 10 is needed
sampling 5x5 1, 5 or 10 is needed
antialias 0 from 1 to 8 is needed
antialias 9 from 1 to 8 is needed
antialias -1 from 1 to 8 is needed
colours 1 from 2 to 256 is needed
colours 257 from 2 to 256 is needed
colours blue from 2 to 256 is needed
every 0 a number from 1
every 4294967296 a number from 1
strip 0 from 1 to 64 is needed
strip 65 from 1 to 64 is needed
budget 0 milliseconds are needed
budget -1 milliseconds are needed
budget nan milliseconds are needed
budget soon milliseconds are needed
boxes -1 write a depth
boxes 3-1 or two of them, as in 0-3
boxes 1-2-3 write a depth
boxes 1001 write a depth
boxes deep write a depth
fresh-by me rays or pairs is needed
zoom 0 from 0.01 to 1000
zoom -2 from 0.01 to 1000
zoom inf from 0.01 to 1000
zoom nan from 0.01 to 1000
eye 1,2 write three numbers
eye 1,2,3,4 write three numbers
eye 1,,3 write three numbers
eye 1,2,nan write three numbers
eye 1,2,inf write three numbers
eye 1;2;3 write three numbers
look-at ,,, write three numbers
look-at up write three numbers
look-at 1e31,0,0 write three numbers
frames 300- frame
frames 9-5 frame
frames x frame
END
refuse "did you mean 'bottom_up'?" $small --method botom_up
refuse "auto, scalar and avx2" $small --kernel sse
refuse "--threads 1025" $small --threads 1025
refuse "choose one" $small --sampling 5 --antialias 2
refuse "it goes with --boxes" $small --fresh-by pairs
refuse "without --no-pairs and --budget" $small --fresh-by pairs --boxes 1 --no-pairs
refuse "without --no-pairs and --budget" $small --fresh-by pairs --boxes 1 --budget 50
refuse "--every cannot go with it" $small --strip 3 --every 2
refuse "--json cannot go with it" $small --quiet --json
refuse "--x-ray cannot go with it" $small --no-pairs --x-ray
refuse "rays or pixels in a file" $small --size 8192x8192 --antialias 8
refuse "rays or pixels in a file" $small --size 8192x8192 --strip 64
refuse "there is no key 'colour'" $small --set colour=red
output=$("$WILLOW" render $small 2>&1)
[[ $? == 2 && $output == *"--out FOLDER"* ]] || fail "without a folder: $output"
output=$("$WILLOW" render $small --out "" 2>&1)
[[ $? == 2 && $output == *"it has no name"* ]] || fail "a folder without a name: $output"
touch "$folder/file"
for out in "$folder/file" "$folder/file/deeper"; do
    output=$("$WILLOW" render $small --frames 1 --size 8x6 --out "$out" 2>&1)
    [[ $? == 2 && $output == *"--out $out: "* ]] || fail "a file in the way: $output"
done
mkdir -p "$folder/taken/frame0000.png"
output=$("$WILLOW" render $small --frames 1 --size 8x6 --out "$folder/taken" 2>&1)
[[ $? == 2 && $output == *"frame0000.png could not be written"* ]] || fail "a folder in the way: $output"
if [[ -e /dev/full ]]; then
    ln -s /dev/full "$folder/frame0000.png"
    output=$("$WILLOW" render $small --frames 1 --size 8x6 --out "$folder" 2>&1)
    [[ $? == 2 && $output == *"could not be written"* ]] || fail "a full disk: $output"
fi

# --- Files: with y upwards or z, several of them, and what cannot be drawn.
cat >"$folder/clip.obj" <<EOF
o Shirt
v -1 0 -1
v 1 0 -1
v 0 1 -1
f 1 2 3
o Body
v 0 0 -2
v 0 1 0
v 0.5 0 0
f 4 5 6
EOF
render 0 file "$folder/clip.obj" --size 32x24
expect "a file" "$(files file)" "frame0000.png"
render 0 file_z "$folder/clip.obj" --size 32x24 --up z
differ file file_z
render 0 file_y "$folder/clip.obj" --size 32x24 --up y --eye 3,2,3 --look-at 0,0,0 --no-self
differ file file_y
render 0 files "$folder/clip.obj" "$folder/clip.obj" --size 16x12
mkdir "$folder/shapes"
head -n 5 "$folder/clip.obj" >"$folder/shapes/c0.obj"
cp "$folder/clip.obj" "$folder/shapes/c1.obj"
sed -i 's/^o .*//' "$folder"/shapes/*.obj
render 2 changing "$folder/shapes" --size 16x12
[[ $(<"$errors") == *"triangles change in frame 1"* ]] || fail "triangles that change: $(<"$errors")"
refuse "--up x: y or z is needed" "$folder/clip.obj" --up x
refuse "there is no file" "$folder/none.glb"

exit $((failures > 0))
