import { readWhole } from '../../client/pagination/paginate.ts';
import type { ReadAppointment } from '../../client/read-appointment.ts';
import { freesSlot } from '../../contract/appointment.ts';
import { openAppointmentReader } from '../people/resolve-appointment.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { BusyTime } from './free-slots.ts';

/** An appointment that was not cancelled or missed. */
export interface Visit extends BusyTime, Pick<ReadAppointment, 'id' | 'service'> {
  readonly minutes: number;
}

export interface VisitQuery {
  /** Appointments that start at or after `fromMs` and before `toMs`. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Whose; everybody's if undefined. */
  readonly stylistId?: string | undefined;
  /** Whether it is enough that some can be read, to learn from. */
  readonly isSample?: boolean;
}

/**
 * Reads the appointments that keep stylists busy, of any status but cancelled and no-show. Throws `unexpected_response`
 * if one of them does not show its start, its length and its stylist: that time would seem to be free.
 */
export async function readVisits(context: CommandContext, query: VisitQuery): Promise<readonly Visit[]> {
  const { fromMs, toMs, stylistId, isSample = false } = query;
  const filter = {
    start_time_from: new Date(fromMs).toISOString(),
    start_time_to: new Date(toMs).toISOString(),
    ...(stylistId === undefined ? {} : { stylist_id: stylistId }),
  };
  const reader = await openAppointmentReader(context);
  const visits: Visit[] = [];
  const list = (await context.client()).appointments.list(filter);
  for await (const { rows } of readWhole(list, 'appointments')) {
    for (const row of rows) {
      if (freesSlot(row.status)) continue;
      const read = reader.read(row, ['duration', 'stylist']);
      if (read === undefined || read.startMs < fromMs || read.startMs >= toMs) continue;
      const { startMs, minutes = 0 } = read;
      visits.push({ ...read, minutes, endMs: startMs + minutes * 60_000 });
    }
  }
  reader.assertAny();
  const fault = reader.fault();
  if (fault !== undefined && !isSample) throw fault;
  if (fault !== undefined) context.messages.warn(fault.message);
  return visits;
}
