import { describe, expect, it } from 'vitest';
import { splitReferenceAndMoment } from '../../../src/cli/flags/split-moment.ts';

const context = { now: new Date('2026-11-18T10:00:00Z'), timeZone: 'Europe/Berlin' };

describe('splitReferenceAndMoment', () => {
  it.each([
    ['Ana Costa fri 11:00', 'Ana Costa', 'fri 11:00'],
    ['Ana Costa to next fri at 11:00', 'Ana Costa', 'next fri at 11:00'],
    ['ana@example.com 3pm tomorrow', 'ana@example.com', '3pm tomorrow'],
    ['555 0101 24.11. 15:00', '555 0101', '24.11. 15:00'],
    ['+49 30 123456 +1d 15:00', '+49 30 123456', '+1d 15:00'],
    ['April May 24 nov 3pm', 'April May', '24 nov 3pm'],
    ['Tue Nguyen fri 11:00', 'Tue Nguyen', 'fri 11:00'],
    ['apt_01jd 2026-11-24T10:30', 'apt_01jd', '2026-11-24T10:30'],
    ['fri 11:00', '', 'fri 11:00'],
    ['Ana Costa', 'Ana Costa', ''],
    ['', '', ''],
  ])('%s', (text, reference, moment) => {
    expect(splitReferenceAndMoment(text.split(' '), context)).toEqual({ reference, moment });
    expect(splitReferenceAndMoment([text], context)).toEqual({ reference, moment });
  });

  it.each([
    ['Ana 31.2. 15:00', 'does not exist'],
    ['Ana 03/04/2026 15:00', 'may be 3 April 2026 or 4 March 2026'],
    ['Ana fri at 3', '"3" may be 03:00 or 15:00'],
  ])('refuses %s instead of taking its end alone', (text, message) => {
    expect(() => splitReferenceAndMoment(text.split(' '), context)).toThrow(message);
  });
});
