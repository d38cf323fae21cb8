# labels.cmake - which tests are run together, and what is built for them.
#
# The name of a test decides its labels: quick, or slow for names that end in _slow; threads for those
# with "thread" in them, which are the ones that TSan looks at; compiler and kernel for quick ones that
# say something of the compiler and of the kernels that the library was built with. The target
# tests_LABEL builds what the tests of a label need, and nothing else.

foreach(label quick slow threads compiler kernel)
    add_custom_target(tests_${label})
endforeach()

# About files, pages, packages and the tool; and where memory is wanting, which is so with any compiler.
set(not_of_the_compiler "^(cli|docs|package|real|report)/|^habits/(layers|invariants)$|^world/allocations$")

# These try all kernels that there are, one of which is always the scalar one; or use none.
set(not_of_the_kernel "^(scenes|tree)/|^query/(self_)?oracle$|^update/partial$|^walk/fold$")
string(APPEND not_of_the_kernel "|^anomaly/stress$|^prim/(distance|toi)")

# label_test(<room>/<name> [TARGETS...]): labels a test that runs those.
function(label_test test)
    set(labels quick)
    if(test MATCHES "_slow$")
        set(labels slow)
    elseif(NOT test MATCHES "${not_of_the_compiler}")
        list(APPEND labels compiler)
        if(NOT test MATCHES "${not_of_the_kernel}")
            list(APPEND labels kernel)
        endif()
    endif()
    if(test MATCHES "/.*thread")
        list(APPEND labels threads)
    endif()
    set_tests_properties(${test} PROPERTIES LABELS "${labels}" TIMEOUT 600)
    foreach(label ${labels})
        foreach(target ${ARGN})
            add_dependencies(tests_${label} ${target})
        endforeach()
    endforeach()
endfunction()

# The longest start first, so that none of them is left over at the end with one worker. These are
# seconds of one core in a release build.
set(test_costs world/allocations_slow 115 query/oracle_slow 97 world/allocations 65 package/install 60 prim/tri_tri_oracle_slow 44
    query/self_oracle_slow 38 query/plans_oracle_slow 37 real/kick 26 real/tablecloth 25 real/meshes 25
    cli/bench_kinetic_slow 24 query/oracle 19 golden/golden 17 golden/values 8 matrix/matrix 18 prim/toi_oracle_slow 17
    query/watch_oracle 14 update/partial 12 update/morph 10 query/self_oracle 10 walk/fold 10 query/pose 9
    scenes/scenes 8 tree/connectivity 7 anomaly/stress 6 update/blend 6 update/lazy 6 query/matrix 6
    query/threads 6 prim/distance_oracle 6 docs/samples 6 query/distance_threads 5)
function(set_test_costs)
    while(test_costs)
        list(POP_FRONT test_costs test cost)
        if(TEST ${test})
            set_tests_properties(${test} PROPERTIES COST ${cost})
        endif()
    endwhile()
endfunction()
