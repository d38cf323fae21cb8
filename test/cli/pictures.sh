#!/usr/bin/env bash
# docs/scenes.md shows every scene, with its keys and variants; every picture of docs/ is shown on some page,
# is a PNG, and all of them together are small. ./dev pictures makes them.
set -u
: "${WILLOW:?the path of the tool}"
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
page=docs/scenes.md
most_bytes=2000000
common=" triangles frames seed " # explained once, for all scenes
failures=0

fail()
{
    echo "$*"
    failures=$((failures + 1))
}

# section NAME: the text below its heading, up to the next one.
section() { awk -v heading="### $1" '/^##/ { on = $0 == heading; next } on' "$page"; }

names=$("$WILLOW" scene list --json | sed -n 's/^{"name":"\([^"]*\)".*/\1/p')
for name in $names; do
    text=$(section "$name")
    [[ $text == *"](pictures/scenes/$name.png)"* ]] || fail "$page does not show $name; run ./dev pictures $name"
    for key in $("$WILLOW" complete check "scene:$name:" | sed "s/.*:\(.*\)=/\1/"); do
        [[ $common == *" $key "* || $text == *"\`$key\`"* ]] || fail "$page: $name: key $key is not explained"
    done
    for variant in $("$WILLOW" scene show "$name" | sed -n 's/^  variant .*one of: //p'); do
        [[ $text == *"\`$variant\`"* ]] || fail "$page: $name: variant $variant is not explained"
    done
done
for heading in $(sed -n 's/^### //p' "$page"); do
    grep -qx "$heading" <<<"$names" || fail "$page: there is no scene $heading"
done

bytes=0
while IFS= read -r file; do
    [[ $(head -c 8 "$file" | od -An -tx1) == " 89 50 4e 47 0d 0a 1a 0a" ]] || fail "$file is no PNG"
    grep -q "](\(docs/\)\?${file#docs/})" README.md docs/*.md || fail "$file is on no page"
    bytes=$((bytes + $(wc -c <"$file")))
done < <(find docs/pictures -name '*.png')
((bytes > 0 && bytes < most_bytes)) || fail "pictures have $bytes bytes; $most_bytes are allowed"

# The first thing on the first page after its title.
[[ $(sed -n '2,/./p' README.md) == *"](docs/pictures/cloth.png)"* ]] || fail "README.md does not open with a picture"
exit $((failures > 0))
