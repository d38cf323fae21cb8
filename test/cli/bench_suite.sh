#!/usr/bin/env bash
# Several scenes in one run, in every form: JSON, CSV, a table, Markdown; and the limit of memory.
# Where python3 is not there, what it would read is not looked at as closely.
# shellcheck source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"

# read_with_python SCRIPT: the output on its standard input, the script must not fail.
read_with_python()
{
    [[ -n $python ]] || return 0
    "$python" -c "$1" <"$folder/out" || fail "python could not read it as it should"
}

# --- The suite: one hash per scene over all Willow methods, and all fields.
bench --suite quick --frames 12 --peers --motion positions
scenes=$(sed -n 's/.*"spec":"\([^"]*\)".*/\1/p' "$folder/out" | sort -u)
(($(wc -l <<<"$scenes") >= 10)) || fail "few scenes: $scenes"
while IFS= read -r scene; do
    hashes=$(grep -F "\"spec\":\"$scene\"" "$folder/out" | grep -v '"method":"peer:' |
        sed -n 's/.*"hash":"\([0-9a-f]*\)".*/\1/p')
    (($(wc -l <<<"$hashes") >= 3)) || fail "$scene: too few methods: $hashes"
    [[ $(sort -u <<<"$hashes" | wc -l) == 1 ]] || fail "$scene: not one hash: $hashes"
done <<<"$scenes"
! grep -q '"wrong":true' "$folder/out" || fail "a wrong answer"
! grep -E '"(lost|extra)":[1-9]' "$folder/out" | grep '"peer:plain"' || fail "peer:plain differs"
read_with_python '
import json, sys
rows = [json.loads(line) for line in sys.stdin]
always = "scene spec triangles bodies method query frames repeat threads kernel update_ms query_ms total_ms setup_ms \
update_ms_median query_ms_median total_ms_median total_ms_least total_ms_most update_ns_per_triangle fifths pairs hash bytes bytes_hierarchy \
bytes_per_triangle speedup speedup_median".split()
willow = "stands_for events nodes_updated bodies_built subtrees_built body_pairs nodes_opened volume_tests leaf_pairs triangle_tests exact_tests wrong".split()
tree = "build arity leaf_triangles hybrid_level margin rebuild_ratio nodes nodes_share leaves height cost".split()
for row in rows:
    is_peer = row["method"].startswith("peer:")
    wanted = always + (["lost", "extra"] if is_peer else willow)
    if not is_peer and row["method"] != "brute": wanted += tree
    missing = [name for name in wanted if name not in row]
    assert not missing, (row["spec"], row["method"], missing)
    assert "series" not in row and row.get("build") != "auto", row
    assert abs(row["total_ms"] - row["update_ms"] - row["query_ms"]) <= 1e-3 * row["total_ms"], row
    assert len(row["fifths"]) == 5 and all(value > 0 for value in row["fifths"]), row
    if row["method"] == "bottom_up": assert row["nodes_share"] == 1, row
    if "cost" in row: assert row["nodes"] > 0 and row["leaves"] > 0 and row["height"] > 0, row
refits = [row for row in rows if "refit_bytes" in row]
assert any(row["method"] == "bottom_up" for row in refits), refits
assert not any(row["method"] in ("brute", "rebuild") for row in refits), refits
assert any(row["scene"] == "tumble" for row in refits), "rigid bodies are given as all others"
'

# --- Rigid bodies that are moved by their poses do not refit.
bench --scene tumble:triangles=320,frames=12 --method bottom_up:poses=given
grep -q refit_bytes "$folder/out" && fail "a pose is no refit: $(<"$folder/out")"
grep -q '"nodes_share":0.0' "$folder/out" || fail "a pose computes no node: $(<"$folder/out")"

# --- Nor is it a refit where parts of trees are built afresh, even if every node is computed once.
bench --scene many:triangles=320,bodies=8 --frames 100 --method bottom_up:rebuild_ratio=1.05,bottom_up:rebuild_ratio=inf
[[ $(grep -c '"bodies_built":0,' "$folder/out") == 2 ]] || fail "whole trees were built: $(<"$folder/out")"
[[ $(grep -c '"nodes_share":1.0,' "$folder/out") == 2 ]] || fail "not every node: $(<"$folder/out")"
grep '"subtrees_built":[1-9]' "$folder/out" | grep -qv refit_bytes || fail "a build is no refit: $(<"$folder/out")"
grep '"subtrees_built":0,' "$folder/out" | grep -q refit_bytes || fail "that is a refit: $(<"$folder/out")"

