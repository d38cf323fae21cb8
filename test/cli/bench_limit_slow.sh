#!/usr/bin/env bash
# The limit of memory alone: positive bandwidths by size, and refits of up to a million triangles as a
# share of them. Slow where all checks are on, since these look at every node after every refit.
set -u
: "${WILLOW:?the path of the tool}"
output=$(mktemp)
trap 'rm -f "$output"' EXIT
failures=0
python=$(command -v /usr/bin/python3 || command -v python3) || python=

fail()
{
    echo "$*"
    failures=$((failures + 1))
}

"$WILLOW" bench --limit >"$output" || fail "willow bench --limit: ended with $?"
[[ $(grep -c '"limit":"stream"' "$output") == 8 && $(grep -c '"limit":"refit"' "$output") == 7 ]] ||
    fail "not 8 sizes and 7 refits: $(<"$output")"
if [[ -n $python ]]; then
    "$python" - "$output" <<'END' || fail "the numbers are not as they should be"
import json, sys
rows = [json.loads(line) for line in open(sys.argv[1])]
for row in rows:
    assert all(value > 0 for name, value in row.items() if name not in ("limit", "level")), row
sizes = [row["bytes"] for row in rows if row["limit"] == "stream"]
assert sizes == sorted(sizes) and sizes[-1] // sizes[0] >= 1024, sizes
for row in rows:
    if row["limit"] != "refit": continue
    share = row["refit_gb_per_s"] / row["limit_gb_per_s"]
    assert abs(share - row["limit_share"]) < 1e-3 * share, row
END
fi

"$WILLOW" bench --limit --table >"$output" || fail "willow bench --limit --table: ended with $?"
[[ $(grep -c KiB "$output") == 15 ]] || fail "not 15 lines of numbers: $(<"$output")"

exit $((failures > 0))
