#!/usr/bin/env bash
# The pages of willow check --report and willow view in a browser: opened, played, clicked, on a phone and
# in the dark, without a network. Needs Node, Chromium, and what ./dev report-page makes and fetches.
# WILLOW_REPORT_SHOTS=FOLDER keeps the screenshots.
source "$(dirname "${BASH_SOURCE[0]}")/support/begin.sh"
need_page clip.html playwright-core
cd "$folder" || exit 1

# look NAME SCENE FRAME EYE LOOK_AT OPTIONS...: a page of a scene beside what the tool prints and draws.
look()
{
    local name=$1 scene=$2 frame=$3 eye=$4 look_at=$5
    shift 5
    "$WILLOW" check "$scene" --report "$name.html" --json --pairs "$@" >"$name.jsonl"
    (($? < 2)) || fail "$name: willow check did not end well"
    "$WILLOW" render "$scene" --quiet --out "$name" --frames "$frame-$frame" --size 800x600 --antialias 2 \
        "--eye=$eye" "--look-at=$look_at" || fail "$name: willow render did not end well"
    node "$root/test/report/check_clip.mjs" "$folder/$name.html" "$name.jsonl" "$name/frame$(printf %04d "$frame").png" \
        "$frame" "$eye&$look_at" || fail "$name: the page is not right"
}

look cloth scene:tablecloth:triangles=2000,frames=80 60 -1.9,-2.5,2.2 0,0,0.6
look rigid scene:tumble:triangles=320,frames=200 120 3,-4,2 0,0,0

# The least page, which shows nothing but a clip.
"$WILLOW" view scene:bumpy:triangles=320,frames=4 --no-open --out view.html >view.words || fail "willow view: $?"
[[ $(<view.words) == view.html ]] || fail "willow view says $(<view.words)"
node "$root/test/report/check_view.mjs" "$folder/view.html" || fail "view: the page is not right"

# How large a page is, and how soon it opens: 25,000 triangles in 120 frames.
"$WILLOW" check scene:selfcloth:triangles=25000,frames=120 --report large.html >large.words
(($? < 2)) || fail "large: willow check did not end well"
size=$(stat -c %s large.html)
((size < 15000000)) || fail "large: a page of $size bytes"
node "$root/test/report/check_view.mjs" "$folder/large.html" || fail "large: the page is not right"
echo "the large page has $size bytes"

if [[ -n ${WILLOW_REPORT_SHOTS:-} ]]; then
    mkdir -p "$WILLOW_REPORT_SHOTS"
    cp -- *.png */*.png "$WILLOW_REPORT_SHOTS"
fi
exit $((failures > 0))
