# labels.cmake - which tests are run together, and what is built for them.
#
#   quick     all but the slow ones
#   slow      names that end in _slow: oracles with more seeds; and all in report/, which open browsers where these
#             and their pages are there: ./dev test runs both, ./dev report-test the latter
#   threads   names with "thread" in them, and a list of others, which TSan looks at
#   compiler  quick ones that say something of the compiler that the library was built with
#   kernel    those that say something of the kernels that it was built with
#   long      quick ones that sanitizers leave out
#
# Names decide the first two, names and the lists below the others. The target tests_LABEL builds what the
# tests of a label need. With WILLOW_TEST_LABEL, as in the presets that run one label only, nothing
# else is compiled for the programs of the rooms.

set(WILLOW_TEST_LABEL "" CACHE STRING "Compile only the tests with this label; empty for all")

# These have quick and slow rows in their tables: the test <room>/<name>_slow runs the slow ones.
set(tests_with_slow_rows query/large_fans query/oracle query/plans_oracle query/self_oracle prim/toi_oracle
    prim/ray_tri_oracle query/rays query/watertight update/sphere_threads update/balanced world/allocations world/edit_model world/scale)

# About files, pages, packages and the tool; where memory is wanting, which is so with any compiler; and
# long ones about sets of pairs, which the matrix and the golden values hold against each other, too.
set(not_of_the_compiler cli/.* docs/.* package/.* real/.* report/.* habits/layers habits/invariants world/allocations
    matrix/matrix_with_a_toy_method
    query/oracle query/self_oracle query/threads query/watch_oracle tree/connectivity update/moved_vertices
    walk/fold)

# These ask with several threads, too.
set(tests_of_threads query/near_cells)

# These try all kernels that there are, one of which is always the scalar one; or use none.
set(not_of_the_kernel scenes/.* tree/.* matrix/.* golden/.*
    anomaly/stress prim/distance.* prim/toi.*)

# These play long scenes, or compare very many numbers, of which sanitizers have seen all the code
# elsewhere: in the matrix of methods and questions, where allocations fail, in the corpora of fuzzers.
set(long_tests
    cli/bench cli/bench_cliffs cli/bench_edits cli/bench_kinetic cli/bench_morph_page cli/bench_morphs cli/bench_paper cli/bench_plans
    cli/bench_steps cli/bench_suite cli/bench_watch cli/check cli/check_real cli/probe cli/probe_steps
    docs/samples
    golden/.*
    package/.*
    prim/apart8 prim/distance_oracle prim/features8 prim/toi_oracle prim/tri_box_oracle
    query/cloth_contacts query/distance query/distance_threads query/groups query/oracle query/pose query/self_oracle query/watch_oracle
    real/ccd_scenes real/files real/gltf real/kick real/meshes real/tablecloth
    scenes/contact scenes/scenes
    tree/connectivity
    update/auto update/auto_blend update/auto_plans update/blend update/decay update/lazy update/margin update/morph
    update/moved_vertices update/straight_boxes
    walk/fold)

foreach(label quick slow threads compiler kernel long)
    add_custom_target(tests_${label})
endforeach()

# is_in(<test> <list of patterns> <out>)
function(is_in test patterns out)
    list(JOIN ${patterns} "|" any)
    set(${out} OFF PARENT_SCOPE)
    if(test MATCHES "^(${any})$")
        set(${out} ON PARENT_SCOPE)
    endif()
endfunction()

# labels_of(<room>/<name> <out>)
function(labels_of test out)
    set(labels quick)
    is_in(${test} not_of_the_compiler any_compiler)
    is_in(${test} not_of_the_kernel any_kernel)
    is_in(${test} long_tests is_long)
    if(test MATCHES "_slow$|^report/")
        set(labels slow)
    elseif(NOT any_compiler)
        list(APPEND labels compiler)
        if(NOT any_kernel)
            list(APPEND labels kernel)
        endif()
    endif()
    is_in(${test} tests_of_threads is_of_threads)
    if(is_of_threads OR test MATCHES "/.*thread")
        list(APPEND labels threads)
    endif()
    if(is_long)
        list(APPEND labels long)
    endif()
    set(${out} ${labels} PARENT_SCOPE)
endfunction()

# is_test_wanted(<room>/<name> <out>): whether its file is compiled in this build.
function(is_test_wanted test out)
    labels_of(${test} labels)
    set(${out} OFF PARENT_SCOPE)
    if(NOT WILLOW_TEST_LABEL OR WILLOW_TEST_LABEL IN_LIST labels)
        set(${out} ON PARENT_SCOPE)
    endif()
endfunction()

# label_test(<room>/<name> [TARGETS...]): labels a test that runs those.
function(label_test test)
    labels_of(${test} labels)
    set_tests_properties(${test} PROPERTIES LABELS "${labels}" TIMEOUT 600)
    foreach(label ${labels})
        foreach(target ${ARGN})
            add_dependencies(tests_${label} ${target})
        endforeach()
    endforeach()
endfunction()

# The longest start first, so that none of them is left over at the end with one worker. These are
# seconds of one core in a release build.
set(test_costs query/rays_slow 70 update/balanced_slow 60 query/oracle_slow 65 world/allocations_slow 51 package/install 35 world/allocations 30
    prim/tri_tri_oracle_slow 30 query/plans_oracle_slow 26 query/self_oracle_slow 23
    cli/bench_kinetic_slow 17 real/tablecloth 17 real/kick 16 cli/memory 16 real/meshes 15 query/oracle 13
    prim/toi_oracle_slow 12 prim/ray_tri_oracle_slow 12 golden/golden 12 matrix/matrix 16 golden/values 9 update/moved_vertices 9 query/watch_oracle 9 cli/bench_steps 8
    walk/fold 8 walk/swept_fold_slow 8 update/morph 7 query/self_oracle 7 world/scale_slow 6
    scenes/scenes 6 query/pose 5 cli/bench_suite 5 cli/check 5 walk/swept_fan_slow 5 broad/kept 12 broad/compressed_tree 6)
function(set_test_costs)
    while(test_costs)
        list(POP_FRONT test_costs test cost)
        if(TEST ${test})
            set_tests_properties(${test} PROPERTIES COST ${cost})
        endif()
    endwhile()
endfunction()
