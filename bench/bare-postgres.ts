import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

// What a hand-written service over pg and node:http does: the same page, and the same rows, locks and counters for a
// booking, in two statements under the account's lock. No keys, limits or validation. It uses the tables of a salon.
const [, , connectionString = ''] = process.argv;
pg.types.setTypeParser(20, Number);
const pool = new pg.Pool({ connectionString, max: 16, pipeline: true });

const page = `select record from appointments where account_id = $1 and seq > $2 order by seq limit $3`;

/** The overlap, the references, and every row that a booking adds or changes. */
const booking = `
  with taken as (select 1 from appointments where account_id = $1 and stylist_id = $4 and start_ms > $6::bigint - 86400000
      and start_ms < $7 and end_ms > $6 and status not in ('cancelled', 'no_show') limit 1),
    known as (select 1 where exists (select 1 from clients where account_id = $1 and id = $3)
      and exists (select 1 from stylists where account_id = $1 and id = $4 and active = 1)
      and not exists (select 1 from taken)),
    list as (update collections set version = version + 1, last_seq = last_seq + 1, total = total + 1
      where account_id = $1 and name = 'appointments' and exists (select 1 from known) returning last_seq),
    counted as (insert into blocks (account_id, collection, level, block, live)
      select $1, 'appointments', level, (last_seq - 1) / 32 ^ level, 1 from list, (values (1), (2), (3), (4)) as levels (level)
      on conflict (account_id, collection, level, block) do update set live = blocks.live + 1),
    head as (select seq, hash from audit_entries where account_id = $1 order by seq desc limit 1),
    audited as (insert into audit_entries (account_id, seq, id, at_ms, action, resource, record_id, client_id, actor_type,
        changes, hash)
      select $1, coalesce((select seq from head), 0) + 1, $8, $5, 'appointment.created', 'appointment', $2, $3, 'api_key', $9,
        encode(sha256(convert_to(coalesce((select hash from head), '') || $9, 'UTF8')), 'hex') from known),
    noted as (insert into events (account_id, seq, id, type, client_id, created_ms, body, stored_bytes)
      select $1, coalesce((select max(seq) from events where account_id = $1), 0) + 1, $8, 'booking.created', $3, $5, $9, 0
      from known)
  insert into appointments (account_id, seq, id, created_ms, updated_ms, record, client_id, stylist_id, status, start_ms, end_ms)
    select $1, last_seq, $2, $5, $5, $9, $3, $4, 'confirmed', $6, $7 from list returning seq`;

const server = createServer(async (request, response) => {
  const account = String(request.headers['x-account']);
  if (request.method === 'POST') {
    let text = '';
    for await (const chunk of request) text += chunk;
    answer(201, JSON.stringify(await book(account, JSON.parse(text))));
    return;
  }
  const { searchParams } = new URL(request.url ?? '/', 'http://bare');
  const perPage = Number(searchParams.get('per_page'));
  const start = (Number(searchParams.get('page')) - 1) * perPage;
  const { rows } = await pool.query({ name: 'page', text: page, values: [account, start, perPage] });
  answer(200, `{"data":[${rows.map(({ record }) => record).join(',')}],"pagination":{"page":1}}`);

  function answer(status: number, body: string): void {
    const bytes = Buffer.from(body);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': bytes.length });
    response.end(bytes);
  }
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

async function book(account: string, sent: Readonly<Record<string, string>>): Promise<object> {
  const client = await pool.connect();
  try {
    const id = `apt_${randomUUID()}`;
    const made = { id, ...sent, status: 'confirmed' };
    const startMs = Date.parse(String(sent['start_time']));
    const values = [
      ...[account, id, sent['client_id'], sent['stylist_id'], Date.now(), startMs, startMs + 45 * 60_000],
      ...[`evt_${randomUUID()}`, JSON.stringify(made)],
    ];
    // All at once: pg sends them without waiting.
    const lock = 'select 1 from accounts where id = $1 for no key update';
    const [, , { rowCount }] = await Promise.all([
      client.query('begin'),
      client.query({ name: 'lock', text: lock, values: [account] }),
      client.query({ name: 'booking', text: booking, values }),
      client.query('commit'),
    ]);
    if (rowCount !== 1) throw new Error('The booking was refused.');
    return made;
  } finally {
    client.release();
  }
}
