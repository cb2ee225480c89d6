import { SalonError } from '../../contract/errors.ts';
import { createZoneClock } from '../../contract/time.ts';
import { toCalendarDay } from '../calendar/calendar-days.ts';
import { renderSpokenTime } from '../messages/spoken-time.ts';
import type { CommandContext } from '../session/command-context.ts';
import { readSlots } from './ask-time.ts';
import { anyone, type Booking, type BookingDraft } from './draft.ts';

/**
 * A complete draft with a stylist: for "anyone free" the one with the emptiest day of those who are free and do the
 * service. Throws `appointment_conflict` if nobody is free.
 */
export async function withFreeStylist(draft: BookingDraft, context: CommandContext): Promise<Booking> {
  const { start = '', stylist } = draft;
  if (stylist !== anyone) return draft as Booking;
  const timeZone = (await context.session()).settings.timeZone.value;
  const startMs = Date.parse(start);
  const minute = { startMs, endMs: startMs + 60_000 };
  const free = await readSlots({ ...draft, span: minute }, context, 1);
  const day = toCalendarDay(startMs, createZoneClock(timeZone));
  const ofDay = free.length < 2 ? [] : await readSlots({ ...draft, span: day }, context);
  const countOf = (id: string) => ofDay.filter(({ stylistId }) => stylistId === id).length;
  const [best] = free.toSorted((one, other) => countOf(other.stylistId) - countOf(one.stylistId));
  if (best === undefined) {
    const when = renderSpokenTime(start, { timeZone, now: context.io.now() });
    throw new SalonError('appointment_conflict', `Nobody who does ${draft.service} is free ${when}.`, {
      hint: 'Choose another time, or a stylist.',
    });
  }
  return { ...draft, stylist: { id: best.stylistId, name: best.stylistName } } as Booking;
}
