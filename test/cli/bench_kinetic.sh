#!/usr/bin/env bash
# The section "Beside the paper" of runs with flight plans: its numbers are those of the run, and it is
# left out where the run has nothing to put beside. Small scenes, so the times mean nothing. Without
# python3 the numbers are not looked at.
# shellcheck source=test/support/cli_page.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli_page.sh"

binary=arity=2:leaf_triangles=1
bench --plans --query first --set poses=given --method "bottom_up:$binary,kinetic_aabb:$binary,kinetic_aabb:events=batch:$binary,hybrid,auto,peer:plain" \
    --scene tablecloth:triangles=100,frames=30,inbetween=4 --scene tablecloth:triangles=200,frames=30,inbetween=4 \
    --scene tablecloth:triangles=400,frames=30,inbetween=4 --scene spheres:triangles=80,frames=40 \
    --scene avatar:triangles=100,frames=30,variant=dress --scene avatar:triangles=100,frames=30
has "## Beside the paper"
has "### Figure 18: a cloth falls onto a table"
has "### Figure 19, left: spheres that swell and turn back"
has "### Figure 19, middle and right: a dress"
has "### Figure 21: a shirt, and the frames between two keyframes"
has "### Where kinetic trees pay"
[[ $(grep -c '^| the paper |' "$folder/page") == 4 ]] || fail "the paper has four figures: $(<"$folder/page")"
if [[ -n $python ]]; then
    "$python" - "$folder/page" "$folder/out" <<'END' || fail "the numbers are not as they should be"
import json, math, re, sys
page = open(sys.argv[1]).read().split("## Beside the paper")[1].split("\n## ")[0]
cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.split("\n") if line.startswith("| ")]
rows = {(row["spec"], row["method"]): row for row in map(json.loads, open(sys.argv[2])) if "spec" in row}
binary = ":arity=2:leaf_triangles=1"
def near(text, value):
    return abs(float(text) - value) <= 0.051 + 2e-2 * abs(value)
found = [line for line in cells if len(line) == 14 and line[0] not in ("scene", "the paper")]
assert len(found) == 6, found
for line in found:
    kinetic, refit = rows[line[0], "kinetic_aabb:events=batch" + binary], rows[line[0], "bottom_up" + binary]
    straight = rows[line[0], "kinetic_aabb" + binary]
    assert straight["events"] == 0 and straight["plan_changes"] == kinetic["plan_changes"], (straight, kinetic)
    frames = kinetic["frames"]
    assert int(line[1]) == kinetic["plan_triangles"] <= kinetic["triangles"], line
    assert near(line[2], kinetic["plan_changes"] / frames) and near(line[3], kinetic["events"] / frames), line
    assert near(line[4], kinetic["values"] / frames) and abs(float(line[5]) - refit["values"] / frames) < 0.6, line
    assert near(line[6], refit["values"] / kinetic["values"]), line
    assert [near(cell, row["update_ms"]) for cell, row in zip(line[7:10], (kinetic, straight, refit))] == [True] * 3, line
    assert near(line[10], refit["update_ms"] / kinetic["update_ms"]), line
    assert near(line[11], refit["update_ms"] / straight["update_ms"]), line
    spread = [row["update_ms"] + row["setup_ms"] / frames for row in (refit, kinetic, straight)]
    assert near(line[12], spread[0] / spread[1]) and near(line[13], spread[0] / spread[2]), line
points = [(math.log(n * math.log2(n)), math.log(row["events"])) for (spec, method), row in rows.items()
          if spec.startswith("tablecloth") and method == "kinetic_aabb:events=batch" + binary for n in [row["plan_triangles"]]]
x, y = (sum(values) / 3 for values in zip(*points))
power = sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, b in points)
assert abs(float(re.search(r"log n to the\s+power of ([0-9.]+[0-9])", page)[1]) - power) < 0.006, (page, power)
gains = [line for line in cells if len(line) == 9 and line[0] != "scene"]
assert len(gains) == 6, gains
for line in gains:
    assert "kinetic" in line[4] and "kinetic" not in line[2] and "auto" not in line[2], line
    ratio = rows[line[0], line[2]]["total_ms"] / rows[line[0], line[4]]["total_ms"]
    assert near(line[6], ratio) and len(line[7]) == min(24, int(8 * ratio + 0.5)), line
    assert line[8] == rows[line[0], "auto"]["stands_for"], line
END
fi

# --- Figure 22: scenes that lists were measured on, and these are in no other figure.
bench --plans --query pairs --set poses=given --method "bottom_up:$binary,kinetic_aabb:$binary,kinetic_aabb:events=batch:$binary,kinetic_aabb:$binary:watch=list,kinetic_aabb:events=batch:$binary:watch=list" \
    --scene avatar:variant=dress,triangles=100,inbetween=10,frames=30 --scene tablecloth:triangles=100,frames=30,inbetween=4
has "### Figure 22: update and check together, with separation lists"
has "#### Left: the size of the dress"
has "#### Right: a cloth falls onto a table"
lacks "#### Middle: frames between keyframes"
lacks "### Figure 18"
if [[ -n $python ]]; then
    "$python" - "$folder/page" "$folder/out" <<'END' || fail "the numbers of figure 22 are not as they should be"
import json, sys
page = open(sys.argv[1]).read().split("### Figure 22")[1]
cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.split("\n") if line.startswith("| ")]
rows = {(row["spec"], row["method"]): row for row in map(json.loads, open(sys.argv[2])) if "spec" in row}
binary = ":arity=2:leaf_triangles=1"
methods = [way + binary + watch for watch in ("", ":watch=list") for way in ("kinetic_aabb:events=batch", "kinetic_aabb")]
found = [line for line in cells if len(line) == 11 and line[0] != "scene"]
assert len(found) == 2, found
def near(text, value):
    return abs(float(text) - value) <= 0.051 + 2e-2 * abs(value)
for line in found:
    refit = rows[line[0], "bottom_up" + binary]["total_ms"]
    assert near(line[2], refit), line
    for i, method in enumerate(methods):
        own = rows[line[0], method]["total_ms"]
        assert near(line[3 + 2 * i], own) and near(line[4 + 2 * i], refit / own), (line, method)
END
fi

# --- Nothing to put beside: no plans, nobody to compare with, another scene.
small=--scene=avatar:triangles=100,frames=12
trees=bottom_up:$binary,kinetic_aabb:$binary,kinetic_aabb:events=batch:$binary
bench "$small" --motion positions --method "$trees"
lacks "## Beside the paper"
bench "$small" --plans --method bottom_up,kinetic_aabb
lacks "## Beside the paper"
bench "$small" --plans --method "bottom_up:$binary,kinetic_aabb:$binary"
lacks "## Beside the paper"
bench --scene selfcloth:triangles=128,frames=12 --plans --method "$trees"
lacks "## Beside the paper"

exit $((failures > 0))
