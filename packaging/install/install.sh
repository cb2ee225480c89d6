#!/bin/sh
# Installs salon for this user, in ~/.local/bin, and changes nothing else. To undo it, remove that file.
# Usage: sh install.sh [--force]
#   --force  replace whatever salon is there, even a newer one
set -eu

release_url=@release_url@
glibc_needed=@glibc@
instead="install Node, and with npm the package salon-<version>.tgz from $release_url."

main() {
  is_forced=no
  for flag in "$@"; do
    case $flag in
      --force) is_forced=yes ;;
      *) fail "There is no flag \"$flag\", only --force." ;;
    esac
  done
  [ -n "${HOME-}" ] || fail 'There is no home folder to install into: set HOME.'
  system=$(find_system)
  folder=$HOME/.local/bin
  target=$folder/salon
  created=
  temporary=
  trap clean EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  trap 'exit 129' HUP

  open_folder
  fetch SHA256SUMS "$temporary/sums"
  name=$(find_name)
  version=${name#salon-}
  version=${version%-"$system"}
  [ "$is_forced" = yes ] || check_installed

  printf 'Downloading salon %s for %s.\n' "$version" "$system"
  fetch "$name" "$temporary/salon"
  check_sum
  chmod 755 "$temporary/salon" || fail "Cannot make $temporary/salon executable."
  if [ "$system" = macos-arm64 ]; then
    codesign --force --sign - "$temporary/salon" 2>/dev/null || fail 'codesign cannot sign the executable.'
  fi
  started=$("$temporary/salon" --version 2>&1) || explain_start "$started"
  [ "$started" = "$version" ] || fail "The executable says that it is version $started, not $version."
  mv -f "$temporary/salon" "$target" || fail "Cannot write $target."

  printf 'Installed salon %s as %s.\nTo undo this: rm "%s"\n' "$version" "$target" "$target"
  explain_path
}

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

clean() {
  [ -z "$temporary" ] || rm -rf "$temporary"
  # Does nothing to a folder with files.
  [ -z "$created" ] || rmdir "$folder" 2>/dev/null || :
}

# Prints a name such as linux-x64.
find_system() {
  machine=$(uname -m)
  case $(uname -s) in
    Linux)
      os=linux
      check_glibc
      ;;
    Darwin)
      os=macos
      # A shell under Rosetta reports the other processor.
      if [ "$(sysctl -n hw.optional.arm64 2>/dev/null)" = 1 ]; then machine=arm64; fi
      ;;
    *) fail "There is no executable for $(uname -s): $instead" ;;
  esac
  case $machine in
    x86_64 | amd64) printf '%s-x64\n' "$os" ;;
    aarch64 | arm64) printf '%s-arm64\n' "$os" ;;
    *) fail "There is no executable for $machine: $instead" ;;
  esac
}

check_glibc() {
  glibc=$(getconf GNU_LIBC_VERSION 2>/dev/null) ||
    fail "The executable needs glibc, and this system has another C library (Alpine has musl): use the container image."
  glibc=${glibc#glibc }
  [ "$(compare_versions "$glibc.0" "$glibc_needed.0")" != older ] ||
    fail "The executable needs glibc $glibc_needed or newer, and this system has $glibc: use the container image."
}

# Downloads go into a folder beside the target, so that a full disk shows early and the last step is a rename.
open_folder() {
  [ -d "$folder" ] || created=yes
  mkdir -p "$folder" 2>/dev/null || fail "Cannot create $folder: $(explain_refusal)."
  temporary=$(mktemp -d "$folder/.salon-XXXXXX" 2>/dev/null) || fail "Cannot write to $folder: $(explain_refusal)."
}

explain_refusal() {
  if [ -e "$folder" ] && [ ! -w "$folder" ]; then printf 'it is read-only for you\n'; else
    printf 'the disk may be full, or a folder above it read-only\n'
  fi
}

# Downloads a file of the release.
fetch() {
  if command -v curl >/dev/null; then
    curl --fail --silent --location --proto "=${release_url%%:*}" --connect-timeout 30 \
      --output "$2" "$release_url/$1" || explain_download "$1" "$?" 23 22
  elif command -v wget >/dev/null; then
    wget -q -O "$2" "$release_url/$1" || explain_download "$1" "$?" 3 8
  else
    fail 'Neither curl nor wget is installed, and one of them is needed to download.'
  fi
}

# explain_download <file> <exit code> <exit code of a failed write> <exit code of a refusal>
explain_download() {
  case $2 in
    "$3") fail "Cannot write $1 to $folder: the disk is full." ;;
    "$4") fail "$release_url/$1 cannot be downloaded: the server refuses it or does not have it." ;;
    *) fail "$release_url/$1 cannot be downloaded: check the network connection and try again." ;;
  esac
}

