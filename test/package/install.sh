#!/usr/bin/env bash
# What cmake --install leaves can be used by other projects: from C and C++, by find_package and
# pkg-config, static and shared, also after the folder was moved; and so can the sources, by
# add_subdirectory. Everything is made in a temporary folder, outside of the tree.
#
# test/CMakeLists.txt gives: SOURCE, BUILD, VERSION, CC, and CXX, SANITIZE, WILLOW (may be empty).
set -u
: "${SOURCE:?the tree}" "${BUILD:?the build to install}" "${VERSION:?its version}" "${CC:?a C compiler}"

if [[ -n ${SANITIZE:-} ]]; then
    echo "skipped: programs of others are not built with $SANITIZE"
    exit 77
fi

# What a caller's shell may hold that would change where things are looked for or how they are made.
unset DESTDIR CFLAGS CXXFLAGS LDFLAGS CPATH LIBRARY_PATH LD_LIBRARY_PATH CMAKE_PREFIX_PATH
unset willow_DIR PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR
export CC

c_flags=(-std=c17 -Wall -Wextra -Wpedantic -Werror -Wconversion -Wshadow)
cxx_flags=(-std=c++17 -Wall -Wextra -Wpedantic -Werror -Wconversion -Wshadow -Wold-style-cast)
fast=(-DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DCMAKE_CXX_FLAGS_DEBUG=-O0) # to build
languages=(C)
if [[ -n ${CXX:-} ]]; then
    export CXX
    languages+=(CXX)
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -R "$SOURCE/test/package/consumer" "$work/project"
cd "$work" || exit 1

fail()
{
    echo "FAILED: $*"
    exit 1
}

# run COMMAND...: silent if it succeeds; if not, all that it said, and the end.
run()
{
    "$@" >"$work/log" 2>&1 || fail "$* ended with $?: $(<"$work/log")"
}

# expect_shared yes|no PROGRAM: runs, and asks for libwillow.so or does not.
expect_shared()
{
    local needs=no
    run "$2"
    readelf -d "$2" | grep -q 'NEEDED.*libwillow\.so' && needs=yes
    [[ $needs == "$1" ]] || fail "$2 needs libwillow.so: $needs, and should: $1"
}

# configure_and_build FOLDER ARGUMENTS...: the consumer, with all its warnings.
configure_and_build()
{
    run cmake -S project -B "$@" "${fast[@]}" -DCMAKE_C_FLAGS="${c_flags[*]:1}" \
        -DCMAKE_CXX_FLAGS="${cxx_flags[*]:1}"
    run cmake --build "$1" --parallel 2
}

# --- The ways of use.

# check_find_package PREFIX FOLDER LANGUAGE
check_find_package()
{
    configure_and_build "$2" -DLANGUAGE="$3" -DVERSION="$VERSION" -DCMAKE_PREFIX_PATH="$1"
    expect_shared no "$2/consumer_willow"
    expect_shared no "$2/consumer_static"
    expect_shared yes "$2/consumer_shared"
    echo "find_package from $3: fine"
}

# check_pkg_config PREFIX LANGUAGE
check_pkg_config()
{
    local compile=("$CC" "${c_flags[@]}" project/consumer.c) flags static_flags libdir
    [[ $2 == CXX ]] && compile=("$CXX" "${cxx_flags[@]}" project/consumer.cpp)
    PKG_CONFIG_PATH=$(dirname "$(find "$1" -name willow.pc)")
    export PKG_CONFIG_PATH
    [[ $(pkg-config --modversion willow) == "$VERSION" ]] || fail "willow.pc has another version"
    libdir=$(pkg-config --variable=libdir willow)
    read -ra flags < <(pkg-config --cflags --libs willow)
    read -ra static_flags < <(pkg-config --static --cflags --libs willow)
    run "${compile[@]}" "${flags[@]}" "-Wl,-rpath,$libdir" -o by_pkg_config_shared
    run "${compile[@]}" -static "${static_flags[@]}" -o by_pkg_config_static
    expect_shared yes ./by_pkg_config_shared
    expect_shared no ./by_pkg_config_static
    echo "pkg-config from $2: fine"
}

# The library beside it links, where EGL is. check_gl PREFIX
check_gl()
{
    local flags
    [[ -f $1/include/willow_gl.h ]] || return 0
    PKG_CONFIG_PATH=$(dirname "$(find "$1" -name willow_gl.pc)")
    export PKG_CONFIG_PATH
    read -ra flags < <(pkg-config --cflags --libs willow_gl willow)
    run "$CC" -std=c17 "$SOURCE/examples/occlusion.c" "${flags[@]}" -lm -o by_pkg_config_gl \
        "-Wl,-rpath,$(pkg-config --variable=libdir willow)"
    run ./by_pkg_config_gl
    mkdir -p with_gl
    printf '%s\n' 'cmake_minimum_required(VERSION 3.22)' 'project(with_gl C)' \
        "find_package(willow $VERSION REQUIRED COMPONENTS gl static)" "add_executable(with_gl \"$SOURCE/examples/occlusion.c\")" \
        'target_link_libraries(with_gl PRIVATE willow::gl willow::static m)' >with_gl/CMakeLists.txt
    run cmake -S with_gl -B with_gl/build -DCMAKE_PREFIX_PATH="$1"
    run cmake --build with_gl/build
    run with_gl/build/with_gl
    echo "willow_gl: fine"
}

