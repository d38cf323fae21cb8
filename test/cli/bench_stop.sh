#!/usr/bin/env bash
# Ctrl-C during a bench keeps the rows that were finished, in every kind of suite, and says so; the progress bar
# names scene, method and remaining time on a terminal.
# shellcheck source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"
cd "$folder" || exit 1
printf '"WILLOW RESULTS"' >shell.html
set -m # jobs of a script ignore Ctrl-C otherwise

# stop ROWS OPTIONS...: presses Ctrl-C when the bench has printed that many rows.
stop()
{
    local rows=$1 i code bench
    shift
    "$WILLOW" bench "$@" >rows 2>words &
    bench=$!
    for ((i = 0; i < 1200; i++)); do
        [[ $(wc -l <rows) -ge $rows ]] && break
        sleep 0.05
    done
    sleep 0.2
    kill -INT $bench
    wait $bench
    code=$?
    [[ $code == 2 ]] || fail "bench $*: ended with $code"
    grep -q "stopped; the results of [1-9][0-9]* rows\? that were finished are kept" words ||
        fail "bench $*: it says: $(<words)"
}

# stop_with_page ROWS TITLE OPTIONS...: the same, with a page that is asked for.
stop_with_page()
{
    local rows=$1 title=$2
    shift 2
    rm -rf new
    stop "$rows" "$@" --results new/page.md
    grep -q "^# .*$title" new/page.md || fail "bench $*: the page: $(head -3 new/page.md)"
    [[ $(ls new) == page.md ]] || fail "bench $*: files: $(ls new)"
}

# The second scene of each of these is one that nobody waits for.
stop 2 --scene bumpy:triangles=80,frames=12 --scene bumpy:triangles=20480,frames=100000 --method bottom_up,rebuild \
    --report new/out --template shell.html
grep -q "results of 2 rows" words || fail "it says: $(<words)"
[[ $(wc -l <new/out/results.jsonl) == 3 ]] || fail "not a machine and two rows: $(<new/out/results.jsonl)"
[[ -s new/out/report.html && $(ls new/out | wc -l) == 2 ]] || fail "files: $(ls new/out)"
stop_with_page 1 . --scene crowd3d:bodies=100,frames=4 --scene crowd3d:bodies=10000,frames=100000 --query broad
stop_with_page 1 . --suite edits --scene cutting:triangles=1000 --scene cutting:triangles=300000 --frames 9 --repeat 9
stop_with_page 2 . --suite fracture --frames 20 --repeat 9 --scene splitting:triangles=1000 \
    --scene splitting:triangles=362240 --method rebuild,balanced
stop_with_page 1 . --suite fracture --scene pumpkin:parts=2,triangles=2000 --scene pumpkin:parts=64 --method balanced
stop_with_page 2 . --suite cliffs
stop 8 --suite spheres

# show WORDS OPTIONS...: what the bar says. `script` gives the tool a terminal.
show()
{
    local words=$1
    shift
    command -v script >/dev/null || return
    script -qec "'$WILLOW' bench $*" terminal >/dev/null 2>&1
    grep -Eq "$words" terminal || fail "the bar does not show '$words': $(head -c 600 terminal)"
}

show "scene 1 of 2: bumpy:triangles=320,frames=400, rebuild, frame [0-9]+ of 400" \
    --scene bumpy:triangles=320,frames=400 --scene many:triangles=80,bodies=8,frames=12 --method rebuild
show "scene 1 of 2: bumpy:triangles=20480,frames=800, bottom_up, frame [0-9]+ of 800, 0:[0-9]+ left" \
    --scene bumpy:triangles=20480,frames=800 --scene bumpy:triangles=80,frames=800 --method bottom_up
show "scene 1 of 2: crowd3d:bodies=1000,frames=20, [a-z_]+, frame [0-9]+ of 20" \
    --scene crowd3d:bodies=1000,frames=20 --scene crowd3d:bodies=10,frames=2 --query broad
show "row 1 of 2: 1000 triangles, auto, run [0-9]+ of 6" \
    --suite edits --scene cutting:triangles=1000 --scene cutting:triangles=1000,variant=deforming --frames 3 --repeat 2
show "splitting:triangles=1000, frame [0-9]+ of [0-9]+" \
    --suite fracture --scene splitting:triangles=1000 --frames 20 --method rebuild --repeat 9
show "row [0-9]+ of [0-9]+: [a-z]+.*, round [0-9]+ of [0-9]+" --suite cliffs --query near
exit $((failures > 0))