# Prints the file for this system among those of the release.
find_name() {
  grep -Eq '^[0-9a-f]{64} [ *][A-Za-z0-9._+-]+$' "$temporary/sums" ||
    fail "$release_url/SHA256SUMS is no list of checksums: the network may answer with a page of its own."
  name=$(sed -n "s/^[0-9a-f]* [ *]\(salon-[A-Za-z0-9._+-]*-$system\)\$/\1/p" "$temporary/sums")
  [ -n "$name" ] || fail "The release has no executable for $system: $instead"
  printf '%s\n' "$name"
}

# Small systems lack libraries that Node needs.
explain_start() {
  case $1 in
    *libatomic.so* | *libstdc++.so*)
      fail 'The executable needs libatomic and libstdc++: install them (Debian, Ubuntu: libatomic1 libstdc++6; Fedora: libatomic libstdc++), then try again.'
      ;;
    *) fail "The executable does not run on this system: $1" ;;
  esac
}

# Ends the installation where there is nothing to do.
check_installed() {
  [ -e "$target" ] || return 0
  installed=$("$target" --version 2>/dev/null) || installed=
  case $installed in
    [0-9]*.[0-9]*.[0-9]*) ;;
    *) fail "$target exists and is not salon: move it away, or use --force to replace it." ;;
  esac
  case $(compare_versions "$installed" "$version") in
    same) printf 'salon %s is already installed as %s.\n' "$version" "$target" && exit ;;
    newer)
      printf 'Kept salon %s in %s, which is newer than %s. To replace it: --force\n' "$installed" "$folder" "$version"
      exit
      ;;
  esac
}

check_sum() {
  expected=$(sed -n "s/^\([0-9a-f]*\) [ *]$name\$/\1/p" "$temporary/sums")
  if command -v sha256sum >/dev/null; then
    sum=$(sha256sum "$temporary/salon")
  elif command -v shasum >/dev/null; then
    sum=$(shasum -a 256 "$temporary/salon")
  else
    fail 'Neither sha256sum nor shasum is installed, and one of them is needed to check the download.'
  fi
  [ "${sum%% *}" = "$expected" ] ||
    fail "$name has another SHA-256 checksum than SHA256SUMS says: the download is damaged or was tampered with."
}

# Prints whether the first version is older or newer than the second one, or the same: 1.0.0-rc.1 is older than 1.0.0.
compare_versions() {
  LC_ALL=C awk -v one="$1" -v other="$2" '
    function compare(one, other) {
      if (one == other) return 0
      if (one ~ /^[0-9]+$/ && other ~ /^[0-9]+$/) return one + 0 < other + 0 ? -1 : 1
      # Nothing is below a number, and a number below a word.
      if (one == "" || other == "") return one == "" ? -1 : 1
      if (one ~ /^[0-9]+$/) return -1
      if (other ~ /^[0-9]+$/) return 1
      return one "" < other "" ? -1 : 1
    }
    BEGIN {
      sub(/\+.*/, "", one)
      sub(/\+.*/, "", other)
      # In C, ~ comes after every letter.
      if (one !~ /-/) one = one "-~"
      if (other !~ /-/) other = other "-~"
      parts = split(one, left, /[-.]/)
      others = split(other, right, /[-.]/)
      if (others > parts) parts = others
      for (i = 1; i <= parts; i++) {
        order = compare(left[i], right[i])
        if (order) break
      }
      print (order < 0 ? "older" : (order > 0 ? "newer" : "same"))
    }'
}

explain_path() {
  case :$PATH: in
    *:"$folder":*)
      found=$(command -v salon) || found=
      [ "$found" = "$target" ] || printf 'Another salon comes first on your PATH: %s\n' "$found"
      ;;
    *) printf '%s is not on your PATH. Add this to ~/.profile: %s\n' "$folder" "PATH=\"$folder:\$PATH\"" ;;
  esac
}

# The last line: a part of this file, from a lost connection, does nothing.
main "$@"
