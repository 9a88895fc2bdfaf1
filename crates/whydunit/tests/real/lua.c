// Runs a Lua script.
#include <stdio.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

int main(int argc, char **argv) {
    lua_State *L = luaL_newstate();
    if (L == NULL || argc != 2) return 2;
    luaL_openlibs(L);
    int failed = luaL_dofile(L, argv[1]);
    if (failed) printf("error: %s\n", lua_tostring(L, -1));
    lua_close(L);
    return failed;
}
