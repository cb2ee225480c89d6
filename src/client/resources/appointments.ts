import type { Appointment, NewAppointment, OnConflict } from '../../contract/appointment.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { SalonError } from '../../contract/errors.ts';
import type { ApiContext } from '../api-context.ts';
import { readStatus } from '../appointment-status.ts';
import type { ApiResponse } from '../http/decode.ts';
import { readSupport } from '../http/dry-run-client.ts';
import { assertIdentifier } from '../http/request-path.ts';
import { canBeLookedUp, toUnknownResult } from '../http/retry.ts';
import { type Fields, isFields } from '../json-object.ts';
import { type CreateRecordOptions, createGuardedCall } from './collection.ts';
import { confirmWrite } from './confirm-write.ts';
import { noRecord, toChanged, type Written } from './response-record.ts';
import { createUpdatable, type UpdatableCollection } from './update-record.ts';

const noun = 'appointment';

interface CancelOptions {
  readonly reason?: string | undefined;
  /** Cancels only a record with this entity tag; otherwise throws `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}

interface BatchOptions extends Pick<CreateRecordOptions, 'idempotencyKey'> {
  /** What one that is refused leaves unbooked: all of them by default, with `skip` itself alone. */
  readonly onConflict?: OnConflict | undefined;
}

/** An appointment, or why it was not booked. */
export type BookingResult = { readonly appointment: Appointment } | { readonly problem: SalonError };

export interface AppointmentCollection extends UpdatableCollection<'Appointment'> {
  /** Whether the server says that it has `createMany`. */
  canCreateMany(): Promise<boolean>;
  /**
   * Books up to 60 appointments in one transaction. Resolves with the result of each, in order, also of those that were
   * refused; throws what concerns all of them.
   */
  createMany(
    bookings: readonly (NewAppointment | Fields)[],
    options?: BatchOptions,
  ): Promise<readonly BookingResult[]>;
  cancel(id: string, options?: CancelOptions): Promise<Written<Appointment>>;
}

export function createAppointmentCollection(context: ApiContext): AppointmentCollection {
  const collection = createUpdatable('Appointment', context);
  const call = createGuardedCall(endpoints.getAppointment, context);
  const { api, decodeProblem } = context;
  return {
    ...collection,
    canCreateMany: () => readSupport(api, 'salon-batch'),
    async createMany(bookings, { onConflict = 'refuse', idempotencyKey } = {}) {
      const body = { bookings, on_conflict: onConflict };
      const response = await api
        .endpoint(endpoints.createAppointments, { body, idempotencyKey })
        .catch(toRefusal);
      const entries = isFields(response.body) ? response.body['data'] : undefined;
      const results = (Array.isArray(entries) ? entries : []).flatMap(toResult);
      if (results.length === bookings.length) return results;
      throw toUnknownResult(noRecord(response, 'result for each booking'), 'POST');
    },
    async cancel(id, { reason, ifMatch } = {}) {
      assertIdentifier(id, noun);
      const body = reason === undefined ? undefined : { cancellation_reason: reason };
      const read = () => collection.getTagged(id, { searchesList: false });
      let response: Awaited<ReturnType<typeof call>>;
      try {
        response = await call(endpoints.cancelAppointment, { id, body }, ifMatch);
      } catch (thrown) {
        const now = canBeLookedUp(thrown) ? await read().catch(() => undefined) : undefined;
        if (now === undefined || readStatus(now.record.status) !== 'cancelled') throw thrown;
        return { outcome: 'done', id, ...now };
      }
      const written = toChanged<Appointment>(response, {
        noun,
        id,
        shape: context.dialect.of('appointments'),
      });
      const sent = { status: 'cancelled', ...body };
      return confirmWrite(written, { noun, status: response.status, sent, read });
    },
  };

  /** Of a batch that was refused: each booking with its own problem, or that of all. */
  function toRefusal(thrown: unknown): Pick<ApiResponse, 'body' | 'status' | 'headers'> {
    const { problems } = thrown instanceof SalonError ? thrown.members : {};
    if (!Array.isArray(problems)) throw thrown;
    const ofOthers = { code: 'bookings_refused', status: 409, detail: othersRefused };
    const data = problems.map((problem) => ({ problem: problem ?? ofOthers }));
    return { status: 409, headers: {}, body: { data } };
  }

  function toResult(entry: unknown): BookingResult[] {
    const { appointment, problem } = isFields(entry) ? entry : {};
    if (isFields(appointment)) return [{ appointment: appointment as unknown as Appointment }];
    return isFields(problem) ? [{ problem: decodeProblem(problem) }] : [];
  }
}

/** Why a booking of a refused batch was not made that could have been. */
export const othersRefused = 'Not booked, because another one was refused.';
