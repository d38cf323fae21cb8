# cli.sh - what tests of the tool begin with: a folder for what it writes, python3 where there is one,
# and a count of failures, which the test ends with. Read with `.`.
set -u
: "${WILLOW:?the path of the tool}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0
python=$(command -v /usr/bin/python3 || command -v python3) || python=

fail()
{
    echo "$*"
    failures=$((failures + 1))
}

# expect CODE WORDS ARGUMENTS...: the tool ends with CODE and says WORDS, on whichever stream.
expect()
{
    local code=$1 words=$2 output actual
    shift 2
    output=$("$WILLOW" "$@" 2>&1 </dev/null)
    actual=$?
    [[ $actual == "$code" && $output == *"$words"* ]] ||
        fail "willow $*: ended with $actual, not $code, or did not say '$words': $output"
}

# bench ARGUMENTS...: leaves the output in $folder/out; must end with 0.
bench()
{
    "$WILLOW" bench "$@" >"$folder/out" 2>"$folder/errors" ||
        fail "willow bench $*: ended with $?: $(<"$folder/errors")"
}

# refuse WORDS ARGUMENTS...: must end with 2, say WORDS, and print nothing.
refuse()
{
    local words=$1
    shift
    "$WILLOW" bench "$@" >"$folder/out" 2>"$folder/errors"
    local code=$?
    [[ $code == 2 ]] || fail "willow bench $*: ended with $code, not 2"
    grep -qF -- "$words" "$folder/errors" || fail "willow bench $*: did not say '$words': $(<"$folder/errors")"
    [[ ! -s $folder/out ]] || fail "willow bench $*: printed $(<"$folder/out")"
}
