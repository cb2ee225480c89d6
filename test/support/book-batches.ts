import { randomBytes, randomInt } from 'node:crypto';
import type { BodyOf } from '../../src/contract/endpoints.ts';
import { type Problem, SalonError } from '../../src/contract/errors.ts';
import { openDatabase } from '../../src/service/db/database.ts';
import { createAppointmentBatch } from '../../src/service/domain/appointment-batch.ts';
import type { Context } from '../../src/service/domain/context.ts';
import { createIdempotency } from '../../src/service/domain/idempotency.ts';

/** A batch that a process is about to send. */
export interface SentBatch {
  readonly key: string;
  readonly body: BodyOf<'createAppointments'>;
  /** On the clock that all processes of a machine share. */
  readonly startNs: string;
}

/** What became of it. */
export interface EndedBatch {
  readonly key: string;
  readonly endNs: string;
  /** For each booking the ID of its appointment, or null if it was refused. */
  readonly ids: readonly (string | null)[];
}

const slots = 400;
const slotMs = 15 * 60_000;
const toProblem = ({ code }: SalonError): Problem => ({ code }) as unknown as Problem;
const keepsKeys = createIdempotency();

/** Sends a batch under its key, again if need be. */
export async function sendBatch(context: Context, { key, body }: SentBatch): Promise<EndedBatch> {
  const act = (inside: Context) => createAppointmentBatch(inside, body, toProblem);
  const ids = await keepsKeys(context, { key, digest: key }, act).then(
    ({ result }) => result.data.map(({ appointment }) => appointment?.id ?? null),
    (thrown: unknown) => {
      if (!(thrown instanceof SalonError) || thrown.code !== 'bookings_refused') throw thrown;
      return body.bookings.map(() => null);
    },
  );
  return { key, endNs: String(process.hrtime.bigint()), ids };
}

function drawBatch(clientId: string, stylists: readonly string[]): SentBatch {
  const bookings = Array.from({ length: 1 + randomInt(5) }, () => ({
    ...{ client_id: clientId, stylist_id: stylists[randomInt(stylists.length)] ?? '', service: 'Cut' },
    start_time: new Date(Date.UTC(2040, 0, 1) + randomInt(slots) * slotMs).toISOString(),
    duration: 15 * (1 + randomInt(4)),
  }));
  const body = { bookings, on_conflict: randomInt(3) === 0 ? ('skip' as const) : ('refuse' as const) };
  return { key: randomBytes(8).toString('hex'), body, startNs: String(process.hrtime.bigint()) };
}

/** A process that books batches at random, four at a time, and reports each before and after; until it is killed. */
async function run([location = '', accountId = '', clientId = '', stylistIds = '']: readonly string[]) {
  const database = await openDatabase(location);
  const refuse = () => {
    throw new Error('Bookings need no secrets.');
  };
  const context: Context = {
    database,
    environment: { now: () => new Date(), random: (size) => randomBytes(size) },
    secrets: { seal: refuse, open: refuse },
    checkAddress: async () => undefined,
    caller: {
      account: { id: accountId, name: 'Test salon', plan: 'pro', hourlyLimit: 5000, settings: {} },
      ...{ role: 'owner', scopes: ['appointments:write'], stylistId: null, credential: { kind: 'operator' } },
    },
    source: { requestId: null, address: null },
  };
  const report = (message: SentBatch | EndedBatch) =>
    new Promise<void>((resolve) => process.send?.(message, undefined, undefined, () => resolve()));
  const work = async () => {
    for (;;) {
      const batch = drawBatch(clientId, stylistIds.split(','));
      await report(batch);
      await report(await sendBatch(context, batch));
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
}

if (process.argv[1] === import.meta.filename) await run(process.argv.slice(2));
