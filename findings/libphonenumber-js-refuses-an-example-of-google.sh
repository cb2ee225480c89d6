#!/usr/bin/env bash
# libphonenumber-js calls a number invalid that google-libphonenumber gives as the example of its country.
#
# Seen with libphonenumber-js 1.13.16 (metadata "max") and google-libphonenumber 3.2.47: +2631312345, the example of a
# landline in Zimbabwe, is valid for the one that it comes from, and not for the other. Written without its +, the first
# makes +2632631312345 of it, the second finds the country code.
# A guess: both have Google's metadata, so what one calls valid, the other does.
# Exits with 1 if the output differs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-save --prefix "$folder" libphonenumber-js@1.13.16 google-libphonenumber@3.2.47 >&2
cat >"$folder/program.mjs" <<'JS'
import google from 'google-libphonenumber';
import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
const { PhoneNumberFormat, PhoneNumberType, PhoneNumberUtil } = google;
const plans = PhoneNumberUtil.getInstance();
const example = plans.format(plans.getExampleNumberForType('ZW', PhoneNumberType.FIXED_LINE), PhoneNumberFormat.E164);
for (const text of [example, example.slice(1)]) {
  const one = plans.parse(text, 'ZW');
  const other = parsePhoneNumberFromString(text, 'ZW');
  console.log(text, plans.format(one, PhoneNumberFormat.E164), plans.isValidNumber(one), other?.number, other?.isValid());
}
JS
seen=$(node "$folder/program.mjs")
printf '%s\n' "$seen"
[[ $seen == '+2631312345 +2631312345 true +2631312345 false
2631312345 +2631312345 true +2632631312345 false' ]]
