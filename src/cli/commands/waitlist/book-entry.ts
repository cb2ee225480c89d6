import { SalonError } from '../../../contract/errors.ts';
import { type WaitlistEntry, waitingStatuses } from '../../../contract/waitlist.ts';
import type { TimeSpan } from '../../../time/time.ts';
import { toUtcText } from '../../../time/time.ts';
import { nameStylists } from '../../booking/ask-time.ts';
import { renderCommand, renderLocalTime } from '../../booking/booking-errors.ts';
import { anyone } from '../../booking/draft.ts';
import { fits, readFreeFor } from '../../booking/match-waiting.ts';
import { joinGiven } from '../../booking/read-draft.ts';
import { parseBookingWords, readMoment } from '../../booking/words.ts';
import { toSalonError } from '../../messages/errors.ts';
import { exitCodes } from '../../messages/exit-codes.ts';
import { renderShortTime } from '../../messages/short-times.ts';
import type { CommandResult } from '../../output/command-result.ts';
import { readClock } from '../../output/format.ts';
import { chooseAmong } from '../../people/client-records.ts';
import { resolveStylist } from '../../people/resolve.ts';
import { findEntry, renderWish } from '../../people/resolve-entry.ts';
import type { CommandContext } from '../../session/command-context.ts';
import { type BookAppointmentFlags, bookAppointment } from '../appointments/book-appointment.ts';

/** Books a client who waits, and sets the entry to booked. If the booking fails, the entry stays. */
export async function bookEntry(
  context: CommandContext<BookAppointmentFlags>,
  words: readonly string[],
): Promise<CommandResult> {
  const { flags, messages } = context;
  const moments = await readClock(context);
  const parsed = parseBookingWords(words, moments);
  if (parsed.service !== '') {
    throw new SalonError('usage', 'The service is that of the entry.', {
      hint: 'To change it: salon waitlist update <entry> --service <name>',
    });
  }
  const { id } = await findEntry(parsed.client, context, { isWrite: true });
  const { waitlist } = await context.client();
  const { record: entry, etag: ifMatch } = await waitlist.getTagged(id);
  assertOpen(entry);
  const moment = joinGiven('time', parsed.moment, flags.start);
  const typed = joinGiven('stylist', parsed.stylist, flags.stylist);
  const stylist = typed || entry.stylist_id || anyone;
  const { start, span } = moment === '' ? { start: undefined } : readMoment(moment, moments);
  const given = { client: entry.client_id, service: entry.service, stylist };
  const time = start ?? (await chooseTime(entry, { typed, span }, context));
  const result = await bookAppointment({ ...context, flags: { ...flags, ...given, start: time } }, []);
  if (flags.dryRun === true) return result;
  // At a terminal, any answer can be another one.
  if (result.show === 'record' && result.record['client_id'] !== entry.client_id) {
    messages.info(`Another client was booked: the entry ${id} stays.`);
    return result;
  }
  try {
    await waitlist.update(id, { status: 'booked' }, { ifMatch, current: entry });
    return result;
  } catch (thrown) {
    const { code, message } = toSalonError(thrown, undefined);
    const isChanged = ['precondition_failed', 'conflict', 'not_found'].includes(code);
    const why = isChanged
      ? 'Somebody else has changed the entry meanwhile, and may have booked it, too.'
      : message;
    messages.warn(
      `The appointment is booked, but the entry is not set to booked. ${why} See: salon waitlist get ${id}`,
    );
    return { ...result, exitCode: exitCodes.partly.code };
  }
}

function assertOpen({ id, status }: WaitlistEntry): void {
  if (waitingStatuses.some((open) => open === status)) return;
  const hint =
    status === 'expired'
      ? `To extend it: salon waitlist update ${id} --to fri. To book without it: salon book`
      : 'To book another appointment: salon book';
  throw new SalonError('conflict', `The entry ${id} is ${status}.`, { hint });
}

/** One of the free times that an entry, and what was typed, fit: asked for at a terminal; elsewhere it has to be the only one. */
async function chooseTime(
  entry: WaitlistEntry,
  { typed, span }: { readonly typed: string; readonly span?: TimeSpan | undefined },
  context: CommandContext,
): Promise<string> {
  const clock = await readClock(context);
  const isAnyone = typed === '' || /^any/i.test(typed);
  const wish = { startMs: Date.parse(entry.from), endMs: Date.parse(entry.to) };
  const wanted = {
    ...entry,
    stylist_id: isAnyone ? entry.stylist_id : (await resolveStylist(typed, context, { isWrite: true })).id,
    ...(span === undefined ? {} : { from: toUtcText(span.startMs), to: toUtcText(span.endMs) }),
  };
  const slots = (await readFreeFor(entry, span ?? wish, context)).filter((slot) => fits(wanted, slot));
  const times = [...Map.groupBy(slots, ({ startMs }) => toUtcText(startMs))];
  const [only, another] = times;
  if (only === undefined) {
    throw new SalonError(
      'appointment_conflict',
      `No free time fits: ${entry.service}, ${renderWish(wanted, clock.timeZone)}.`,
      {
        hint: `To book another time: ${renderCommand(['waitlist', 'book', entry.id, 'fri', '15:00'], context)}`,
      },
    );
  }
  if (another === undefined) return only[0];
  const label = ([start]: typeof only) => renderShortTime(start, clock);
  if (!context.prompts.isInteractive) {
    const [start] = only;
    const words = ['waitlist', 'book', entry.id, renderLocalTime(start, clock.timeZone)];
    throw new SalonError('usage', `${times.length} free times fit, the first ${label(only)}.`, {
      hint: `Name one: ${renderCommand(words, context)}`,
    });
  }
  const choices = times.map((time) => ({ value: time[0], label: label(time), hint: nameStylists(time[1]) }));
  return chooseAmong('Which time?', choices, context);
}
