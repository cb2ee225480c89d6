import { findClientId } from '../../client/fields.ts';
import { type AppointmentReader, createAppointmentReader } from '../../client/read-appointment.ts';
import { type Appointment, freesSlot, readStatus } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { kindOfId } from '../../contract/identifiers.ts';
import { toUtcText } from '../../contract/time.ts';
import { parseMoment } from '../flags/moments.ts';
import { renderShortTime } from '../messages/short-times.ts';
import type { CommandContext } from '../session/command-context.ts';
import { ifKnown } from './candidates.ts';
import { toText } from './names.ts';
import { isOwnId, parseReference } from './references.ts';
import { type NamedPerson, type ResolveOptions, resolveClient } from './resolve.ts';

export interface AppointmentOptions extends ResolveOptions {
  /** Which of a client's appointments are meant; `upcoming` by default. */
  readonly period?: Period;
}

/** From today on and not over; or of the last week, today included. */
type Period = 'upcoming' | 'recent';

export interface FoundAppointment {
  readonly id: string;
  /** Undefined if an own-format ID was given: it is not looked up. */
  readonly record?: Appointment;
  /** Whose it is, where the reference said that. */
  readonly client?: NamedPerson;
}

/**
 * Finds an appointment by its ID, or by a reference to a client who has one. Asks at a terminal if there are several;
 * elsewhere throws `usage`. Throws `not_found` if there is none.
 */
export async function findAppointment(
  text: string,
  context: CommandContext,
  { period = 'upcoming', ...options }: AppointmentOptions = {},
): Promise<FoundAppointment> {
  const reference = parseReference(text, 'appointment');
  if (isOwnId(reference, 'appointment')) return { id: reference };
  const record = await readByForeignId(reference, context);
  if (record !== undefined) return { id: reference, record };
  const client = await resolveClient(reference, context, options);
  const chosen = await chooseAppointment(client, period, context);
  return { id: toText(chosen.id), record: chosen, client };
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

/** Other servers choose their own IDs, but none with a space or an @. */
async function readByForeignId(reference: string, context: CommandContext): Promise<Appointment | undefined> {
  if (/[\s@]/.test(reference) || kindOfId(reference) !== undefined) return undefined;
  const client = await context.client();
  return ifKnown(client.appointments.get(reference, { searchesList: false }));
}

/** More than one client has open. */
const maxOffered = 50;

/** A client's appointments of the last week that were not cancelled, newest first. */
export function readRecentAppointments(
  person: NamedPerson,
  context: CommandContext,
): Promise<readonly Appointment[]> {
  return readAppointments(person, 'recent', context);
}

async function readAppointments(
  { id }: NamedPerson,
  period: Period,
  context: CommandContext,
): Promise<readonly Appointment[]> {
  const { timeZone } = (await context.session()).settings;
  const clock = { now: context.io.now(), timeZone: timeZone.value };
  const query =
    period === 'upcoming'
      ? { start_time_from: parseMoment('today', { ...clock, edge: 'start' }), sort: 'start_time' }
      : {
          start_time_from: parseMoment('-7d', { ...clock, edge: 'start' }),
          start_time_to: parseMoment('today', { ...clock, edge: 'end' }),
          sort: '-start_time',
        };
  const client = await context.client();
  const found: Appointment[] = [];
  const list = client.appointments.list({ client_id: id, ...query } as Query, { limit: maxOffered });
  for await (const { rows } of list) found.push(...rows);
  const isMeant = ({ status }: Appointment) =>
    !freesSlot(status) && (period === 'recent' || readStatus(status) !== 'completed');
  if (found.some((row) => findClientId(row) === undefined)) {
    throw new SalonError('not_supported', 'Appointments on this server do not show their client.', {
      hint: 'Use the ID of the appointment.',
    });
  }
  return found.filter((row) => findClientId(row) === id && isMeant(row));
}

type Query = Parameters<Awaited<ReturnType<CommandContext['client']>>['appointments']['list']>[0];

async function chooseAppointment(
  person: NamedPerson,
  period: Period,
  context: CommandContext,
): Promise<Appointment> {
  const appointments = await readAppointments(person, period, context);
  const [only, another] = appointments;
  const when = period === 'upcoming' ? 'upcoming' : 'recent';
  if (only === undefined) {
    throw new SalonError('not_found', `${person.name} has no ${when} appointment.`, {
      hint: `See: salon appointments list --client "${person.name}"`,
      members: { resource: 'appointment', id: person.id },
    });
  }
  if (another === undefined) return only;
  const { timeZone } = (await context.session()).settings;
  const style = { timeZone: timeZone.value, now: context.io.now() };
  const reader = await openAppointmentReader(context);
  const describe = (row: Appointment) => {
    const { startMs, service = toText(row.service) } = reader.read(row) ?? {};
    return `${startMs === undefined ? 'at a time that cannot be read:' : renderShortTime(toUtcText(startMs), style)} ${service}`;
  };
  if (context.prompts.isInteractive) {
    return context.prompts.search<Appointment>(`Which appointment of ${person.name}?`, {
      find: async (typed) =>
        appointments
          .map((row) => ({ value: row, label: describe(row), hint: row.status }))
          .filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase())),
    });
  }
  const lines = appointments.map((row) => `    ${describe(row)}, ${toText(row.id)}`);
  throw new SalonError('usage', `${person.name} has ${appointments.length} ${when} appointments.`, {
    hint: `Use the ID of one of these:\n${lines.join('\n')}`,
    members: { resource: 'appointment', reference: person.id, candidates: appointments },
  });
}

const warned = new WeakMap<object, Set<string>>();

/** Times without a zone are the salon's. Warns once if no time zone is set, and once if durations contradict end times. */
export async function openAppointmentReader({
  session,
  messages,
}: Pick<CommandContext, 'session' | 'messages'>): Promise<AppointmentReader> {
  const { settings, profileName = '<profile>' } = await session();
  const { value: zone, source } = settings.timeZone;
  const said = warned.get(messages) ?? new Set(source === 'default' ? [] : ['local']);
  warned.set(messages, said);
  const toSet = `To set it: salon profiles set ${profileName} time_zone ${zone}`;
  const texts = {
    local: `Times without a zone are ambiguous: taken as local times of ${zone}. ${toSet}`,
    end: 'Durations of appointments contradict their ends: the ends are taken as right.',
  };
  return createAppointmentReader(zone, (notice) => {
    if (!said.has(notice)) messages.warn(texts[notice]);
    said.add(notice);
  });
}
