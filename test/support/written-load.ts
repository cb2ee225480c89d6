import type { Reader } from '../../src/service/db/engine.ts';
import type { KnownClient, MixedLoad } from './mixed-load.ts';

interface LoggedEvent {
  readonly seq: number;
  readonly type: string;
  readonly body: string | null;
  readonly deliveries: number;
}

/** What a database says against what was acknowledged, against its own events, or against its counters. */
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
  for (const id of load.booked) if (!present.has(id)) found.push(`booking ${id} is lost`);
  for (const [id, own] of events) {
    if (own.some(({ deliveries }) => deliveries !== 1))
      found.push(`an event of ${id} has no delivery of its own`);
  }
  return [...found, ...(await findOverlaps(reader)), ...(await compareCounters(reader))];
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

async function compareCounters(reader: Reader): Promise<string[]> {
  const found: string[] = [];
  for (const collection of ['clients', 'appointments', 'stylists', 'webhooks']) {
    const [row] = await reader.run<Record<'total' | 'counted' | 'last' | 'greatest' | 'blocks', number>>(
      `select c.total as total, c.last_seq as last,
        (select count(*) from ${collection} as r where r.account_id = c.account_id) as counted,
        (select coalesce(max(seq), 0) from ${collection} as r where r.account_id = c.account_id) as greatest,
        (select coalesce(sum(live), 0) from blocks as b where b.account_id = c.account_id
          and b.collection = c.name and b.level = 1) as blocks
        from collections as c where c.name = ?`,
      [collection],
    );
    const isRight = row && row.total === row.counted && row.total === row.blocks && row.greatest <= row.last;
    if (!isRight) found.push(`the counters of ${collection} are ${JSON.stringify(row)}`);
  }
  return found;
}
