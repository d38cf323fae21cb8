#!/usr/bin/env bash
# check and info on files that are written here: every option, every refusal, names in words.
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"
cd "$folder" || exit 1

# tool CODE ARGUMENTS...: leaves the output in $output; it must end with CODE.
tool()
{
    local wanted=$1 actual
    shift
    output=$("$WILLOW" "$@" 2>errors)
    actual=$?
    [[ $actual == "$wanted" ]] || fail "willow $*: ended with $actual, not $wanted: $(<errors) $output"
}

# says WORDS...: each of them is in the output.
says()
{
    local words
    for words in "$@"; do
        [[ $output == *"$words"* ]] || fail "it does not say '$words' but: $output"
    done
}

# refused WORDS ARGUMENTS...: ends with 2, says so in one line or two, and prints nothing else.
refused()
{
    local words=$1
    shift
    tool 2 "$@"
    [[ $(<errors) == *"$words"* ]] || fail "willow $*: did not say '$words' but: $(<errors)"
    [[ -z $output ]] || fail "willow $*: an error, and yet on standard output: $output"
}

# figure Z: a floor of one square face and two crossed faces behind it, and a spike whose tip is at
# height Z; a lid lies on the spike's base, in one plane with it.
figure()
{
    cat <<EOF
o Floor
v -2 -2 0
v 2 -2 0
v 2 2 0
v -2 2 0
f 1 2 3 4
o Spike
v 0 0.5 $1
v -1 -1 $(awk "BEGIN { print $1 + 2 }")
v 1 -1 $(awk "BEGIN { print $1 + 2 }")
v 0 1 $(awk "BEGIN { print $1 + 2 }")
f 5 6 7
f 5 7 8
f 5 8 6
o Lid
v -1 -1 $(awk "BEGIN { print $1 + 2 }")
v 1 -1 $(awk "BEGIN { print $1 + 2 }")
v 0 1 $(awk "BEGIN { print $1 + 2 }")
f 9 10 11
EOF
}

# --- One file: names and faces in words, and pairs of faces that are no triangles.
figure -0.5 >clip.obj
tool 1 check clip.obj
says "3 bodies, 6 triangles, frame 0" "Collisions in 1 of 1 frame." \
    "first contact       frame 0: Floor face 0 meets Spike face 0 at (" "first self contact  none" \
    "who meets" "Floor, Spike" "Spike, Lid"
tool 1 check clip.obj --strict
says "Floor face 0 meets Spike face" "pairs between bodies"
[[ $output != *Lid* && $output != *hint* ]] || fail "--strict: what only touches counts: $output"
figure 0 >touching.obj
tool 1 check touching.obj --only Floor,Spike
says "hint                some of these only touch; --strict leaves out"
tool 0 check touching.obj --strict

# --- Who is checked against whom.
tool 1 check clip.obj --between Floor,Spike --pairs
says "frame 0: Floor face 0 meets Spike face 2 at ("
[[ $output == *"2 bodies"* && $output != *Lid* ]] || fail "--between: $output"
tool 0 check clip.obj --between Floor,Lid
tool 0 check clip.obj --between Floor,Floor
tool 0 check clip.obj --ignore Floor,Spike --ignore 'Spike,L*'
tool 1 check clip.obj --ignore Floor,Spike
says "Spike face" "meets Lid face 0"
tool 0 check clip.obj --only 'Floor,Lid'
tool 1 check clip.obj --only 'S*,Lid'
tool 0 check clip.obj --only Spike
says "1 body, 3 triangles"
refused "--between: there is no body 'spike'; did you mean 'Spike'?" check clip.obj --between Floor,spike
refused "--ignore: there is no body 'Trousers'; there are 'Floor', 'Spike' and 'Lid'" check clip.obj \
    --ignore Trousers,Lid
refused "--only: there is no body 'Flor'; did you mean 'Floor'?" check clip.obj --only Spike,Flor
refused "--between Floor: two names are needed" check clip.obj --between Floor
refused "leave nothing to check" check clip.obj --only Floor --ignore Floor,Floor
tool 0 check clip.obj --only Floor --no-self
says "note: there is one body, and --no-self leaves nothing to check"

