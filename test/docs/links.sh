#!/usr/bin/env bash
# links.sh - links between pages lead somewhere, and so do the paths that pages name in backticks.
#
#   [words](page.md#heading)   the page exists, and has that heading
#   `src/base/trig.h`          exists, from the root or from include/, src/ or docs/. A path is a word
#                              with a slash that ends with a slash or the suffix of a source file, or
#                              any name of a .h or .md file. Words with < or * in them stand for many
#                              files; build/ is made.
#
# test/docs/CMakeLists.txt gives: SOURCE.
set -u
: "${SOURCE:?the tree}"
cd "$SOURCE" || exit 1
pages=(*.md docs/*.md)
links=0
paths=0
failures=0

complain()
{
    echo "$page: $*"
    failures=$((failures + 1))
}

# Page $1 without what is in fences.
prose_of() { awk '/^[ \t]*```/ { in_fence = !in_fence; next } !in_fence' "$1"; }

# The headings of page $1 as links name them.
headings_of()
{
    prose_of "$1" | sed -n 's/^##* //p' | tr '[:upper:]' '[:lower:]' | sed 's/[^a-z0-9 _-]//g; s/ /-/g'
}

check_link()
{
    local target=${1%%#*} heading=""
    [[ $1 == *#* ]] && heading=${1#*#}
    target=${target:+$(dirname "$page")/$target}
    target=${target:-$page}
    links=$((links + 1))
    if [[ ! -e $target ]]; then
        complain "links to $1, which is not there"
    elif [[ -n $heading ]] && ! headings_of "$target" | grep -qxF -- "$heading"; then
        complain "links to $1, and there is no such heading"
    fi
}

check_path()
{
    local folder
    paths=$((paths + 1))
    for folder in . include include/willow src docs; do
        [[ -e $folder/$1 ]] && return
    done
    complain "names \`$1\`, which is not there"
}

for page in "${pages[@]}"; do
    while read -r link; do
        [[ $link == *://* ]] || check_link "$link"
    done < <(prose_of "$page" | grep -o '](\([^)]*\))' | sed 's/^](//; s/)$//')
    while read -r path; do
        check_path "$path"
    done < <(prose_of "$page" | grep -o '`[^` ]*`' | tr -d '`' | grep -v '[<*]' | grep -v '^\(build\|/\)' |
        grep -E '^[A-Za-z0-9_.-]+/([A-Za-z0-9_./-]*/)?$|/.*\.(c|h|md|sh|cmake|txt)$|^[A-Za-z0-9_-]+\.(h|md)$')
done

echo "$links links and $paths paths of ${#pages[@]} pages, $failures of them broken"
((links + paths > 0 && failures == 0))
