import { type AppointmentStatus, visitStatuses } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { toIdText } from '../../contract/identifiers.ts';
import { renderCount } from '../../text/numbers.ts';
import { quote } from '../../text/quote.ts';
import { createZoneClock, hourMs } from '../../time/time.ts';
import { readStatus } from '../appointment-status.ts';
import type { SalonClient } from '../client.ts';
import { readWhole } from '../pagination/paginate.ts';
import { readAppointment, type UnreadableAppointment } from '../read-appointment.ts';
import { openTempDatabase } from '../temp-database.ts';

/** A visit, a missed one, a past appointment that is still pending or confirmed, or one that is to come. */
type VisitKind = 'visit' | 'no_show' | 'unmarked' | 'upcoming';

/** When clients came, and come. */
export type ClientVisits = Awaited<ReturnType<typeof readClientVisits>>;

export interface VisitsTime {
  /** Instants: the first start that counts, and the first that does not. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** The first instant that is not in the past. */
  readonly asOf: string;
}

interface VisitsOptions extends VisitsTime {
  /** Whether to read the list until two passes agree, where nothing else proves that it is whole. */
  readonly consistent: boolean;
  readonly onProgress?: ((read: number, total: number | undefined) => void) | undefined;
}

/** Days matter here, not hours, so times without a zone are taken as UTC; they may be as much later. */
const utc = createZoneClock('UTC');
export const maxLagMs = 12 * hourMs;

const schema = `CREATE TABLE seen (client TEXT, kind TEXT, count INTEGER, first INTEGER, last INTEGER,
  PRIMARY KEY (client, kind)) WITHOUT ROWID`;

/**
 * Reads the appointments of a time once, in bounded memory. A visit is one that started then and is arrived, in service
 * or completed. Throws `not_supported` if the server's appointments do not show who came, when, or whether, and
 * `permission_denied` for a key that sees only some of them.
 */
export async function readClientVisits(client: SalonClient, options: VisitsOptions) {
  const { from, to, asOf, consistent, onProgress } = options;
  await assertSeesAll(client);
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to);
  const asOfMs = Date.parse(asOf);
  const database = openTempDatabase(schema);
  const add = database.prepare(
    `INSERT INTO seen VALUES (?1, ?2, 1, ?3, ?3) ON CONFLICT (client, kind) DO UPDATE
      SET count = count + 1, first = min(first, excluded.first), last = max(last, excluded.last)`,
  );
  const query = {
    ...(from === undefined ? {} : { start_time_from: from }),
    ...(to === undefined ? {} : { start_time_to: to }),
  };
  const list = client.appointments.list(query, { consistent });
  let read = 0;
  const unclear = new Map<string, number>();
  try {
    for await (const { rows, total } of readWhole(list, 'appointments')) {
      for (const row of rows) {
        const reading = readAppointment(row, utc, ({ startMs }) =>
          startMs < fromMs || startMs >= toMs ? [] : ['client', 'status'],
        );
        if ('missing' in reading) {
          const problem = describeProblem(reading);
          unclear.set(problem, (unclear.get(problem) ?? 0) + 1);
          continue;
        }
        const { clientId, startMs } = reading.appointment;
        const status = readStatus(reading.appointment.status);
        if (startMs < fromMs || startMs >= toMs || clientId === '') continue;
        const lagMs = reading.notices.includes('zone assumed') ? maxLagMs : 0;
        const kind = toKind(status, startMs + lagMs >= asOfMs);
        if (kind !== undefined) add.run(clientId, kind, startMs);
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
  const find = database.prepare('SELECT count, first, last FROM seen WHERE client = ? AND kind = ?');
  return {
    /** How many of a kind a client has, and the first and last start in ms since 1970; undefined if there is none. */
    find: (clientId: unknown, kind: VisitKind) =>
      find.get(toIdText(clientId) ?? '', kind) as Record<'count' | 'first' | 'last', number> | undefined,
    /** Whether it is certain that these are all visits. */
    isProven: list.consistency()?.kind !== 'not proven',
    [Symbol.dispose]: () => database.close(),
  };
}

function toKind(status: AppointmentStatus | undefined, isAhead: boolean): VisitKind | undefined {
  if (status === undefined || status === 'cancelled') return undefined;
  if (status === 'no_show') return 'no_show';
  if (visitStatuses.some((came) => came === status))
    return isAhead && status !== 'completed' ? 'upcoming' : 'visit';
  return isAhead ? 'upcoming' : 'unmarked';
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
    hint: 'Use a key of an owner, manager, receptionist or viewer, or leave out the conditions on visits.',
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
    hint: 'Leave out the conditions on visits.',
  });
}
