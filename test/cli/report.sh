#!/usr/bin/env bash
# willow check --report and willow view: what they write, and what is refused before any work is done.
# What is in the page is looked at by test/report.
# shellcheck source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/../support/cli.sh"
cd "$folder" || exit 1

scene=scene:bumpy:triangles=80,frames=70
shell=(--template shell.html)
printf 'head "WILLOW CLIP" middle "WILLOW DATA" tail\n' >shell.html
printf 'nothing to fill\n' >other.html

expect 1 "The report is in new/folder/page.html" check "$scene" --report new/folder/page.html "${shell[@]}"
[[ $(<new/folder/page.html) == 'head {'*'} middle eJ'*' tail' ]] || fail "the shell was not filled"
grep -q '"command":"willow check scene:bumpy:triangles=80,frames=70 --report' new/folder/page.html ||
    fail "the page does not have the command"
[[ $(ls new/folder) == page.html ]] || fail "something was left beside the page: $(ls new/folder)"

# The page is the same with every method and number of threads, but for the command itself.
sed 's/"command":"[^"]*"//' new/folder/page.html >first
"$WILLOW" check "$scene" --report page.html "${shell[@]}" --method rebuild --threads 2 >out
sed 's/"command":"[^"]*"//' page.html >second
cmp -s first second || fail "another method makes another page"

# A command with words that a shell takes apart.
cp page.html 'a page.html'
expect 0 "a page.html" view "$scene" --frames 2 --no-open --out 'a page.html' "${shell[@]}"
grep -qF "willow view scene:bumpy:triangles=80,frames=70 --frames 2 --no-open --out 'a page.html'" 'a page.html' ||
    fail "the command is not one that a shell would take"

# What is wrong is said before anything is checked, and what was there stays.
echo old >old.html
expect 2 "nowhere.html cannot be read" check "$scene" --report old.html --template nowhere.html
expect 2 "other.html is not a template" check "$scene" --report old.html --template other.html
expect 2 "there is no file" check missing.obj --report old.html "${shell[@]}"
[[ $(<old.html) == old ]] || fail "a page was written over by none"
mkdir taken
expect 2 "taken: Is a directory" check "$scene" --report taken "${shell[@]}"
expect 2 "old.html/page.html: Not a directory" check "$scene" --report old.html/page.html "${shell[@]}"
expect 2 "--quiet ends at the first frame" check "$scene" --report page.html -q
expect 2 "--template needs --report" check "$scene" "${shell[@]}"
expect 2 "say what to look at" view
expect 2 "did you mean 'view'?" veiw clip.glb

# Standard output stays what it is for programs.
"$WILLOW" check "$scene" --frames 3 --json --report page.html "${shell[@]}" >lines
[[ $(wc -l <lines) == 4 && $(tail -n 1 lines) == '{"summary"'* ]] || fail "--json says more than JSON: $(<lines)"

# The browser is started with the page, unless nobody wants that.
mkdir bin tmp
printf '#!/bin/sh\necho "$1" >"%s/opened"\n' "$folder" >bin/xdg-open
chmod +x bin/xdg-open
page=$(TMPDIR=$folder/tmp PATH=$folder/bin:$PATH "$WILLOW" view "$scene" --frames 1 "${shell[@]}") || fail "view: $?"
[[ -f $page && $page == "$folder"/tmp/willow-*/clip.html ]] || fail "the page is in '$page'"
[[ $(<opened) == "$page" ]] || fail "the browser was started with '$(<opened)'"
rm opened
"$WILLOW" view "$scene" --frames 1 --no-open --out page.html "${shell[@]}" >/dev/null || fail "view --no-open: $?"
[[ ! -e opened ]] || fail "--no-open starts a browser"

exit $((failures > 0))
