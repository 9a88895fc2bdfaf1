# shellcheck shell=bash
# What ./whydunit and ./test share: it provides what a build needs, and is silent and quick when all is there.
#
# Z3 ends up behind the link .deps/z3, the only place where .cargo/config.toml and setup/cc look for it.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
llvm=22          # what the llvm-sys crate is made for
z3_oldest=4.13.3 # what the z3 crate supports

note() { echo "whydunit: $*" >&2; }
die() { note "$@"; exit 1; }

set_up() {
    command -v cargo >/dev/null || PATH=$PATH:${CARGO_HOME:-$HOME/.cargo}/bin
    command -v cargo >/dev/null || die "Rust is missing. Install it with rustup (https://rustup.rs), then try again."
    command -v cc >/dev/null || install_packages gcc libc6-dev
    provide_llvm
    provide_z3
}

# clang compiles C sources while whydunit runs. LLVM, which reads what clang makes, must be of the same version.
provide_llvm() {
    local packages=()
    command -v clang-$llvm >/dev/null || packages+=("clang-$llvm")
    [ -e "$(llvm-config-$llvm --libdir 2>/dev/null)/libLLVM.so" ] || packages+=("llvm-$llvm-dev")
    [ ${#packages[@]} = 0 ] || install_packages "${packages[@]}"
}

# What only tests need: csmith writes random C programs, which include headers of its own; Chromium shows HTML reports.
set_up_tests() {
    set_up
    { command -v csmith && [ -e /usr/include/csmith ]; } >/dev/null || install_packages csmith libcsmith-dev
    command -v chromium >/dev/null || install_packages chromium
}

install_packages() {
    local sudo=()
    [ "$(id -u)" = 0 ] || sudo=(sudo)
    note "installing $*"
    { "${sudo[@]}" apt-get update -qq && "${sudo[@]}" apt-get install -qq -y --no-install-recommends "$@"; } >&2 ||
        die "could not install the packages: $*. Install them by hand, then try again."
}

# Z3 is, in this order: the one in WHYDUNIT_Z3_DIR; the choice of an earlier run; the pinned one; the system's.
# The pinned one goes before the system's so that everybody gets the same answers.
provide_z3() {
    local version
    version=$(sed -n 's/^z3-solver==\([0-9.]*\).*/\1/p' "$root/setup/z3.txt")
    if [ -n "${WHYDUNIT_Z3_DIR:-}" ]; then
        use_z3_of_user
        return
    fi
    case $(readlink "$root/.deps/z3") in
    "z3-$version/lib" | /*) [ ! -e "$root/.deps/z3/libz3.so" ] || return 0 ;;
    esac
    command -v python3 >/dev/null || install_packages python3 python3-pip
    python3 -m pip --version >/dev/null 2>&1 || install_packages python3-pip
    download_z3 "$version" || use_z3_of_system ||
        die "there is no Z3. Check the network and try again; or set WHYDUNIT_Z3_DIR to a folder with" \
            "libz3.so (or lib/libz3.so, bin/libz3.so) of Z3 $z3_oldest or newer."
}

use_z3_of_user() {
    local dir
    for dir in "$WHYDUNIT_Z3_DIR" "$WHYDUNIT_Z3_DIR"/{lib,bin}; do
        [ -e "$dir/libz3.so" ] || continue
        dir=$(cd "$dir" && pwd)
        [ "$(readlink "$root/.deps/z3")" != "$dir" ] || return 0
        is_recent "$dir/libz3.so" || die "WHYDUNIT_Z3_DIR: $dir/libz3.so is not a Z3 $z3_oldest or newer."
        link_z3 "$dir"
        return
    done
    die "WHYDUNIT_Z3_DIR: there is no libz3.so in $WHYDUNIT_Z3_DIR, nor in its lib or bin."
}

use_z3_of_system() {
    local lib
    lib=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | sed -n 's/.*libz3\.so .* => //p' | head -n 1)
    [ -n "$lib" ] || { note "this system has no libz3.so."; return 1; }
    is_recent "$lib" || { note "the system's $lib is older than Z3 $z3_oldest."; return 1; }
    note "using the system's $lib instead"
    link_z3 "$(dirname "$lib")"
}

# All work happens in a folder of its own, which is renamed when complete.
download_z3() {
    local folder=z3-$1 tmp
    if [ ! -d "$root/.deps/$folder" ]; then
        note "downloading Z3 $1"
        mkdir -p "$root/.deps"
        tmp=$(mktemp -d "$root/.deps/download.XXXXXX")
        # shellcheck disable=SC2064 # the folder of now, not of then
        trap "rm -rf '$tmp'" EXIT
        trap 'exit 130' INT TERM # not a failed download: try nothing else
        if ! python3 -m pip download --quiet --no-deps --only-binary=:all: --require-hashes --retries 2 \
            --requirement "$root/setup/z3.txt" --dest "$tmp" >"$tmp/log" 2>&1; then
            note "pip could not download z3-solver $1:"
            grep -E '^ERROR|Expected|Got' "$tmp/log" >&2 || cat "$tmp/log" >&2
            return 1
        fi
        mkdir "$tmp/$folder" &&
            python3 -m zipfile -e "$tmp"/*.whl "$tmp" &&
            mv "$tmp/z3/lib" "$tmp/z3/include" "$tmp/$folder" &&
            ln -sf "$(cd "$tmp/$folder/lib" && echo libz3.so.*)" "$tmp/$folder/lib/libz3.so" && # it is there twice
            mv -T "$tmp/$folder" "$root/.deps/$folder" ||
            [ -d "$root/.deps/$folder" ] || # another run was faster
            { note "could not unpack Z3 into $root/.deps."; return 1; }
        rm -rf "$tmp"
    fi
    link_z3 "$folder/lib"
}

link_z3() {
    mkdir -p "$root/.deps" &&
        ln -sfn "$1" "$root/.deps/z3.$$" &&
        mv -T "$root/.deps/z3.$$" "$root/.deps/z3" &&
        touch "$root/crates/solver/build.rs" # so that cargo links again
}

is_recent() {
    command -v python3 >/dev/null || install_packages python3
    python3 - "$1" "$z3_oldest" <<'PYTHON' 2>/dev/null
import ctypes, sys
found = [ctypes.c_uint() for _ in range(4)]
ctypes.CDLL(sys.argv[1]).Z3_get_version(*map(ctypes.byref, found))
sys.exit([part.value for part in found[:3]] < [int(part) for part in sys.argv[2].split(".")])
PYTHON
}
