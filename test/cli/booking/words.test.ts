import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseBookingWords } from '../../../src/cli/booking/words.ts';
import { SalonError } from '../../../src/contract/errors.ts';
import { parseWeekHours } from '../../../src/time/week-hours.ts';
import { countBySpeed } from '../../support/speed.ts';

/** A Saturday. */
const moments = {
  now: new Date('2026-11-21T12:00:00Z'),
  timeZone: 'Europe/Lisbon',
  openingHours: parseWeekHours('mon-sat 9-18'),
};
const parse = (words: readonly string[]) => parseBookingWords(words, moments);
/** As a shell splits a line. */
const toWords = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
const none = { client: '', stylist: '', service: '', moment: '' };
const ana = { client: 'Ana Costa' };

describe('the words of a booking', () => {
  it.each([
    ['', {}],
    ['Ana Costa', ana],
    ['fri 11:00', { moment: 'fri 11:00' }],
    ['Ana Costa tomorrow 15:00', { ...ana, moment: 'tomorrow 15:00' }],
    ['Ana with Mia tomorrow at three pm', { client: 'Ana', stylist: 'Mia', moment: 'tomorrow at three pm' }],
    ['Ana fri 3pm with Mia', { client: 'Ana', stylist: 'Mia', moment: 'fri 3pm' }],
    [
      'Ana for Root colour with Mia fri',
      { client: 'Ana', stylist: 'Mia', service: 'Root colour', moment: 'fri' },
    ],
    [
      'Ana with anyone for Cut and style tomorrow 9:15',
      { client: 'Ana', stylist: 'anyone', service: 'Cut and style', moment: 'tomorrow 9:15' },
    ],
    ['Ana to fri 11:00', { client: 'Ana', moment: 'fri 11:00' }],
    ['Ana Costa to next fri at 11:00', { ...ana, moment: 'next fri at 11:00' }],
    ['ana@example.com 3pm tomorrow', { client: 'ana@example.com', moment: '3pm tomorrow' }],
    ['555 0101 24.11. 15:00', { client: '555 0101', moment: '24.11. 15:00' }],
    ['+49 30 123456 +1d 15:00', { client: '+49 30 123456', moment: '+1d 15:00' }],
    ['+351 912 345 678', { client: '+351 912 345 678' }],
    ['apt_01jd 2026-11-24T10:30', { client: 'apt_01jd', moment: '2026-11-24T10:30' }],
    ['with Mia', { stylist: 'Mia' }],
    ['Ana Costa +20m', { ...ana, moment: '+20m' }],
    ['now Ana Costa with Mia', { ...ana, stylist: 'Mia', moment: 'now' }],
    ['Ana Costa in 20 minutes with Mia', { ...ana, stylist: 'Mia', moment: 'in 20 minutes' }],
    ['Ana Costa fri at three', { ...ana, moment: 'fri at three' }],
    ['Ana Costa to quarter to four', { ...ana, moment: 'quarter to four' }],
    ['half past ten Ana Costa', { ...ana, moment: 'half past ten' }],
    ['Ana Costa tomorrow noon', { ...ana, moment: 'tomorrow noon' }],
    ['Ana next week with Mia', { client: 'Ana', stylist: 'Mia', moment: 'next week' }],
    ['Ana calendar week 49', { client: 'Ana', moment: 'calendar week 49' }],
    ['KW 49 with Mia', { stylist: 'Mia', moment: 'KW 49' }],
  ])('%j are read in their parts', (line, parts) => {
    expect(parse(toWords(line))).toEqual({ ...none, ...parts });
  });

  it.each([
    ['Ana Costa for Blow-dry tue 10:00', { ...ana, service: 'Blow-dry', moment: 'tue 10:00' }],
    [
      'Ana Costa tue 10:00 for Blow-dry with Mia',
      { ...ana, stylist: 'Mia', service: 'Blow-dry', moment: 'tue 10:00' },
    ],
    ['Ana Costa tomorrow at 3pm for a Cut', { ...ana, service: 'Cut', moment: 'tomorrow at 3pm' }],
    ['Ana Costa 3pm tomorrow for a Cut', { ...ana, service: 'Cut', moment: '3pm tomorrow' }],
    ['tomorrow 3pm Ana Costa for the Cut', { ...ana, service: 'Cut', moment: 'tomorrow 3pm' }],
    ['tomorrow Ana Costa at 15:00', { ...ana, moment: 'tomorrow at 15:00' }],
    ['Ana Costa tomorrow for Cut at 15:00', { ...ana, service: 'Cut', moment: 'tomorrow at 15:00' }],
    ['Ana Costa 15:00 with Mia fri', { ...ana, stylist: 'Mia', moment: '15:00 fri' }],
    ['Ana Costa for tue 10:00 Blow-dry', { ...ana, service: 'Blow-dry', moment: 'tue 10:00' }],
    [
      'Ana for Cut the day after tomorrow 15:00',
      { client: 'Ana', service: 'Cut', moment: 'the day after tomorrow 15:00' },
    ],
    ['Ana Costa for Saturday 10:00', { ...ana, moment: 'Saturday 10:00' }],
  ])('have their time anywhere: %j', (line, parts) => {
    expect(parse(toWords(line))).toEqual({ ...none, ...parts });
  });

  it.each([
    ['May with Mia fri 10:00', { client: 'May', stylist: 'Mia', moment: 'fri 10:00' }],
    ['May 10:00', { client: 'May', moment: '10:00' }],
    ['April May 24 nov 3pm', { client: 'April May', moment: '24 nov 3pm' }],
    ['Tuesday Weld fri 10:00', { client: 'Tuesday Weld', moment: 'fri 10:00' }],
    [
      'Tuesday Weld with Mia for Cut fri 10:00',
      { client: 'Tuesday Weld', stylist: 'Mia', service: 'Cut', moment: 'fri 10:00' },
    ],
    ['Tue Nguyen fri 11:00', { client: 'Tue Nguyen', moment: 'fri 11:00' }],
    ['"Tuesday Weld" 10:00', { client: 'Tuesday Weld', moment: '10:00' }],
    ['Ana with Sat fri 10:00', { client: 'Ana', stylist: 'Sat', moment: 'fri 10:00' }],
    ['Ana fri 10:00 with Sat', { client: 'Ana', stylist: 'Sat', moment: 'fri 10:00' }],
    [
      'Ana for "Saturday special" tue 10:00',
      { client: 'Ana', service: 'Saturday special', moment: 'tue 10:00' },
    ],
    ['Ana for "Super Saturday" tue 10:00', { client: 'Ana', service: 'Super Saturday', moment: 'tue 10:00' }],
    [
      'Ana for "Facial every 4 weeks" tue 10:00',
      { client: 'Ana', service: 'Facial every 4 weeks', moment: 'tue 10:00' },
    ],
    [
      'Ana for "Cut with wash for men" tue 10:00',
      { client: 'Ana', service: 'Cut with wash for men', moment: 'tue 10:00' },
    ],
    ['Ana for "A Cut" tue 10:00', { client: 'Ana', service: 'A Cut', moment: 'tue 10:00' }],
    [
      'Ana for Sun-kissed highlights tue 10:00',
      { client: 'Ana', service: 'Sun-kissed highlights', moment: 'tue 10:00' },
    ],
    [
      'Ana for Evening make-up tue evening',
      { client: 'Ana', service: 'Evening make-up', moment: 'tue evening' },
    ],
    ['Noon Ali fri 10:00', { client: 'Noon Ali', moment: 'fri 10:00' }],
    ['April fri 10:00', { client: 'April', moment: 'fri 10:00' }],
    ['"Now Ali" fri 10:00', { client: 'Now Ali', moment: 'fri 10:00' }],
    ['Mr. Half fri 10:00', { client: 'Mr. Half', moment: 'fri 10:00' }],
    ['Mr. Half half past ten', { client: 'Mr. Half', moment: 'half past ten' }],
    ['Juan Quarter fri at 3', { client: 'Juan Quarter', moment: 'fri at 3' }],
    ['"Stay with me" fri', { client: 'Stay with me', moment: 'fri' }],
    ['Ana "fri 11:00"', { client: 'Ana', moment: 'fri 11:00' }],
    ['"Ana Costa fri 11:00"', { ...ana, moment: 'fri 11:00' }],
  ])('do not take a name for a time: %j', (line, parts) => {
    expect(parse(toWords(line))).toEqual({ ...none, ...parts });
  });

  const needsEnd = (words: string) => `"${words}" needs an end: a day, a month or a number of times.`;
  const noEnd = (words: string) => `"${words}" is not a day or month until which to repeat.`;
  const unclear = (words: string) => `How often, and until when, is not understood in "${words}".`;
  const noRepeat = 'This command does not repeat.';
  it.each([
    ['Ana Costa with Mia for Blow-dry tue 10:00 every 4 weeks', needsEnd('every 4 weeks')],
    ['Ana every tue 10:00 for Cut', needsEnd('every tue')],
    ['Ana for Cut tuesdays 10:00', needsEnd('tuesdays')],
    ['Ana for Cut weekly tue 10:00', needsEnd('weekly')],
    ['Ana fri 11:00 every week', needsEnd('every week')],
    ['Ana with Mia each month fri 11:00', needsEnd('each month')],
    ['Ana for Cut tue 10:00 fortnightly', needsEnd('fortnightly')],
    ['Ana fri 11:00 every 4 weeks for 6 months', needsEnd('every 4 weeks')],
    ['Ana fri 11:00 every 4', unclear('Ana fri 11:00 every 4')],
    ['Ana fri 11:00 jede Woche', needsEnd('jede Woche')],
    ['Ana fri 11:00 wöchentlich', needsEnd('wöchentlich')],
    ['Ana fri 11:00 toutes les deux semaines', needsEnd('toutes les deux semaines')],
    ['Ana fri 11:00 cada quince días', needsEnd('cada quince días')],
    ['Ana fri 11:00 ogni due settimane', needsEnd('ogni due settimane')],
    ['Ana fri 11:00 de 4 em 4 semanas', needsEnd('de 4 em 4 semanas')],
    ['Ana fri 11:00 om de week', needsEnd('om de week')],
    ['Ana fri 11:00 co dwa tygodnie', needsEnd('co dwa tygodnie')],
    ['Ana fri 11:00 every 4 weeks until summer', noEnd('summer')],
    ['Ana for Cut every friday until the end of the year', noEnd('the end of the year')],
    ['Ana for Cut weekly until Christmas', noEnd('Christmas')],
    ['Ana fri 11:00 alle 4 Wochen bis zum Sommer', noEnd('Sommer')],
    ["Ana fri 11:00 toutes les 4 semaines jusqu'à l'été", noEnd("l'été")],
    ['Ana fri 11:00 co dwa tygodnie do lata', noEnd('lata')],
    ['Ana fri 11:00 biweekly 3 times', '"biweekly" may be twice a week or every two weeks.'],
    ['Ana fri 11:00 Bi-weekly', '"Bi-weekly" may be twice a week or every two weeks.'],
    // What books has taken these out before.
    ['Ana fri 11:00 every 4 weeks until 24 dec', noRepeat],
    ['Ana fri 11:00 alle 4 Wochen 8 mal', noRepeat],
  ])('are refused for a repeat: %j', (line, message) => {
    expect(() => parse(toWords(line))).toThrow(expect.objectContaining({ message }));
  });

  it.each(['Daily Facial', 'Weekly blow-dry', 'Co Mar', 'Mr. X'])('may be a name: %s', (service) => {
    expect(parse(toWords(`Ana for ${service} tue 10:00`))).toMatchObject({ service, moment: 'tue 10:00' });
  });

  it.each([
    ['Ana for Cut tue 10:00 please', '"please" is not understood in "Cut tue 10:00 please".'],
    ['Ana tue 10:00 please', '"please" is not understood in "Ana tue 10:00 please".'],
    ['Ana from fri 10:00 to mon 11:00', '"fri 10:00" is not understood in "Ana from fri 10:00".'],
    ['Ana for Saturday special tue 10:00', '"Saturday" is not understood in "Saturday special".'],
    ['Ana tue 10:00 for 1/2 head', '"1/2" may be 1 February 2027 or 2 January 2027.'],
    ['Tuesday Weld 10:00', '"Tuesday" may be the day, or a part of the name "Tuesday Weld".'],
    ['Ana with Mia with Theo', 'The stylist is given twice: "Mia" and "Theo".'],
    ['Ana fri 3pm with Mia tomorrow', 'The time is given twice: "fri 3pm" and "tomorrow".'],
    ['Ana for Cut for Colour', 'The service is given twice: "Cut" and "Colour".'],
    ['Ana 31.2. 15:00', 'The day "31.2." does not exist.'],
    ['Ana 03/04/2026 15:00', '"03/04/2026" may be 3 April 2026 or 4 March 2026.'],
    ['Ana sun at 3', '"3" may be 03:00 or 15:00.'],
    ['Ana fri at seven', '"7" may be 07:00 or 19:00.'],
    // It may be the end of a name or of a phone number.
    ['Ana fri 3', '"3" may be 03:00 or 15:00.'],
    ['555 01 3 fri', '"3" may be 03:00 or 15:00.'],
    ['Now Ali fri 10:00', 'The time is given twice: "Now" and "fri 10:00".'],
    ['Ana with Now fri 10:00', '"Now" is not understood in "Now".'],
    ['"Next Week" tomorrow 10:00', 'The time is given twice: "Next Week" and "tomorrow 10:00".'],
    ['Ana week 54', 'The week "week 54" does not exist.'],
    ['Ana next week tomorrow 10:00', '"next week" is not understood in "Ana next week".'],
    ['Ana +20m fri 10:00', '"+20m" is not understood in "Ana +20m".'],
  ])('are refused where they are not understood: %j', (line, message) => {
    expect(() => parse(toWords(line))).toThrow(message);
  });

  it('are all accounted for, or refused', () => {
    const names = ['Ana', 'Costa', 'May', 'Tuesday', 'Weld', 'Noon', 'Half', 'Now', 'Quarter', 'Cut', 'Week'];
    const times = ['fri', '10:00', 'tomorrow', 'at', 'three', 'half', 'past', 'ten', 'now', '+20m', 'noon'];
    const weeks = ['next', 'week', 'this', 'calendar', 'KW', '49', 'in', '20', 'minutes', 'to', 'quarter'];
    const others = ['please', 'asap', 'or', 'later', 'around', '3', 'every', 'am', 'and', '-', '+', '24.11.'];
    const word = fc.oneof(
      { arbitrary: fc.constantFrom(...names, ...times), weight: 3 },
      fc.constantFrom(...weeks, ...others, 'with', 'for', 'on', 'a', 'the'),
      fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 6 }).filter((text) => !/\s/.test(text)),
    );
    // Words that join the parts; the first of them may be dropped.
    const isJoint = (text: string) => /^(?:with|for|to|on|at|an?|the)$/i.test(text);
    const sorted = (all: readonly string[]) => all.filter((text) => !isJoint(text)).sort();
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 9 }), (line) => {
        try {
          const parts = Object.values(parse(line)).join(' ').split(' ').filter(Boolean);
          expect(sorted(parts)).toEqual(sorted(line));
        } catch (error) {
          if (!(error instanceof SalonError)) throw error;
          expect(error.code).toBe('usage');
        }
      }),
      { numRuns: countBySpeed(300, 50_000) },
    );
  });

  it('are read at once, however many there are', () => {
    const line = Array.from({ length: 300 }, () => 'Ana');
    expect(parse(line).client).toBe(line.join(' '));
  });
});
