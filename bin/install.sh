#!/bin/sh
# Puts `fornaxd` of this folder on the PATH, or takes it away again.
# Usage: bin/install.sh install|uninstall PREFIX    the program is PREFIX/bin/fornaxd, a link to bin/fornaxd here
set -eu
here=$(CDPATH='' cd "$(dirname "$0")" && pwd -P)
program=$here/fornaxd
link=$2/bin/fornaxd

is_ours() { [ "$(readlink "$link" 2>/dev/null)" = "$program" ]; }

case $1 in
install)
  if [ -e "$link" ] && [ ! -L "$link" ]; then
    echo "$link is there, and is none of ours: remove it, or give another PREFIX." >&2
    exit 1
  fi
  mkdir -p "$2/bin"
  ln -sfn "$program" "$link"
  echo "$link is installed: it runs what \`make build\` makes in $(dirname "$here")."
  case :$PATH: in
  *:"$2/bin":*) ;;
  *) echo "$2/bin is not on your PATH: add  export PATH=\"$2/bin:\$PATH\"  to your shell's profile." ;;
  esac
  ;;
uninstall)
  if is_ours; then
    rm "$link"
    echo "$link is removed."
  else
    echo "there is no $link of this folder"
  fi
  ;;
esac
