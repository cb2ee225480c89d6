import { renderSpokenTime } from '../messages/spoken-time.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { Booking } from './draft.ts';

/** What is unusual about the time of a booking, in sentences. */
export async function findDoubts(
  { start }: Pick<Booking, 'start' | 'durationMinutes' | 'stylist'>,
  { io, session }: CommandContext,
): Promise<readonly string[]> {
  const { timeZone } = (await session()).settings;
  const now = io.now();
  if (Date.parse(start) >= now.getTime()) return [];
  return [`${renderSpokenTime(start, { timeZone: timeZone.value, now })} is in the past.`];
}
