#!/usr/bin/env bash
# Help teaches, mistakes are answered with a hint, and exit codes say which is which.
set -u
: "${WILLOW:?the path of the tool}"
failures=0

# expect CODE WORDS ARGUMENTS...: the tool ends with CODE and says WORDS, on whichever stream.
expect()
{
    local code=$1 words=$2 output actual
    shift 2
    output=$("$WILLOW" "$@" 2>&1)
    actual=$?
    if [[ $actual != "$code" || $output != *"$words"* ]]; then
        echo "willow $*: ended with $actual, not $code, or did not say '$words':"
        echo "$output"
        failures=$((failures + 1))
    fi
}

expect 0 "Examples:" --help
expect 0 "Examples:" help
expect 0 "Examples:" bench --help
expect 0 "Usage: willow info" info --help
expect 0 "willow bench --scene" scene --help
expect 0 "willow " --version
expect 0 "kernel" info
expect 0 "bottom_up" info
expect 0 "peer:plain" info
expect 0 "Larsson" scene list
expect 0 "variant=apart (one of: apart strips)" scene list

expect 2 "Usage:"
expect 2 "did you mean 'bench'?" benhc
expect 2 "no command 'entirely-else'" entirely-else
expect 2 "--frobnicate" bench --frobnicate
expect 2 "--scene" bench --scene
expect 2 "one word too many" bench bumpy
expect 2 "one word too many" info more
expect 2 "scene list" scene
expect 2 "scene list" scene show
expect 2 "no scene 'bumby'" bench --scene bumby
expect 2 "no key 'size'" bench --scene bumpy:size=3
expect 2 "did you mean 'bottom_up'?" bench --method botom_up
expect 2 "no method ''" bench --method ''
expect 2 "pairs, first, self and none" bench --query everything
expect 2 "auto, scalar and avx2" bench --kernel sse
expect 2 "--threads 0" bench --threads 0
expect 2 "--frames 1" bench --frames 1
expect 2 "--frames x" bench --frames x
expect 2 "makes it longer" bench --frames 300
expect 2 "has no value" bench --set arity
expect 2 "arity 2, 4 or 8" bench --set arity=3
expect 2 "no such key" bench --set colour=red
expect 2 "refit, build and decide" bench --probe everything
expect 2 "is no number" bench --probe refit --scene soup:triangles=0x
expect 2 "would not be counted" bench --scene bumpy:frames=1

exit $((failures > 0))
