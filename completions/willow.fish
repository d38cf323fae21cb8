# Completion of willow for fish: a file of ~/.config/fish/completions. The tool itself knows what a
# word may become.
function __willow_complete
    set -l before (commandline --tokenize --cut-at-cursor --current-process)
    set -l current (commandline --current-token --cut-at-cursor)
    $before[1] complete $before[2..-1] "$current" 2>/dev/null
end
complete --command willow --arguments '(__willow_complete)'
