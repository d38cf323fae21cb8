#!/usr/bin/env bash
# Broad phases side by side: fields that fit together, equal pairs, and what is refused. Times are not judged.
# shellcheck source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"

says() { grep -qF -- "$1" "$folder/out" || fail "no '$1' in: $(<"$folder/out")"; }

# --- All kinds find the same pairs, in the plane and in space, with all boxes moving and with some.
for scene in crowd2d:bodies=300,variant=heavy_pressed,moving=30 crowd3d:bodies=400,variant=falling; do
    bench --scene "$scene,frames=23" --query broad --method all_pairs,all,compressed_tree:cell=0.5 --peers
    if [[ -n $python ]]; then
        "$python" -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
assert len(rows) >= 8, rows
for row in rows:
    assert row["query"] == "broad" and row["frames"] == 23 and row["counted"] == 20, row
    assert row["pairs"] > 0 and row["hash"] == rows[0]["hash"], (row, rows[0])
    assert row["is_checked"] and not row["is_wrong"], row
    parts = row["update_ns_per_box"] + row["pairs_ns_per_box"]
    assert abs(row["ns_per_box"] - parts) <= 1e-3 * parts, row
    if not row["method"].startswith("peer:"):
        assert row["candidates"] >= 0 and row["bytes"] > 0, row
        assert row["acting"] == row["method"].split(":")[0] or row["method"] == "auto", row
assert rows[0]["candidates"] == rows[0]["boxes"] * (rows[0]["boxes"] - 1) / 2, rows[0]
assert [row["cell"] for row in rows if row["method"] == "compressed_tree:cell=0.5"] == [0.5], rows
' <"$folder/out" || fail "$scene: rows are not as they should be: $(<"$folder/out")"
    fi
done

# --- The compressed tree as in the paper: counts of the last frame that fit together.
bench --scene crowd2d:bodies=200,frames=4 --query broad \
    --method compressed_tree:cell=0.125:upkeep=literal,compressed_tree:cell=0.125,compressed_tree:cell=0.125:upkeep=fresh
if [[ -n $python ]]; then
    "$python" -c '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
assert len({row["nodes"] for row in rows}) == 1 and len({row["entries"] for row in rows}) == 1, rows
r = rows[0]["refinement"]
assert r["nodes_refined"] >= r["nodes"] > 0 and 0 < r["most_leaves_looked"] <= 11, r
cases = [r["case_" + name] for name in ("1", "2a", "2b", "2c", "3")]
assert sum(cases) + r["case_2c"] == r["nodes_refined"], r
assert r["leaves"] == r["case_2a"] + r["case_2c"] + r["case_3"] <= r["leaves_looked"], r
' <"$folder/out" || fail "counts do not fit together: $(<"$folder/out")"
fi

# --- A table has heads, once for each crowd.
bench --scene crowd3d:bodies=50,frames=3 --scene crowd2d:bodies=50,frames=3 --query broad --table
[[ $(grep -c "nanoseconds for each box" "$folder/out") == 2 ]] || fail "not two tables: $(<"$folder/out")"
says "pairs a step"

# --- The page of the suite, of a few small crowds: a row in every table, and no tag is left.
bench --scene crowd2d:bodies=300,frames=4 --scene crowd3d:bodies=10000,frames=2 --scene crowd3d:bodies=12000,frames=2 \
    --query broad --results "$folder/broad.md" --peers \
    --method auto,grid,sweep_and_prune,compressed_tree,compressed_tree:cell=0.5,compressed_tree:cell=0.5:upkeep=literal,compressed_tree:cell=0.5:upkeep=fresh
page=$(<"$folder/broad.md")
[[ $page != *"{{"* ]] || fail "tags are left: $page"
for row in '| the plane | uniform | 100 % | 300 |' '| space | uniform | compressed_tree | 10000 | 12000 |' \
    '| `crowd2d:bodies=300,frames=4` | 0.5 |' '| `crowd3d:bodies=10000,frames=2` | 1 |' '█'; do
    [[ $page == *"$row"* ]] || fail "no '$row' in the page: $page"
done

# --- Mistakes.
refuse "has no --report" --scene crowd2d --query broad --report "$folder/report"
refuse "Not a directory" --scene crowd2d:bodies=9,frames=2 --query broad --results "$0/broad.md"
refuse "did you mean 'grid'?" --scene crowd2d --query broad --method gird
refuse "takes cell=LENGTH" --scene crowd2d --query broad --method grid:arity=4
refuse "no peer 'bulet'" --scene crowd2d --query broad --method peer:bulet
refuse "for crowds of boxes" --scene bumpy --query broad
refuse "did you mean 'crowd2d'?" --scene crowd2 --query broad
refuse "takes no other query" --scene crowd2d --query broad,pairs
refuse "not CSV" --scene crowd2d --query broad --csv
refuse "one frame" --scene crowd2d:frames=1 --query broad

exit $((failures > 0))
