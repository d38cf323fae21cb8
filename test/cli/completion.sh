#!/usr/bin/env bash
# The completion of bash offers what the tool knows, and nothing twice from memory.
set -u
: "${WILLOW:?the path of the tool}"
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
failures=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# shellcheck source=../../completions/willow.bash
source "$root/completions/willow.bash"

# offers LINE: what bash would offer at its end, in one line. The function asks the first word.
offers()
{
    COMP_LINE="$WILLOW $1" COMP_POINT=$((${#WILLOW} + 1 + ${#1}))
    COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
    COMPREPLY=()
    _willow
    echo "${COMPREPLY[*]}"
}

# expect LINE WORDS: exactly these are offered.
expect()
{
    local got
    got=$(offers "$1")
    if [[ $got != "$2" ]]; then
        echo "willow $1: '$got' is offered, not '$2'"
        failures=$((failures + 1))
    fi
}

# names KIND: the names of one table of willow info.
names() { "$WILLOW" info | sed -n "/^$1$/,/^$/s/^  \([^ ]*\) .*/\1/p" | tr '\n' ' ' | sed 's/ $//'; }

scenes=$("$WILLOW" scene list --json | sed -n 's/^{"name":"\([^"]*\)".*/\1/p' | tr '\n' ' ' | sed 's/ $//')

expect "" "check info scene render view bench help"
expect "b" "bench"
expect "help s" "scene"
expect "--" "--help --version"
expect "check --met" "--method"
expect "check --method " "$(names methods)"
expect "check --method bot" "bottom_up"
expect "check --method=bot" "bottom_up"
expect "check --kernel " "$(names kernels)"
expect "check --set " "arity= leaf_triangles= build= hybrid_level= margin= rebuild_ratio= events= search_keyframes= exact_events= keep_siblings= quality_limit= reference= reference_target= blend_both= in_between= volume= broad= descend= watch= poses= float_skins= skip_neighbours= test_flat= near_distance= touch_distance= tolerance= max_iterations= skip_close_at_rest= trees= threads="
expect "check --set build=" "$(names builders)"
expect "check --set descend=" "auto both larger"
expect "check --set poses=" "given apply none all"
expect "check --frames " ""
expect "check scene:" "$scenes"
expect "check --threads 2 scene:" "$scenes"
expect "check scene:bum" "bumpy bumpy:"
expect "check scene:bumpy:" "triangles= frames= seed="
expect "check scene:bumpy:triangles=80,fr" "80,frames="
expect "check scene:soup:variant=" "apart strips"
expect "check scene:nowhere:" ""
expect "info scene:degenerate:" "frames="
expect "scene " "list show export"
expect "scene show " "$scenes"
expect "scene export soup:bod" "bodies="
expect "bench --scene " "$scenes"
expect "bench --scene soup:bod" "bodies="
expect "bench --query " "pairs first self impacts toi near near_features distance rays picks picks_1000 broad none"
expect "bench --query pairs,f" "pairs,first"
expect "bench --suite " "standard quick growth paper self impacts kinetic watch morph rays skins cliffs broad edits fracture spheres"
expect "bench --method brute,peer:" "$(names peers | sed 's/peer://g')"
expect "bench --method al" "all"
expect "nonsense " ""

# The other shells ask the tool in the same way.
if command -v fish >/dev/null; then
    got=$(PATH=$(dirname "$WILLOW"):$PATH HOME=$folder fish -c \
        "source '$root/completions/willow.fish'; complete -C 'willow check --met'; complete -C 'willow check scene:soup:v'")
    if [[ $got != $'--method\nscene:soup:variant=' ]]; then
        echo "fish: '$got' is offered"
        failures=$((failures + 1))
    fi
fi
if command -v zsh >/dev/null && ! zsh -n "$root/completions/_willow"; then
    echo "zsh cannot read its completion"
    failures=$((failures + 1))
fi

exit $((failures > 0))
