#!/usr/bin/env bash
# The section "Beside the paper" of runs with morphs: its numbers are those of the run, and it is left out
# where the run has nothing to put beside. Small scenes, so the times mean nothing. Without python3 the
# numbers are not looked at.
# shellcheck source=test/support/cli_page.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli_page.sh"

bench --morphs --query first,pairs --series --repeat 2 \
    --method blend,blend:in_between=1,blend:volume=sphere,hybrid,hybrid:poses=apply,bottom_up,auto,peer:plain \
    --scene dolphins:triangles=564,frames=12,bodies=3 --scene dolphins:triangles=2256,frames=12,bodies=3 \
    --scene dolphins:triangles=9024,frames=12,bodies=3 --scene morphing:triangles=80,frames=40 \
    --scene faces:triangles=80,frames=12
has "## Beside the paper"
has "### Figure 6.5: two bodies pass right through each other"
has "### Figure 6.8: twelve dolphins"
has "### Boxes, k-DOPs, spheres, and how tight they are"
has "### Memory"
[[ $(grep -c 'the time grows with the number of triangles to the power of' "$folder/page") == 4 ]] || fail "not four growths: $(<"$folder/page")"
if [[ -n $python ]]; then
    "$python" - "$folder/page" "$folder/out" <<'END' || fail "the numbers are not as they should be"
import json, sys
page = open(sys.argv[1]).read().split("## Beside the paper")[1].split("\n## ")[0]
cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.split("\n") if line.startswith("| ")]
rows = {(row["spec"], row["query"], row["method"]): row for row in map(json.loads, open(sys.argv[2])) if "spec" in row}
def near(text, value):
    return abs(float(text) - value) <= 0.051 + 2e-2 * abs(value)
def worst(hybrid, row):
    times = [{}, {}]
    for found, of in zip(times, (hybrid, row)):
        for frame, a, b in zip(of["series"]["frame"], of["series"]["update_ms"], of["series"]["query_ms"]):
            found[frame] = min(a + b, found.get(frame, a + b))
    runs = [[frame for frame in range(first, first + 10) if frame in times[0]] for first in range(0, row["frames"], 10)]
    return min(sum(map(times[0].get, run)) / sum(map(times[1].get, run)) for run in runs)
passing = [line[1:] for line in cells if len(line) == 11 and line[0] != "scene"]
assert len(passing) == 6, passing
for line in passing:
    row, hybrid = (rows["morphing:triangles=80,frames=40", line[0], method] for method in (line[1], "hybrid"))
    assert near(line[2].split()[0], row["total_ms"]), line
    for cell, own, others in zip(line[3:8], row["fifths"], hybrid["fifths"]):
        assert near(cell, others / own), line
    assert near(line[8], hybrid["total_ms"] / row["total_ms"]), line
    assert near(line[9], worst(hybrid, row)), (line, worst(hybrid, row))
school = [line for line in cells if len(line) == 9 and line[0].isdigit()]
assert [line[0] for line in school] == ["564", "564", "2256", "2256", "9024", "9024"], school
for line in school:
    spec = "dolphins:triangles=%s,frames=12,bodies=3" % line[0]
    times = [rows[spec, line[1], method]["total_ms"] for method in ("blend", "hybrid", "hybrid:poses=apply", "peer:plain")]
    assert all(near(cell.split()[0], ms) for cell, ms in zip(line[2:6], times)), line
    assert all(near(cell, ms / times[0]) for cell, ms in zip(line[6:9], times[1:])), line
volumes = [line for line in cells if len(line) == 9 and line[0] not in ("scene", "triangles") and not line[0].isdigit()]
assert len(volumes) == 5 * 2 * 4, volumes
for line in volumes:
    row = rows[tuple(line[:3])]
    for cell, name in zip(line[5:8], ("nodes_opened", "leaf_pairs", "vertices_blended")):
        assert near(cell, row[name] / row["frames"]), (line, row)
    assert near(line[8], row["bytes_per_triangle"]), line
memory = [line for line in cells if len(line) == 5 and line[0] != "scene"]
assert len(memory) == 5, memory
for line in memory:
    found = [rows[line[0], "first", method] for method in ("bottom_up", "hybrid", "blend")]
    assert all(near(cell, row["bytes_per_triangle"]) for cell, row in zip(line[1:4], found)), line
    assert near(line[4], 192 * found[2]["nodes"] / found[2]["triangles"]), line
END
fi

# --- Nothing to put beside: no morphs, nobody to compare with, another scene.
small=--scene=morphing:triangles=80,frames=12
bench "$small" --motion positions --method blend,hybrid
lacks "## Beside the paper"
bench "$small" --morphs --method blend,auto
lacks "## Beside the paper"
bench --scene bumpy:triangles=80,frames=12 --morphs --method blend,hybrid
lacks "## Beside the paper"

exit $((failures > 0))
