#!/usr/bin/env bash
# json-server 1.0 shows the address that --host names, and listens on every address of the machine.
#
# Seen with json-server 1.0.0-beta.15 and 0.17.4, both with --host 127.0.0.1, asked at 127.0.0.2, which Linux has, too:
#   0.17.4 refuses the connection; 1.0.0-beta.15 answers, also without --host, whose help says "default: localhost".
# A guess: a server that prints http://127.0.0.1:… for --host 127.0.0.1, as the release before it did, is out of reach for others.
# Exits with 1 if the output differs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/program.mjs" <<'JS'
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';

const [folder, version, program] = process.argv.slice(2);
process.chdir(folder);
writeFileSync('db.json', '{"people":[]}');
const isListening = (port, host) =>
  new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('close', () => {}).setTimeout(1000, () => socket.destroy());
  });
const free = createServer().listen(0, '127.0.0.1');
await once(free, 'listening');
const { port } = free.address();
free.close();
await once(free, 'close');
const argv = [program, 'db.json', '--host', '127.0.0.1', '--port', String(port)];
const child = spawn(process.execPath, argv, { stdio: 'ignore' });
while (!(await isListening(port, '127.0.0.1'))) await new Promise((resolve) => setTimeout(resolve, 50));
console.log(version, (await isListening(port, '127.0.0.2')) ? 'answers at 127.0.0.2' : 'refuses at 127.0.0.2');
child.kill();
await once(child, 'exit');
process.exit();
JS
seen=$(for version in 0.17.4 1.0.0-beta.15; do
  npm install --silent --no-save --prefix "$folder/$version" "json-server@$version" >&2
  program=node_modules/json-server/lib/bin.js
  [[ $version == 0.* ]] && program=node_modules/json-server/lib/cli/bin.js
  node "$folder/program.mjs" "$folder/$version" "$version" "$program"
done)
printf '%s\n' "$seen"
[[ $seen == '0.17.4 refuses at 127.0.0.2
1.0.0-beta.15 answers at 127.0.0.2' ]]
