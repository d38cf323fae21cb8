#!/usr/bin/env bash
# links.sh names links and paths that lead nowhere, and lets the others pass.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/docs" "$work/src/base"
echo '# A page, with words' >"$work/docs/other.md"
touch "$work/src/base/trig.h"
failures=0

# expect CODE WORDS PAGE: links.sh ends with CODE and says WORDS about a page of this text.
expect()
{
    local output code
    printf '%s\n' "$3" >"$work/docs/page.md"
    cp "$work/docs/page.md" "$work/README.md" && sed -i 's|](|](docs/|g' "$work/README.md"
    output=$(SOURCE=$work "$here/links.sh" 2>&1)
    code=$?
    if [[ $code != "$1" || $output != *"$2"* ]]; then
        echo "'$3': ended with $code, not $1, or did not say '$2':"
        echo "$output"
        failures=$((failures + 1))
    fi
}

expect 0 "0 of them broken" '[words](other.md), [words](other.md#a-page-with-words)'
expect 0 "0 of them broken" 'See `src/base/trig.h`, `base/trig.h`, `src/`, `src/<room>/x.c`, `build/x.h`.'
expect 1 "links to nowhere.md" '[words](nowhere.md)'
expect 1 "no such heading" '[words](other.md#no-page)'
expect 1 'names `src/base/sine.h`' 'See `src/base/sine.h`.'
expect 1 'names `source/`' 'See `source/`.'
expect 1 'names `nowhere.md`' 'See `nowhere.md`.'
expect 1 "0 links and 0 paths" 'Words only.'

exit $((failures > 0))
