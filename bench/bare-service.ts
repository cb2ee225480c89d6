import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';

// A minimal service over SQLite: node:http, one table, a total in memory; no keys, limits or validation.
const [, , file = '', countText = ''] = process.argv;
const columns = ['id', 'client_id', 'stylist_id', 'service', 'start_time', 'duration', 'status'];
const database = new DatabaseSync(file);
database.exec(`
  pragma journal_mode = wal; pragma synchronous = full; pragma cache_size = -65536; pragma mmap_size = 268435456;
  create table appointments (id text primary key, client_id text not null, stylist_id text not null,
    service text not null, start_time text not null, duration integer not null, status text not null)`);
const insert = database.prepare(`insert into appointments values (${columns.map(() => '?').join(', ')})`);
const page = database.prepare(`select ${columns.join(', ')} from appointments order by id limit ? offset ?`);
let total = 0;

database.exec('begin');
while (total < Number(countText)) add({});
database.exec('commit');

const server = createServer(async (request, response) => {
  if (request.method === 'POST') {
    let text = '';
    for await (const chunk of request) text += chunk;
    answer(201, add(JSON.parse(text)));
    return;
  }
  const { searchParams } = new URL(request.url ?? '/', 'http://bare');
  const number = Number(searchParams.get('page') ?? 1);
  const perPage = Number(searchParams.get('per_page') ?? 50);
  const data = page.all(perPage, (number - 1) * perPage);
  answer(200, { data, pagination: { page: number, per_page: perPage, total } });

  function answer(status: number, body: object): void {
    const bytes = Buffer.from(JSON.stringify(body));
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
    response.end(bytes);
  }
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

function add(sent: Readonly<Record<string, string | number>>): object {
  total += 1;
  const made = {
    client_id: `cli_${String(total % 20_000).padStart(26, '0')}`,
    stylist_id: `sty_${String(total % 60).padStart(26, '0')}`,
    service: 'Cut and finish',
    start_time: '2027-01-01T10:00:00Z',
    duration: 45,
    status: 'confirmed',
    ...sent,
    id: `apt_${String(total).padStart(26, '0')}`,
  };
  const values: Readonly<Record<string, string | number>> = made;
  insert.run(...columns.map((column) => values[column] ?? null));
  return made;
}
