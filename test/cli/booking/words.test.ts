import { describe, expect, it } from 'vitest';
import { parseBookingWords } from '../../../src/cli/booking/words.ts';

/** A Saturday. */
const moments = { now: new Date('2026-11-21T12:00:00Z'), timeZone: 'Europe/Lisbon' };
const parse = (line: string) => parseBookingWords(line.split(' '), moments);
const none = { client: '', stylist: '', service: '', moment: '' };

describe('the words of a booking', () => {
  it.each([
    ['Ana Costa tomorrow 15:00', { client: 'Ana Costa', moment: 'tomorrow 15:00' }],
    ['Ana with Mia tomorrow at three pm', { client: 'Ana', stylist: 'Mia', moment: 'tomorrow at three pm' }],
    ['Ana fri 3pm with Mia', { client: 'Ana', stylist: 'Mia', moment: 'fri 3pm' }],
    [
      'Ana for Root colour with Mia fri',
      { client: 'Ana', stylist: 'Mia', service: 'Root colour', moment: 'fri' },
    ],
    [
      'Ana with anyone for Cut and style tomorrow 9:15',
      {
        client: 'Ana',
        stylist: 'anyone',
        service: 'Cut and style',
        moment: 'tomorrow 9:15',
      },
    ],
    ['Ana to fri 11:00', { client: 'Ana', moment: 'fri 11:00' }],
    ['+351 912 345 678', { client: '+351 912 345 678' }],
    ['with Mia', { stylist: 'Mia' }],
  ])('%j are read in their parts', (line, parts) => {
    expect(parse(line)).toEqual({ ...none, ...parts });
  });

  it('are a whole name where the shell quotes them', () => {
    expect(parseBookingWords(['Stay with me', 'fri'], moments)).toEqual({
      ...none,
      client: 'Stay with me',
      moment: 'fri',
    });
  });

  it.each(['Ana with Mia with Theo', 'Ana fri 3pm with Mia tomorrow', 'Ana for Cut for Colour'])(
    'are refused with a part twice: %j',
    (line) => {
      expect(() => parse(line)).toThrow(/is given twice/);
    },
  );
});
