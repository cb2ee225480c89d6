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

/**
 * What speaks against a time that starts at a UTC instant, in sentences to show before somebody confirms it: it is in
 * the past, or outside the stylist's hours. Looks up hours only at a terminal, where somebody can answer.
 */
export async function checkBookingTime(
  context: CommandContext,
  { stylistId, start, durationMinutes }: { stylistId: string; start: string; durationMinutes: number },
): Promise<readonly string[]> {
  const style = await readClock(context);
  const startMs = Date.parse(start);
  if (Number.isNaN(startMs)) return [];
  const isPast = startMs < style.now.getTime();
  const sentences = isPast ? [`${renderShortTime(start, style)} is in the past.`] : [];
  if (!context.prompts.isInteractive) return sentences;
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

const timeFields = ['start_time', 'duration', 'stylist_id'];

/**
 * Asks at a terminal before an appointment moves into the past or outside the stylist's hours; in a script, warns of the
 * past alone. Throws `confirmation_required` for a no.
 */
export async function confirmUnusualTime(
  change: Readonly<Record<string, unknown>>,
  found: FoundAppointment,
  context: CommandContext<{ readonly yes?: boolean; readonly dryRun?: boolean }>,
): Promise<void> {
  const { flags, messages, prompts } = context;
  if (!timeFields.some((field) => field in change)) return;
  const asks = prompts.isInteractive && flags.yes !== true && flags.dryRun !== true;
  if (!asks && !('start_time' in change)) return;
  const record =
    found.record ?? (asks ? await (await context.client()).appointments.get(found.id) : undefined);
  const visit = record && (await openAppointmentReader(context)).read(record);
  const warnings = await checkBookingTime(context, {
    stylistId: toText(change['stylist_id'] ?? visit?.stylistId),
    start: toText(change['start_time'] ?? (visit && toUtcText(visit.startMs))),
    durationMinutes: Number(change['duration'] ?? visit?.minutes) || 0,
  });
  if (warnings.length === 0) return;
  if (asks) await context.confirm(`${warnings.join(' ')} Change it anyway?`);
  else for (const warning of warnings) messages.warn(warning);
}
