# extract.awk - takes the samples out of pages. test/docs/samples.sh says what a sample is.
#
# Writes work/N.code for sample number N, work/N.expected if its output is given, and one line per
# sample to standard output:
#     N language page line shape prelude is_failing
# with shape one of program, statements, definitions. What a definitions sample runs is in work/N.run.
# A mistake in a page goes to standard error as page:line: words, and makes the end 1.

function complain_at(line, words) { print page ":" line ": " words >"/dev/stderr"; is_bad = 1 }

function complain(words) { complain_at(FNR, words) }

function close_page()
{
    if (in_fence) complain_at(fence_line, "a fence without an end")
    else if (directive != "") complain_at(directive_line, "'" directive "' stands before no C fence")
}

# "<!-- sample: world, fails -->" or "<!-- sample: world, run: f(world) -->".
function read_directive(   words)
{
    words = directive
    shape = "statements"
    run = ""
    is_failing = sub(/, fails$/, "", words)
    if (match(words, /, run: /)) {
        run = substr(words, RSTART + RLENGTH)
        words = substr(words, 1, RSTART - 1)
        shape = "definitions"
    }
    prelude = words
}

function begin_sample()
{
    number++
    shape = prelude = run = ""
    is_failing = 0
    if (directive != "") read_directive()
    code = work "/" number ".code"
    printf "" >code
}

function end_sample()
{
    close(code)
    if (language == "cpp" || has_main) {
        if (directive != "") complain_at(fence_line, "a whole program needs no '" directive "'")
        shape = "program"
        prelude = "-"
    }
    if (language == "cpp" && !has_main) complain_at(fence_line, "a C++ sample without main()")
    if (shape == "")
        complain_at(fence_line, "a C fence that is neither a program nor has a '<!-- sample: ... -->' before it")
    else
        print number, language, page, fence_line, shape, prelude, is_failing
    if (run != "") { print run >(work "/" number ".run"); close(work "/" number ".run") }
    directive = ""
    may_print = number
}

FNR == 1 {
    close_page()
    page = FILENAME
    in_fence = may_print = 0
    directive = ""
}

/^[ \t]*```/ && !in_fence {
    in_fence = 1
    fence_line = FNR
    language = $0
    sub(/^[ \t]*```/, "", language)
    has_main = 0
    if (language == "c" || language == "cpp") begin_sample()
    else if (directive != "") complain("'" directive "' stands before a fence that is not C")
    else if (language !~ /^(|cmake|sh|text|json)$/) complain("no fence is known as '" language "'")
    expected = language == "text" && may_print ? work "/" may_print ".expected" : ""
    if (expected != "") printf "" >expected
    may_print = 0
    next
}

/^[ \t]*```[ \t]*$/ && in_fence {
    in_fence = 0
    if (language == "c" || language == "cpp") end_sample()
    if (expected != "") close(expected)
    expected = ""
    directive = ""
    next
}

in_fence && (language == "c" || language == "cpp") {
    if ($0 ~ /^int main\(/) has_main = 1
    print >code
    next
}

in_fence {
    if (expected != "") print >expected
    if (/^[ \t]*#include [<"]|willow_[a-z_]+\(.*;/) complain("this looks like C: the fence must say so")
    next
}

/^<!-- sample: .* -->$/ {
    if (directive != "") complain("'" directive "' stands before no C fence")
    directive = $0
    directive_line = FNR
    sub(/^<!-- sample: /, "", directive)
    sub(/ -->$/, "", directive)
    may_print = 0
    next
}

# Between a sample and what it prints there may be one line, which ends with a colon.
/[^ \t]/ {
    if (/^<!-- sample/) complain("write it as '<!-- sample: PRELUDE -->'")
    if (directive != "") { complain("'" directive "' must stand right before its fence"); directive = "" }
    if (!/:$/ || said_it == may_print) may_print = 0
    said_it = may_print
}

END {
    close_page()
    exit is_bad
}