# --- The classic has the tree that it stands for, and a tree of single triangles as many leaves.
bench --scene bumpy:triangles=320,frames=12 --method van_den_bergen
grep -q '"build":"midpoint","arity":2,"leaf_triangles":1,' "$folder/out" || fail "another tree: $(<"$folder/out")"
grep -q '"leaves":640,' "$folder/out" || fail "not 640 leaves: $(<"$folder/out")"

# --- Settings are told as they hold, and what AUTO became. JSON has no infinity, CSV has.
bench --scene bumpy:triangles=320,frames=40 --method auto,brute,hybrid:hybrid_level=2:margin=0.25:rebuild_ratio=3,top_down:rebuild_ratio=inf
read_with_python '
import json, sys
auto, brute, hybrid, top_down = [json.loads(line) for line in sys.stdin]
assert auto["stands_for"] in ("bottom_up", "hybrid", "top_down"), auto
assert auto["hybrid_level"] == 0 and auto["margin"] == 0 and auto["rebuild_ratio"] > 1, auto
assert brute["stands_for"] == "brute" and "margin" not in brute, brute
assert hybrid["stands_for"] == "hybrid" and hybrid["hybrid_level"] == 2, hybrid
assert hybrid["margin"] == 0.25 and hybrid["rebuild_ratio"] == 3, hybrid
assert top_down["stands_for"] == "top_down" and top_down["rebuild_ratio"] is None, top_down
'
bench --scene bumpy:triangles=80,frames=12 --method bottom_up:margin=0.5:rebuild_ratio=inf --csv
read_with_python '
import csv, sys
row = next(csv.DictReader(sys.stdin))
assert row["margin"] == "0.5" and row["rebuild_ratio"] == "inf" and row["stands_for"] == "bottom_up", row
'

# --- Series: as many values as counted frames, whose means are the means of the line.
bench --scene bumpy:triangles=80,frames=23 --method bottom_up --repeat 2 --series
read_with_python '
import json, sys
row = json.loads(sys.stdin.read())
series = row["series"]
counted = [frame for frame in range(23) if frame % 10 != 0]
assert series["frame"] == counted * 2, series["frame"]
for name in "update_ms", "query_ms":
    values = series[name]
    assert len(values) == 2 * len(counted), name
    mean = sum(values) / len(values)
    assert abs(mean - row[name]) <= 1e-3 * mean, (name, mean, row[name])
