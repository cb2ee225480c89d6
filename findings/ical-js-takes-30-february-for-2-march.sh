#!/usr/bin/env bash
# A yearly rule of iCalendar for 30 February has no day by RFC 5545, which skips days that a month has not. The iterator
# of ical.js answers with 1 or 2 March of each year instead.
#
# Seen with ical.js 2.2.1: FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30 from 1 December 2026 on -> 2027-03-02, 2028-03-01
# Exits with 1 if the output differs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-save --prefix "$folder" ical.js@2.2.1 >&2
cat >"$folder/program.mjs" <<'JS'
import ICAL from 'ical.js';
const rule = ICAL.Recur.fromString('FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30');
const iterator = rule.iterator(ICAL.Time.fromString('2026-12-01T10:00:00'));
const next = () => String(iterator.next()).slice(0, 10); // The same object each time.
console.log(`${next()}, ${next()}`);
JS
seen=$(node "$folder/program.mjs")
printf '%s\n' "$seen"
[ "$seen" = '2027-03-02, 2028-03-01' ]
