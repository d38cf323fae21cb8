# probe.sh - what tests of probes begin with. Read with `.`.
# shellcheck source=test/support/cli.sh
. "$(dirname "${BASH_SOURCE[0]}")/cli.sh"
: "${WILLOW_PROBE:?the path of the program}"

# probe ARGUMENTS...: leaves the output in $folder/out; must end with 0.
probe()
{
    "$WILLOW_PROBE" "$@" >"$folder/out" 2>"$folder/errors" ||
        fail "willow_probe $*: ended with $?: $(<"$folder/errors")"
}

# refuse WORDS ARGUMENTS...: must end with 2, say WORDS, and print nothing.
refuse()
{
    local words=$1
    shift
    "$WILLOW_PROBE" "$@" >"$folder/out" 2>"$folder/errors"
    local code=$?
    [[ $code == 2 ]] || fail "willow_probe $*: ended with $code, not 2"
    grep -qF -- "$words" "$folder/errors" || fail "willow_probe $*: did not say '$words': $(<"$folder/errors")"
    [[ ! -s $folder/out ]] || fail "willow_probe $*: printed $(<"$folder/out")"
}

# says WORDS: the output has them.
says() { grep -qF -- "$1" "$folder/out" || fail "no '$1' in: $(<"$folder/out")"; }

# values NAME: a field of every line, one per line.
values() { sed -n "s/.*\"$1\":\"\{0,1\}\([^,\"}]*\).*/\1/p" "$folder/out"; }

# lines NUMBER: the output has so many.
lines() { [[ $(wc -l <"$folder/out") == "$1" ]] || fail "not $1 lines: $(<"$folder/out")"; }

# read_with_python SCRIPT: the lines are in `rows`, and near(a, b) compares numbers that were rounded.
read_with_python()
{
    [[ -n $python ]] || return 0
    "$python" -c "
import json, math, sys
rows = [json.loads(line) for line in sys.stdin]
def near(a, b): return abs(a - b) <= 1e-4 * abs(b)
$1" <"$folder/out" || fail "the numbers are not as they should be: $(<"$folder/out")"
}
