#!/usr/bin/env bash
# The page of a report opens without a network, has all charts and no errors, and its tables have the
# numbers of the data.
source "$(dirname "${BASH_SOURCE[0]}")/support/begin.sh"
need_page report.html playwright-core

# open_page NAME: what the browser has made of a page into $folder/NAME.dom. No host can be reached,
# so a page that asks for one shows errors.
open_page()
{
    timeout 120 "$BROWSER" --no-sandbox --headless --use-gl=angle --use-angle=swiftshader \
        --enable-unsafe-swiftshader --disable-background-networking --disable-component-update \
        --disable-sync --no-first-run --user-data-dir="$folder/profile" \
        --host-resolver-rules="MAP * ~NOTFOUND" --enable-logging=stderr --dump-dom \
        "file://$folder/$1/report.html" >"$folder/$1.dom" 2>"$folder/$1.errors" ||
        fail "$1: the browser ended with $?"
    ! grep "CONSOLE" "$folder/$1.errors" || fail "$1: the console has messages"
    # Addresses that are fetched; the names of XML's own spaces are not.
    ! grep -oE '(src|href)="https?://[^"]*"' "$folder/$1/report.html" || fail "$1: the page names hosts"
}

# report NAME ARGUMENTS...: a run, its page, and its charts as files.
report()
{
    local name=$1
    shift
    "$WILLOW" bench "$@" --report "$folder/$name" >"$folder/$name.out" 2>"$folder/$name.words" ||
        fail "$name: willow bench $*: ended with $?: $(<"$folder/$name.words")"
    open_page "$name"
    node "$root/report/draw_charts.mjs" "$folder/$name" >"$folder/$name.files" || fail "$name: no SVG files"
    node "$root/test/report/check_page.mjs" "$folder/$name/results.jsonl" "$folder/$name.dom" \
        "$folder/$name.files" || fail "$name: the page and its data differ"
}

# looked_at NAME: the page in a browser that is used, in light and dark and narrow windows.
looked_at()
{
    node "$root/test/report/check_bench.mjs" "$folder/$1/report.html" "$folder/$1/results.jsonl" ||
        fail "$1: the page cannot be used"
}

report many --suite quick --frames 12 --method all,van_den_bergen --peers --limit
report one --scene bumpy:triangles=320,frames=12 --method bottom_up --repeat 2
report few --scene soup:triangles=40,frames=12 --scene soup:triangles=80,frames=12 --query self \
    --method bottom_up:build=sah,rebuild
report both --scene bumpy:triangles=80,frames=12 --scene bumpy:triangles=320,frames=12 --query pairs,first \
    --method bottom_up,rebuild,peer:plain

looked_at both
looked_at few

# Standard output is as ever, and the series is only in the file.
[[ $(wc -l <"$folder/one.out") == 1 ]] || fail "not one line: $(<"$folder/one.out")"
! grep -q '"series"' "$folder/one.out" || fail "a series that nobody asked for"
grep -q '"series"' "$folder/one/results.jsonl" || fail "no series in the file"

if [[ -n ${WILLOW_REPORT_SHOTS:-} ]]; then
    mkdir -p "$WILLOW_REPORT_SHOTS"
    for shot in "$folder"/*/*.png; do
        cp -- "$shot" "$WILLOW_REPORT_SHOTS/bench_$(basename "$(dirname "$shot")")_$(basename "$shot")"
    done
fi
exit $((failures > 0))
