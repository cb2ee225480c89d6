import type { SalonClient } from '../../client/client.ts';
import { readWhole } from '../../client/pagination/whole-list.ts';
import { type Appointment, freesSlot } from '../../contract/appointment.ts';
import { countOf } from '../../contract/numbers.ts';
import { toText } from '../people/names.ts';
import type { BusyTime } from './free-slots.ts';

/** An appointment that was not cancelled or missed. */
export interface Visit extends BusyTime {
  readonly id: string;
  readonly service: string;
  readonly minutes: number;
}

export interface VisitQuery {
  /** Appointments that start at or after `fromMs` and before `toMs`. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Whose; everybody's if undefined. */
  readonly stylistId?: string | undefined;
  readonly warn: (text: string) => void;
}

const minuteMs = 60_000;
/** The last instant a Date can hold. */
const maxInstantMs = 8.64e15;

/** Reads the appointments that keep stylists busy, of any status but cancelled and no-show. */
export async function readVisits(client: SalonClient, query: VisitQuery): Promise<readonly Visit[]> {
  const { fromMs, toMs, stylistId, warn } = query;
  const filter = {
    start_time_from: new Date(fromMs).toISOString(),
    start_time_to: new Date(toMs).toISOString(),
    ...(stylistId === undefined ? {} : { stylist_id: stylistId }),
  };
  const visits: Visit[] = [];
  let unclear = 0;
  for await (const { rows } of readWhole(client.appointments.list(filter), 'appointments')) {
    for (const row of rows) {
      if (freesSlot(row.status)) continue;
      const visit = toVisit(row);
      if (visit === undefined) unclear += 1;
      else visits.push(visit);
    }
  }
  if (unclear > 0) {
    warn(`Not considered: ${countOf(unclear, 'appointments')} without a valid start time or duration.`);
  }
  return visits;
}

function toVisit({ id, stylist_id, service, ...row }: Appointment): Visit | undefined {
  const startMs = Date.parse(row.start_time);
  const minutes = Number(row.duration);
  const endMs = startMs + minutes * minuteMs;
  if (!(endMs > startMs && endMs <= maxInstantMs)) return undefined;
  return { id: toText(id), stylistId: toText(stylist_id), service: toText(service), minutes, startMs, endMs };
}
