import { readStatus, visitStatuses } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { toIdText } from '../../contract/identifiers.ts';
import { renderCount } from '../../contract/numbers.ts';
import { createZoneClock } from '../../contract/time.ts';
import type { SalonClient } from '../client.ts';
import { quote } from '../http/quote.ts';
import { readWhole } from '../pagination/paginate.ts';
import { readAppointment, type UnreadableAppointment } from '../read-appointment.ts';
import { openTempDatabase } from '../temp-database.ts';

/** When clients came last. */
export interface ClientVisits extends Disposable {
  /** The start of a client's latest visit, in ms since 1970; undefined if there was none. */
  latest(clientId: unknown): number | undefined;
  /** Whether a client has a past appointment that is still pending or confirmed. */
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

/** Days matter here, not hours, so times without a zone are taken as UTC. */
const utc = createZoneClock('UTC');

const schema = `CREATE TABLE visits (client TEXT PRIMARY KEY, at INTEGER) WITHOUT ROWID;
  CREATE TABLE unmarked (client TEXT PRIMARY KEY) WITHOUT ROWID;`;

/**
 * Reads the appointments of a time once, in bounded memory. A visit is one that started then and is arrived, in service
 * or completed. Throws `not_supported` if the server's appointments do not show who came, when, or whether, and
 * `permission_denied` for a key that sees only some of them.
 */
export async function readClientVisits(client: SalonClient, options: VisitsOptions): Promise<ClientVisits> {
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
        const reading = readAppointment(row, utc, ['client', 'status']);
        if ('missing' in reading) {
          const problem = describeProblem(reading);
          unclear.set(problem, (unclear.get(problem) ?? 0) + 1);
          continue;
        }
        const { clientId, startMs } = reading.appointment;
        const status = readStatus(reading.appointment.status);
        if (startMs < fromMs || startMs >= toMs || clientId === '') continue;
        if (visitStatuses.some((came) => came === status)) addVisit.run(clientId, startMs);
        else if (status === 'pending' || status === 'confirmed') addUnmarked.run(clientId);
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
    // Other servers do not report roles.
    if (!(thrown instanceof SalonError) || thrown.code === 'interrupted') throw thrown;
  });
  if (me?.role !== 'stylist') return;
  const message = "A stylist's key shows only that stylist's appointments, so it cannot tell who came.";
  throw new SalonError('permission_denied', message, {
    hint: 'Use a key of an owner, manager, receptionist or viewer, or leave out --seen-since and --not-seen-since.',
  });
}

function describeProblem({ missing, status }: UnreadableAppointment): string {
  if (missing === 'client') return 'do not show the client';
  if (missing !== 'status') return 'do not show when they start';
  if (status === undefined) return 'have no status';
  const word = quote(JSON.stringify(status), 40);
  return `have the status ${word}, which does not show whether the client came`;
}

function toUnclear(problem: string, count: number, read: number): SalonError {
  const which = `${count < read ? `${renderCount(count)} of ${renderCount(read)} ` : ''}appointments`;
  return new SalonError('not_supported', `Cannot tell who came: ${which} on this server ${problem}.`, {
    hint: 'Leave out --seen-since and --not-seen-since.',
  });
}