assert series["pairs"][:20] == series["pairs"][20:], "repetitions differ"
assert 0 < sum(series["pairs"][:20]) <= row["pairs"], "pairs"
for i, fifth in enumerate(row["fifths"]):
    totals = [update + query for frame, update, query
              in zip(series["frame"], series["update_ms"], series["query_ms"]) if frame * 5 // 23 == i]
    mean = sum(totals) / len(totals)
    assert abs(mean - fifth) <= 1e-3 * mean, (i, mean, fifth)
'

# --- A fifth without a counted frame has no mean.
bench --scene bumpy:triangles=80,frames=3 --method bottom_up
grep -qE '"fifths":\[null,[0-9.e-]+,null,[0-9.e-]+,null\]' "$folder/out" || fail "fifths of 3 frames: $(<"$folder/out")"
bench --scene bumpy:triangles=80,frames=3 --method bottom_up --table --fifths
grep -qE '^bottom_up +- +[0-9.]+ +- +[0-9.]+ +-$' "$folder/out" || fail "fifths of 3 frames: $(<"$folder/out")"

# --- Several questions: every scene with each of them, and answers are compared within one.
bench --scene bumpy:triangles=80,frames=12 --scene soup:triangles=20,frames=12 --query pairs,first,pairs \
    --method brute,bottom_up
questions=$(sed -n 's/.*"scene":"\([a-z]*\)".*"query":"\([a-z]*\)".*/\1 \2/p' "$folder/out" | tr '\n' ',')
[[ $questions == "bumpy pairs,bumpy pairs,bumpy first,bumpy first,soup pairs,soup pairs,soup first,soup first," ]] ||
    fail "questions: $questions"
! grep -q '"wrong":true' "$folder/out" || fail "a wrong answer"

# --- Growth: the slope through the logarithms, of scenes in three sizes that differ in nothing else.
bench --scene bumpy:triangles=80,frames=12 --scene bumpy:frames=12,triangles=320 --scene bumpy:triangles=1280,frames=12 \
    --scene soup:triangles=20,frames=12 --scene soup:triangles=40,frames=12 --scene soup:triangles=60,frames=13 \
    --scene bumpy:triangles=80 --scene bumpy:triangles=81 --scene bumpy:triangles=82 \
    --method rebuild,bottom_up,peer:plain
read_with_python '
import json, math, sys
lines = [json.loads(line) for line in sys.stdin]
growths = [line for line in lines if "growth" in line]
assert lines[-3:] == growths, "not three, or not at the end"
assert [line["method"] for line in growths] == ["rebuild", "bottom_up", "peer:plain"], growths
for line in growths:
    assert line["growth"] == "bumpy:frames=12" and line["query"] == "pairs", line
    assert (line["from"], line["to"]) == (160, 2560), line
    points = [(math.log(row["triangles"]), math.log(row["total_ms"])) for row in lines
              if row["method"] == line["method"] and row.get("scene") == "bumpy" and row["frames"] == 12]
    x, y = (sum(values) / 3 for values in zip(*points))
    slope = sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, b in points)
    assert len(points) == 3 and abs(slope - line["exponent"]) <= 1e-3, (slope, line)
'
sizes=(--scene "bumpy:triangles=80,frames=12" --scene "bumpy:triangles=320,frames=12"
    --scene "bumpy:triangles=1280,frames=12")
bench "${sizes[@]}" --query pairs,first --method rebuild,bottom_up --table --fifths
[[ $(grep -c '^bumpy:frames=12: growth' "$folder/out") == 2 ]] || fail "not one table of growth per question: $(<"$folder/out")"
[[ $(grep -cE '^bottom_up +-?[0-9.]+ +160 +2560$' "$folder/out") == 2 ]] || fail "no exponents: $(<"$folder/out")"
[[ $(grep -c '^in fifths ' "$folder/out") == 6 ]] || fail "not six tables of fifths: $(<"$folder/out")"
bench "${sizes[@]}" --method bottom_up --csv
(($(wc -l <"$folder/out") == 4)) || fail "growth has no place in CSV: $(<"$folder/out")"
bench --suite growth --frames 2 --method bottom_up
[[ $(grep -c '"spec":"bumpy:triangles=' "$folder/out") == 4 ]] || fail "not four sizes: $(<"$folder/out")"
grep -q '"growth":"bumpy",.*"from":2560,"to":163840' "$folder/out" || fail "no growth: $(<"$folder/out")"

# --- CSV: as many columns in each line as heads, once, over several scenes; the numbers of the JSON.
bench --scene bumpy:triangles=80,frames=12 --scene soup:triangles=20,frames=12 --csv \
    --method brute,rebuild,bottom_up,peer:plain
[[ $(grep -c '^scene,spec,' "$folder/out") == 1 ]] || fail "not one line of heads"
(($(wc -l <"$folder/out") == 9)) || fail "not 9 lines of CSV: $(<"$folder/out")"
read_with_python '
import csv, sys
rows = list(csv.reader(sys.stdin))
assert len(set(rows[0])) == len(rows[0]) > 40, rows[0]
assert [name for name in rows[0] if name.startswith("fifths")] == ["fifths_%d" % i for i in range(1, 6)], rows[0]
assert all(len(row) == len(rows[0]) for row in rows), [len(row) for row in rows]
table = [dict(zip(rows[0], row)) for row in rows[1:]]
assert [row["spec"] for row in table[::4]] == ["bumpy:triangles=80,frames=12", "soup:triangles=20,frames=12"], table
for row in table:
    assert float(row["total_ms"]) > 0 and int(row["triangles"]) > 0, row
    assert (row["lost"] == "0") == row["method"].startswith("peer:"), row
