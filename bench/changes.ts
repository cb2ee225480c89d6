import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { measureRate, toGet } from './load.ts';
import type { RunTime } from './measure-in-turn.ts';
import { renderTimes } from './render-times.ts';
import { openFolder, startServer } from './start-server.ts';

// A page of changed appointments compared with a page of their list, in turn, before and after the log has many older
// entries. Times are for 1,000 requests; the CPU time is that of the service, which Linux tells in hundredths of a second.
const { values } = parseArgs({
  options: {
    older: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '7' },
    seconds: { type: 'string', default: '2' },
  },
});
const perPage = 200;
using folder = openFolder();
const file = join(folder.path, 'salon.db');
using server = startServer('salon-service.ts', [file, '2000']);
const [{ port, key }] = (await once(server.process, 'message')) as [{ port: number; key: string }];
const { data } = await read<{ data: readonly { id: string }[] }>(`/appointments?per_page=${perPage}`);
let changed = 0;

console.log(`Pages of ${perPage}, ${values.rounds} rounds of ${values.seconds} s in turn, 16 connections`);
await compare('a short log');
addOlder(Number(values.older));
await compare(`${values.older} older entries`);

async function compare(when: string): Promise<void> {
  const { position } = await read<{ position: string }>('/changes');
  const end = changed + perPage;
  while (changed < end) await measureRate({ port, toRequest: toChange }, 1);
  const pages = [
    { name: `list, ${when}`, path: `/appointments?per_page=${perPage}` },
    { name: `changes, ${when}`, path: `/changes?after=${position}&per_page=${perPage}`, limit: 1.1 },
  ];
  const page = await read<{ data: readonly { deleted: boolean }[] }>(pages[1]?.path ?? '');
  if (page.data.length !== perPage || page.data.some(({ deleted }) => deleted))
    throw new Error(`The page has ${page.data.length} changes.`);
  const times: RunTime[][] = pages.map(() => []);
  for (let round = -1; round < Number(values.rounds); round++) {
    for (const [index, { path }] of pages.entries()) {
      const toRequest = () => toGet(`/api/v1${path}`, key);
      const seconds = Number(values.seconds);
      const before = readBusyMs();
      const rate = await measureRate({ port, toRequest }, seconds * 1000);
      const busyMs = ((readBusyMs() - before) / (rate * seconds)) * 1000;
      if (round >= 0) times[index]?.push({ wallMs: 1_000_000 / rate, busyMs });
    }
  }
  console.log(renderTimes(pages, times));
}

/** Copies the last entry of the log: what they say does not matter. */
function addOlder(count: number): void {
  using database = new DatabaseSync(file, { timeout: 5_000 });
  const found = database.prepare("select name from pragma_table_info('audit_entries')").all();
  const columns = found.map(({ name }) => (name === 'seq' ? 'seq + added' : name)).join();
  database.exec(`with recursive numbers(added) as (select 1 union all select added + 1 from numbers where added < ${count})
    insert into audit_entries select ${columns} from audit_entries, numbers
    where seq = (select max(seq) from audit_entries)`);
}

/** The next change of one appointment after the other. */
function toChange(): string {
  const body = JSON.stringify({ notes: `change ${changed}` });
  const { id } = data[changed++ % data.length] ?? {};
  const head = `PATCH /api/v1/appointments/${id} HTTP/1.1\r\nhost: bench\r\nauthorization: Bearer ${key}\r\n`;
  return `${head}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

async function read<Body>(path: string): Promise<Body> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, { headers });
  return (await response.json()) as Body;
}

function readBusyMs(): number {
  const fields = readFileSync(`/proc/${server.process.pid}/stat`, 'utf8').replace(/.*\) /, '').split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
