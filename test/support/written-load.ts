import type { Reader } from '../../src/service/db/engine.ts';
import type { KnownClient, MixedLoad } from './mixed-load.ts';

interface LoggedEvent {
  readonly seq: number;
  readonly type: string;
  readonly body: string | null;
  readonly deliveries: number;
}

/** What a database says against what was acknowledged, or against its own events. */
export async function findContradictions(reader: Reader, load: MixedLoad): Promise<string[]> {
  const found: string[] = [];
  const clients = await reader.run<{ id: string; record: string }>('select id, record from clients', []);
  const names = new Map(clients.map(({ id, record }) => [id, String(JSON.parse(record).last_name)]));
  const events = await readEvents(reader);
  for (const [id, known] of load.clients) {
    found.push(...compareRecord(id, known, names.get(id)));
    if (known.deletion === 'none') found.push(...compareEvents(id, known, events.get(id) ?? []));
  }
  const appointments = await reader.run<{ id: string }>('select id from appointments', []);
  const present = new Set(appointments.map(({ id }) => id));
  const created = countCreated([...events.values()].flat());
  for (const id of load.booked) {
    if (!present.has(id)) found.push(`booking ${id} is lost`);
    if (created.get(id) !== 1) found.push(`booking ${id} has ${created.get(id) ?? 0} events`);
  }
  for (const [id, own] of events) {
    if (own.some(({ deliveries }) => deliveries !== 1))
      found.push(`an event of ${id} has no delivery of its own`);
  }
  return [...found, ...(await findOverlaps(reader)), ...(await compareLog(reader))];
}

function compareRecord(id: string, known: KnownClient, name: string | undefined): string[] {
  if (known.deletion === 'acknowledged') return name === undefined ? [] : [`client ${id} came back`];
  if (name === undefined) return known.deletion === 'uncertain' ? [] : [`client ${id} is lost`];
  const possible = [known.acknowledged.at(-1), ...known.uncertain];
  return possible.includes(name) ? [] : [`client ${id} is ${name} instead of ${possible.join(' or ')}`];
}

/** Each acknowledged change has one event, and each other one at most one. */
function compareEvents(id: string, known: KnownClient, events: readonly LoggedEvent[]): string[] {
  const counts = new Map<string, number>();
  for (const { type, body } of events) {
    const name = type.startsWith('client.')
      ? String(JSON.parse(body ?? '{}').data?.object.last_name)
      : undefined;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const wrong = [
    ...known.acknowledged.filter((name) => counts.get(name) !== 1),
    ...known.uncertain.filter((name) => (counts.get(name) ?? 0) > 1),
  ];
  return wrong.map((name) => `client ${id}: ${counts.get(name) ?? 0} events for ${name}`);
}

function countCreated(events: readonly LoggedEvent[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { type, body } of events) {
    if (type !== 'booking.created') continue;
    const id = String(JSON.parse(body ?? '{}').data?.object.id);
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

async function readEvents(reader: Reader): Promise<Map<string, LoggedEvent[]>> {
  const rows = await reader.run<LoggedEvent & { client_id: string | null }>(
    `select e.seq, e.type, e.body, e.client_id, (select count(*) from deliveries as d
      where d.account_id = e.account_id and d.event_seq = e.seq) as deliveries
      from events as e where e.client_id is not null and e.body is not null order by e.seq`,
    [],
  );
  return Map.groupBy(rows, ({ client_id }) => String(client_id));
}

async function findOverlaps(reader: Reader): Promise<string[]> {
  const rows = await reader.run<{ one: string; other: string }>(
    `select one.id as one, other.id as other from appointments as one join appointments as other
      on other.account_id = one.account_id and other.stylist_id = one.stylist_id and other.id > one.id
      and other.start_ms < one.end_ms and one.start_ms < other.end_ms
      where one.status not in ('cancelled', 'no_show') and other.status not in ('cancelled', 'no_show')`,
    [],
  );
  return rows.map(({ one, other }) => `${one} overlaps ${other}`);
}

/** Every record that was ever created or deleted has its event, and the log has no gap. */
async function compareLog(reader: Reader): Promise<string[]> {
  const count = (type: string) => `(select count(*) from events where type = '${type}')`;
  const [row] = await reader.run<Record<'events' | 'last' | 'added' | 'removed' | 'booked', number>>(
    `select (select count(*) from events) as events, (select max(seq) from events) as last,
      ${count('client.created')} - (select last_seq from collections where name = 'clients') as added,
      ${count('client.deleted')}
        - (select last_seq - total from collections where name = 'clients') as removed,
      ${count('booking.created')} - (select last_seq from collections where name = 'appointments') as booked`,
    [],
  );
  const isRight = row && row.events === row.last && !row.added && !row.removed && !row.booked;
  return isRight ? [] : [`the log differs from the records: ${JSON.stringify(row)}`];
}
