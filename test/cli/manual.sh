#!/usr/bin/env bash
# The manual page is well formed; it, the help and the completion know the same options.
set -u
: "${WILLOW:?the path of the tool}"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
page=$root/docs/willow.1
failures=0

fail()
{
    echo "$*"
    failures=$((failures + 1))
}

# Long options in a text, each once.
options_in() { grep -oE -- '--[a-z][a-z-]*' | sort -u | tr '\n' ' '; }

# section NAME: the options that stand at the head of an entry, between its heading and the next.
section()
{
    awk -v heading="$1" '
        /^\.S[SH] / { on = $0 == heading; next }
        on && is_head { print }
        { is_head = /^\.(TP|TQ)/ }' "$page" | sed 's/\\-/-/g; s/\\f[A-Z]//g'
}

# The help of a command up to where its options end; words in its examples are not among them.
listed_in_help() { awk '/^Options:/ { on = 1; next } /^$/ { on = 0 } on' | cut -c 1-24; }

for command in check info scene render view bench; do
    help=$("$WILLOW" help $command | listed_in_help | options_in)
    manual=$(section ".SS willow $command" | options_in)
    completion=$("$WILLOW" complete $command -- | options_in)
    [[ -n $help && $help == "$completion" ]] || fail "$command: help has $help, completion $completion"
    [[ $help == "$manual" ]] || fail "$command: help has $help, the manual $manual"

    # What examples and explanations name exists too.
    for option in $("$WILLOW" help $command | options_in); do
        grep -q -- "$option" <<<"$help $("$WILLOW" complete bench --)" || fail "$command: no $option"
    done
done
[[ $("$WILLOW" help | listed_in_help | options_in) == "$("$WILLOW" complete -- | options_in)" ]] ||
    fail "willow: help and completion differ"
[[ $(section ".SH OPTIONS" | options_in) == "$("$WILLOW" complete -- | options_in)" ]] ||
    fail "willow: manual and completion differ"

# Letters, and the commands themselves.
for command in check info scene render view bench; do
    letters=$("$WILLOW" help $command | listed_in_help | grep -oE '^  -[a-z],' | tr -d ' ,' | tr '\n' ' ')
    in_manual=$(section ".SS willow $command" | grep -oE ' -[a-z] ' | tr -d ' ' | tr '\n' ' ')
    [[ $letters == "$in_manual" ]] || fail "$command: help has $letters, the manual $in_manual"
done
for command in $("$WILLOW" complete ""); do
    grep -q "^\.B willow $command" "$page" || fail "the manual does not have willow $command"
done

# The words of the tool's own tables that the manual explains.
for key in $("$WILLOW" complete check --set "" | tr -d =); do
    grep -qx "\.B $key" "$page" || fail "the manual does not explain --set $key"
done

checked=false
if command -v mandoc >/dev/null; then
    words=$(mandoc -Tlint -W warning "$page" 2>&1)
    [[ -z $words ]] || fail "mandoc: $words"
    checked=true
fi
if man --version >/dev/null 2>&1 && command -v groff >/dev/null; then
    words=$(LC_ALL=C MANWIDTH=80 man --warnings -l "$page" 2>&1 >/dev/null)
    [[ -z $words ]] || fail "man: $words"
    checked=true
fi
((failures == 0)) || exit 1
$checked || { echo "no program to check the form of the page; its words are fine"; exit 77; }
