import { readStatus } from '../../client/appointment-status.ts';
import type { SalonClient } from '../../client/client.ts';
import type { Fields } from '../../client/json-object.ts';
import { keyOf } from '../../client/pagination/page.ts';
import { openTempDatabase } from '../../client/temp-database.ts';
import { kindOfId, toIdText } from '../../contract/identifiers.ts';
import { parseJson } from '../../text/json.ts';
import { parseInstant } from '../../time/time.ts';
import type { KnownRecord } from './existing-people.ts';
import type { PlannedRow } from './plan-format.ts';

const schema = `
  CREATE TABLE wanted (key TEXT, row INTEGER, line INTEGER);
  CREATE TABLE found (key TEXT, id TEXT, record TEXT, PRIMARY KEY (key, id));`;

/** Finds the appointments of a sheet that the server has: those with the ID, or with the same client, stylist and start. */
export function openExistingAppointments(client: SalonClient) {
  const database = openTempDatabase(schema);
  const want = database.prepare('INSERT INTO wanted VALUES (?, ?, ?)');
  const keep = database.prepare('INSERT OR IGNORE INTO found VALUES (?, ?, ?)');
  const findRecords = database.prepare('SELECT id, record FROM found WHERE key = ? ORDER BY id LIMIT 50');
  const findEarlier = database.prepare(
    'SELECT line FROM wanted WHERE key = ? AND row < ? ORDER BY row LIMIT 1',
  );

  return {
    /** Searches for new appointments, once `resolve` has put IDs in place of names. */
    async search(rows: AsyncIterable<PlannedRow>, resolve: (row: PlannedRow) => PlannedRow): Promise<void> {
      let [from, to] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      let hasIds = false;
      for await (const row of rows) {
        const planned = resolve(row);
        const { id, startMs } = readTraits(planned);
        for (const key of keysOf(planned)) want.run(key, row.row, row.line);
        hasIds ||= id !== '';
        if (startMs !== undefined) [from, to] = [Math.min(from, startMs), Math.max(to, startMs)];
      }
      database.exec('CREATE INDEX wanted_by_key ON wanted (key, row)');
      const isWanted = database.prepare('SELECT 1 FROM wanted WHERE key = ? LIMIT 1');
      if (to < from) return;
      const toText = (ms: number) => new Date(ms).toISOString();
      // One that was moved since keeps its ID.
      const range = hasIds ? {} : { start_time_from: toText(from), start_time_to: toText(to + 1000) };
      for await (const page of client.appointments.list(range))
        for (const record of page.rows as readonly Fields[])
          for (const key of keysOf({ change: record, cells: record }))
            if (isWanted.get(key) !== undefined) keep.run(key, keyOf(record), JSON.stringify(record));
    },
    find(planned: PlannedRow): KnownRecord | undefined {
      for (const key of keysOf(planned)) {
        const same = key.startsWith('id:') ? 'ID' : 'client, stylist and start';
        const records = findRecords.all(key).map(({ record }) => parseJson(String(record)) as Fields);
        const record = records.find((one) => !isCancelled(one)) ?? records[0];
        if (record !== undefined) {
          const id = keyOf(record);
          const isOver = same !== 'ID' && isCancelled(record) && !isCancelled(planned.change);
          return {
            existing: { same, id, who: id, line: null, differs: isOver ? 'cancelled' : null },
            record,
          };
        }
        const line = findEarlier.get(key, planned.row)?.['line'];
        if (line !== undefined)
          return { existing: { same, id: null, who: null, line: Number(line), differs: null } };
      }
      return undefined;
    },
    [Symbol.dispose]: () => database.close(),
  };
}

type Booking = Pick<PlannedRow, 'change' | 'cells'>;

function readTraits({ change = {}, cells = {} }: Booking) {
  const id = toIdText(cells['id'])?.trim() ?? '';
  const start = change['start_time'];
  const [client, stylist] = [toIdText(change['client_id']), toIdText(change['stylist_id'])];
  const startMs = typeof start === 'string' ? parseInstant(start)?.ms : undefined;
  return { id: kindOfId(id) === 'appointment' ? id : '', client, stylist, startMs };
}

function isCancelled(record: Fields = {}): boolean {
  return readStatus(record['status']) === 'cancelled';
}

function keysOf(booking: Booking): readonly string[] {
  const { id, client, stylist, startMs } = readTraits(booking);
  return [
    ...(id === '' ? [] : [`id:${id}`]),
    ...(startMs === undefined ? [] : [`at:${client} ${stylist} ${startMs}`]),
  ];
}
