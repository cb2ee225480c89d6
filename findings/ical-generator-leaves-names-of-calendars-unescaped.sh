#!/usr/bin/env bash
# ical-generator escapes the text of events, but not the name of the calendar.
#
# Seen with ical-generator 11.1.2: a calendar named "Mia, Kids; Sat" has NAME and X-WR-CALNAME with a bare comma and
# semicolon, while the summary of an event with the same text has both behind a backslash, as RFC 5545 (3.3.11) wants for
# every value of type TEXT.
# A guess: a library that escapes summaries, locations and categories escapes all texts that it is given.
# Exits with 1 if the output differs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-save --prefix "$folder" ical-generator@11.1.2 >&2
cat >"$folder/program.mjs" <<'JS'
import ical from 'ical-generator';
const calendar = ical({ name: 'Mia, Kids; Sat' });
calendar.createEvent({ id: '1', start: new Date(0), stamp: new Date(0), summary: 'Mia, Kids; Sat' });
console.log(String(calendar).split('\r\n').filter((line) => /^(NAME|X-WR-CALNAME|SUMMARY)/.test(line)).join('\n'));
JS
seen=$(node "$folder/program.mjs")
printf '%s\n' "$seen"
[[ $seen == 'NAME:Mia, Kids; Sat
X-WR-CALNAME:Mia, Kids; Sat
SUMMARY:Mia\, Kids\; Sat' ]]