# --- Two files are bodies against each other.
printf 'v -2 0 -2\nv 2 0 -2\nv 0 0 2\nf 1 2 3\n' >wall.obj
printf 'v -1 -1 0\nv 1 -1 0\nv 0 1 0\nf 1 2 3\n' >plate.obj
tool 1 check wall.obj plate.obj
says "wall.obj plate.obj" "2 bodies, 2 triangles" "wall face 0 meets plate face 0"

# --- Data: JSON and CSV.
tool 1 check clip.obj --json --pairs --limit 1
says '{"frame":0,"time":0,"pairs":' '"listed":1,"list":[{"body_a":1,"body_b":2,"name_a":"Floor","name_b":"Spike","face_a":0,' \
    '"names":["Floor","Spike","Lid"]' '"meetings":[{"body_a":1,' '"at":['
if [[ -n $python ]]; then
    "$WILLOW" check clip.obj --json --pairs --rest | "$python" -c 'import json, sys
for line in sys.stdin: json.loads(line)' || fail "this is no JSON"
fi
tool 1 check clip.obj --csv --between Floor,Spike
[[ $(head -n 1 <<<"$output") == what,frame,time,body_a,part_a,number_a,body_b,part_b,number_b,x,y,z,distance ]] ||
    fail "no head: $output"
grep -qE '^pair,0,0,Floor,face,0,Spike,face,2,[-0-9.e]+,[-0-9.e]+,[-0-9.e]+,0$' <<<"$output" || fail "CSV: $output"
sed 's/o Spike/o A "b", c/' clip.obj >quoted.obj
tool 1 check quoted.obj --csv --between 'Floor,A "b", c'
says ',"A ""b"", c",face,'
tool 1 check quoted.obj --json --pairs
says '"name_b":"A \"b\", c"'
tool 1 check clip.obj --csv --limit 1
[[ $(wc -l <<<"$output") == 2 ]] || fail "--limit 1 in CSV: $output"

# --- A sequence: the spike comes down through the floor.
mkdir frames
for i in 0 1 2 3 4; do figure "$(awk "BEGIN { print 1.5 - $i }")" | sed '/^o Lid/,$d' >frames/fall$i.obj; done
for target in 'frames/fall%d.obj' 'frames/*.obj' frames; do
    tool 1 check "$target"
    says "2 bodies, 5 triangles, frames 0 to 4" "Collisions in 2 of 5 frames." \
        "first contact       frame 2 (0.08333 s): Floor face 0 meets Spike" "frames per second, reading included"
done
tool 1 check 'frames/fall%d.obj' --fps 10
says "frame 2 (0.2 s)"
tool 0 check 'frames/fall%d.obj' --frames 1-1
says "5 triangles, frame 1 (0.0416667 s);"
tool 0 check 'frames/fall%d.obj' --frames 0:4:4
says "frames 0 to 4" "No collisions in 2 frames."
tool 1 check 'frames/fall%d.obj' --frames 0:4:4 --continuous
says "No collisions in 2 frames, but between them." "first impact        frame 0 + 1.500000" \
    "Floor face 0 touches Spike vertex 0" "vertices go straight"
tool 1 check 'frames/fall%d.obj' --continuous --csv --frames 0:4:4
says "impact,1.5,0.0625,"
tool 1 check 'frames/fall%d.obj' --frames 0:4:2 --json
says '{"frame":0,' '{"frame":2,' '{"frame":4,' '"frames":3'
tool 1 check 'frames/fall%d.obj' --first
says "Ended there: 3 of 5 frames were looked at."
tool 0 check 'frames/fall%d.obj' --frames :1
tool 0 check 'frames/fall%d.obj' --frames 0-1 --strict
tool 0 check -q frames --frames 4:
refused "between the frames of a sequence nothing is known" check frames --substeps 2
refused "the target has 5 frames, 0 to 4" check frames --frames 0:9:3
refused "--frames 0:4:0: write" check frames --frames 0:4:0
refused "--fps 0: frames per second" check frames --fps 0
refused "--substeps 0: a number" check frames --substeps 0

