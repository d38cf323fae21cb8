#!/usr/bin/env bash
# Help teaches, mistakes are answered with a hint, and exit codes say which is which.
set -u
: "${WILLOW:?the path of the tool}"
failures=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1 # examples write files

# expect CODE WORDS ARGUMENTS...: the tool ends with CODE and says WORDS, on whichever stream.
expect()
{
    local code=$1 words=$2 output actual
    shift 2
    output=$("$WILLOW" "$@" 2>&1)
    actual=$?
    if [[ $actual != "$code" || $output != *"$words"* ]]; then
        echo "willow $*: ended with $actual, not $code, or did not say '$words':"
        echo "$output"
        failures=$((failures + 1))
    fi
}

# --- Help teaches by example, in whichever way it is asked for.
expect 0 "Examples:" --help
expect 0 "Examples:" -h
expect 0 "Examples:" help
for command in check info scene render view bench; do
    for way in "$command --help" "$command -h" "help $command"; do
        # shellcheck disable=SC2086 # several words
        expect 0 "Examples:" $way
        # shellcheck disable=SC2086 # several words
        expect 0 "Usage: willow $command" $way
        # shellcheck disable=SC2086 # several words
        expect 0 "Exit status: 0" $way
    done
    expect 0 "  $command" --help
done
expect 0 "willow " --version

# Files that examples name: two objects that meet, and a page without anything but marks.
printf '"WILLOW CLIP" "WILLOW DATA"\n' >"$folder/shell.html"
cat >"$folder/clip.obj" <<EOF
o Shirt
v -1 -1 0
v 1 -1 0
v 0 1 0
f 1 2 3
o Body
v 0 0 -1
v 0 1 1
v 0 -1 1
f 4 5 6
EOF

# Every example of every help runs, on small bodies and in small pictures; collisions are an answer too.
while IFS= read -r example; do
    example=${example%%  *}
    case $example in
        *bench*) continue ;; # test/cli/bench.sh has the like, at sizes for tests
        *'>'*) example=${example%%>*} ;;
        render*) example+=" --size 16x12" ;; # the last one counts
        view* | *--report*) example+=" --template shell.html --frames 1" ;;&
        view*) example+=" --no-open --out clip.html" ;;
    esac
    # shellcheck disable=SC2086 # several words
    (cd "$folder" && "$WILLOW" ${example%%&&*}) >/dev/null 2>&1
    if (($? > 1)); then
        echo "an example of the help does not run: willow $example"
        failures=$((failures + 1))
    fi
done < <(for command in "" check info scene render view; do
    # shellcheck disable=SC2086 # perhaps no word
    "$WILLOW" help $command | sed -n 's/^  willow \(.*\)/\1/p' |
        sed "/^scene export/! s/[a-z]*\.glb/clip.obj/g; s/'frames[^']*'/clip.obj/" |
        sed 's/scene:\(bumpy\|tumble\|tablecloth\) /scene:\1:triangles=80 /; s/=81920/=80/'
done)

# --- info and scene.
expect 0 "kernel" info
expect 0 "bottom_up" info
expect 0 "peer:plain" info
expect 0 '"kernels":[{"name":"auto",' info --json
expect 0 "2 bodies, 640 triangles, 324 vertices, 200 frames" info scene:bumpy:triangles=320
expect 0 "480          0            0          0          0        0" info scene:bumpy:triangles=320
expect 0 "method rebuild, build median, arity 2, up to 4" info scene:bumpy --method rebuild \
    --set arity=2 --set leaf_triangles=4
expect 0 "method auto (hybrid now), build median" info scene:bumpy:triangles=320
expect 0 '"method":"auto","stands_for":"hybrid","build":"median"' info scene:bumpy:triangles=320 --json
expect 0 '"hybrid_level":3,"margin":0.5,"rebuild_ratio":null,' info scene:bumpy:triangles=320 --json \
    --set hybrid_level=3 --set margin=0.5 --set rebuild_ratio=inf
expect 0 '"surface":"non-manifold"' info scene:degenerate --json
expect 0 "84 more bodies" info scene:soup:triangles=2,bodies=100
expect 0 $'\nbody 99 ' info scene:soup:triangles=2,bodies=100 -v
expect 0 "triangles=20480 frames=200 seed=1" scene list
expect 0 '"key":"bodies","default":4,"lowest":1' scene list --json
expect 0 "Larsson" scene show bumpy
expect 0 "one of: apart strips" scene show soup
expect 0 "willow check scene:soup:variant=strips" scene show soup
expect 0 '"variants":["apart","strips"],"default_variant":"apart"' scene show soup --json

