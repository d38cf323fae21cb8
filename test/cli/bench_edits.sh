#!/usr/bin/env bash
# The suite `edits`: a row and its fields, the table, and what is refused. Times are not judged.
# shellcheck source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"

# --- One row: its fields, and numbers that fit together.
bench --suite edits --scene cutting:triangles=3000,variant=deforming --query first --method auto,recreate --repeat 2
[[ $(wc -l <"$folder/out") == 1 ]] || fail "not one row: $(<"$folder/out")"
if [[ -n $python ]]; then
    "$python" -c '
import json, sys
row = json.loads(sys.stdin.read())
assert row["scene"] == "cutting" and row["variant"] == "deforming" and row["method"] == "auto", row
assert row["frames"] == 100 and row["repeats"] == 2 and row["query"] == "first", row
assert 2900 < row["triangles"] < row["triangles_at_end"], row
grown = row["triangles_at_end"] - row["triangles"]
assert abs((row["added"] - row["removed"]) * row["frames"] - grown) < 0.01, row
assert row["pairs"] > 0 and not row["wrong"], row
assert row["tests"] > 0 and row["fresh_tests"] > 0, row
for name in ["total_ms", "plain_ms", "recreate_ms", "half_ms", "split_ms", "merge_ms"]:
    assert row[name] > 0, (name, row)
cost = 1000 * (row["total_ms"] - row["plain_ms"]) / (row["removed"] + row["added"])
assert abs(cost - row["edit_us"]) < 1e-3 * abs(cost) + 1e-6, row
' <"$folder/out" || fail "the row is not as it should be: $(<"$folder/out")"
fi

# --- Several methods, as a table.
bench --suite edits --scene cutting:triangles=2000 --method hybrid,bottom_up --frames 3 --repeat 2 --table \
    --results "$folder/edits.md"
[[ $(grep -cE ' still +(hybrid|bottom_up) ' "$folder/out") == 2 ]] || fail "not two rows: $(<"$folder/out")"

# --- The page: two tables, each with both rows.
[[ $(grep -cE '\| still \| (hybrid|bottom_up) \|' "$folder/edits.md") == 4 ]] ||
    fail "not four lines: $(<"$folder/edits.md")"
! grep -q '{{' "$folder/edits.md" || fail "tags are left: $(<"$folder/edits.md")"

# --- Mistakes.
refuse "has scenes cutting" --suite edits --scene bumpy
refuse "has scenes cutting" --suite edits --scene cutting:triangles=7
refuse "has scenes cutting" --suite edits --scene cutting:variant=melting
refuse "there is no method" --suite edits --scene cutting:triangles=2000 --method quickly
refuse "takes --query first only" --suite edits --query self
refuse "not CSV" --suite edits --csv
refuse "no --report" --suite edits --report "$folder/report"
refuse "Not a directory" --suite edits --results "$0/edits.md"
refuse "no peers" --suite edits --peers

exit $((failures > 0))
