#!/usr/bin/env bash
# samples.sh lets no wrong sample pass: each page below has one mistake, and it must be named.
set -u
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

# expect CODE WORDS: samples.sh ends with CODE and says WORDS about the page on standard input.
expect()
{
    local output code
    cat >"$work/page.md"
    output=$("$here/samples.sh" "$work/page.md" 2>&1)
    code=$?
    if [[ $code != "$1" || $output != *"$2"* ]]; then
        echo "ended with $code, not $1, or did not say '$2':"
        echo "$output"
        failures=$((failures + 1))
    fi
}

expect 0 "1 samples" <<'END'
<!-- sample: world -->
```c
willow_world_update(world, 1.0, NULL);
```
END

expect 0 "1 compared" <<'END'
<!-- sample: world, run: hello("you") -->
```c
void hello(const char *who) { printf("hello %s\n", who); }
```
It says:
```text
hello you
```
END

expect 0 "0 failures" <<'END'
<!-- sample: world, fails -->
```c
willow_body_destroy(world, (willow_body_id){0});
```
END

expect 1 "0 samples" <<'END'
Words only.
END

expect 1 "page.md:1: a C fence that is neither" <<'END'
```c
willow_world_update(world, 1.0, NULL);
```
END

expect 1 "there is no prelude test/docs/nowhere.c" <<'END'
<!-- sample: nowhere -->
```c
willow_world_update(world, 1.0, NULL);
```
END

expect 1 "page.md:4:" <<'END'
<!-- sample: world -->
```c
willow_world_update(world, 1.0, NULL);
willow_world_updated(world, 1.0, NULL);
```
END

expect 1 "unused variable" <<'END'
<!-- sample: world -->
```c
int unused = 1;
```
END

expect 1 "calls failed" <<'END'
<!-- sample: world -->
```c
willow_body_destroy(world, (willow_body_id){0});
```
END

expect 1 "calls failed" <<'END'
<!-- sample: world, fails -->
```c
willow_world_update(world, 1.0, NULL);
```
END

expect 1 "the sample returns 1" <<'END'
<!-- sample: world -->
```c
if (willow_world_update(world, 1.0, NULL) == WILLOW_OK) return 1;
```
END

expect 1 "other than the page says" <<'END'
<!-- sample: world -->
```c
puts("one");
```

```text
two
```
END

expect 1 "does not run to its end" <<'END'
```c
int main(void) { return 1; }
```
END

expect 1 "this looks like C" <<'END'
```
willow_world_update(world, 1.0, NULL);
```
END

expect 1 "no fence is known as 'C'" <<'END'
```C
willow_world_update(world, 1.0, NULL);
```
END

expect 1 "a fence without an end" <<'END'
<!-- sample: world -->
```c
willow_world_update(world, 1.0, NULL);
END

expect 1 "stands before no C fence" <<'END'
<!-- sample: world -->
END

exit $((failures > 0))
