import { findMoment, type MomentContext } from './days.ts';

/** Words of a command line, such as `Ana Costa fri 11:00`. */
export interface ReferenceAndMoment {
  /** `Ana Costa`; empty if the words are a date or time alone. */
  readonly reference: string;
  /** `fri 11:00`, for `parseMoment`; empty if the words do not end in a date or time. */
  readonly moment: string;
}

/**
 * Splits words into a name, e-mail, phone or ID and the longest date or time at their end. Throws `usage` for a day that
 * does not exist or is unclear.
 */
export function splitReferenceAndMoment(
  words: readonly string[],
  context: Pick<MomentContext, 'now' | 'timeZone'>,
): ReferenceAndMoment {
  const all = words.flatMap((word) => word.split(/\s+/)).filter((word) => word !== '');
  // Booking, moving and looking for free time always concern a future day.
  const future = { ...context, edge: 'start', since: context.now.toISOString() } as const;
  const start = all.findIndex((_, index) => findMoment(all.slice(index).join(' '), future) !== undefined);
  if (start < 0) return { reference: all.join(' '), moment: '' };
  return { reference: withoutPreposition(all.slice(0, start)), moment: all.slice(start).join(' ') };
}

function withoutPreposition(words: readonly string[]): string {
  const last = words.at(-1)?.toLowerCase() ?? '';
  return (['to', 'on', 'at', 'for'].includes(last) ? words.slice(0, -1) : words).join(' ');
}
