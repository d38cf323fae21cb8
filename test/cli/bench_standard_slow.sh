#!/usr/bin/env bash
# Every scene of the standard suite can be made, and its methods agree.
set -u
: "${WILLOW:?the path of the tool}"
output=$("$WILLOW" bench --suite standard --frames 3 --method rebuild,bottom_up) || exit 1
lines=$(grep -c '"spec":' <<<"$output")
hashes=$(sed -n 's/.*"spec":"\([^"]*\)".*"hash":"\([0-9a-f]*\)".*/\1 \2/p' <<<"$output" | sort -u | wc -l)
if ((lines < 20 || lines != 2 * hashes)); then
    echo "$lines lines and $hashes different hashes: $output"
    exit 1
fi
