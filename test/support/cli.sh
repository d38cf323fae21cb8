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
