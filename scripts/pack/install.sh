#!/bin/sh
# Installs m31a @VERSION@ for the user who runs it: curl -fsSL @DOWNLOADS@/install.sh | sh
# Rule: a file whose checksum is not the one written here is not installed; nothing runs before all of this was read.
set -eu

checksum_of() {
  case $1 in
@CHECKSUMS@
    *) return 1 ;;
  esac
}

fail() {
  echo "install.sh: $*" >&2
  exit 1
}

platform_of() {
  case $(uname -s)-$(uname -m) in
    Linux-x86_64) echo linux-x64 ;;
    Linux-aarch64) echo linux-arm64 ;;
    Darwin-x86_64) echo darwin-x64 ;;
    Darwin-arm64) echo darwin-arm64 ;;
    *) fail "there is no executable for $(uname -s) on $(uname -m); on Windows use WSL" ;;
  esac
}

download() {
  if command -v curl >/dev/null; then
    curl -fsSL -o "$2" "$1"
  elif command -v wget >/dev/null; then
    wget -q -O "$2" "$1"
  else
    fail "needs curl or wget"
  fi
}

sha256_of() {
  if command -v sha256sum >/dev/null; then
    sha256sum "$1" | cut -d ' ' -f 1
  else
    shasum -a 256 "$1" | cut -d ' ' -f 1
  fi
}

main() {
  platform=$(platform_of)
  expected=$(checksum_of "$platform") || fail "this release has no executable for $platform"
  if [ "${platform%%-*}" = linux ] && ldd --version 2>&1 | grep -qi musl; then
    fail "m31a needs glibc (2.27 or newer), and this system has musl"
  fi
  folder=${M31A_INSTALL_FOLDER:-$HOME/.local/bin}
  mkdir -p "$folder"
  temporary=$(mktemp -d "$folder/.m31a-install-XXXXXX")
  trap 'rm -rf "$temporary"' EXIT

  file=m31a-$platform.gz
  echo "downloading @DOWNLOADS@/$file"
  download "@DOWNLOADS@/$file" "$temporary/$file" || fail "could not download $file"
  found=$(sha256_of "$temporary/$file")
  [ "$found" = "$expected" ] ||
    fail "$file has SHA-256 $found and not $expected: not installed"
  gzip -d "$temporary/$file"
  chmod 755 "$temporary/m31a-$platform"
  version=$("$temporary/m31a-$platform" --version) || fail "the executable does not run on this system"
  mv -f "$temporary/m31a-$platform" "$folder/m31a"

  echo "installed $version as $folder/m31a"
  case :$PATH: in
    *":$folder:"*) echo "next, in a project of yours: m31a doctor" ;;
    *) echo "$folder is not in PATH: add it in your shell's start-up file" ;;
  esac
}

main
