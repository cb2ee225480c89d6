import { SalonError } from '../../contract/errors.ts';
import type { MomentContext } from '../flags/days.ts';
import { splitReferenceAndMoment } from '../flags/split-moment.ts';

/** What the words of a command line say, each as it was typed; empty where they do not. */
export interface BookingWords {
  readonly client: string;
  readonly stylist: string;
  readonly service: string;
  readonly moment: string;
}

const partOf: Readonly<Record<string, keyof BookingWords>> = { with: 'stylist', for: 'service' };

/**
 * Reads words such as `Ana Costa with Mia for Balayage tomorrow 15:00`. The day and time may follow any of the names.
 * Throws `usage` for a part that is given twice.
 */
export function parseBookingWords(
  words: readonly string[],
  moments: Pick<MomentContext, 'now' | 'timeZone'>,
): BookingWords {
  const found = { client: '', stylist: '', service: '', moment: '' };
  const set = (part: keyof BookingWords, text: string) => {
    if (text === '') return;
    if (found[part] !== '') {
      throw new SalonError('usage', `${titles[part]} is given twice: "${found[part]}" and "${text}".`, {
        hint: 'Put quotes around a name with such words.',
      });
    }
    found[part] = text;
  };
  for (const { part, words: own } of splitParts(words)) {
    const { reference, moment } = splitReferenceAndMoment(own, moments);
    set(part, reference);
    set('moment', moment);
  }
  return found;
}

const titles: Readonly<Record<keyof BookingWords, string>> = {
  client: 'The client',
  stylist: 'The stylist',
  service: 'The service',
  moment: 'The time',
};

/** Only a whole word of the command line separates, so that quotes protect a name. */
function splitParts(words: readonly string[]) {
  const parts: { part: keyof BookingWords; words: string[] }[] = [{ part: 'client', words: [] }];
  for (const word of words) {
    const part = Object.hasOwn(partOf, word) ? partOf[word] : undefined;
    if (part === undefined) parts.at(-1)?.words.push(word);
    else parts.push({ part, words: [] });
  }
  return parts;
}
