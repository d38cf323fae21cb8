/* gltf_node.c - shell commands around Node. GLTF_SCRIPTS and GLTF_FOLDER come from CMake. */
#include "support/gltf_node.h"

#include <stdlib.h>
#include "support/test.h"

bool gltf_node_is_possible(void)
{
    static const char install[] =
        "mkdir -p '" GLTF_FOLDER "' && cd '" GLTF_FOLDER "' && cp '" GLTF_SCRIPTS "'/* . && "
        "{ cmp -s package-lock.json installed.json || "
        "{ npm ci --no-audit --no-fund >npm.log 2>&1 && cp package-lock.json installed.json; }; }";
    if (system("command -v node >/dev/null && command -v npm >/dev/null") != 0) {
        print_message("skipped: Node and npm are not here (Debian: nodejs npm)\n");
        return false;
    }
    if (system(install) == 0) return true;
    print_message("skipped: npm could not install three and gltf-validator: " GLTF_FOLDER
                  "/npm.log\n");
    return false;
}

void gltf_node_run(const char *script, const char *const *arguments, size_t count)
{
    size_t size = sizeof GLTF_FOLDER + strlen(script) + 20;
    for (size_t i = 0; i < count; i++) size += strlen(arguments[i]) + 3;
    char *line = malloc(size), *at = line;
    at += sprintf(at, "node '%s/%s'", GLTF_FOLDER, script);
    for (size_t i = 0; i < count; i++) at += sprintf(at, " '%s'", arguments[i]);
    const int code = system(line);
    free(line);
    if (code != 0) fail_msg("%s ended with %d", script, code);
}
