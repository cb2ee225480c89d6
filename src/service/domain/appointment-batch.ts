import type { Appointment } from '../../contract/appointment.ts';
import type { BodyOf, ResponseOf } from '../../contract/endpoints.ts';
import { type Problem, type ProblemCode, problems, SalonError } from '../../contract/errors.ts';
import { checkBooking, storeBooking } from './appointments.ts';
import { authorize } from './authorization.ts';
import type { Context } from './context.ts';
import type { Logs } from './events.ts';
import { findStoredRecord } from './records.ts';

/** What is kept of a booking with an idempotency key: without personal data, there is nothing to erase. */
type StoredBooking = { readonly id: string } | { readonly code: ProblemCode };

/** Why one booking is refused. Other errors concern all of them. */
const refusals: readonly string[] = [
  ...(['validation_failed', 'appointment_conflict', 'time_blocked'] as const),
  ...(['appointment_not_started', 'salon_settings_missing'] as const),
] satisfies readonly ProblemCode[];

/**
 * Books appointments in one transaction, each checked as a single one, after those before it. Replaying it reads the
 * appointments again. Throws `permission_denied`, `storage_quota_exceeded`, and, unless refused bookings are skipped,
 * `bookings_refused` with their problems.
 */
export async function createAppointmentBatch(
  context: Context,
  { bookings, on_conflict = 'refuse' }: BodyOf<'createAppointments'>,
  toProblem: (error: SalonError) => Problem,
): Promise<ResponseOf<'createAppointments'>> {
  const { database, caller } = context;
  const access = authorize(caller, 'createAppointments');
  let made: readonly (Appointment | SalonError)[] = [];
  const stored = await database.transaction({ accountId: caller.account.id }, async (tx) => {
    const results: (Appointment | SalonError)[] = [];
    const earlier = new Map<string, number>();
    let after: Logs | undefined;
    for (const [at, body] of bookings.entries()) {
      const result = await checkBooking(tx, context, { body, access, earlier }).catch(takeRefusal);
      results.push(result);
      if (result instanceof SalonError) continue;
      after = await storeBooking(tx, context, { appointment: result, after });
      earlier.set(result.id, at + 1);
    }
    if (on_conflict === 'refuse') assertNoneRefused(results, toProblem);
    made = results;
    return results.map(
      (one): StoredBooking =>
        one instanceof SalonError ? { code: one.code as ProblemCode } : { id: one.id },
    );
  });
  const results = await Array.fromAsync(stored, async (one, at) => made[at] ?? (await readAgain(one)));
  return {
    data: results.map((one) =>
      one instanceof SalonError
        ? { appointment: null, problem: toProblem(one) }
        : { appointment: one, problem: null },
    ),
  };

  async function readAgain(one: StoredBooking): Promise<Appointment | SalonError> {
    if ('code' in one) return new SalonError(one.code, `${problems[one.code].title}.`);
    const wanted = { collection: 'appointments', id: one.id, access } as const;
    try {
      return (await findStoredRecord(database.reader, caller, wanted)).record;
    } catch (thrown) {
      if (thrown instanceof SalonError && thrown.code === 'not_found') return thrown;
      throw thrown;
    }
  }
}

function takeRefusal(thrown: unknown): SalonError {
  if (thrown instanceof SalonError && refusals.includes(thrown.code)) return thrown;
  throw thrown;
}

function assertNoneRefused(
  results: readonly (Appointment | SalonError)[],
  toProblem: (error: SalonError) => Problem,
): void {
  const refused = results.filter((one) => one instanceof SalonError).length;
  if (refused === 0) return;
  const detail = `${refused} of ${results.length} bookings ${refused === 1 ? 'is' : 'are'} refused, so none was made.`;
  throw new SalonError('bookings_refused', detail, {
    members: { problems: results.map((one) => (one instanceof SalonError ? toProblem(one) : null)) },
  });
}
