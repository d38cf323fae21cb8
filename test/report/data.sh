#!/usr/bin/env bash
# What is in the page of willow check --report, taken apart with the page's own reader and held against
# the files that were checked and the lines of --json. Needs Node and no browser; ends with 77 without it.
source "$(dirname "${BASH_SOURCE[0]}")/support/begin.sh"
command -v node >/dev/null || skip "no node"
node -e 'process.exit(globalThis.DecompressionStream ? 0 : 1)' || skip "this node is too old"
cd "$folder" || exit 1
printf '"WILLOW CLIP"\n"WILLOW DATA"\n' >shell.html
node "$root/test/report/check_data.mjs" "$WILLOW" "$root"
