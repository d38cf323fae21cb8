#!/usr/bin/env bash
# samples.sh [PAGE...] - the C and C++ samples of the pages (README.md and docs/*.md) compile without
# a warning, run, and print what the page says that they print.
#
# What a sample is, in a page:
#   - A ```c or ```cpp fence with main() is a program. It must end with 0.
#   - Any other ```c fence has a comment on a line of its own before it that names its prelude, a
#     program test/docs/NAME.c that the sample is put into:
#         <!-- sample: world -->                    statements, at its line STATEMENTS
#         <!-- sample: world, run: f(world) -->     definitions, at its line DEFINITIONS; f is called
#         <!-- sample: world, fails -->             statements of which at least one call fails
#     The preludes count failing calls with the log hook, and the test fails if there is one in a
#     sample that does not say so.
#   - A ```text fence right after a sample is what it prints. One line that ends with a colon may
#     stand between the two.
#   - A C fence that is none of these is a failure, and so are C in a fence that does not say so and
#     no samples at all.
#
# test/docs/CMakeLists.txt gives: SOURCE, CC, LIBRARY, and SANITIZE (may be empty).
set -u
: "${SOURCE:?the tree}" "${CC:?a C compiler}" "${LIBRARY:?libwillow.a}"
cd "$SOURCE" || exit 1

pages=("$@")
(($# > 0)) || pages=(README.md docs/*.md)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

flags=(-Wall -Wextra -Wpedantic -Werror -O0 -Iinclude)
libraries=("$LIBRARY" -lpthread -lm)
[[ -n ${SANITIZE:-} ]] && flags+=("-fsanitize=$SANITIZE" -fno-sanitize-recover=all)
cxx=$(command -v c++)
failures=0

complain()
{
    echo "$page:$line: $*"
    failures=$((failures + 1))
}

# assemble NUMBER SHAPE PRELUDE: prints the whole program. Errors name the line of the page.
assemble()
{
    local code=$work/$1.code
    if [[ $2 == program ]]; then
        printf '#line %d "%s"\n' $((line + 1)) "$page"
        cat "$code"
        return
    fi
    awk -v shape="$2" -v code="$code" -v run="$work/$1.run" -v line="$((line + 1))" -v page="$page" '
        function put_code(   text)
        {
            printf "#line %d \"%s\"\n", line, page
            while ((getline text < code) > 0) print text
            printf "#line %d \"%s\"\n", FNR + 1, FILENAME
        }
        /^ *\/\* DEFINITIONS \*\/$/ { if (shape == "definitions") put_code(); next }
        /^ *\/\* STATEMENTS \*\/$/ {
            if (shape == "statements") put_code()
            else { getline text < run; print "    (void)(" text ");" }
            next
        }
        { print }' "test/docs/$3.c"
}

# compile NUMBER LANGUAGE
compile()
{
    local compiler=("$CC" -std=c17)
    [[ $2 == cpp ]] && compiler=("$cxx" -std=c++17)
    "${compiler[@]}" "${flags[@]}" "$work/$1.$2" "${libraries[@]}" -o "$work/$1.program" 2>"$work/log"
}

# check NUMBER LANGUAGE SHAPE PRELUDE IS_FAILING
check()
{
    if [[ $4 != - && ! -f test/docs/$4.c ]]; then
        complain "there is no prelude test/docs/$4.c"
        return
    fi
    assemble "$1" "$3" "$4" >"$work/$1.$2"
    if ! compile "$1" "$2"; then
        complain "does not compile:" && cat "$work/log"
    elif ! SAMPLE_FAILS=$5 "$work/$1.program" >"$work/output" 2>"$work/log"; then
        complain "does not run to its end:" && cat "$work/log"
    elif [[ -e $work/$1.expected ]] && ! diff "$work/$1.expected" "$work/output" >"$work/log"; then
        complain "prints (>) other than the page says (<):" && cat "$work/log"
    fi
}

awk -v work="$work" -f test/docs/extract.awk "${pages[@]}" >"$work/list" || failures=1

count=0
printed=0
while read -r number language page line shape prelude is_failing; do
    if [[ $language == cpp && -z $cxx ]]; then
        echo "$page:$line: not looked at, since there is no C++ compiler"
        continue
    fi
    check "$number" "$language" "$shape" "$prelude" "$is_failing"
    count=$((count + 1))
    [[ -e $work/$number.expected ]] && printed=$((printed + 1))
done <"$work/list"

echo "$count samples of ${#pages[@]} pages compiled and run, $printed compared with what they print;" \
    "$failures failures"
((count > 0 && failures == 0))
