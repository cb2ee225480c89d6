import { type AppointmentStatus, readStatus } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { toIdText } from '../../contract/identifiers.ts';
import { renderCount } from '../../contract/numbers.ts';
import { createZoneClock } from '../../contract/time.ts';
import type { SalonClient } from '../client.ts';
import { type Fields, findMember, isFields } from '../fields.ts';
import { quote } from '../http/quote.ts';
import { readWhole } from '../pagination/paginate.ts';
import { readInstant } from '../read-appointment.ts';
import { openTempDatabase } from '../temp-database.ts';

/** When clients came last. */
export interface Visits extends Disposable {
  /** The start of a client's latest visit, in ms since 1970; undefined if there was none. */
  latest(clientId: unknown): number | undefined;
  /** Whether a client has a past appointment that nobody marked as completed, cancelled or no-show. */
  hasUnmarked(clientId: unknown): boolean;
  /** Whether it is certain that these are all visits. */
  readonly isProven: boolean;
}

export interface VisitsOptions {
  /** Instants: the first visit that counts, and the first that is not in the past. */
  readonly from: string;
  readonly to: string;
  /** Whether to read the list until two passes agree, where nothing else proves that it is whole. */
  readonly consistent: boolean;
  readonly onProgress?: ((read: number, total: number | undefined) => void) | undefined;
}

/** Whether an appointment of each status took place: a visit, none, or not marked yet. */
const meanings: Readonly<Record<AppointmentStatus, 'visit' | 'none' | 'unmarked'>> = {
  arrived: 'visit',
  in_service: 'visit',
  completed: 'visit',
  pending: 'unmarked',
  confirmed: 'unmarked',
  cancelled: 'none',
  no_show: 'none',
};

const schema = `CREATE TABLE visits (client TEXT PRIMARY KEY, at INTEGER) WITHOUT ROWID;
  CREATE TABLE unmarked (client TEXT PRIMARY KEY) WITHOUT ROWID;`;

/**
 * Reads the appointments of a time once, in bounded memory. A visit is one that started then and is arrived, in service
 * or completed. Throws `not_supported` if the server's appointments do not show who came, when, or whether, and
 * `permission_denied` for a key that sees only some of them.
 */
export async function readClientVisits(client: SalonClient, options: VisitsOptions): Promise<Visits> {
  const { from, to, consistent, onProgress } = options;
  await assertSeesAll(client);
  const [fromMs, toMs] = [Date.parse(from), Date.parse(to)];
  const database = openTempDatabase(schema);
  const addVisit = database.prepare(
    'INSERT INTO visits VALUES (?, ?) ON CONFLICT (client) DO UPDATE SET at = max(at, excluded.at)',
  );
  const addUnmarked = database.prepare('INSERT OR IGNORE INTO unmarked VALUES (?)');
  const list = client.appointments.list({ start_time_from: from, start_time_to: to }, { consistent });
  let read = 0;
  const unclear = new Map<string, number>();
  try {
    for await (const { rows, total } of readWhole(list, 'appointments')) {
      for (const row of rows) {
        const { problem, clientId, startMs, meaning } = parseAppointment(row);
        if (problem !== undefined) unclear.set(problem, (unclear.get(problem) ?? 0) + 1);
        else if (startMs < fromMs || startMs >= toMs || clientId === null) continue;
        else if (meaning === 'visit') addVisit.run(clientId, startMs);
        else if (meaning === 'unmarked') addUnmarked.run(clientId);
      }
      read += rows.length;
      onProgress?.(read, total);
    }
    const [first] = unclear;
    if (first !== undefined) throw toUnclear(...first, read);
  } catch (thrown) {
    database.close();
    throw thrown;
  }
  const findVisit = database.prepare('SELECT at FROM visits WHERE client = ?');
  const findUnmarked = database.prepare('SELECT 1 FROM unmarked WHERE client = ?');
  return {
    latest: (id) => findVisit.get(toIdText(id) ?? '')?.['at'] as number | undefined,
    hasUnmarked: (id) => findUnmarked.get(toIdText(id) ?? '') !== undefined,
    isProven: list.consistency()?.kind !== 'not proven',
    [Symbol.dispose]: () => database.close(),
  };
}

/** A stylist's key lists that stylist's appointments only: everybody else's clients would seem to have stayed away. */
async function assertSeesAll(client: SalonClient): Promise<void> {
  const me = await client.me().catch((thrown: unknown) => {
    // Other servers tell nothing about roles.
    if (!(thrown instanceof SalonError) || thrown.code === 'interrupted') throw thrown;
  });
  if (me?.role !== 'stylist') return;
  const message = "A stylist's key shows only that stylist's appointments, so it cannot tell who came.";
  throw new SalonError('permission_denied', message, {
    hint: 'Use a key of an owner, manager, receptionist or viewer, or leave out --seen-since and --not-seen-since.',
  });
}

/** Days matter here, not hours, so times without a zone are taken as UTC. */
const utc = createZoneClock('UTC');

function parseAppointment(row: unknown) {
  const record: Fields = isFields(row) ? row : {};
  const client = findMember(record, 'client_id');
  const start = findMember(record, 'start_time');
  const status = findMember(record, 'status');
  const startMs = readInstant(start, utc)?.ms ?? Number.NaN;
  const known = readStatus(status);
  const word = quote(JSON.stringify(status) ?? '', 40);
  const problems = {
    'do not show the client': client === undefined,
    'do not show when they start': Number.isNaN(startMs),
    'have no status': status === undefined,
    [`have the status ${word}, which does not show whether the client came`]: known === undefined,
  };
  const [problem] = Object.entries(problems).find(([, isOne]) => isOne) ?? [];
  const id = isFields(client) ? findMember(client, 'id') : client;
  return { problem, clientId: toIdText(id) ?? null, startMs, meaning: known && meanings[known] };
}

function toUnclear(problem: string, count: number, read: number): SalonError {
  const which = `${count < read ? `${renderCount(count)} of ${renderCount(read)} ` : ''}appointments`;
  return new SalonError('not_supported', `Cannot tell who came: ${which} on this server ${problem}.`, {
    hint: 'Leave out --seen-since and --not-seen-since.',
  });
}
