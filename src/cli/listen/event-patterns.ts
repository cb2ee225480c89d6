import { SalonError } from '../../contract/errors.ts';
import { type EventPattern, eventPatterns, isEventPattern } from '../../contract/events.ts';
import { closest } from '../flags/suggest.ts';
import { parseList } from '../flags/values.ts';

/** `booking.*,client.deleted` as the patterns it names; everything where nothing is said. Throws `usage`. */
export function parseEventPatterns(text: string | undefined): readonly EventPattern[] {
  if (text === undefined) return ['*'];
  return parseList(text, '--events').map((name) => {
    if (isEventPattern(name)) return name;
    const meant = closest(name, eventPatterns);
    throw new SalonError('usage', `--events has "${name}", which no event is called.`, {
      hint: meant === undefined ? `There are: ${eventPatterns.join(', ')}.` : `Did you mean ${meant}?`,
    });
  });
}
