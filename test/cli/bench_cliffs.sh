#!/usr/bin/env bash
# The suite `cliffs`: rows with two sides each, which of them are chosen, the page, and what is refused.
# Times are not judged, only counts.
# shellcheck source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"

says() { grep -qF -- "$1" "$folder/out" || fail "no '$1' in: $(<"$folder/out")"; }

# --- One row: its fields, and numbers that fit together.
bench --suite cliffs --scene far --query near_features
[[ $(wc -l <"$folder/out") == 1 ]] || fail "not one row: $(<"$folder/out")"
if [[ -n $python ]]; then
    "$python" -c '
import json, sys
row = json.loads(sys.stdin.read())
assert row["shape"] == "far" and row["query"] == "near_features" and row["at_most"] == 3, row
assert row["compared"] == "shifted to the origin" and row["comparable"]["query"] == "near_features", row
assert row["total_ms"] > 0 and row["compared_ms"] > 0 and not row["per_triangle"], row
assert abs(row["times"] * row["compared_ms"] / row["total_ms"] - 1) < 1e-4, row
assert row["is_met"] == (row["times"] <= 3), row
assert row["found"] == row["comparable"]["found"], row
assert row["nodes_opened"] > 0 and row["triangle_tests"] > 0 and row["triangles"] > 90000, row
' <"$folder/out" || fail "the row is not as it should be: $(<"$folder/out")"
fi

# --- A shape may have several rows; a table has heads; the page has both tables, and no tag is left.
bench --suite cliffs --scene still --table --results "$folder/cliffs.md"
[[ $(grep -c '^still ' "$folder/out") == 2 ]] || fail "not two rows: $(<"$folder/out")"
says "compared with"
grep -qF '| still | self |' "$folder/cliffs.md" || fail "no row in the page: $(<"$folder/cliffs.md")"
! grep -q '{{' "$folder/cliffs.md" || fail "tags are left: $(<"$folder/cliffs.md")"

# --- The shape that is compared with nothing.
bench --suite cliffs --scene needles --set leaf_triangles=8
says '"compared":"","compared_ms":null,"times":null,"at_most":null,"is_met":true'

# --- Mistakes.
refuse "did you mean 'twins'?" --suite cliffs --scene twin
refuse "does not have this query" --suite cliffs --scene twins --query self
refuse "one method" --suite cliffs --scene still --method bottom_up,hybrid
refuse "not CSV" --suite cliffs --csv
refuse "no --report" --suite cliffs --report "$folder/report"
refuse "no peers" --suite cliffs --peers
refuse "Not a directory" --suite cliffs --results "$0/cliffs.md"

exit $((failures > 0))
