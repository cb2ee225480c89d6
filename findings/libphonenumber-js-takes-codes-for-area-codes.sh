#!/usr/bin/env bash
# libphonenumber-js makes a valid number of another place of a country code without +, and of a foreign prefix for calls
# abroad.
#
# Seen with libphonenumber-js 1.13.16 (metadata "min"), country DE:
#   491711234567      -> +49491711234567   valid   (a sheet has lost the + of +491711234567, a mobile)
#   011 49 30 123456  -> +49114930123456   valid   (dialled so in America: +4930123456)
# With Japan, "00 49 30 123456", as most of the world dials, becomes +81004930123456, possible and valid.
# A guess: parsing fails, or finds the country code, as it does for Italy (39098433041 -> +39098433041), and isValid()
# tells one from the other. It does not.
# Exits with 1 if the output differs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-save --prefix "$folder" libphonenumber-js@1.13.16 >&2
cat >"$folder/program.mjs" <<'JS'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
for (const [text, country] of [
  ['491711234567', 'DE'],
  ['011 49 30 123456', 'DE'],
  ['00 49 30 123456', 'JP'],
  ['39098433041', 'IT'],
]) {
  const phone = parsePhoneNumberFromString(text, country);
  console.log(country, text, phone?.number, phone?.isPossible(), phone?.isValid());
}
JS
seen=$(node "$folder/program.mjs")
printf '%s\n' "$seen"
[[ $seen == 'DE 491711234567 +49491711234567 true true
DE 011 49 30 123456 +49114930123456 true true
JP 00 49 30 123456 +81004930123456 true true
IT 39098433041 +39098433041 true true' ]]
