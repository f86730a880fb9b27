#!/usr/bin/env bash
# Builds a pinned third-party binary from its Go tool module into .cache/bin, once.
# Usage: localnet/peers/build.sh NAME
set -euo pipefail
cd "$(dirname "$0")/../.."
name=$1
module=localnet/peers/$name
binary=$PWD/.cache/bin/$name
tool=$(sed -n 's/^tool //p' "$module/go.mod")
# The lock file's hash beside the binary says what it was built from.
locked=$(cat "$module/go.mod" "$module/go.sum" | cksum)
if [ -x "$binary" ] && [ "$(cat "$binary.lock" 2>/dev/null)" = "$locked" ]; then
  echo "$name is up to date"
  exit 0
fi
mkdir -p .cache/bin
begin=$SECONDS
printf 'Building %s (about 3 minutes on two cores) … ' "$name"
temporary=$binary.$$
trap 'rm -f "$temporary"' EXIT
(cd "$module" && CGO_ENABLED=0 go build -trimpath -mod=readonly -o "$temporary" "$tool")
mv "$temporary" "$binary"
printf '%s\n' "$locked" >"$binary.lock"
echo "$((SECONDS - begin)) s"
