import type { Appointment, AppointmentChange } from '../../contract/appointment.ts';
import { endpoints } from '../../contract/endpoints.ts';
import type { ApiContext } from '../api-context.ts';
import { readStatus } from '../appointment-status.ts';
import { assertIdentifier } from '../http/request-path.ts';
import { canBeLookedUp } from '../http/retry.ts';
import { createGuardedCall } from './collection.ts';
import { confirmWrite } from './confirm-write.ts';
import { toChanged, type Written } from './response-record.ts';
import { createUpdatable, type UpdatableCollection } from './update-record.ts';

const noun = 'appointment';

interface CancelOptions {
  readonly reason?: string | undefined;
  /** Cancels only a record with this entity tag; otherwise throws `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}

export interface AppointmentCollection extends UpdatableCollection<'Appointment', AppointmentChange> {
  cancel(id: string, options?: CancelOptions): Promise<Written<Appointment>>;
}

export function createAppointmentCollection(context: ApiContext): AppointmentCollection {
  const collection = createUpdatable<'Appointment', AppointmentChange>('Appointment', context);
  const call = createGuardedCall(endpoints.getAppointment, context);
  return {
    ...collection,
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
}
