# cli_page.sh - what tests of pages that the tool writes share.
# shellcheck shell=bash source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/cli.sh"

# bench ARGUMENTS...: the page into $folder/page, lines into $folder/out; must end with 0.
bench()
{
    "$WILLOW" bench "$@" --results "$folder/page" >"$folder/out" 2>"$folder/errors" ||
        fail "willow bench $*: ended with $?: $(<"$folder/errors")"
    awk -F'|' '!/^\|/ { columns = 0; next } columns && NF != columns { bad++; print } { columns = NF } END { exit bad > 0 }' \
        "$folder/page" || fail "willow bench $*: a line of a table is longer or shorter than its head"
    ! grep -F '{{' "$folder/page" || fail "willow bench $*: a tag of a template was not filled in"
}

# has WORDS, lacks WORDS: a line of the page that is these words.
has() { grep -qFx -- "$1" "$folder/page" || fail "the page does not have '$1'"; }
lacks() { ! grep -qFx -- "$1" "$folder/page" || fail "the page has '$1'"; }
