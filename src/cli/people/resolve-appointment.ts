import { freesSlot, readStatus } from '../../client/appointment-status.ts';
import { type Fields, findClientId } from '../../client/json-object.ts';
import { readRows } from '../../client/pagination/paginate.ts';
import { type AppointmentReader, createAppointmentReader } from '../../client/read-appointment.ts';
import {
  type Appointment,
  appointmentStatuses,
  attendanceStatuses,
  isFinal,
} from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { toPaymentState } from '../../contract/payment.ts';
import { foldText } from '../../text/search-text.ts';
import { dayMs, toUtcText } from '../../time/time.ts';
import { parseMoment } from '../flags/moments.ts';
import { renderShortTime } from '../messages/short-times.ts';
import { readClock } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import { findRecord, isReadByPeople, readNameFor } from './client-records.ts';
import { toText } from './names.ts';
import type { NamedPerson, ResolveOptions } from './resolve.ts';

export interface AppointmentOptions extends ResolveOptions {
  /** Which of a client's appointments are meant; `upcoming` by default. */
  readonly period?: Period;
}

/** From today on and not over; or of the last week, today included, and else to come, to `pay` unless they are paid. */
type Period = 'upcoming' | 'recent' | 'pay';

export interface FoundAppointment {
  readonly id: string;
  /** Undefined if an own-format ID was given: it is not looked up. */
  readonly record?: Appointment | undefined;
  /** Whose it is, where the reference said that. */
  readonly client?: NamedPerson | undefined;
}

/** Finds an appointment by its ID, or by a reference to a client who has one. Throws as `findRecord` does. */
export async function findAppointment(
  text: string,
  context: CommandContext,
  { period = 'upcoming', ...options }: AppointmentOptions = {},
): Promise<FoundAppointment> {
  const which = period === 'upcoming' ? period : 'recent or upcoming';
  const { id, read, item, client } = await findRecord<Appointment, Appointment>(text, context, {
    ...options,
    records: {
      kind: 'appointment',
      one: `${which} appointment`,
      several: `${which} appointments`,
      read: async (foreignId) =>
        (await context.client()).appointments.get(foreignId, { searchesList: false }),
      async readOf(person) {
        const isOpen = ({ status }: Appointment) => readStatus(status) !== 'completed';
        if (period === 'upcoming') return (await readOfClient(person, 'today', context)).filter(isOpen);
        const { recent, coming } = await readVisits(person, context);
        const unpaid = period === 'pay' ? [recent, coming].map((rows) => rows.filter(isUnpaid)) : [];
        return [...unpaid, recent].find((rows) => rows.length > 0) ?? coming;
      },
      openDescriber: () => openAppointmentDescriber(context),
      hintOf: ({ status }) => status,
    },
  });
  return { id, record: read ?? item, client };
}

/** The appointment that `findAppointment` finds. */
export async function resolveAppointment(
  reference: string,
  context: CommandContext,
  options?: AppointmentOptions,
): Promise<Appointment> {
  const { id, record } = await findAppointment(reference, context, options);
  return record ?? (await context.client()).appointments.get(id);
}

/** More than one client has open. */
const maxOffered = 50;

/** A client's visits of the last week, today included, newest first, and those to come, soonest first. */
export async function readVisits(client: NamedPerson, context: CommandContext) {
  const found = await readOfClient(client, '-7d', context);
  const reader = await openAppointmentReader(context);
  const tomorrowMs = Date.parse(parseMoment('today', { ...(await readClock(context)), edge: 'end' }));
  const isRecent = (row: Appointment) => (reader.read(row)?.startMs ?? 0) < tomorrowMs;
  return { recent: found.filter(isRecent).reverse(), coming: found.filter((row) => !isRecent(row)) };
}

export function isUnpaid(row: Appointment): boolean {
  return toPaymentState(row) !== 'paid';
}

/** A client's appointments since a day, but those that free their time, in their order. */
async function readOfClient({ id }: NamedPerson, since: string, context: CommandContext) {
  const start_time_from = parseMoment(since, { ...(await readClock(context)), edge: 'start' });
  const { appointments } = await context.client();
  const query = { client_id: id, start_time_from, sort: 'start_time' } as const;
  const found = await readRows(appointments.list(query, { limit: maxOffered }));
  if (found.some((row) => findClientId(row) === undefined)) {
    throw new SalonError('not_supported', 'Appointments on this server do not show their client.', {
      hint: 'Use the ID of the appointment.',
    });
  }
  return found.filter((row) => findClientId(row) === id && !freesSlot(row.status));
}