'

# --- A table per scene, each scene once.
bench --scene bumpy:triangles=80,frames=12 --scene bumpy:triangles=80,frames=12 --scene soup:triangles=20,frames=12 --method bottom_up --table
[[ $(grep -c '^method ' "$folder/out") == 2 ]] || fail "not two tables: $(<"$folder/out")"

# --- The limit beside a scene; bench_limit_slow.sh has it alone.
bench --limit --scene bumpy:triangles=320,frames=12 --method rebuild,bottom_up
share=$(sed -n 's/.*"method":"bottom_up".*"limit_share":\([0-9.e-]*\).*/\1/p' "$folder/out")
[[ $share =~ [1-9] ]] || fail "no share: $(<"$folder/out")"
! grep '"method":"rebuild"' "$folder/out" | grep -q limit_share || fail "a rebuild is no refit"
bench --limit --scene bumpy:triangles=320,frames=12 --method bottom_up --table
grep -q '%' "$folder/out" || fail "no share in the table: $(<"$folder/out")"

# --- Markdown: a table per scene, all columns in each line, and who lost.
bench --scene bumpy:triangles=320,frames=12 --scene tumble:triangles=320,frames=12 --limit \
    --method brute,bottom_up,peer:plain --results "$folder/results.md"
for words in "# Results" "willow bench --scene bumpy:triangles=320,frames=12 --scene" "| processor |" "| compiler |" \
    "| date |" "## bumpy:triangles=320,frames=12" "## tumble:triangles=320,frames=12" \
    'Slower than `peer:plain`:' "## Streaming bandwidth"; do
    grep -qF -- "$words" "$folder/results.md" || fail "results.md does not have '$words'"
done
awk -F'|' '!/^\|/ { columns = 0; next } columns && NF != columns { bad++; print } { columns = NF } END { exit bad > 0 }' \
    "$folder/results.md" || fail "results.md: a line of a table is longer or shorter than its head"
[[ $(grep -cE '^\| (\*\*)?peer:plain' "$folder/results.md") == 2 ]] || fail "not two rows of peer:plain"

# --- AUTO against libraries of others stands first where one took part, with the spread of three runs.
! grep -q "AUTO against" "$folder/results.md" || fail "results.md compares with a library, and none took part"
bench --scene bumpy:triangles=80,frames=12 --method auto --peers --repeat 3 --results "$folder/results.md"
if grep -q '"peer_version"' "$folder/out"; then
    grep -qE '^\| bumpy:triangles=80,frames=12 \| 160 \| [0-9.]+ \([0-9.]+ to [0-9.]+\) \| peer:[a-z-]+ \|' \
        "$folder/results.md" || fail "results.md has no spread: $(<"$folder/results.md")"
fi
read_with_python '
import json, sys
for row in map(json.loads, sys.stdin):
    assert 0 < row["total_ms_least"] <= row["total_ms"] <= row["total_ms_most"], row
'

# --- Several peers that make their own positions, of paths and of morphs, in arrays that they share.
for scene in avatar:triangles=500,frames=12 dolphins:triangles=36,frames=12; do
    bench --scene $scene --method auto --peers
    for peer in peer:plain peer:embree-refit; do
        row=$(grep "\"$peer\"" "$folder/out") || continue
        [[ $row == *'"lost":0,"extra":0'* ]] || fail "$scene: $peer differs: $row"
    done
done

bench --scene selfcloth:triangles=200,frames=12 --method bottom_up,peer:plain --results "$folder/results.md"
grep -qF -- '- Without triangles of one body that share a vertex: `peer:plain`.' "$folder/results.md" ||
    fail "results.md does not say who leaves neighbours out"

