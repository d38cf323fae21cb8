#!/usr/bin/env bash
# scene export: what is read back meets where the scene does, by the motion that the scene knows.
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"
cd "$folder" || exit 1

# counts TARGET...: frame, pairs between and within, a line each.
counts()
{
    "$WILLOW" check "$@" --json | sed -n 's/^{"frame":\([0-9]*\),"time":[^,]*,"pairs":\([0-9]*\),"self_pairs":\([0-9]*\),.*/\1 \2 \3/p'
}

# round SCENE MOTION: the file has the same pairs in every frame, and bodies of that motion.
round()
{
    "$WILLOW" scene export "$1" --out clip.glb >out || fail "export $1: ended with $?"
    grep -q "^clip.glb: .* frames$" out || fail "export $1: $(<out)"
    [[ $(counts clip.glb) == "$(counts "scene:$1")" ]] || fail "$1: the file meets elsewhere"
    "$WILLOW" info clip.glb | grep -q "$2" || fail "$1: not $2: $("$WILLOW" info clip.glb)"
}
round tumble:triangles=320,frames=12 " rigid "
round faces:triangles=320,frames=8 " morph, [0-9]* targets"
round bumpy:triangles=320,frames=6 " morph, [0-9]* targets"
round tablecloth:triangles=200,frames=5 "^table  *still "
round walker:triangles=400,frames=8,variant=self " skin, [0-9]* joints"

"$WILLOW" scene export scene:bumpy:triangles=80 --out part.glb --frames 60:80:10 >out || fail "a part: $?"
[[ $(<out) == "part.glb: 2 bodies, 3 frames" ]] || fail "a part: $(<out)"

# --- Between the keys of a file: more samples, whose frames have fractions.
"$WILLOW" scene export tumble:triangles=80,frames=4 --out sparse.glb >out
[[ $(counts sparse.glb --substeps 4 | wc -l) == 4 ]] || fail "substeps lose whole frames"
"$WILLOW" check sparse.glb --substeps 4 --json >out
(($? == 1)) || fail "between the keys of sparse.glb nothing meets"
grep -q '^{"frame":1.25,' out && grep -q '"frames":13,' out || fail "substeps: $(<out)"
[[ $(counts sparse.glb) == "$(counts sparse.glb --fps 24)" ]] || fail "24 frames a second are not those of the file"
"$WILLOW" check sparse.glb --fps 96 --json | grep -q '"frames":13,' || fail "no 96 samples a second"
"$WILLOW" check sparse.glb --fps 1e12 2>&1 | grep -q "that would be" || fail "too many samples are not refused"
"$WILLOW" check sparse.glb --rest --substeps 4 | grep -q "nothing meets in the rest pose" || fail "no rest"
"$WILLOW" check sparse.glb --animation nowhere >out 2>errors
[[ $? == 2 && -s errors ]] || fail "an animation that is not there: $(<out)"

# refused WORDS ARGUMENTS...: ends with 2 and says so; nothing is written.
refused()
{
    local words=$1
    shift
    "$WILLOW" scene "$@" >out 2>errors
    [[ $? == 2 ]] || fail "scene $*: did not end with 2"
    [[ $(<errors) == *"$words"* ]] || fail "scene $*: did not say '$words': $(<errors)"
    [[ ! -s out && ! -e new.glb && ! -e new.obj ]] || fail "scene $*: $(<out) or a file"
}
refused "export needs a file" export bumpy
refused "export needs the name" export --out new.glb
refused "only .glb files" export bumpy --out new.obj
refused "did you mean 'bumpy'?" export bumby --out new.glb
refused "the target has 200 frames" export bumpy:triangles=80 --out new.glb --frames 300
refused "--json is about" export bumpy --out new.glb --json
refused "are about 'scene export'" list --out new.glb
refused "nowhere/new.glb" export bumpy:triangles=80,frames=2 --out nowhere/new.glb
refused "did you mean 'export'?" exprt bumpy --out new.glb

exit $((failures > 0))
