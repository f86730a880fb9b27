#!/usr/bin/env bash
# Checks the tools, installs the locked dependencies and compiles; each step is skipped when it is up to date.
# Usage: localnet/setup.sh [go [generate]]    with "go", a Go toolchain is required too; with "generate" nothing is compiled,
# as what generates sources must run before they fit together
set -euo pipefail
cd "$(dirname "$0")/.."

# What has no reader is not worth a failure.
trap '' PIPE
say() { printf "$@" 2>/dev/null || true; }
fail() { echo "$1" >&2; exit 1; }
# at_least WANTED FOUND: whether the dotted version FOUND is WANTED or newer
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }
# step TEXT COMMAND...: runs the command with its output kept back unless it fails, and reports the time it took
step() {
  local text=$1 log begin=$SECONDS
  shift
  log=$(mktemp)
  say '%s … ' "$text"
  if "$@" >"$log" 2>&1; then
    say '%s s\n' "$((SECONDS - begin))"
    rm -f "$log"
  else
    say 'failed\n'
    cat "$log" >&2 || true
    rm -f "$log"
    exit 1
  fi
}

command -v make >/dev/null || fail "make is missing: install it (Debian, Ubuntu: apt-get install make; macOS: xcode-select --install)."
command -v node >/dev/null || fail "Node.js is missing: install version 20.19 or newer from https://nodejs.org."
node_version=$(node --version)
at_least 20.19 "${node_version#v}" || fail "Node.js ${node_version#v} is too old: install version 20.19 or newer from https://nodejs.org."
if [ "${1:-}" = go ]; then
  command -v go >/dev/null || fail "Go is missing: install version 1.23 or newer from https://go.dev/dl (CometBFT is built with it)."
  go_version=$(go env GOVERSION)
  at_least 1.23 "${go_version#go}" || fail "Go ${go_version#go} is too old: install version 1.23 or newer from https://go.dev/dl."
fi

if ! node localnet/installed.mjs; then
  command -v npm >/dev/null || fail "npm is missing: it comes with Node.js, install that anew from https://nodejs.org."
  if [ -L node_modules ]; then
    echo "Note: node_modules is a link to a folder that does not match package-lock.json; 'npm ci --ignore-scripts' there makes it match." >&2
  else
    step "Installing the locked dependencies" npm ci --ignore-scripts --no-audit --no-fund
  fi
fi

[ "${2:-}" = generate ] && exit

sources=(core modules precompiles proto daemon genesis localnet relayers test bench)
existing=()
for folder in "${sources[@]}"; do [ -d "$folder" ] && existing+=("$folder"); done
names=$(find "${existing[@]}" \( -name '*.ts' -o -name '*.json' \) -not -path '*/node_modules/*' | sort)
if [ ! -f dist/.sources ] || [ "$names" != "$(cat dist/.sources)" ] ||
  [ -n "$(find "${existing[@]}" tsconfig.json package-lock.json \( -name '*.ts' -o -name '*.json' \) -newer dist/.sources -print -quit)" ]; then
  # A file whose source is gone must not be run or tested any longer.
  [ -f dist/.sources ] && [ "$names" != "$(cat dist/.sources)" ] && rm -rf dist
  begin=$(mktemp)
  step "Compiling" node_modules/.bin/tsc -p .
  printf '%s\n' "$names" >dist/.sources
  touch -r "$begin" dist/.sources
  rm -f "$begin"
fi

# The commit that is compiled, for `fornaxd version --long`. Sources without git have none, whatever folder they lie in.
if [ -e .git ] && commit=$(git rev-parse HEAD 2>/dev/null); then
  [ "$(cat dist/commit 2>/dev/null)" = "$commit" ] || printf '%s\n' "$commit" >dist/commit
else
  rm -f dist/commit
fi
