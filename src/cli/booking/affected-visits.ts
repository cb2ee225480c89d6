import type { AppointmentFacts } from '../../client/read-appointment.ts';
import { toIsoDay } from '../../contract/local-days.ts';
import { createZoneClock, dayMs, type TimeSpan, toUtcText } from '../../contract/time.ts';
import { toSalonError } from '../messages/errors.ts';
import { renderShortTime } from '../messages/short-times.ts';
import type { CommandResult } from '../output/command-result.ts';
import { readClock } from '../output/format.ts';
import { openQuietNames } from '../people/client-names.ts';
import type { NamedPerson } from '../people/resolve.ts';
import { openAppointmentReader } from '../people/resolve-appointment.ts';
import type { CommandContext } from '../session/command-context.ts';
import { renderCommand, renderLocalTime } from './booking-errors.ts';

type Visit = Pick<AppointmentFacts, 'id' | 'clientId' | 'service' | 'startMs'>;

/** Whom to call, by time: a line each with name and phone. */
export async function renderVisits(visits: readonly Visit[], context: CommandContext) {
  const style = await readClock(context);
  await using contacts = await openQuietNames(context);
  await contacts.load(visits.map(({ clientId }) => clientId));
  const sorted = visits.toSorted((one, other) => one.startMs - other.startMs);
  return sorted.map(({ id, clientId, service, startMs }) => {
    const { name = '', phone = '' } = contacts.contactOf(clientId) ?? {};
    const time = renderShortTime(toUtcText(startMs), style);
    const parts = [time, name || clientId, phone || 'no phone', service, id];
    return { name, service, line: `  ${parts.filter((part) => part !== '').join('  ')}` };
  });
}

/** The commands that move, shift and cancel all appointments in blocked time, from the first one on. */
export async function renderNextCommands(
  { startMs, endMs }: TimeSpan,
  { who, firstMs }: { readonly who: NamedPerson | undefined; readonly firstMs: number },
  context: CommandContext,
): Promise<readonly string[]> {
  const timeZone = await context.timeZone();
  const { wall } = createZoneClock(timeZone);
  const isDay = wall(startMs) % dayMs === 0 && wall(endMs) === wall(startMs) + dayMs && firstMs >= startMs;
  const [from, to] = [Math.min(startMs, firstMs), endMs].map((ms) =>
    renderLocalTime(toUtcText(ms), timeZone),
  );
  const time = isDay
    ? ['--where-date', toIsoDay(wall(startMs))]
    : ['--where-from', from ?? '', '--where-to', to ?? ''];
  const where = [...(who === undefined ? [] : ['--where-stylist', who.name]), ...time];
  const later = `+${Math.ceil((endMs - startMs) / (7 * dayMs))}w`;
  const render = (...words: readonly string[]) => renderCommand(words, context);
  const update = ['appointments', 'update', ...where];
  const anyone = `To give them to anyone free: ${render(...update, '--stylist', 'anyone')}`;
  return [
    ...(who === undefined ? [] : [anyone]),
    `To shift them: ${render(...update, '--start', later)}`,
    `To cancel them: ${render('appointments', 'cancel', ...where)}`,
  ];
}

/** How many are listed. */
export const maxCalls = 50;

/** The result of a cancelled day, with whom to call. */
export async function withCalls(
  result: CommandResult,
  rows: readonly object[],
  context: CommandContext,
): Promise<CommandResult> {
  const isDone = result.show === 'record' && result.record['job'] && result.exitCode === 0;
  if (!isDone || result.message === undefined || rows.length === 0) return result;
  const reader = await openAppointmentReader(context);
  const visits = rows.slice(0, maxCalls).flatMap((row) => reader.read(row) ?? []);
  const people = await renderVisits(visits, context).catch((thrown: unknown) => {
    context.messages.warn(`Whom to call is not known. ${toSalonError(thrown, undefined).message}`);
    return [];
  });
  if (people.length === 0) return result;
  const more = rows.length > people.length ? ['  … and more, in the results'] : [];
  const { name = '', service = '' } = people[0] ?? {};
  const words = ['book', name, '--service', service, '--stylist', 'anyone'];
  const lines = [result.message, 'To call:', ...people.map(({ line }) => line), ...more];
  const next = name === '' || service === '' ? [] : [`To book one again: ${renderCommand(words, context)}`];
  return { ...result, message: [...lines, ...next].join('\n') };
}