async function openAppointmentDescriber(context: CommandContext): Promise<(row: Appointment) => string> {
  const clock = await readClock(context);
  const reader = await openAppointmentReader(context);
  return (row) => {
    const { startMs, service = toText(row.service) } = reader.read(row) ?? {};
    const start =
      startMs === undefined ? 'at a time that cannot be read:' : renderShortTime(toUtcText(startMs), clock);
    return `${start} ${service}`;
  };
}

/** Fields that say which appointment is meant; a server may leave any of them out. */
type NamedAppointment = Partial<Pick<Appointment, 'id' | 'client_id' | 'service' | 'start_time'>>;

/**
 * An appointment in people's words, such as `Ana Costa's Balayage, Fri 27 Nov 15:00`. Reads the client's name if it is
 * not known and somebody reads the messages; `appointment apt_…` where there is nothing to name it by.
 */
export async function describeAppointment(
  appointment: NamedAppointment,
  context: CommandContext,
  client?: NamedPerson,
): Promise<string> {
  const name = await readNameFor(client, appointment.client_id, context);
  const start = toText(appointment.start_time);
  if (name === '' && (start === '' || !isReadByPeople(context))) {
    return `appointment ${toText(appointment.id)}`;
  }
  const when = start === '' ? '' : `, ${renderShortTime(start, await readClock(context))}`;
  return `${name === '' ? '' : `${name}'s `}${toText(appointment.service) || 'appointment'}${when}`;
}

/** Statuses that say that a visit has begun or is over. */
const startedStatuses: ReadonlySet<unknown> = new Set(attendanceStatuses);
const finalStatuses: ReadonlySet<unknown> = new Set(appointmentStatuses.filter(isFinal));

/**
 * Asks at a terminal before an appointment gets a final status, or one that says it has begun although it starts after
 * today. Returns the appointment in words if it was read. Throws `confirmation_required` for a no. Scripts are not asked.
 */
export async function confirmStatus(
  given: unknown,
  found: FoundAppointment,
  context: CommandContext<{ readonly yes?: boolean }>,
): Promise<string | undefined> {
  const { flags, prompts } = context;
  const status = readStatus(given);
  const [isEnd, isStart] = [finalStatuses.has(status), startedStatuses.has(status)];
  if (!(isEnd || isStart) || !prompts.isInteractive || flags.yes === true) return undefined;
  const appointment = found.record ?? (await (await context.client()).appointments.get(found.id));
  const subject = await describeAppointment(appointment, context, found.client);
  const clock = await readClock(context);
  const tomorrow = parseMoment('today', { ...clock, edge: 'end' });
  const startMs = Date.parse(appointment.start_time);
  const isEarly = isStart && startMs >= Date.parse(tomorrow);
  if (readStatus(appointment.status) === status || !(isEarly || isEnd)) return subject;
  const days = Math.max(1, Math.round((startMs - clock.now.getTime()) / dayMs));
  const early = isEarly ? ` It starts in ${days === 1 ? 'a day' : `${days} days`}.` : '';
  const act =
    status === 'cancelled'
      ? `Cancel ${subject}?`
      : `Mark ${subject} as ${status?.replaceAll('_', ' ')}?${early}`;
  await context.confirm(`${act}${isEnd ? ' This cannot be undone.' : ''}`);
  return subject;
}

/** Throws `not_supported` where an appointment does not show its service. */
export function isService(row: Fields, wanted: string): boolean {
  const service = row['service'];
  if (typeof service === 'string') return foldText(service) === foldText(wanted);
  throw new SalonError('not_supported', 'Appointments on this server do not show their service.', {
    hint: 'Do not select by service.',
  });
}

/** Whether it is completed, cancelled or a no-show. */
export function isOver(row: Fields): boolean {
  const status = readStatus(row['status']);
  return status !== undefined && (isFinal(status) || status === 'no_show');
}

const warned = new WeakMap<object, Set<string>>();

/** Times without a zone are the salon's. Warns once if no time zone is set, and once if durations contradict end times. */
export async function openAppointmentReader({
  session,
  messages,
}: CommandContext): Promise<AppointmentReader> {
  const { settings, profileName = '<profile>' } = await session();
  const { source, unusable } = settings.timeZone;
  const zone = unusable ? 'UTC' : settings.timeZone.value;
  const said = warned.get(messages) ?? new Set(source === 'default' ? [] : ['zone assumed']);
  warned.set(messages, said);
  const toSet = `To set it: salon profiles set ${profileName} time_zone ${zone}`;
  const texts = {
    'zone assumed': `Times without a zone are ambiguous: taken as local times of ${zone}. ${toSet}`,
    'duration ignored': 'Durations of appointments contradict their ends: the ends are taken as right.',
  };
  return createAppointmentReader(zone, (notice) => {
    if (unusable && notice === 'zone assumed') throw unusable.error;
    if (!said.has(notice)) messages.warn(texts[notice]);
    said.add(notice);
  });
}
