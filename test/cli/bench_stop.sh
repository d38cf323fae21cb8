#!/usr/bin/env bash
# Ctrl-C during a bench keeps the scenes that were finished, and says so; the bar of progress names scene and
# method on a terminal.
set -u
: "${WILLOW:?the path of the tool}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
printf '"WILLOW RESULTS"' >shell.html
failures=0

fail()
{
    echo "$*"
    failures=$((failures + 1))
}

# Two scenes: a short one, and one that nobody waits for. Jobs of a script ignore Ctrl-C unless set -m.
set -m
"$WILLOW" bench --scene bumpy:triangles=80,frames=12 --scene bumpy:triangles=20480,frames=100000 --method bottom_up,rebuild \
    --report new/out --template shell.html >rows 2>words &
bench=$!
for ((i = 0; i < 600; i++)); do
    [[ $(wc -l <rows) -ge 2 ]] && break
    sleep 0.05
done
sleep 0.2
kill -INT $bench
wait $bench
code=$?
[[ $code == 2 ]] || fail "it ended with $code"
grep -q "stopped; the results of 2 rows that were finished are kept" words || fail "it says: $(<words)"
[[ $(wc -l <new/out/results.jsonl) == 3 ]] || fail "not a machine and two rows: $(<new/out/results.jsonl)"
[[ -s new/out/report.html && $(ls new/out | wc -l) == 2 ]] || fail "files: $(ls new/out)"

# script gives the tool a terminal.
if command -v script >/dev/null; then
    script -qec "'$WILLOW' bench --scene bumpy:triangles=320,frames=400 --scene many:triangles=80,bodies=8,frames=12 --method rebuild" \
        terminal >/dev/null 2>&1
    grep -q "scene 1 of 2: bumpy:triangles=320,frames=400, rebuild, frame [0-9]* of 400" terminal ||
        fail "the bar does not name what is measured: $(head -c 400 terminal)"
fi
exit $((failures > 0))
