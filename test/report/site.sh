#!/usr/bin/env bash
# The documentation as a site, from disk: every link leads somewhere, nothing is fetched, and the search finds
# what people look for. ./dev report-test makes the site first; without it this skips.
source "$(dirname "${BASH_SOURCE[0]}")/support/begin.sh"
site=$root/build/docs/html
[[ -f $site/index.html ]] || skip "no site: ./dev docs makes it"
need_page clip.html playwright-core
node "$root/test/report/check_site.mjs" "$site"
