import { describe, expect, it } from 'vitest';
import { describeSameDay } from '../../../src/cli/people/same-day.ts';

const timeZone = 'Europe/Berlin';
const stylists = new Map([
  ['sty_1', 'Mia'],
  ['sty_2', 'Theo'],
  ['sty_3', 'Zoë'],
]);

interface Booked {
  readonly client?: string;
  readonly stylist?: string;
  readonly status?: string;
  readonly isOpenEnded?: boolean;
}

/** `10:00` is on 24 November 2026, `25T10:00` on the day after. */
function book(service: string, start: string, end: string, more: Booked = {}) {
  const { client = 'cli_1', stylist = 'sty_1', status = 'confirmed', isOpenEnded = false } = more;
  const toMs = (time: string) => Date.parse(`2026-11-${time.includes('T') ? time : `24T${time}`}:00+01:00`);
  const people = { clientId: client, stylistId: stylist };
  return { id: service, ...people, service, status, isOpenEnded, startMs: toMs(start), endMs: toMs(end) };
}

const theo = { stylist: 'sty_2' };
const zoe = { stylist: 'sty_3' };

describe('what else a client has on the day of an appointment', () => {
  it.each([
    ['one appointment', [book('Cut', '10:00', '10:30')], {}],
    [
      'two that touch',
      [book('Balayage', '10:00', '12:00'), book('Blow-dry', '12:00', '12:45', theo)],
      { Balayage: 'then Blow-dry 12:00 with Theo', 'Blow-dry': 'after Balayage 10:00 with Mia' },
    ],
    [
      'two with a pause, in any order, with one stylist',
      [book('Blow-dry', '15:00', '15:45'), book('Balayage', '10:00', '12:00')],
      { Balayage: 'then Blow-dry 15:00 with Mia', 'Blow-dry': 'after Balayage 10:00 with Mia' },
    ],
    [
      'two that overlap',
      [book('Colour', '10:00', '12:00'), book('Nails', '10:30', '11:00', theo)],
      { Colour: 'also Nails 10:30 with Theo', Nails: 'also Colour 10:00 with Mia' },
    ],
    [
      'two at the same time',
      [book('Colour', '10:00', '11:00'), book('Nails', '10:00', '11:00', theo)],
      { Colour: 'also Nails 10:00 with Theo', Nails: 'also Colour 10:00 with Mia' },
    ],
    [
      'three',
      [
        book('Colour', '10:00', '11:00'),
        book('Cut', '11:00', '11:30', theo),
        book('Nails', '12:00', '13:00', zoe),
      ],
      {
        Colour: 'then Cut 11:00 with Theo',
        Cut: 'after Colour 10:00 with Mia, then Nails 12:00 with Zoë',
        Nails: 'after Cut 11:00 with Theo',
      },
    ],
    [
      'two around a cancelled one',
      [
        book('Colour', '10:00', '11:00'),
        book('Cut', '11:00', '11:30', { ...theo, status: 'Canceled' }),
        book('Nails', '12:00', '13:00', zoe),
      ],
      { Colour: 'then Nails 12:00 with Zoë', Nails: 'after Colour 10:00 with Mia' },
    ],
    [
      'a no-show',
      [book('Colour', '10:00', '11:00'), book('Cut', '11:00', '11:30', { status: 'no_show' })],
      {},
    ],
    [
      'a status that is not known',
      [book('Colour', '10:00', '11:00', { status: 'paused' }), book('Cut', '11:00', '11:30')],
      { Colour: 'then Cut 11:00 with Mia', Cut: 'after Colour 10:00 with Mia' },
    ],
    [
      'two that start on one day, the second lasting past midnight',
      [book('Cut', '22:00', '23:00'), book('Colour', '23:00', '25T01:00', theo)],
      { Cut: 'then Colour 23:00 with Theo', Colour: 'after Cut 22:00 with Mia' },
    ],
    ['two on two days', [book('Colour', '23:30', '25T00:30'), book('Cut', '25T00:30', '25T01:00')], {}],
    [
      'a couple, or two clients of one name',
      [book('Cut', '10:00', '11:00'), book('Beard', '10:00', '11:00', { ...theo, client: 'cli_2' })],
      {},
    ],
    [
      'nobody known',
      [book('Cut', '10:00', '11:00', { client: '' }), book('Beard', '11:00', '12:00', { client: '' })],
      {},
    ],
    [
      'a length that is not known',
      [book('Cut', '10:00', '10:30', { isOpenEnded: true }), book('Nails', '10:15', '11:00', theo)],
      { Cut: 'then Nails 10:15 with Theo', Nails: 'after Cut 10:00 with Mia' },
    ],
    [
      'a stylist without a name, none, and a service that is not shown',
      [book('Cut', '10:00', '11:00', { stylist: 'sty_9' }), book('', '11:00', '12:00', { stylist: '' })],
      { Cut: 'then 11:00', '': 'after Cut 10:00 with sty_9' },
    ],
  ])('of %s', (_what, visits, expected) => {
    const words = describeSameDay(visits, { timeZone, stylists });
    expect(Object.fromEntries(Array.from(words, ([{ service }, text]) => [service, text]))).toEqual(expected);
  });

  it('is of the day in the time zone', () => {
    const visits = [book('Cut', '23:30', '23:45'), book('Nails', '25T00:30', '25T01:00')];
    expect(describeSameDay(visits, { timeZone, stylists }).size).toBe(0);
    expect([...describeSameDay(visits, { timeZone: 'Etc/UTC', stylists }).values()]).toEqual([
      'then Nails 23:30 with Mia',
      'after Cut 22:30 with Mia',
    ]);
  });
});
