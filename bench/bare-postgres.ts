import { hash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

// What a hand-written service over pg and node:http does: the same page, and the same rows, locks and counters for a
// booking under the account's lock: by one statement for all of it, or by a statement for each row, as it is usually
// written. No keys, limits or validation. It uses the tables of a salon.
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
    head as (select seq, hash from audit_entries where account_id = $1 order by seq desc limit 1),
    audited as (insert into audit_entries (account_id, seq, id, at_ms, action, resource, record_id, client_id, actor_type,
        changes, hash)
      select $1, coalesce((select seq from head), 0) + 1, $8, $5, 'appointment.created', 'appointment', $2, $3, 'api_key', $9,
        encode(sha256(convert_to(coalesce((select hash from head), '') || $9, 'UTF8')), 'hex') from known),
    audited_values as (insert into audit_values (account_id, seq, salt, body)
      select $1, coalesce((select seq from head), 0) + 1, $8, $9 from known),
    noted as (insert into events (account_id, seq, id, type, client_id, created_ms, body, stored_bytes)
      select $1, coalesce((select max(seq) from events where account_id = $1), 0) + 1, $8, 'booking.created', $3, $5, $9, 0
      from known)
  insert into appointments (account_id, seq, id, created_ms, updated_ms, record, client_id, stylist_id, status, start_ms, end_ms)
    select $1, last_seq, $2, $5, $5, $9, $3, $4, 'confirmed', $6, $7 from list returning seq`;

const overlapping = `select 1 from appointments where account_id = $1 and stylist_id = $2
  and start_ms > $3::bigint - 86400000 and start_ms < $4 and end_ms > $3 and status not in ('cancelled', 'no_show') limit 1`;
const raising = `update collections set version = version + 1, last_seq = last_seq + 1, total = total + 1
  where account_id = $1 and name = 'appointments' returning last_seq`;
const inserting = `insert into appointments
  (account_id, seq, id, created_ms, updated_ms, record, client_id, stylist_id, status, start_ms, end_ms)
  values ($1, $2, $3, $4, $4, $5, $6, $7, 'confirmed', $8, $9)`;
const insertingEvent = `insert into events (account_id, seq, id, type, client_id, created_ms, body, stored_bytes)
  values ($1, $2, $3, 'booking.created', $4, $5, $6, 0)`;
const insertingEntry = `insert into audit_entries (account_id, seq, id, at_ms, action, resource, record_id, client_id,
    actor_type, changes, hash)
  values ($1, $2, $3, $4, 'appointment.created', 'appointment', $5, $6, 'api_key', $7, $8)`;
const insertingValues = 'insert into audit_values (account_id, seq, salt, body) values ($1, $2, $3, $4)';
const lastOf = (table: string, columns: string) =>
  `select ${columns} from ${table} where account_id = $1 order by seq desc limit 1`;

const server = createServer(async (request, response) => {
  const account = String(request.headers['x-account']);
  if (request.method === 'POST') {
    let text = '';
    for await (const chunk of request) text += chunk;
    const book = request.url === '/' ? bookAtOnce : bookStepByStep;
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

interface Booking {
  readonly id: string;
  readonly eventId: string;
  readonly sent: Readonly<Record<string, string>>;
  readonly startMs: number;
  readonly endMs: number;
  readonly record: object;
}

function toBooking(sent: Readonly<Record<string, string>>): Booking {
  const id = `apt_${randomUUID()}`;
  const startMs = Date.parse(String(sent['start_time']));
  const record = { id, ...sent, status: 'confirmed' };
  return { id, eventId: `evt_${randomUUID()}`, sent, startMs, endMs: startMs + 45 * 60_000, record };
}

const lock = 'select 1 from accounts where id = $1 for no key update';

async function bookAtOnce(account: string, body: Readonly<Record<string, string>>): Promise<object> {
  const client = await pool.connect();
  try {
    const { id, eventId, sent, startMs, endMs, record } = toBooking(body);
    const values = [
      ...[account, id, sent['client_id'], sent['stylist_id'], Date.now(), startMs, endMs],
      ...[eventId, JSON.stringify(record)],
    ];
    // All at once: pg sends them without waiting.
    const [, , { rowCount }] = await Promise.all([
      client.query('begin'),
      client.query({ name: 'lock', text: lock, values: [account] }),
      client.query({ name: 'booking', text: booking, values }),
      client.query('commit'),
    ]);
    if (rowCount !== 1) throw new Error('The booking was refused.');
    return record;
  } finally {
    client.release();
  }
}

async function bookStepByStep(account: string, body: Readonly<Record<string, string>>): Promise<object> {
  const client = await pool.connect();
  const run = (name: string, text: string, ...values: unknown[]) => client.query({ name, text, values });
  try {
    const { id, eventId, sent, startMs, endMs, record } = toBooking(body);
    const [clientId, stylistId, text, nowMs] = [
      sent['client_id'],
      sent['stylist_id'],
      JSON.stringify(record),
      Date.now(),
    ];
    await client.query('begin');
    await run('lock', lock, account);
    const found = [
      await run('client', 'select 1 from clients where account_id = $1 and id = $2', account, clientId),
      await run(
        'stylist',
        'select 1 from stylists where account_id = $1 and id = $2 and active = 1',
        account,
        stylistId,
      ),
    ];
    const taken = await run('taken', overlapping, account, stylistId, startMs, endMs);
    if (found.some(({ rowCount }) => rowCount !== 1) || taken.rowCount !== 0)
      throw new Error('The booking was refused.');
    const { rows: lists } = await run('list', raising, account);
    const seq = lists[0].last_seq;
    const row = [account, seq, id, nowMs, text, clientId, stylistId, startMs, endMs];
    await run('appointment', inserting, ...row);
    await run('webhooks', 'select id, events from webhooks where account_id = $1 and active = 1', account);
    const { rows: events } = await run('event', lastOf('events', 'seq'), account);
    await run(
      'insert event',
      insertingEvent,
      account,
      (events[0]?.seq ?? 0) + 1,
      eventId,
      clientId,
      nowMs,
      text,
    );
    const { rows: entries } = await run('entry', lastOf('audit_entries', 'seq, hash'), account);
    const [entry, chained] = [(entries[0]?.seq ?? 0) + 1, hash('sha256', (entries[0]?.hash ?? '') + text)];
    await run('insert entry', insertingEntry, account, entry, eventId, nowMs, id, clientId, text, chained);
    await run('insert values', insertingValues, account, entry, eventId, text);
    await client.query('commit');
    return record;
  } finally {
    client.release();
  }
}
