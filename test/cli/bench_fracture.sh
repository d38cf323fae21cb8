#!/usr/bin/env bash
# The suite `fracture`: rows of its scenes, answers that are equal, a page, and what is refused. Times are
# not judged.
# shellcheck source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"

paper_kind=balanced:arity=2:leaf_triangles=1:build=median

# --- A body that is split: all methods answer alike, in a world with a ball; trees that are kept are not built.
bench --scene splitting:triangles=5660,variant=deforming --query pairs --frames 4 --repeat 2 \
    --method "rebuild,balanced,$paper_kind,$paper_kind:keep_siblings=1,$paper_kind:part=plain"
[[ $(wc -l <"$folder/out") == 5 ]] || fail "not five rows: $(<"$folder/out")"
if [[ -n $python ]]; then
    "$python" -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
assert all(not row["wrong"] and row["frames"] == 3 and row["repeats"] == 2 for row in rows), rows
assert all(row["pairs"] > 0 and row["update_ms"] > 0 and row["query_ms"] > 0 for row in rows), rows
assert [row["builds"] for row in rows] == [2, 0, 0, 0, 0], rows
assert rows[2]["depth"] <= 1.45 * 12.6 and rows[2]["quality"] > 1, rows
' <"$folder/out" || fail "rows are not as they should be: $(<"$folder/out")"
fi

# --- Fewer frames than steps; then pairs within the body, without those of cracks.
bench --scene splitting:triangles=1000,frames=4 --query pairs --repeat 2 --method rebuild,balanced
! grep -q '"wrong":true' "$folder/out" || fail "methods differ: $(<"$folder/out")"
bench --scene splitting:triangles=1000,variant=deforming --query self --repeat 2 --method "rebuild,balanced,$paper_kind"
[[ $(grep -c '"query":"self".*"pairs":0,"wrong":false' "$folder/out") == 3 ]] || fail "pairs: $(<"$folder/out")"

# --- The body of the paper where its file is there, and one of its own elsewhere.
WILLOW_DATA=$folder/nowhere bench --scene splitting:triangles=5660 --query pairs --frames 3 --repeat 2 --method rebuild,balanced
[[ $(grep -c '"body":"built-in".*"wrong":false' "$folder/out") == 2 ]] || fail "another body: $(<"$folder/out")"
if [[ -s ${WILLOW_DATA:-${WILLOW_DATA_HERE:-}}/meshes/triceratops.off ]]; then
    bench --scene splitting:triangles=5660 --query pairs --repeat 2 --method "rebuild,balanced,$paper_kind:part=replaced"
    [[ $(grep -c '"body":"triceratops".*"triangles":6700,.*"wrong":false' "$folder/out") == 2 ]] ||
        fail "not the triceratops: $(<"$folder/out")"
fi

# --- A body that breaks all at once.
bench --suite fracture --scene pumpkin:triangles=2000,parts=5 --repeat 2 --method balanced
grep -q '"pieces":5' "$folder/out" || fail "not five pieces: $(<"$folder/out")"
grep -q '"wrong":false' "$folder/out" || fail "pieces answer differently: $(<"$folder/out")"

# --- A page, of what was measured.
bench --scene apple:triangles=1000,frames=20 --scene pumpkin:triangles=2000,parts=2 --repeat 2 --method balanced \
    --table --results "$folder/fracture.md"
grep -q '^| 2 | .* | balanced |' "$folder/fracture.md" || fail "no row of pieces in $(<"$folder/fracture.md")"
! grep -q '{{' "$folder/fracture.md" || fail "a tag is left: $(grep '{{' "$folder/fracture.md")"

# --- Mistakes.
refuse "cannot be in one run" --scene apple --scene bumpy
refuse "there is no method" --scene apple --method quickly
refuse "takes --query pairs only" --suite fracture --query first
refuse "takes --query pairs only" --scene apple --query self
refuse "not CSV" --suite fracture --csv
refuse "no peers" --suite fracture --peers
