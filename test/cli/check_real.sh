#!/usr/bin/env bash
# check on clips that others made, and whose makers say what meets. Skipped where they are not there:
# WILLOW_DATA names their folder.
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"
data=${WILLOW_DATA:-${WILLOW_DATA_HERE:-}}
checked=0

# has NAME: whether this part of the data is there.
has()
{
    [[ -e $data/$1 ]] && checked=$((checked + 1)) && return
    echo "skipped: there is no $1 in '$data'"
    return 1
}

# summary CODE ARGUMENTS...: leaves the last line of check --json in $summary.
summary()
{
    local wanted=$1 actual
    shift
    summary=$("$WILLOW" check "$@" --json 2>"$folder/errors" | tail -n 1
        exit "${PIPESTATUS[0]}")
    actual=$?
    [[ $actual == "$wanted" ]] || fail "check $*: ended with $actual, not $wanted: $(<"$folder/errors")"
}

# number NAME: a number of the summary, the first of that name.
number() { sed -n "s/.*\"$1\":\([0-9]*\)[,}].*/\1/p" <<<"$summary"; }

# expect WORDS...: each of them is in the summary.
expect()
{
    local words
    for words in "$@"; do
        [[ $summary == *"$words"* ]] || fail "no $words: $summary"
    done
}

# --- A cloth whose maker counted where it goes through itself: never, or in 106 of 120 frames and most
# in the 30th. As a mesh and an array of positions.
cloth()
{
    local from=$data/tablecloth/$1 to=$folder/$1 count
    count=$(($(wc -c <"$from/positions.f32") / 120 / 12))
    {
        od -An -v -w12 -tf4 -N $((12 * count)) "$from/positions.f32" | sed 's/^/v /'
        od -An -v -w12 -td4 "$from/triangles.i32" | awk '{ print "f", $1 + 1, $2 + 1, $3 + 1 }'
    } >"$to.obj"
    {
        printf '\x93NUMPY\x01\x00\x76\x00'
        printf '%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (120, $count, 3), }"
        cat "$from/positions.f32"
    } >"$to.npy"
}
if has tablecloth/10k; then
    cloth 10k
    summary 0 "$folder/10k.obj+$folder/10k.npy" --strict
    expect '"frames":120,' '"frames_with_collisions":0,'
fi
if has tablecloth/10k_noself; then
    cloth 10k_noself
    summary 1 "$folder/10k_noself.obj+$folder/10k_noself.npy" --strict
    expect '"frames":120,' '"frames_with_collisions":106,' '"worst_frame":{"frame":29' '"self_pairs":601}'
fi

# --- A figure that kicks: 121 frames of OBJ.
if has sequences/Kick.tar.xz; then
    if tar -xJf "$data/sequences/Kick.tar.xz" -C "$folder" 2>/dev/null; then
        summary 1 "$folder/Kick/shell%d.obj" --threads 2
        expect '"frames":121,' '"triangles":25472,' '"frames_with_collisions":121,' '"self_pairs":496}'
        echo "Kick: $(sed -n 's/.*"frames_per_second":\([0-9.]*\).*/\1/p' <<<"$summary") frames per second"
        rm -r "$folder/Kick"
    else
        echo "skipped: tar and xz are not both here"
    fi
fi

# --- A wall of 100 pieces, of which no two meet.
if has fracture/rigid-ipc-wall; then
    summary 0 "$data"/fracture/rigid-ipc-wall/*.obj --no-self
    expect '"bodies":100,'
    summary 0 "$data"/fracture/rigid-ipc-wall/*.obj --strict
fi

# --- Morphs, skins and node animation play, by the file's keys and 24 times a second, and poses made
# beforehand find the same as those that are given.
if has gltf; then
    for file in "$data"/gltf/*.gl*; do
        for options in "" "--fps 24" "--continuous --fps 8"; do
            # shellcheck disable=SC2086 # several words
            "$WILLOW" check "$file" $options >/dev/null 2>"$folder/errors"
            (($? < 2)) || fail "check $file $options: $(<"$folder/errors")"
        done
    done
    "$WILLOW" info "$data/gltf/Fox.glb" | grep -q 'skin, [0-9]* joints' || fail "Fox has no skin"
    "$WILLOW" info "$data/gltf/AnimatedMorphCube.glb" | grep -q 'morph, 2 targets' || fail "the cube is no morph"
fi

((failures == 0)) || exit 1
((checked > 0)) || exit 77
