# version.cmake - reads the version from include/willow/base.h, the one place that has it.
# Sets WILLOW_VERSION to major.minor.patch; an edit of the header configures anew.

set(version_header "${CMAKE_CURRENT_SOURCE_DIR}/include/willow/base.h")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${version_header}")

set(version_parts "")
foreach(part MAJOR MINOR PATCH)
    file(STRINGS "${version_header}" line REGEX "^#define WILLOW_VERSION_${part} +[0-9]+$")
    if(NOT line MATCHES "([0-9]+)$")
        message(FATAL_ERROR "no WILLOW_VERSION_${part} in ${version_header}")
    endif()
    list(APPEND version_parts ${CMAKE_MATCH_1})
endforeach()
list(JOIN version_parts "." WILLOW_VERSION)
