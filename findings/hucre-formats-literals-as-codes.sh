#!/usr/bin/env bash
# formatValue of hucre takes quoted letters, signs and blanks of a number format for codes of the format.
#
# Seen with hucre 1.0.0; what LibreOffice 7.4.7 shows stands behind:
#   42 with 0"%"          -> 4200%       42%
#   2 with 0\ [$Std.]     -> "2 "        2 Std.
#   42 with 000_-000      -> 000042      000 042
#   -42 with 00000;@      -> 42          -00042
#   42 with General" x"   -> Gnral xee   42 x
# A guess: what is right for 00000 and "K-"00000, which it shows as 00042 and K-00042, is right for other literals.
# Exits with 1 if the output differs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-save --prefix "$folder" hucre@1.0.0 >&2
cat >"$folder/program.mjs" <<'JS'
import { formatValue } from 'hucre';
for (const [value, format] of [
  [42, '00000'],
  [42, '"K-"00000'],
  [42, '0"%"'],
  [2, '0\\ [$Std.]'],
  [42, '000_-000'],
  [-42, '00000;@'],
  [42, 'General" x"'],
])
  console.log(`${value} ${format} ${JSON.stringify(formatValue(value, format))}`);
JS
seen=$(node "$folder/program.mjs")
printf '%s\n' "$seen"
# shellcheck disable=SC2016
[[ $seen == '42 00000 "00042"
42 "K-"00000 "K-00042"
42 0"%" "4200%"
2 0\ [$Std.] "2 "
42 000_-000 "000042"
-42 00000;@ "42"
42 General" x" "Gnral xee"' ]]
