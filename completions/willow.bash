# Completion of willow for bash: source this file, or install it as
# /usr/share/bash-completion/completions/willow.
#
# The tool itself knows what a word may become (willow complete). Here is only what bash makes
# difficult: it cuts words at : and =, and replaces only what is behind the last of them.
_willow()
{
    local words current candidate
    read -ra words <<<"${COMP_LINE:0:COMP_POINT}"
    [[ ${COMP_LINE:0:COMP_POINT} == *[[:space:]] ]] && words+=("")
    current=${words[-1]}

    local typed_before=""
    [[ $current =~ ^.*[:=] && $COMP_WORDBREAKS == *[:=]* ]] && typed_before=${BASH_REMATCH[0]}
    COMPREPLY=()
    while IFS= read -r candidate; do
        # What is to be gone on with gets no space.
        [[ $candidate == *[:=,] ]] && compopt -o nospace 2>/dev/null
        COMPREPLY+=("${candidate#"$typed_before"}")
    done < <("${words[0]}" complete "${words[@]:1}" 2>/dev/null)
}
# Where the tool knows nothing, a word may be a file.
complete -o default -F _willow willow
