import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measureInTurn, type Program } from './measure-in-turn.ts';
import { renderTimes } from './render-times.ts';
import { openFolder, startServer } from './start-server.ts';

// An export of what has changed, after a night without changes, compared with `whoami --check`: requests, and whole
// processes in turn, with the real service.
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '20000' }, runs: { type: 'string', default: '20' } },
});
const runs = Number(values.runs);
using folder = openFolder();
using server = startServer('salon-service.ts', [join(folder.path, 'salon.db'), values.rows, '2000']);
const [{ port, key }] = (await once(server.process, 'message')) as [{ port: number; key: string }];
let requests = 0;
const gateway = createServer((incoming, answer) => {
  requests += 1;
  const { method, url, headers } = incoming;
  const outgoing = request({ port, method, path: url, headers }, (answered) => {
    answer.writeHead(answered.statusCode ?? 500, answered.headers);
    answered.pipe(answer);
  });
  incoming.pipe(outgoing);
}).listen(0, '127.0.0.1');
await once(gateway, 'listening');
const env = {
  HOME: folder.path,
  SALON_BASE_URL: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
  SALON_API_KEY: key,
};
const toProgram = (words: string, prints: RegExp): Program => ({
  name: words.replace(/ -q.*/, ''),
  args: [resolve('bin/salon.js'), ...words.split(' ')],
  prints,
});
const state = join(folder.path, 'state.json');
const list = `appointments list --since-last -q -f ndjson --include-deleted --state ${state}`;
const quiet = toProgram(list, /^$/);
const programs = [toProgram('whoami --check -q -f json', /^\[?\s*\{/), quiet];

await measureInTurn([toProgram(list, /^\{/)], { runs: 1, warmUps: 0, env });
requests = 0;
await measureInTurn([quiet], { runs: 1, warmUps: 0, env });
const sent = requests;
const times = await measureInTurn(programs, { runs, warmUps: 2, env });
gateway.close();
gateway.closeAllConnections();
console.log(`Node ${process.versions.node}, ${values.rows} appointments, ${runs} runs of each in turn`);
console.log(`An export without changes sends ${sent} request.`);
console.log(renderTimes(programs, times));
