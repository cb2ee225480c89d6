import stringWidth from 'string-width';
import { freesSlot } from '../../client/appointment-status.ts';
import type { Appointment } from '../../contract/appointment.ts';
import type { WaitlistEntry } from '../../contract/waitlist.ts';
import { subtractSpans } from '../../time/spans.ts';
import { minuteMs, type TimeSpan, toInstantMs } from '../../time/time.ts';
import { toSalonError } from '../messages/errors.ts';
import type { CommandResult } from '../output/command-result.ts';
import { openQuietNames } from '../people/client-names.ts';
import { readWaiting, renderWish } from '../people/resolve-entry.ts';
import type { CommandContext } from '../session/command-context.ts';
import { renderCommand } from './booking-errors.ts';

/** Time that has become free, of a stylist, or of everybody. */
interface FreedTime extends TimeSpan {
  readonly stylistId: string | null;
}

/** The time that an appointment took before a change, and does not take after it. */
export function findFreed(before: object | undefined, after: object | undefined): readonly FreedTime[] {
  const [former, current] = [toTaken(before), toTaken(after)];
  if (former === undefined) return [];
  const kept = current?.stylistId === former.stylistId ? [current] : [];
  return subtractSpans([former], kept).map((span) => ({ ...span, stylistId: former.stylistId }));
}

/** The time that an appointment takes, as our service sends it: others have no waiting list. */
function toTaken(
  appointment: Partial<Appointment> = {},
): (TimeSpan & { readonly stylistId: string }) | undefined {
  const { start_time, duration = 0, stylist_id: stylistId, status } = appointment;
  const startMs = toInstantMs(start_time);
  if (startMs === undefined || stylistId === undefined || freesSlot(status)) return undefined;
  return { startMs, endMs: startMs + duration * minuteMs, stylistId };
}

const maxNamed = 10;

/**
 * The result of what has freed time, with who waits for it: one request, and more only for their names. What freed it is
 * done, so nothing that goes wrong here is an error.
 */
export async function withWaiting(
  result: CommandResult,
  freed: readonly FreedTime[],
  context: CommandContext,
): Promise<CommandResult> {
  const nowMs = context.io.now().getTime();
  const ahead = freed.filter(({ endMs }) => endMs > nowMs);
  if (ahead.length === 0 || context.flags.quiet === true || result.show !== 'record') return result;
  try {
    const startMs = Math.max(nowMs, Math.min(...ahead.map((time) => time.startMs)));
    const endMs = Math.max(...ahead.map((time) => time.endMs));
    const all = await readWaiting({ span: { startMs, endMs } }, context);
    const waiting = all.filter((entry) => ahead.some((time) => wantsTime(entry, time)));
    const [first] = waiting;
    if (first === undefined) return result;
    const timeZone = await context.timeZone();
    const calls = waiting.slice(0, maxNamed).map((entry) => {
      const rest = [entry.service, renderWish(entry, timeZone)];
      return { id: entry.id, clientId: entry.client_id, rest };
    });
    const lines = (await renderCallLines(calls, context)).map(({ line }) => line);
    const more = waiting.length > maxNamed ? [`  … and ${waiting.length - maxNamed} more`] : [];
    const book = `To book one: ${renderCommand(['waitlist', 'book', first.id], context)}`;
    const said = [result.message, 'Waiting for this time:', ...lines, ...more, book];
    return { ...result, message: said.filter(Boolean).join('\n') };
  } catch (thrown) {
    context.messages.verbose(
      `Who waits for this time is not known. ${toSalonError(thrown, undefined).message}`,
    );
    return result;
  }
}

function wantsTime(
  { stylist_id, from, to }: WaitlistEntry,
  { stylistId, startMs, endMs }: FreedTime,
): boolean {
  const isFor = stylist_id === null || stylistId === null || stylist_id === stylistId;
  return isFor && Date.parse(from) < endMs && Date.parse(to) > startMs;
}

/** A line for each client to call, with name and phone after when they have something. */
export async function renderCallLines<Call extends CallFacts>(
  calls: readonly Call[],
  context: CommandContext,
) {
  const { messages, columns } = context.io.terminal;
  await using contacts = await openQuietNames(context);
  await contacts.load(calls.map(({ clientId }) => clientId));
  return calls.map((call) => {
    const { name = '', phone = '' } = contacts.contactOf(call.clientId) ?? {};
    const parts = [call.time, name || call.clientId, phone || 'no phone', ...call.rest].filter(Boolean);
    // Reception says who, and reads a line for each: an ID that does not fit is left out.
    const line = `  ${[...parts, call.id].join('  ')}`;
    const isLong = messages && stringWidth(line) > columns;
    return { ...call, name, line: isLong ? `  ${parts.join('  ')}` : line };
  });
}

interface CallFacts {
  readonly id: string;
  readonly clientId: string;
  readonly time?: string;
  readonly rest: readonly string[];
}
