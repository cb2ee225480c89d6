import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { measureInTurn, type Program } from './measure-in-turn.ts';
import { renderTimes } from './render-times.ts';
import { openFolder, startServer } from './start-server.ts';

// A first sync compared with an NDJSON export of the appointments alone, a quiet one with whoami, and queries with the
// sqlite3 of this machine and an empty Node program: whole processes in turn. The first one of each group is the measure.
const { values } = parseArgs({
  options: { rows: { type: 'string', default: '100000' }, runs: { type: 'string', default: '7' } },
});
using folder = openFolder();
using server = startServer('salon-service.ts', [join(folder.path, 'salon.db'), values.rows]);
const [{ port, key }] = (await once(server.process, 'message')) as [{ port: number; key: string }];
const env = {
  HOME: folder.path,
  SALON_BASE_URL: `http://127.0.0.1:${port}`,
  SALON_API_KEY: key,
  SALON_TIME_ZONE: 'UTC',
};
const launcher = fileURLToPath(new URL('../bin/salon.js', import.meta.url));
const [copy, exported] = ['copy.db', 'appointments.ndjson'].map((name) => join(folder.path, name)) as [
  string,
  string,
];
const shell = (line: string) => ({ file: 'bash', args: ['-c', line, process.execPath, launcher] });
const long =
  'select count(*) from appointments a join appointments b on a.client_id = b.client_id and a.notes is not b.id';

const groups: readonly (readonly Program[])[] = [
  [
    {
      name: 'export of appointments',
      ...shell(`"$0" "$1" appointments list -f ndjson -o ${exported} 2>&1`),
      prints: /written/,
    },
    {
      name: 'first sync',
      ...shell(`rm -f ${copy}; "$0" "$1" sync ${copy} -q`),
      prints: /copy\.db/,
      limit: 1.3,
    },
  ],
  [
    { name: 'whoami --check', args: [launcher, 'whoami', '--check'], prints: /Bench/ },
    { name: 'quiet sync', args: [launcher, 'sync', copy, '-q'], prints: /\t0\t0\t0\t/, limit: 1.2 },
  ],
  [
    { name: 'sqlite3', file: 'sqlite3', args: [copy, long], prints: /^\d+\n$/ },
    { name: 'salon sql', args: [launcher, 'sql', copy, long], prints: /\d+\n$/, limit: 1.2 },
  ],
  [
    { name: 'empty Node program', args: ['-e', '0'], prints: /^$/ },
    { name: 'salon sql "select 1"', args: [launcher, 'sql', copy, 'select 1'], prints: /1\n$/, limit: 2.5 },
  ],
];
for (const programs of groups) {
  const times = await measureInTurn(programs, { runs: Number(values.runs), warmUps: 1, env });
  console.log(renderTimes(programs, times));
}
