import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../src/service/db/database.ts';
import { listAccounts } from '../src/service/domain/accounts.ts';
import { measureRate, toGet } from './load.ts';
import { addMany, removeSome } from './many-appointments.ts';
import { renderRates } from './render-rates.ts';
import { openFolder, startServer } from './start-server.ts';

// Compares a page deep in a list with the first, before and after deletions. Pages by number reach 100,000 rows. The
// rows are written by a separate process.
const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '1' },
  },
});
const rows = Number(values.rows);
const perPage = 50;
const seeded = 1000;
const lastPage = Math.floor(rows / perPage);

using folder = openFolder();
const file = join(folder.path, 'salon.db');
using ours = startServer('salon-service.ts', [file, String(seeded)]);
const [{ port, key }] = (await once(ours.process, 'message')) as [{ port: number; key: string }];
await using database = await openDatabase(file);
const [account] = await listAccounts(database);
if (account === undefined) throw new Error('The service created no account.');

const startedAt = performance.now();
await addMany(database, account.id, rows - seeded);
console.log(`${rows} appointments after ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
console.log(`${values.rounds} rounds of ${values.seconds} s in turn, 16 connections; requests per second`);
await measure('', lastPage);

const removed = Math.floor(rows / 1000);
await removeSome(database, account.id, { first: 1, step: 97, count: removed });
console.log(`${removed} deleted, one in 97`);
await measure(', after deletions', Math.floor((rows - removed) / perPage));

async function measure(when: string, last: number): Promise<void> {
  const pages = [
    { name: `page 1${when}`, toPage: () => 1 },
    { name: `page ${last}${when}`, toPage: () => last },
    { name: `random page${when}`, toPage: () => 1 + Math.floor(Math.random() * last) },
  ];
  const loads = pages.map(({ name }) => ({ name, beside: 0, rates: [] as number[] }));
  for (let round = -1; round < Number(values.rounds); round++) {
    for (const [index, { toPage }] of pages.entries()) {
      const toRequest = () => toGet(`/api/v1/appointments?page=${toPage()}&per_page=${perPage}`, key);
      const rate = await measureRate({ port, toRequest }, Number(values.seconds) * 1000);
      if (round >= 0) loads[index]?.rates.push(rate);
    }
  }
  console.log(renderRates(loads));
}
