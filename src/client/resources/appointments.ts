import type { Appointment, AppointmentChange, NewAppointment } from '../../contract/appointment.ts';
import { endpoints } from '../../contract/endpoints.ts';
import { assertIdentifier } from '../http/api-requester.ts';
import type { ListParts } from '../pagination/page-fetcher.ts';
import { type Collection, createCollection, type ListQuery } from './collection.ts';
import { toWritten, type Written } from './record.ts';
import { appointmentResource } from './resource.ts';
import { createUpdate, toMatchHeaders, type Update } from './update.ts';

export interface CancelOptions {
  readonly reason?: string | undefined;
  /** The tag that the record must have; with another one it is not cancelled: `precondition_failed`. */
  readonly ifMatch?: string | undefined;
}

type AppointmentQuery = ListQuery<'listAppointments'>;

export interface AppointmentCollection extends Collection<Appointment, AppointmentQuery, NewAppointment> {
  readonly update: Update<Appointment, AppointmentChange>;
  cancel(id: string, options?: CancelOptions): Promise<Written<Appointment>>;
}

export function createAppointmentCollection(parts: ListParts): AppointmentCollection {
  const collection = createCollection<Appointment, AppointmentQuery, NewAppointment>(
    appointmentResource,
    parts,
  );
  return {
    ...collection,
    update: createUpdate(appointmentResource, parts, collection),
    async cancel(id, { reason, ifMatch } = {}) {
      assertIdentifier(id, appointmentResource.noun);
      const answer = await parts.call.endpoint(endpoints.cancelAppointment, {
        id,
        body: reason === undefined ? undefined : { cancellation_reason: reason },
        headers: toMatchHeaders(ifMatch),
      });
      const outcome = answer.status === 202 ? 'accepted' : 'done';
      return { ...toWritten<Appointment>(answer, appointmentResource.noun), id, outcome };
    },
  };
}
