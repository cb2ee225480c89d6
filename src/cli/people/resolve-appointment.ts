import type { Appointment, AppointmentStatus } from '../../contract/appointment.ts';
import { SalonError } from '../../contract/errors.ts';
import { renderSpokenTime } from '../messages/spoken-time.ts';
import type { CommandContext } from '../session/command-context.ts';
import { toText } from './names.ts';
import { kindOfId, parseReference } from './references.ts';
import { type Person, type ResolveOptions, resolveClient } from './resolve.ts';

/** Statuses of a visit that is still to come or under way. */
const openStatuses: readonly AppointmentStatus[] = ['pending', 'confirmed', 'arrived', 'in_service'];

/** More appointments than one client has open. */
const maxOpen = 50;

/**
 * Finds an appointment by its ID, or by a reference to a client who has one from today on. Asks at a terminal if there
 * are several; elsewhere throws `usage`. Throws `not_found` if there is none.
 */
export async function resolveAppointment(
  text: string,
  context: CommandContext,
  options: ResolveOptions = {},
): Promise<Appointment> {
  const reference = parseReference(text, 'appointment');
  const client = await context.client();
  if (kindOfId(reference) === 'appointment') return client.appointments.get(reference);
  // Other servers choose their own IDs, but none with a space or an @.
  if (!/[\s@]/.test(reference) && kindOfId(reference) === undefined) {
    const appointment = await client.appointments
      .get(reference, { searchesList: false })
      .catch((error: unknown) => {
        const isElsewhere =
          error instanceof SalonError && ['not_found', 'not_supported'].includes(error.code);
        if (!isElsewhere) throw error;
      });
    if (appointment !== undefined) return appointment;
  }
  const person = await resolveClient(reference, context, options);
  return chooseAppointment(person, await readOpenAppointments(person, context), context);
}

async function readOpenAppointments(
  { id }: Person,
  context: CommandContext,
): Promise<readonly Appointment[]> {
  const { parseMoment } = await import('../flags/days.ts');
  const { timeZone } = (await context.session()).settings;
  const moment = { now: context.io.now(), timeZone: timeZone.value, edge: 'start' } as const;
  const query = {
    client_id: id,
    start_time_from: parseMoment('today', moment),
    status: openStatuses.join(','),
    sort: 'start_time',
  } as const;
  const client = await context.client();
  const found: Appointment[] = [];
  for await (const { rows } of client.appointments.list(query, { limit: maxOpen })) found.push(...rows);
  return found.filter((row) => toText(row.client_id) === id && openStatuses.includes(row.status));
}

async function chooseAppointment(
  person: Person,
  appointments: readonly Appointment[],
  context: CommandContext,
): Promise<Appointment> {
  const [only, another] = appointments;
  if (only === undefined) {
    throw new SalonError('not_found', `${person.name} has no upcoming appointment.`, {
      hint: `See: salon appointments list --client "${person.name}"`,
      members: { resource: 'appointment', id: person.id },
    });
  }
  if (another === undefined) return only;
  const { timeZone } = (await context.session()).settings;
  const style = { timeZone: timeZone.value, now: context.io.now() };
  const describe = (row: Appointment) => `${renderSpokenTime(row.start_time, style)} ${toText(row.service)}`;
  if (context.prompts.isInteractive) {
    return context.prompts.search<Appointment>(`Which appointment of ${person.name}?`, {
      find: async (typed) =>
        appointments
          .map((row) => ({ value: row, label: describe(row) }))
          .filter(({ label }) => label.toLowerCase().includes(typed.toLowerCase())),
    });
  }
  const lines = appointments.map((row) => `    ${describe(row)}, ${toText(row.id)}`);
  throw new SalonError('usage', `${person.name} has ${appointments.length} upcoming appointments.`, {
    hint: `Use the ID of one of these:\n${lines.join('\n')}`,
    members: { resource: 'appointment', reference: person.id, candidates: appointments },
  });
}
