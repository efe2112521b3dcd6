#!/bin/sh
# Installs the programs `veridic` and `veridic-bench` with their model from a release, without root. Needs curl or wget, tar and gzip.
#
#   sh install.sh [--prefix DIR] [--from URL|DIR] [--platform NAME]
#
#   --prefix DIR      where to install, ~/.local unless given: DIR/bin, and under DIR/share the model, manual pages
#                     and completions
#   --from URL|DIR    where the archives and their SHA256SUMS are; the script of a release knows its own
#   --platform NAME   linux-x86_64, linux-aarch64, macos-aarch64 or macos-x86_64, if not the one of this machine
#
# The archive must have the sum that SHA256SUMS lists, and its program must run here, before anything is replaced.
# Installing again replaces the former version.
set -eu

# The release workflow writes the address of the release here.
release=''

platforms='linux-x86_64, linux-aarch64, macos-aarch64, macos-x86_64'

main() {
    prefix=${HOME:+$HOME/.local} from=$release platform=''
    while [ $# -gt 0 ]; do
        case $1 in
            --prefix | --from | --platform)
                if [ $# -lt 2 ] || [ -z "$2" ]; then fail "$1: a value is missing"; fi
                case $1 in
                    --prefix) prefix=$2 ;;
                    --from) from=$2 ;;
                    --platform) platform=$2 ;;
                esac
                shift 2
                ;;
            -h | --help)
                usage
                exit 0
                ;;
            *) fail "unknown argument $1: known are --prefix, --from, --platform, --help" ;;
        esac
    done
    [ -n "$prefix" ] || fail "HOME is not set: say where to install with --prefix DIR"
    [ -n "$from" ] || fail "this script does not belong to a release: say where the archives are with --from URL|DIR"
    case $prefix in
        /*) ;;
        *) prefix=$PWD/$prefix ;;
    esac
    [ -n "$platform" ] || platform=$(this_platform)
    case ", $platforms, " in
        *", $platform, "*) ;;
        *) fail "no archive is made for the platform $platform: there are $platforms" ;;
    esac
    need tar
    need gzip

    # In the prefix itself, so that what is unpacked can be moved in one step each.
    work=''
    trap 'clean_up' EXIT
    trap 'exit 130' INT
    trap 'exit 143' HUP TERM
    { mkdir -p "$prefix" && work=$(mktemp -d "$prefix/.veridic-install.XXXXXX"); } 2> /dev/null ||
        fail "cannot write to $prefix: choose a folder of your own with --prefix DIR"

    name=veridic-$platform
    archive=$name.tar.gz
    say "fetching $archive from $from"
    fetch SHA256SUMS
    fetch "$archive"
    check "$archive"
    { gzip -dc "$work/$archive" && : > "$work/whole"; } 2> /dev/null | tar -xof - -C "$work" 2> /dev/null || true
    [ -e "$work/whole" ] || fail "cannot unpack $archive, although its sum is right (is the disk full?)"
    for part in veridic veridic-bench models/base/config.json completions man/man1; do
        [ -e "$work/$name/$part" ] || fail "$archive has no $part"
    done
    version=$("$work/$name/veridic" --version 2> /dev/null) ||
        fail "the program in $archive does not run on this machine ($(uname -s) $(uname -m))"

    place
    say "installed $version: $prefix/bin/veridic"
    case :${PATH:-}: in
        *:"$prefix/bin":*) ;;
        *) say "$prefix/bin is not on your PATH; add it: export PATH=\"$prefix/bin:\$PATH\"" ;;
    esac
}

usage() {
    cat << 'END'
Installs the programs `veridic` and `veridic-bench` with their model from a release, without root.
usage: sh install.sh [--prefix DIR] [--from URL|DIR] [--platform NAME]
  --prefix DIR      where to install, ~/.local unless given
  --from URL|DIR    where the archives and their SHA256SUMS are; the script of a release knows its own
  --platform NAME   linux-x86_64, linux-aarch64, macos-aarch64 or macos-x86_64, if not the one of this machine
END
}

# The name of this machine's archives.
this_platform() {
    system=$(uname -s) machine=$(uname -m)
    case $system in
        Linux) system=linux ;;
        Darwin)
            system=macos
            # A shell under Rosetta calls the processor x86_64.
            if [ "$machine" = x86_64 ] && [ "$(sysctl -n hw.optional.arm64 2> /dev/null)" = 1 ]; then machine=arm64; fi
            ;;
        MINGW* | MSYS* | CYGWIN*)
            fail "on Windows, unpack veridic-windows-x86_64.tar.gz of the release, or use pip install veridic" ;;
    esac
    case $machine in
        x86_64 | amd64) machine=x86_64 ;;
        aarch64 | arm64) machine=aarch64 ;;
    esac
    printf '%s\n' "$system-$machine"
}

# Brings one file of the release to the work folder.
fetch() {
    case $from in
        http://* | https://* | file://*)
            if command -v curl > /dev/null 2>&1; then
                if [ -t 2 ]; then shown=--progress-bar; else shown=--silent; fi
                curl --fail --location --show-error "$shown" --output "$work/$1" "${from%/}/$1" ||
                    fail "cannot fetch ${from%/}/$1"
            elif command -v wget > /dev/null 2>&1; then
                wget -q -O "$work/$1" "${from%/}/$1" || fail "cannot fetch ${from%/}/$1"
            else
                fail "curl or wget is needed to fetch ${from%/}/$1"
            fi
            ;;
        *)
            [ -f "$from/$1" ] || fail "$from has no file $1"
            cp "$from/$1" "$work/$1" || fail "cannot copy $from/$1"
            ;;
    esac
}

# Compares the archive with the sum that the release lists for it.
check() {
    listed=$(awk -v name="$1" '$2 == name || $2 == "*" name { print tolower($1); exit }' "$work/SHA256SUMS")
    [ -n "$listed" ] || fail "SHA256SUMS does not list $1: nothing was installed"
    if command -v sha256sum > /dev/null 2>&1; then
        computed=$(sha256sum < "$work/$1")
    elif command -v shasum > /dev/null 2>&1; then
        computed=$(shasum -a 256 < "$work/$1")
    else
        fail "sha256sum or shasum is needed to check $1"
    fi
    computed=${computed%% *}
    [ "$computed" = "$listed" ] ||
        fail "$1 has the SHA-256 sum $computed, but SHA256SUMS lists $listed: nothing was installed"
}

# Moves what was unpacked to where it belongs. The folder of models is replaced as a whole, so that no file of an
# earlier version stays; `veridic` comes last.
place() {
    unpacked=$work/$name share=$prefix/share
    make "$prefix/bin" "$share/veridic" "$share/man/man1" "$share/bash-completion/completions" \
        "$share/fish/vendor_completions.d" "$share/zsh/site-functions"
    if [ -e "$share/veridic/models" ]; then move "$share/veridic/models" "$work/former"; fi
    move "$unpacked/models" "$share/veridic/models"
    for file in README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE; do
        if [ -f "$unpacked/$file" ]; then move "$unpacked/$file" "$share/veridic/$file"; fi
    done
    for page in "$unpacked"/man/man1/*; do move "$page" "$share/man/man1/${page##*/}"; done
    for program in veridic-bench veridic; do
        move "$unpacked/completions/$program.bash" "$share/bash-completion/completions/$program"
        move "$unpacked/completions/$program.fish" "$share/fish/vendor_completions.d/$program.fish"
        move "$unpacked/completions/$program.zsh" "$share/zsh/site-functions/_$program"
        move "$unpacked/$program" "$prefix/bin/$program"
    done
}

make() { mkdir -p "$@" 2> /dev/null || fail "cannot make the folders of $prefix: choose another with --prefix DIR"; }

move() { mv -f "$1" "$2" || fail "cannot write $2"; }

need() { command -v "$1" > /dev/null 2>&1 || fail "$1 is needed to unpack the archive"; }

say() { printf '%s\n' "$*"; }

fail() {
    printf 'install.sh: %s\n' "$*" >&2
    exit 2
}

# Removes the work folder; a former model that was not replaced goes back.
clean_up() {
    status=$?
    if [ -n "$work" ]; then
        if [ -e "$work/former" ] && [ ! -e "$prefix/share/veridic/models" ]; then
            mv "$work/former" "$prefix/share/veridic/models"
        fi
        rm -rf "$work"
    fi
    exit "$status"
}

# On the last line, so that a script that arrived in part does nothing.
main "$@"
