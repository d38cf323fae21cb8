# flags.cmake - how every C file of the project is compiled, the library's and all others.

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(THREADS_PREFER_PTHREAD_FLAG ON)

if(NOT CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    message(FATAL_ERROR "Willow is built with gcc or clang; this is ${CMAKE_C_COMPILER_ID}")
endif()

# Release is CMake's -O3, at which the scalar kernels are vectorised too. Inside another project the
# choice is that project's.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo" FORCE)
endif()

# A fused multiply-add would give other bits on other machines (C10).
add_compile_options(-ffp-contract=off)

add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wmissing-prototypes -Wvla)
if(WILLOW_WERROR)
    add_compile_options(-Werror)
endif()

if(WILLOW_SANITIZE)
    add_compile_options(-fsanitize=${WILLOW_SANITIZE} -fno-sanitize-recover=all
                        -fno-omit-frame-pointer)
    add_link_options(-fsanitize=${WILLOW_SANITIZE})
    # Clang's alone stops at NULL + 0, which is where an empty array begins.
    if(CMAKE_C_COMPILER_ID STREQUAL "Clang")
        add_compile_options(-fno-sanitize=pointer-overflow)
    endif()
    # gcc's documentation: instrumented code makes this warning guess wrongly.
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
        add_compile_options(-Wno-maybe-uninitialized)
    endif()
endif()
