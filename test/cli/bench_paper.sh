#!/usr/bin/env bash
# The section "Beside the paper": its ratios and exponents are those of the run, and it is left out
# where the run has nothing to put beside. Few frames, so the times mean nothing. Without python3 the
# numbers are not looked at.
# shellcheck source=test/support/cli_page.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli_page.sh"

# read_with_python SCRIPT: `cells` are the lines of tables in the section, `rows` what the run printed.
read_with_python()
{
    [[ -n $python ]] || return 0
    "$python" - "$folder/page" "$folder/out" <<END || fail "python could not read it as it should"
import json, math, sys
page = open(sys.argv[1]).read().split("## Beside the paper")[1].split("\n## ")[0]
cells = [[cell.strip() for cell in line.split("|")[1:-1]] for line in page.split("\n") if line.startswith("| ")]
rows = [json.loads(line) for line in open(sys.argv[2])]
$1
END
}

# --- Experiments 1 and 3: both questions, all Willow methods, no peers.
bench --suite paper --query pairs,first --frames 3 --method bottom_up,van_den_bergen,peer:plain
has "## Beside the paper"
has "### Experiment 1: two bumpy spheres"
has "### Experiment 2: the same in several sizes"
has "### Experiment 3: 27 bodies"
has "## many, query first"
has "| bumpy:triangles=20480 | pairs | the paper's hybrid | - | about 5 | - | - | - | - | - | - |"
has "| many | pairs | the paper's hybrid | - | about 5.6 | - | - | - | - | - | - |"
has "| many:variant=arms | pairs | the paper's hybrid | - | about 4.5 | - | - | - | - | - | - |"
has "| pairs | the paper's hybrid | 2560 to 131072 | 0.87 | 1.15 | - |"
[[ $(grep -c "^| .* | the paper's hybrid |" "$folder/page") == 5 ]] || fail "the paper says more than it does"
read_with_python '
def total(spec, query, method):
    return [row["total_ms"] for row in rows if row.get("spec") == spec
            and row["query"] == query and row["method"] == method][0]
tables = [line for line in cells if len(line) == 11 and line[2] in ("bottom_up", "van_den_bergen")]
scenes = ("bumpy:triangles=20480", "many", "many:variant=arms")
wanted = [(scene, query) for scene in scenes for query in ("pairs", "first")]
assert [(line[0], line[1]) for line in tables[::2]] == wanted, tables
for line in tables:
    ratio = total(line[0], line[1], "van_den_bergen") / total(line[0], line[1], line[2])
    assert abs(float(line[4]) - ratio) <= 0.006 + 1e-4 * ratio, (line, ratio)
    assert line[5] == "100.0 %", line
    assert [cell == "-" for cell in line[6:]] == [True, False, True, False, True], line
assert not any("peer:plain" in line for line in cells), cells
'

# --- Experiment 2 at sizes for tests, with contacts: exponents of three frames.
sizes=(--scene bumpy:triangles=20 --scene bumpy:triangles=80 --scene bumpy:triangles=320)
bench "${sizes[@]}" --series --query pairs,first --method bottom_up,van_den_bergen
has "### Experiment 2: the same in several sizes"
lacks "### Experiment 1: two bumpy spheres"
lacks "### Experiment 3: 27 bodies"
read_with_python '
def exponent(points):
    points = [(math.log(a), math.log(b)) for a, b in points]
    x, y = (sum(values) / len(points) for values in zip(*points))
    return sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, b in points)
def frame_ms(row, i):
    return row["series"]["update_ms"][i] + row["series"]["query_ms"][i]
def first_contact(row):
    return frame_ms(row, [count > 0 for count in row["series"]["pairs"]].index(True))
def most_pairs(row):
    return frame_ms(row, row["series"]["pairs"].index(max(row["series"]["pairs"])))
lines = cells[2:]
assert len(lines) == 4, cells
for query, method, sizes, first, most, mean in lines:
    own = [row for row in rows if row.get("query") == query and row["method"] == method and "spec" in row]
    assert len(own) == 3 and sizes == "40 to 640", (sizes, own)
    for text, measure in (first, first_contact), (most, most_pairs), (mean, lambda row: row["total_ms"]):
        if query == "first" and measure is most_pairs:
            assert text == "-", text
            continue
        value = exponent([(row["triangles"], measure(row)) for row in own])
        assert abs(float(text) - value) <= 0.0051, (query, method, text, value)
'

# --- Nothing to put beside: another size, nobody to compare with, nobody to compare.
for options in "--scene bumpy:triangles=80 --method bottom_up,van_den_bergen" \
    "--scene bumpy:triangles=20480 --method bottom_up,rebuild" \
    "--scene bumpy:triangles=20480 --method van_den_bergen,peer:plain"; do
    # shellcheck disable=SC2086 # several words
    bench $options --frames 2
    lacks "## Beside the paper"
done
bench "${sizes[@]}" --frames 2 --method bottom_up
lacks "## Beside the paper"

exit $((failures > 0))
