# begin.sh - what tests of pages begin with: a folder of their own, and how they fail or skip. To be sourced.
# A test ends with 77 where Node, Chromium or the pages are missing, but fails if WILLOW_REPORT_TEST=needed.
set -u
: "${WILLOW:?the path of the tool}"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
pages=$(dirname "$WILLOW")/../share/willow
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failures=0

fail()
{
    echo "$*"
    failures=$((failures + 1))
}

skip()
{
    echo "$*"
    [[ ${WILLOW_REPORT_TEST:-} == needed ]] && exit 1
    exit 77
}

# need_page NAME MODULE: a browser, that page, and that module of report/.
need_page()
{
    command -v node >/dev/null || skip "no node"
    BROWSER=$(command -v chromium || command -v chromium-browser) || skip "no chromium"
    export BROWSER
    [[ -f $pages/$1 ]] || skip "no $1: ./dev report-page makes it"
    [[ -d $root/report/node_modules/$2 ]] || skip "no $2: ./dev report-page fetches it"
}