# --- Mistakes are found before anything is measured.
refuse "no suite 'quik'; did you mean 'quick'?" --suite quik
refuse "--table and --csv exclude each other" --table --csv
refuse "--series is for JSON" --series --table
refuse "--fifths is for --table" --fifths --csv
refuse "--stages is for --table" --stages --csv
refuse "no scene" --scene bumpy:frames=12,triangles=80 --scene nonsense
refuse "not CSV" --limit --csv
refuse "./dev report-page" --report "$folder/report" --template "$folder/none.html"
refuse "needs --report" --template "$folder/none.html"
echo "<html></html>" >"$folder/other.html"
refuse "not a template of this page" --report "$folder/report" --template "$folder/other.html"
printf '<script>"WILLOW RESULTS"</script>' >"$folder/small.html"
refuse "Not a directory" --report "$folder/small.html" --template "$folder/small.html"
refuse "Not a directory" --report "$folder/other.html/b" --template "$folder/small.html"
refuse "Not a directory" --results "$folder/other.html/results.md"

# --- The page is the template with the lines as a list; no "<" can end the script around them.
bench --scene bumpy:triangles=80,frames=12 --report "$folder/report" --template "$folder/small.html" \
    --method brute,rebuild,bottom_up
[[ $(wc -l <"$folder/report/results.jsonl") == 4 ]] || fail "not a machine and 3 methods"
cp "$folder/report/report.html" "$folder/out"
read_with_python '
import json, sys
page = sys.stdin.read()
assert page.startswith("<script>[") and page.endswith("]</script>"), page[:40]
rows = json.loads(page[len("<script>"):-len("</script>")])
assert len(rows) == 4 and "machine" in rows[0] and len(rows[3]["series"]["frame"]) == 10, rows
assert rows[0]["machine"]["cores"] > 0 and rows[0]["machine"]["memory_bytes"] > 0, rows[0]
'

# --- Every contender is given the motion that it understands, unless all are to get positions.
bench --scene tablecloth:triangles=200,frames=12 --method bottom_up,bottom_up:poses=none,peer:plain
[[ $(sed -n 's/.*"motion":"\([^"]*\)".*/\1/p' "$folder/out" | tr '\n' ' ') == "poses+plans plans positions " ]] ||
    fail "another motion: $(<"$folder/out")"
bench --scene tablecloth:triangles=200,frames=12 --method bottom_up,peer:plain --motion positions
[[ $(grep -c '"motion":"positions","plans":false' "$folder/out") == 2 ]] || fail "not positions: $(<"$folder/out")"
bench --scene dolphins:triangles=564,bodies=2,frames=12 --method blend --table
grep -q 'motion$' "$folder/out" || fail "no column: $(<"$folder/out")"
grep -q 'morphs$' "$folder/out" || fail "no morphs: $(<"$folder/out")"
refuse "did you mean 'positions'?" --motion position

# --- AUTO is among all; a suite brings its own query.
bench --scene bumpy:triangles=80,frames=4
grep -q '"method":"auto"' "$folder/out" || fail "auto is not among all: $(<"$folder/out")"
bench --suite self --frames 2 --method bottom_up --scene bumpy:triangles=80,frames=3
! grep -v '"query":"self"' "$folder/out" || fail "the suite self asks something else"

# --- Keys are guessed, numbers are called out of range, and what a scene rounds is said.
refuse "did you mean 'triangles'?" --scene bumpy:triangle=80
refuse "did you mean 'variant'?" --scene many:variants=arms
refuse "triangles=99999999999 is out of range" --scene bumpy:triangles=99999999999
bench --scene bumpy:triangles=80,frames=12 --method bottom_up --frames 0 --repeat 0
grep -q '"frames":12,"repeat":1,' "$folder/out" || fail "0 is not the default: $(<"$folder/out")"
refuse "--frames 1 is out of range: it is 2 to 1000000" --frames 1
refuse "--repeat 5000000 is out of range" --repeat 5000000
refuse "--threads 99999 is out of range" --threads 99999
refuse "--set leaf_triangles=99 is out of range" --set leaf_triangles=99
refuse "--set leaf_triangles=x is not possible" --set leaf_triangles=x
bench --scene bumpy:triangles=100,frames=3 --method bottom_up
grep -q "has 80 triangles per body, not 100" "$folder/errors" || fail "rounding is not said: $(<"$folder/errors")"
bench --scene bumpy:triangles=80,frames=3 --method bottom_up
[[ ! -s $folder/errors ]] || fail "nothing was rounded: $(<"$folder/errors")"

exit $((failures > 0))
