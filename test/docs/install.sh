#!/usr/bin/env bash
# docs/install.md asks for the version that this is, and for targets and options that there are. That
# they work is the business of test/package.
#
# test/docs/CMakeLists.txt gives: SOURCE.
set -u
: "${SOURCE:?the tree}"
cd "$SOURCE" || exit 1
failures=0

# expect_in FILES WORDS: WORDS, as they are, are in one of the files.
expect_in()
{
    # shellcheck disable=SC2086 # several files
    grep -qF -- "$2" $1 && return
    echo "docs/install.md names '$2', which is not in $1"
    failures=$((failures + 1))
}

part() { sed -n "s/^#define WILLOW_VERSION_$1 //p" include/willow/base.h; }
version=$(part MAJOR).$(part MINOR)
if ! grep -qF "find_package(willow $version REQUIRED)" docs/install.md; then
    echo "docs/install.md does not ask for version $version"
    failures=$((failures + 1))
fi

names=$(grep -oE '`WILLOW_[A-Z0-9]+`' docs/install.md | tr -d '`' | sort -u)
targets=$(grep -oE 'willow::[a-z]+' docs/install.md | sort -u)
if [[ -z $names || -z $targets ]]; then
    echo "docs/install.md names no options or no targets"
    failures=$((failures + 1))
fi
for name in $names; do expect_in CMakeLists.txt "$name"; done
for target in $targets; do expect_in CMakeLists.txt "add_library($target"; done
expect_in dev "  install "
exit $((failures > 0))