# --- Mistakes are answered with a hint.
expect 2 "Usage:"
expect 2 "did you mean 'bench'?" benhc
expect 2 "did you mean 'check'?" chekc scene:bumpy
expect 2 "did you mean 'scene'?" help scen
expect 2 "no command 'entirely-else'" entirely-else
expect 2 "there is no option '--frobnicate'" bench --frobnicate
expect 2 "did you mean '--threads'?" bench --treads 2
expect 2 "--scene needs a value" bench --scene
expect 2 "unexpected argument" bench bumpy
expect 2 "there is no file 'more'" info more
expect 2 "scenes stand alone" info scene:bumpy more
expect 2 "without a target" info --method brute
expect 2 "scene list" scene
expect 2 "unexpected argument" scene list bumpy
expect 2 "scene show bumpy" scene show
expect 2 "did you mean 'list'?" scene lst
expect 2 "did you mean 'soup'?" scene show soap
expect 2 "did you mean 'bumpy'?" bench --scene bumby
expect 2 "no key 'size'" bench --scene bumpy:size=3
expect 2 "did you mean 'bottom_up'?" bench --method botom_up
expect 2 "did you mean 'peer:plain'?" bench --method peer:plane
expect 2 "no method ''" bench --method ''
expect 2 "pairs, first, self, impacts, toi, near, near_features, distance, rays, picks, picks_1000, broad and none" bench --query everything
expect 2 "did you mean 'impacts'?" bench --query impact
expect 2 "did you mean 'first'?" bench --query pairs,frist
expect 2 "no query ''" bench --query pairs,
expect 2 "standard, quick, growth, paper, self, impacts, kinetic, watch, morph, rays, skins, cliffs, broad, edits, fracture and spheres" bench --suite everything
expect 2 "JSON and CSV always have them" bench --fifths
expect 2 "JSON and CSV always count them" bench --stages
expect 2 "auto, scalar and avx2" bench --kernel sse
expect 2 "--threads 1025" bench --threads 1025
expect 2 "--frames 1" bench --frames 1
expect 2 "--frames x" bench --frames x
expect 2 "makes it longer" bench --frames 300
expect 2 "has no value" bench --set arity
expect 2 "arity is 0 (the default: 8), 2, 4 or 8" bench --set arity=3
expect 2 "no key 'colour'" bench --set colour=red
for margin in -1 nan inf -inf 1e39 1mm 0x "" " 1"; do
    expect 2 "margin is 0 or a distance" bench --set margin="$margin"
    expect 2 "margin is 0 or a distance" bench --method hybrid:margin="$margin"
done
for ratio in 0.5 -1 nan -inf 0.999 1,5 "" "2 "; do
    expect 2 "rebuild_ratio is 0 (the default), 1 or more" bench --set rebuild_ratio="$ratio"
done
for level in -1 1.5 x "" 4294967296; do
    expect 2 "hybrid_level is 0 (the default: half of the height)" bench --set hybrid_level="$level"
done
expect 2 "--set colour: there is no key 'colour'" check scene:bumpy --set colour
expect 2 "--set margin=-1 is out of range: margin is 0 or a distance" bench --set margin=-1
expect 2 "--set margin=inf is out of range" info scene:bumpy --set margin=inf
expect 2 "--set rebuild_ratio=0.5 is out of range: rebuild_ratio is 0 (the default), 1 or more" \
    check scene:bumpy --set rebuild_ratio=0.5
expect 2 "--set rebuild_ratio has no value; write rebuild_ratio=..., which is 0 (the default), 1" \
    bench --set rebuild_ratio
expect 2 "--set hybrid_level=-1 is out of range: hybrid_level is 0 (the default: half" bench --set hybrid_level=-1
expect 2 "--method hybrid: hybrid_level=x is not possible: hybrid_level is 0 (the" \
    bench --method hybrid:hybrid_level=x
expect 2 "--method bottom_up: margin has no value; write margin=..., which is 0 or" \
    bench --method bottom_up:arity=4:margin
expect 2 "--method van_den_bergen: arity=3 is out of range" bench --method van_den_bergen:arity=3
expect 2 "--method hybrid: marge=1: there is no key 'marge'; did you mean 'margin'?" bench --method hybrid:marge=1
expect 2 "would not be counted" bench --scene bumpy:frames=1

exit $((failures > 0))
