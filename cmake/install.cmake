# install.cmake - what `cmake --install` puts where, so that other projects find Willow: headers, both
# libraries, the tool and its pages, a package for find_package(willow) and one for pkg-config.
#
# No file that is installed names the prefix: it may be another than the one configured, and may be
# moved later. test/package/install.sh proves that.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# --- Files.

install(DIRECTORY include/willow DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
install(TARGETS willow willow_shared EXPORT willow_targets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
if(TARGET willow_gl)
    install(FILES include/willow_gl.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
    install(TARGETS willow_gl EXPORT willow_targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endif()
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# Pages and examples, in folders that keep the links between them; the site, if ./dev docs has made it.
install(DIRECTORY docs examples DESTINATION "${CMAKE_INSTALL_DOCDIR}" FILES_MATCHING PATTERN "*.md" PATTERN "*.png"
    PATTERN "*.svg" PATTERN "*.c")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/build/docs/html" DESTINATION "${CMAKE_INSTALL_DOCDIR}" OPTIONAL)

# Pages of the tool: each is installed if it is there.
function(install_page source folder name)
    install(FILES "${source}" DESTINATION "${folder}" RENAME "${name}" OPTIONAL)
endfunction()

if(TARGET willow_cli)
    install(TARGETS willow_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    set(share "${CMAKE_INSTALL_DATADIR}")
    install_page(docs/willow.1 "${CMAKE_INSTALL_MANDIR}/man1" willow.1)
    install_page(completions/willow.bash "${share}/bash-completion/completions" willow)
    install_page(completions/_willow "${share}/zsh/site-functions" _willow)
    install_page(completions/willow.fish "${share}/fish/vendor_completions.d" willow.fish)
    install_page("${PROJECT_BINARY_DIR}/share/willow/report.html" "${share}/willow" report.html)
    install_page("${PROJECT_BINARY_DIR}/share/willow/clip.html" "${share}/willow" clip.html)
endif()

# --- find_package(willow).

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/willow")
set(package_config "${PROJECT_BINARY_DIR}/package/willow-config.cmake")
set(package_version "${PROJECT_BINARY_DIR}/package/willow-config-version.cmake")

# Before 1.0 a new minor version may change the API.
set(compatibility SameMajorVersion)
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(compatibility SameMinorVersion)
endif()
configure_package_config_file(cmake/willow-config.cmake.in "${package_config}"
    INSTALL_DESTINATION "${package_folder}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${package_version}" COMPATIBILITY ${compatibility})
install(FILES "${package_config}" "${package_version}" DESTINATION "${package_folder}")
install(EXPORT willow_targets NAMESPACE willow:: FILE willow-targets.cmake
    DESTINATION "${package_folder}")

# --- pkg-config.

# The folder as willow.pc writes it: from the prefix, or as it is if someone chose an absolute one.
function(pkg_config_folder folder out)
    if(IS_ABSOLUTE "${folder}")
        set(${out} "${folder}" PARENT_SCOPE)
    else()
        set(${out} "\${prefix}/${folder}" PARENT_SCOPE)
    endif()
endfunction()

# pkg-config knows where willow.pc lies, and from there the way to the prefix.
set(pkg_config_prefix "${CMAKE_INSTALL_PREFIX}")
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    file(RELATIVE_PATH way_up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
    string(REGEX REPLACE "/$" "" way_up "${way_up}")
    set(pkg_config_prefix "\${pcfiledir}/${way_up}")
endif()
pkg_config_folder("${CMAKE_INSTALL_INCLUDEDIR}" pkg_config_includedir)
pkg_config_folder("${CMAKE_INSTALL_LIBDIR}" pkg_config_libdir)
configure_file(cmake/willow.pc.in "${PROJECT_BINARY_DIR}/package/willow.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/package/willow.pc"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
if(TARGET willow_gl)
    configure_file(cmake/willow_gl.pc.in "${PROJECT_BINARY_DIR}/package/willow_gl.pc" @ONLY)
    install(FILES "${PROJECT_BINARY_DIR}/package/willow_gl.pc"
        DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endif()
