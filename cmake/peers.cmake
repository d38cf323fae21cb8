# peers.cmake - adapters to other libraries, so that the benchmarks can run these beside Willow. Each
# is bench/peers/<name>.cpp, and <name>_*.cpp beside it, built only where its library is found and needed by nothing; they are the
# only C++ here.
#
# WILLOW_PEERS: OFF, the default, looks for none, so that what people install is Willow alone; AUTO
# takes what is there, ON fails if one of them is missing. The preset `peers` is AUTO. AUTO takes none
# under sanitizers, which would judge code that is not ours.

set(WILLOW_PEERS OFF CACHE STRING "Peer libraries for the benchmarks: AUTO, ON or OFF")
set_property(CACHE WILLOW_PEERS PROPERTY STRINGS AUTO ON OFF)

set(wanted_peers fcl embree bullet cgal)
if(WILLOW_PEERS STREQUAL "AUTO" AND WILLOW_SANITIZE)
    set(wanted_peers "")
elseif(NOT WILLOW_PEERS STREQUAL "AUTO" AND NOT WILLOW_PEERS)
    set(wanted_peers "")
endif()

# What each needs: a header that only it has, its libraries, and folders within the include path.
set(fcl_header fcl/fcl.h)
set(fcl_libraries fcl ccd octomap octomath)
set(fcl_folders . eigen3)
set(embree_header embree3/rtcore.h)
set(embree_libraries embree3)
set(embree_folders .)
set(bullet_header bullet/btBulletCollisionCommon.h)
set(bullet_libraries BulletCollision LinearMath)
set(bullet_folders bullet)
set(cgal_header CGAL/box_intersection_d.h)
set(cgal_libraries mpfr gmp)
set(cgal_folders .)

# Debian's FCL is built as C++11 for the baseline, where Eigen aligns to 16 bytes and has a new and
# delete of its own. With AVX it would be 32, and C++17 has the usual ones; then structures, and who
# frees what, would differ between the two sides.
set(fcl_options -DEIGEN_MAX_ALIGN_BYTES=16 -DEIGEN_MAX_CPP_VER=11)
# CGAL's intervals change the rounding mode.
set(cgal_options -frounding-math)

# Looks anew every time, so that a library that comes or goes is noticed. Sets peer_found,
# peer_links and peer_includes.
macro(find_peer name)
    set(peer_links "")
    set(peer_includes "")
    find_path(peer_root ${${name}_header} NO_CACHE)
    set(peer_found ${peer_root})
    foreach(library ${${name}_libraries})
        find_library(peer_library ${library} NO_CACHE)
        if(NOT peer_library)
            set(peer_found OFF)
        endif()
        list(APPEND peer_links ${peer_library})
        unset(peer_library)
    endforeach()
    foreach(folder ${${name}_folders})
        list(APPEND peer_includes "${peer_root}/${folder}")
    endforeach()
    unset(peer_root)
endmacro()

# The flags of the project are for C, and its -Werror is not for other people's templates. These are
# compiled as the yardstick is in a release, in every build: templates are slow without it.
function(add_peer name links includes)
    file(GLOB sources CONFIGURE_DEPENDS bench/peers/${name}.cpp bench/peers/${name}_*.cpp)
    add_library(willow_peer_${name} STATIC ${sources})
    set_target_properties(willow_peer_${name} PROPERTIES
        CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
        COMPILE_OPTIONS
        "-O3;-DNDEBUG;-ffp-contract=off;-Wall;-Wextra;-Wpedantic;-Wshadow;${${name}_options}")
    if(WILLOW_HAS_MARCH_NATIVE AND NOT WILLOW_SANITIZE)
        target_compile_options(willow_peer_${name} PRIVATE -march=native)
    endif()
    target_include_directories(willow_peer_${name} PRIVATE ${PROJECT_SOURCE_DIR})
    target_include_directories(willow_peer_${name} SYSTEM PRIVATE ${includes})
    target_link_libraries(willow_peer_${name} PUBLIC willow ${links})
    string(TOUPPER ${name} upper)
    target_compile_definitions(willow_bench_peers PRIVATE BENCH_HAS_${upper}=1)
    target_link_libraries(willow_bench_peers PUBLIC willow_peer_${name})
endfunction()

# A C++ compiler is looked for only if there is something for it to do.
macro(enable_cxx)
    if(NOT CMAKE_CXX_COMPILER_LOADED)
        include(CheckLanguage)
        check_language(CXX)
        if(CMAKE_CXX_COMPILER)
            enable_language(CXX)
        endif()
    endif()
endmacro()

set(peers_here "")
foreach(name ${wanted_peers})
    find_peer(${name})
    if(peer_found)
        enable_cxx()
    endif()
    if(peer_found AND CMAKE_CXX_COMPILER)
        add_peer(${name} "${peer_links}" "${peer_includes}")
        list(APPEND peers_here ${name})
    elseif(NOT WILLOW_PEERS STREQUAL "AUTO")
        message(FATAL_ERROR "WILLOW_PEERS=ON needs ${name} (Debian: lib${name}-dev) and a C++ "
                            "compiler")
    endif()
endforeach()
list(JOIN peers_here ", " peers_here)
if(peers_here)
    message(STATUS "Peers: ${peers_here}")
endif()
