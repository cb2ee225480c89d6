import { selectOffering } from '../../contract/stylist.ts';
import { toClockText, weekdayNames } from '../../time/local-days.ts';
import { createZoneClock, minuteMs, type TimeSpan, toUtcText } from '../../time/time.ts';
import { renderDayHours } from '../../time/week-hours.ts';
import { renderShortTime } from '../messages/short-times.ts';
import { readClock } from '../output/format.ts';
import { toText } from '../people/names.ts';
import { type FoundAppointment, openAppointmentReader } from '../people/resolve-appointment.ts';
import type { CommandContext } from '../session/command-context.ts';
import { isWithinHours } from './free-slots.ts';
import { readOpeningHours } from './opening-hours.ts';
import { salonFacts } from './salon-facts.ts';

interface CheckedBooking {
  readonly stylistId: string;
  /** A UTC instant. */
  readonly start: string;
  readonly durationMinutes: number;
  /** Not compared with those of the stylist if undefined. */
  readonly service?: string | undefined;
}

/**
 * What speaks against a booking, in sentences to show before somebody confirms it: the stylist does not do the service,
 * or the time is in the past, or outside the stylist's hours. Looks up hours only at a terminal, where somebody can
 * answer.
 */
export async function checkBookingTime(
  context: CommandContext,
  { stylistId, start, durationMinutes, service = '' }: CheckedBooking,
): Promise<readonly string[]> {
  const style = await readClock(context);
  const startMs = Date.parse(start);
  const isPast = startMs < style.now.getTime();
  const undone = await findUndoneService(context, { stylistId, service });
  const sentences = undone === undefined ? [] : [undone];
  if (isPast) sentences.push(`${renderShortTime(start, style)} is in the past.`);
  if (!context.prompts.isInteractive || Number.isNaN(startMs)) return sentences;
  const span = { startMs, endMs: startMs + durationMinutes * minuteMs };
  const outside = await findOutsideHours(context, { ...span, stylistId }, true);
  return outside === undefined ? sentences : [...sentences, outside];
}

/**
 * Says that a time is outside its stylist's hours: those that are set or, where there are none, learnt if that is
 * allowed.
 */
export async function findOutsideHours(
  context: CommandContext,
  { stylistId, ...span }: TimeSpan & { readonly stylistId: string },
  learns = false,
): Promise<string | undefined> {
  const { openingHours } = (await context.session()).settings;
  const listed = await salonFacts(context).stylists();
  const unknown = { id: stylistId, name: stylistId, workingHours: undefined };
  const stylist = listed?.find(({ id }) => id === stylistId) ?? unknown;
  if (!learns && stylist.workingHours === undefined && openingHours === undefined) return undefined;
  const hours = (await readOpeningHours(context, [stylist])).get(stylistId);
  if (hours === undefined || hours.source === 'assumed') return undefined;
  const timeZone = await context.timeZone();
  if (isWithinHours(hours.week, span, timeZone)) return undefined;
  const { wall } = createZoneClock(timeZone);
  const weekday = new Date(wall(span.startMs)).getUTCDay();
  const day = `${weekdayNames[weekday]}s`;
  const open = renderDayHours(hours.week[weekday] ?? []).replaceAll('-', '–');
  const source = hours.source === 'learnt' ? ', as past appointments show' : '';
  if (open === '') return `${stylist.name} does not work on ${day}${source}.`;
  const [from, to] = [span.startMs, span.endMs].map((ms) => toClockText(wall(ms)));
  return `${from}–${to} is outside ${stylist.name}'s hours on ${day} (${open}${source}).`;
}

/** Says that a stylist does not do a service, and who does. A stylist without a list of services does all of them. */
export async function findUndoneService(
  context: CommandContext,
  { stylistId, service }: { readonly stylistId: string; readonly service: string },
): Promise<string | undefined> {
  const listed = service === '' ? [] : ((await salonFacts(context).stylists()) ?? []);
  const stylist = listed.find(({ id }) => id === stylistId);
  const able = selectOffering(listed, service, listed);
  if (stylist === undefined || able.includes(stylist)) return undefined;
  const others = able.filter(({ active }) => active).map(({ name }) => name);
  const who = others.length === 0 ? 'nobody else does' : `who does: ${others.join(', ')}`;
  return `${stylist.name} does not do ${service} (${who}).`;
}

/**
 * Asks at a terminal before an appointment moves into the past, outside the stylist's hours, or to somebody who does not
 * do the service; in a script, warns of all but hours. Throws `confirmation_required` for a no.
 */
export async function confirmUnusualTime(
  change: Readonly<Record<string, unknown>>,
  found: FoundAppointment,
  context: CommandContext<{ readonly yes?: boolean; readonly dryRun?: boolean }>,
): Promise<void> {
  const { flags, messages, prompts } = context;
  if (!['start_time', 'duration', 'stylist_id', 'service'].some((field) => field in change)) return;
  const asks = prompts.isInteractive && flags.yes !== true && flags.dryRun !== true;
  const isReassigned = 'stylist_id' in change || 'service' in change;
  if (!asks && !isReassigned && !('start_time' in change)) return;
  const reads = asks || isReassigned;
  const record =
    found.record ?? (reads ? await (await context.client()).appointments.get(found.id) : undefined);
  const visit = record && (await openAppointmentReader(context)).read(record);
  const stylistId = 'stylist_id' in change ? change['stylist_id'] : visit?.stylistId;
  const warnings = await checkBookingTime(context, {
    stylistId: toText(stylistId),
    start: toText(change['start_time'] ?? (asks && visit ? toUtcText(visit.startMs) : undefined)),
    durationMinutes: Number(change['duration'] ?? visit?.minutes) || 0,
    service: isReassigned ? toText(change['service'] ?? visit?.service) : undefined,
  });
  if (warnings.length === 0) return;
  if (asks) await context.confirm(`${warnings.join(' ')} Change it anyway?`);
  else for (const warning of warnings) messages.warn(warning);
}
