import {
  type Appointment,
  type AppointmentChange,
  type NewAppointment,
  readStatus,
} from '../../contract/appointment.ts';
import { endpoints } from '../../contract/endpoints.ts';
import type { ApiContext } from '../api-context.ts';
import { assertIdentifier } from '../http/request-path.ts';
import { canBeLookedUp } from '../http/retry.ts';
import { type Collection, createCollection, createGuardedCall, type ResourceQuery } from './collection.ts';
import { confirmWrite } from './confirm-write.ts';
import { toChanged, type Written } from './response-record.ts';
import { createUpdate, type UpdatableResource, type Update } from './update-record.ts';

const resource: UpdatableResource = {
  noun: 'appointment',
  plural: 'appointments',
  list: endpoints.listAppointments,
  get: endpoints.getAppointment,
  create: endpoints.createAppointment,
  update: endpoints.updateAppointment,
};

interface CancelOptions {
  readonly reason?: string | undefined;
  /** Cancels only a record with this entity tag; otherwise throws `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}

type AppointmentQuery = ResourceQuery<'listAppointments'>;

export interface AppointmentCollection extends Collection<Appointment, AppointmentQuery, NewAppointment> {
  readonly update: Update<Appointment, AppointmentChange>;
  cancel(id: string, options?: CancelOptions): Promise<Written<Appointment>>;
}

export function createAppointmentCollection(context: ApiContext): AppointmentCollection {
  const collection = createCollection<Appointment, AppointmentQuery, NewAppointment>(resource, context);
  const call = createGuardedCall(resource.get, context);
  return {
    ...collection,
    update: createUpdate(resource, context, collection),
    async cancel(id, { reason, ifMatch } = {}) {
      assertIdentifier(id, resource.noun);
      const body = reason === undefined ? undefined : { cancellation_reason: reason };
      const { noun } = resource;
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
        shape: context.dialect.of(resource.plural),
      });
      const sent = { status: 'cancelled', ...body };
      return confirmWrite(written, { noun, status: response.status, sent, read });
    },
  };
}