# Every header stands alone. check_headers PREFIX
check_headers()
{
    local header name
    [[ $(ls "$1/include/willow") == $(ls "$SOURCE/include/willow") ]] || fail "not all headers are there"
    for header in "$1"/include/willow/*.h; do
        name=willow/${header##*/}
        run "$CC" "${c_flags[@]}" -I"$1/include" -fsyntax-only -x c - <<<"#include <$name>"
        [[ -z ${CXX:-} ]] && continue
        run "$CXX" "${cxx_flags[@]}" -I"$1/include" -fsyntax-only -x c++ - <<<"#include <$name>"
    done
    if [[ -f $1/include/willow_gl.h ]]; then # where EGL is
        run "$CC" "${c_flags[@]}" -I"$1/include" -fsyntax-only -x c - <<<"#include <willow_gl.h>"
        [[ -z ${CXX:-} ]] || run "$CXX" "${cxx_flags[@]}" -I"$1/include" -fsyntax-only -x c++ - <<<"#include <willow_gl.h>"
    fi
    echo "headers alone: fine"
}

# No file that others read may lead back to where it was made.
check_no_traces()
{
    local traces
    traces=$(grep -rlFI -e "$SOURCE" -e "$BUILD" -e "$work" "$1") && fail "paths of the build are in: $traces"
    echo "no traces of the build: fine"
}

# The tool runs from where it was put. check_tool PREFIX
check_tool()
{
    [[ -z ${WILLOW:-} ]] && return
    [[ $("$1/bin/willow" --version) == *"$VERSION"* ]] || fail "$1/bin/willow does not say $VERSION"
    [[ ! -e $1/bin/willow_probe ]] || fail "probes are installed"
    if [[ -f $1/share/willow/clip.html ]]; then # made by ./dev report-page and ./dev install
        run "$1/bin/willow" view scene:bumpy:triangles=80,frames=2 --no-open --out view.html
        [[ -s view.html ]] || fail "the tool that was installed makes no page"
    fi
    echo "the tool: fine"
}

# Man page and completions lie where man and the shells look. check_pages PREFIX
check_pages()
{
    local page source installed
    for page in docs/willow.1=man/man1/willow.1 \
        completions/willow.bash=bash-completion/completions/willow \
        completions/_willow=zsh/site-functions/_willow \
        completions/willow.fish=fish/vendor_completions.d/willow.fish; do
        source=$SOURCE/${page%=*} installed=$1/share/${page#*=}
        [[ -z ${WILLOW:-} || ! -e $source ]] && continue
        cmp -s "$source" "$installed" || fail "${page%=*} is not installed as $installed"
    done
    # Documentation and examples keep their folders, so that links between them hold.
    for source in "$SOURCE"/docs/*.md "$SOURCE"/docs/pictures/*.png "$SOURCE"/examples/*.c; do
        installed=$1/share/doc/willow/${source#"$SOURCE/"}
        cmp -s "$source" "$installed" || fail "${source#"$SOURCE/"} is not installed as $installed"
    done
    echo "pages: fine"
}

# As a part of another project, with BUILD_SHARED_LIBS on. check_add_subdirectory LANGUAGE
check_add_subdirectory()
{
    configure_and_build sub -DLANGUAGE="$1" -DWILLOW_SOURCE="$SOURCE" -DBUILD_SHARED_LIBS=ON
    expect_shared yes sub/consumer_willow
    expect_shared no sub/consumer_static
    expect_shared yes sub/consumer_shared
    grep -q "install_manifest\|file(INSTALL" sub/willow/cmake_install.cmake &&
        fail "a project that contains Willow installs it without being asked"
    echo "add_subdirectory from $1: fine"
}

# The library alone asks pkg-config for nothing: no jansson, no cmocka, no GMP. Without kernels for
# AVX2 there is less of it.
check_library_alone()
{
    run cmake -S "$SOURCE" -B alone -DWILLOW_TOOL=OFF -DWILLOW_TESTS=OFF \
        -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DWILLOW_AVX2=OFF "${fast[@]}"
    run cmake --build alone --parallel 2
    run cmake --install alone --prefix alone_prefix
    [[ -e alone_prefix/bin ]] && fail "the library alone installs programs"
    echo "the library alone: fine"
}

# --- The test.

run cmake --install "$BUILD" --prefix "$work/prefix"
check_headers "$work/prefix"
check_no_traces "$work/prefix"
check_pages "$work/prefix"
for language in "${languages[@]}"; do
    check_find_package "$work/prefix" "by_cmake_$language" "$language"
    check_pkg_config "$work/prefix" "$language"
done

mv prefix moved
check_gl "$work/moved"
check_tool "$work/moved"
check_find_package "$work/moved" moved_by_cmake C
check_pkg_config "$work/moved" C

check_add_subdirectory "${languages[-1]}"
check_library_alone

if [[ -z ${CXX:-} ]]; then
    echo "skipped: no C++ compiler; all of C was fine"
    exit 77
fi
