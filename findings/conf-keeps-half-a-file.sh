#!/usr/bin/env bash
# conf saves half a file without an error where no more fits, although it writes "atomically".
#
# Seen with conf 16.0.0 and atomically 2.1.1 on Linux, with a limit of 40 KiB a file in place of a full disk:
#   saved: no error, 40960 bytes; read again: SyntaxError
#   fs.writeFileSync: EFBIG
# A guess: a package that writes a new file and renames it keeps the old file or the new one. It asks the system once to
# write all of it, does not look how much was written, and renames what there is. writeFileSync of Node asks until all is
# written, and then hears that the disk is full.
# Exits with 1 if the output differs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-save --prefix "$folder" conf@16.0.0 atomically@2.1.1 >&2
cat > "$folder/save.mjs" <<'JS'
import { statSync, writeFileSync } from 'node:fs';
import Conf from 'conf';
const open = () => new Conf({ projectName: 'shop', cwd: '.', configName: 'settings' });
const settings = open();
settings.set('colour', 'blue');
settings.set('notes', 'x'.repeat(60_000));
let again = 'no error';
try { open().get('notes'); } catch (error) { again = error.name; }
console.log(`saved: no error, ${statSync('settings.json').size} bytes; read again: ${again}`);
let written = 'no error';
try { writeFileSync('other.json', 'x'.repeat(60_000)); } catch (error) { written = error.code; }
console.log(`fs.writeFileSync: ${written}`);
JS
# Without the signal, a program hears of the limit as of a full disk: by how much was written.
seen=$(cd "$folder" && trap '' XFSZ && ulimit -f 40 && node save.mjs)
printf '%s\n' "$seen"
[[ $seen == 'saved: no error, 40960 bytes; read again: SyntaxError
fs.writeFileSync: EFBIG' ]]
