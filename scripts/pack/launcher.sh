#!/bin/sh
# Starts the m31a of this machine: the executable in the platform's package, which npm has installed with this one.
# Rule: the executable takes this script's place, so that signals, the terminal and the exit code are its own.
case $(uname -s)-$(uname -m) in
  Linux-x86_64) platform=linux-x64 ;;
  Linux-aarch64) platform=linux-arm64 ;;
  Darwin-x86_64) platform=darwin-x64 ;;
  Darwin-arm64) platform=darwin-arm64 ;;
  *)
    echo "m31a: there is no executable for $(uname -s) on $(uname -m)." >&2
    exit 2
    ;;
esac

self=$0
while [ -L "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=$(dirname "$self")/$target ;;
  esac
done
package=$(cd -P "$(dirname "$self")/.." && pwd -P) || exit 2

# Below this package, or beside it where packages are laid out flat.
for executable in \
  "$package/node_modules/@m31a/$platform/bin/m31a" \
  "$package/../@m31a/$platform/bin/m31a"; do
  if [ -x "$executable" ]; then exec "$executable" "$@"; fi
done

echo "m31a: the package @m31a/$platform is not installed beside $package." >&2
if [ "${platform%%-*}" = linux ]; then
  echo "It needs glibc (2.27 or newer); npm leaves it out where there is another C library, as on Alpine." >&2
fi
echo "If optional dependencies were left out (--omit=optional, --no-optional), install m31a again with them." >&2
exit 2
