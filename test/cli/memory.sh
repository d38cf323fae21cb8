#!/usr/bin/env bash
# Any allocation may fail: the tool then ends with 2 and a message, or gives the same
# answer as ever, but never crashes.
set -u
: "${WILLOW:?the path of the tool}" "${WILLOW_PROBE:?the path of the probes}"
program=$WILLOW
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
library=$folder/failing_malloc.so
failures=0
refused=0

# run FAIL_AT ARGUMENTS...: with the allocation of that number failing.
run() { FAIL_AT=$1 LD_PRELOAD=$library LC_ALL=C "$program" "${@:2}"; }

# Not with another C library, nor with sanitizers, which have an allocator of their own.
if ! "${CC:-cc}" -shared -fPIC -o "$library" "$here/failing_malloc.c" 2>/dev/null ||
    ! run -1 --version >/dev/null 2>&1; then
    echo "allocations cannot be made to fail here"
    exit 77
fi

# without_times: the output without what differs from run to run.
without_times()
{
    sed -E 's/"([a-z_]+_(ms|ms_median|ns_per_triangle|gb_per_s)|gain_[a-z]+|[a-z_]*ratio|[a-z_]+_ns|frames_per_second)":[^,}]*//g; /^(time per frame|speed)/d'
}

# survive LIMIT CODE ARGUMENTS...: for each of the first allocations; CODE is how it ends otherwise.
survive()
{
    local limit=$1 code=$2 i actual wanted
    shift 2
    wanted=$(LC_ALL=C "$program" "$@" | without_times)
    for ((i = 0; i < limit; i++)); do
        run $i "$@" >"$folder/output" 2>"$folder/errors"
        actual=$?
        if [[ $actual == 2 && -s $folder/errors ]]; then
            refused=$((refused + 1))
        elif [[ $actual != "$code" || -s $folder/errors ]]; then
            echo "${program##*/} $*, allocation $i: ended with $actual: $(<"$folder/errors")"
            failures=$((failures + 1))
        elif [[ $(without_times <"$folder/output") != "$wanted" ]]; then
            echo "${program##*/} $*, allocation $i: gave another answer"
            failures=$((failures + 1))
        fi
    done
}

# write FIRST END CODE FILE ARGUMENTS...: the allocations from FIRST to END, where FILE is written; it is the same
# as ever, or not there.
write()
{
    local first=$1 end=$2 code=$3 file=$4 i actual
    shift 4
    rm -rf "$file"
    FAIL_AT=-1 LC_ALL=C "$program" "$@" >/dev/null
    mv "$file" "$folder/wanted"
    for ((i = first; i < end; i++)); do
        run $i "$@" >"$folder/output" 2>"$folder/errors"
        actual=$?
        if [[ $actual == 2 && -s $folder/errors && ! -e $file ]]; then
            refused=$((refused + 1))
        elif [[ $actual != "$code" || -s $folder/errors ]] || ! cmp -s "$folder/wanted" "$file"; then
            echo "${program##*/} $*, allocation $i: ended with $actual, or wrote something else: $(<"$folder/errors")"
            failures=$((failures + 1))
        fi
        rm -f "$file"
    done
}

survive 120 1 check scene:bumpy:triangles=80,frames=80
survive 100 1 check scene:soup:triangles=20,frames=2 --json --pairs
FAIL_ON=1 survive 60 1 check scene:soup:triangles=20,frames=2 -v
printf 'o A\nv -1 -1 0\nv 1 -1 0\nv 0 1 0\nf 1 2 3\no B\nv 0 0 -1\nv 0 1 1\nv 0 -1 1\nf 4 5 6\n' >"$folder/0.obj"
cp "$folder/0.obj" "$folder/1.obj"
survive 120 0 check "$folder/%d.obj" --between A,B --rest --frames 2
survive 120 1 check "$folder/0.obj" "$folder/1.obj" --csv
survive 170 1 check "$folder/0.obj" --messages
for kind in pvd ply py glb; do
    end=206
    [[ $kind == glb ]] && end=540
    write 110 $end 1 "$folder/found.$kind" check "$folder/0.obj" --write "$folder/found.$kind"
done
printf 'head "WILLOW CLIP" middle "WILLOW DATA" tail\n' >"$folder/shell.html"
page=(--template "$folder/shell.html")
write 110 392 1 "$folder/page.html" check "$folder/0.obj" --report "$folder/page.html" "${page[@]}"
write 60 210 0 "$folder/view.html" view "$folder/0.obj" --no-open --out "$folder/view.html" "${page[@]}"
survive 100 0 info "$folder/0.obj" --json
survive 120 0 info scene:soup:triangles=20,bodies=2 --json
survive 100 0 info --json
survive 60 0 scene list --json
survive 60 0 scene show soup
survive 120 0 bench --scene bumpy:triangles=80,frames=12 --method bottom_up
survive 150 0 bench --scene soup:triangles=20,frames=4 --scene bumpy:triangles=20,frames=12 --method bottom_up
survive 150 1 check scene:bumpy:triangles=80,frames=8 --continuous --json
survive 150 0 bench --scene bumpy:triangles=80,frames=12 --method bottom_up --query impacts,near
survive 180 0 bench --plans --scene spheres:triangles=20,frames=12 --method kinetic_aabb,peer:plain
survive 180 0 bench --plans --scene spheres:triangles=20,frames=12 --method kinetic_boxtree,peer:plain
survive 140 0 bench --plans --scene tablecloth:triangles=20,frames=6,inbetween=2 --method kinetic_aabb,peer:plain
survive 90 0 render scene:bumpy:triangles=80 --frames 62-63 --size 12x9 --out "$folder/pictures" --json
survive 90 0 render scene:rays9:triangles=80,sampling=5 --frames 2 --size 20x15 --out "$folder/pictures" --json \
    --boxes 1 --budget 1000000 --x-ray --edges --floor
survive 70 0 render scene:bumpy:triangles=80 --strip 2 --size 12x9 --colours 16 --out "$folder/pictures" --quiet

program=$WILLOW_PROBE
survive 120 0 decay --scene soup:triangles=20,frames=6 --method bottom_up
survive 120 0 threads --scene soup:triangles=20,frames=6
survive 120 0 impacts --scene bumpy:triangles=80,frames=12
survive 120 0 toi --scene bumpy:triangles=80,frames=12
survive 120 0 kinetic --scene avatar:triangles=20,frames=3,inbetween=1

echo "$refused allocations failed with a message"
((refused > 300)) || failures=$((failures + 1))
exit $((failures > 0))