# --- What meets at rest is apart; a distance; what is close at rest does not count within a body.
tool 1 check clip.obj --ignore Floor,Spike
tool 0 check clip.obj --rest
says "No collisions in 1 frame." "at rest" "meet in the rest pose; not counted above"
tool 1 check frames --frames 2:4 --distance 0.2
tool 0 check frames --frames :0 --distance 1
tool 1 check frames --frames :0 --distance 2 --pairs
says "Bodies come within 2 in 1 of 1 frame." "frame 0: Floor face 0 is 1.5 from Spike face"
tool 1 check frames --frames :0 --distance 2 --csv
says ",1.5"
tool 1 check frames --frames :0 --distance 2 --json --pairs
says '"distance":1.5}'
refused "--distance 0: a length above 0" check clip.obj --distance 0
refused "--strict is about what meets" check clip.obj --distance 1 --strict
refused "--rest cannot go with it" check clip.obj --rest --continuous
refused "--set watch" check clip.obj --distance 1 --set watch=auto
refused "--limit is about" check clip.obj --limit 3

# --- Triangles that change from frame to frame: bodies are made anew, and there is no step.
mkdir changing
cp plate.obj changing/c0.obj
printf 'v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nf 1 2 3\nf 1 3 4\n' >changing/c1.obj
printf 'v -1 -1 0\nv 1 -1 0\nv 1 1 0\nv -1 1 0\nv 0 -2 -1\nv 0 2 -1\nv 0 0 1\nf 1 2 3\nf 1 3 4\nf 5 6 7\n' >changing/c2.obj
tool 1 check changing --continuous
says "Collisions in 1 of 3 frames." "frame 2" "not looked at       2 steps, since triangles change there"
tool 1 check changing --set watch=front
says "Collisions in 1 of 3 frames." "2 times a body was made anew, since its triangles changed"

# --- How the library works does not show in what it finds.
reference=$("$WILLOW" check frames --csv)
for options in "--threads 2" "--set poses=none" "--set poses=apply" "--method brute" "--method bottom_up" \
    "--set watch=roots" "--kernel scalar"; do
    # shellcheck disable=SC2086 # several words
    [[ $("$WILLOW" check frames --csv $options) == "$reference" ]] || fail "$options: something else is found"
done

# --- info: bodies, motion, and what is wrong with a mesh.
tool 0 info clip.obj
says "clip.obj: 3 bodies, 6 triangles, 11 vertices, 1 frame" "Floor                    still" "open" \
    "No non-manifold edges"
tool 0 info frames
says "positions" "2 bodies" "5 frames, 0 s to 0.166667 s"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 2 0 0\nf 1 2 3\nf 2 3 1\nf 1 2 4\nf 1 2 5\n' >bad.obj
tool 0 info bad.obj
says "non-manifold" "face 1 is there twice" "face 3 has no area"
tool 0 info bad.obj --json
says '"duplicate_faces":1,"degenerate_faces":1' '"surface":"non-manifold"' '"motion":"still"' '"nonmanifold_edges":'
tool 0 info wall.obj plate.obj --no-weld
says "wall.obj plate.obj: 2 bodies"

# --- The first mistakes that a person makes.
refused "there is no file 'clip.ob'; did you mean 'clip.obj'?" check clip.ob
refused "did you mean 'frames/fall1.obj'?" check frames/fal1.obj
refused "did you mean 'clip.obj'?" check CLIP.OBJ
refused "there is no file 'nowhere.glb'" info nowhere.glb
refused "has no animations to choose from" check frames --animation Walk
refused "scenes stand alone" check scene:bumpy clip.obj
: >empty.obj
refused "empty.obj" check empty.obj
echo "hello" >words.xyz
refused "words.xyz" check words.xyz
echo "v 1 2" >broken.obj
refused "broken.obj" check broken.obj
refused "there is no option '--impacts'" check clip.obj --impacts
refused "poses=all is for willow bench" check clip.obj --set poses=all

exit $((failures > 0))
