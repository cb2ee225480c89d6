import {
  type Appointment,
  appointmentStatuses,
  attendanceStatuses,
  isFinal,
  readStatus,
} from '../../contract/appointment.ts';
import { dayMs } from '../../contract/time.ts';
import { parseMoment } from '../flags/moments.ts';
import type { CommandContext } from '../session/command-context.ts';
import { describeAppointment } from './describe.ts';
import type { FoundAppointment } from './resolve-appointment.ts';

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
  const isCareful = finalStatuses.has(status) || startedStatuses.has(status);
  if (!isCareful || !prompts.isInteractive || flags.yes === true) return undefined;
  const appointment = found.record ?? (await (await context.client()).appointments.get(found.id));
  const subject = await describeAppointment(appointment, context, found.client);
  const question = await toQuestion(String(status), { appointment, subject }, context);
  if (question !== undefined) await context.confirm(question);
  return subject;
}

/** Undefined if nothing about the change is unusual. */
async function toQuestion(
  status: string,
  { appointment, subject }: { readonly appointment: Appointment; readonly subject: string },
  { io, session }: CommandContext,
): Promise<string | undefined> {
  if (readStatus(appointment.status) === status) return undefined;
  const { timeZone } = (await session()).settings;
  const tomorrow = parseMoment('today', { now: io.now(), timeZone: timeZone.value, edge: 'end' });
  const startMs = Date.parse(appointment.start_time);
  const isEarly = startedStatuses.has(status) && startMs >= Date.parse(tomorrow);
  if (!isEarly && !finalStatuses.has(status)) return undefined;
  const days = Math.max(1, Math.round((startMs - io.now().getTime()) / dayMs));
  const early = isEarly ? ` It starts in ${days === 1 ? 'a day' : `${days} days`}.` : '';
  const final = finalStatuses.has(status) ? ' This cannot be undone.' : '';
  return status === 'cancelled'
    ? `Cancel ${subject}?${final}`
    : `Mark ${subject} as ${status.replaceAll('_', ' ')}?${early}${final}`;
}
