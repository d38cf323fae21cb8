# embed_text.cmake - texts as C arrays: cmake -DTEXTS="a.md;b.md" -DOUT=file.c -P embed_text.cmake
#
# a.md becomes `const char a_md[]`, ended by a zero. So programs need no files at run time, wherever they
# are installed. Arrays of characters, since string literals have at most 4095 in C17.
set(source "/* Made from texts by cmake/embed_text.cmake. */\n")
foreach(text ${TEXTS})
    cmake_path(GET text FILENAME name)
    string(MAKE_C_IDENTIFIER "${name}" name)
    file(READ "${text}" bytes HEX)
    string(REGEX REPLACE "(..)" "'\\\\x\\1'," bytes "${bytes}")
    string(APPEND source "extern const char ${name}[];\nconst char ${name}[] = {${bytes}0};\n")
endforeach()
file(WRITE "${OUT}" "${source}")
