import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { signOf } from '../../../src/cli/calendar/frame.ts';
import { renderDay } from '../../../src/cli/calendar/grid-views.ts';
import { anyDay, dayOf, styleOf, visitOf } from './sample-calendars.ts';

const timeZone = 'Europe/Berlin';
const day = dayOf('2026-11-24', timeZone);
const at = (time: string) => Date.parse(`2026-11-24T${time}:00+01:00`);
const stylists = [
  { id: 'sty_0', name: 'Mia' },
  { id: 'sty_1', name: 'Theo' },
];
const contents = { day, timeZone, stylists, leftOut: new Map<string, number>(), nowMs: 0 };

describe('a drawn day', () => {
  it('has stylists across, time down, and blocks with sign, client and service', () => {
    const visits = [
      visitOf({ startMs: at('09:00'), endMs: at('10:30') }),
      visitOf({
        startMs: at('11:00'),
        endMs: at('11:30'),
        status: 'pending',
        client: 'Ben',
        service: 'Beard',
      }),
      visitOf({ stylistId: 'sty_1', startMs: at('09:30'), endMs: at('10:00'), status: 'completed' }),
      visitOf({ stylistId: 'sty_1', startMs: at('10:00'), endMs: at('11:00'), status: 'arrived' }),
      visitOf({ stylistId: 'sty_1', startMs: at('10:00'), endMs: at('11:00'), client: '山田花子' }),
    ];
    const text = renderDay({ ...contents, visits, nowMs: at('11:40') }, styleOf(56, 10));
    expect(text).toBe(
      [
        'Tuesday 24 November 2026  Europe/Berlin',
        '5 appointments with 2 stylists.',
        '',
        '       Mia                    2 Theo                   3',
        '       ──────────────────────── ────────────────────────',
        '09:00  ▌C Ana Costa             ·',
        '       ▌  Cut                   ▌✓ Ana Costa · Cut',
        '10:00  ▘                        ▌A Ana Costa▌C 山田花子',
        '                                ▘  Cut      ▘  Cut',
        '11:00  ▌P Ben · Beard           ·',
        '11:40▸ ──────────────────────── ────────────────────────',
        '',
        '▌P pending   ▌C confirmed   ▌A arrived   ▌✓ completed',
        '',
      ]
        .map((line) => line.trimEnd())
        .join('\n'),
    );
  });

  it('has every appointment once, under its sign, and no line wider than the terminal', () => {
    fc.assert(
      fc.property(
        anyDay,
        fc.integer({ min: 40, max: 250 }),
        fc.integer({ min: 10, max: 100 }),
        (any, width, height) => {
          const lines = renderDay(any, styleOf(width, height)).split('\n');
          for (const line of lines) expect(stringWidth(line), line).toBeLessThanOrEqual(width);
          const drawn = lines.join('\n').match(/▌[PCAS✓✗N?](?= |$)/gm) ?? [];
          const legend = [...new Set(any.visits.map(({ status }) => status))];
          const expected = [...any.visits.map(({ status }) => status), ...legend].map((s) => `▌${signOf(s)}`);
          expect(drawn.toSorted()).toEqual(expected.toSorted());
        },
      ),
      { numRuns: 150 },
    );
  });

  it('shows in a narrow terminal the stylists that do not fit below the others', () => {
    const visits = [visitOf({ startMs: at('09:00'), endMs: at('10:00') })];
    const heads = renderDay({ ...contents, visits }, styleOf(30))
      .split('\n')
      .filter((line) => /Mia|Theo/.test(line));
    expect(heads).toHaveLength(2);
  });

  it('has a line a quarter of an hour where that fits on the screen, else half an hour', () => {
    const visits = [visitOf({ startMs: at('09:00'), endMs: at('12:00') })];
    const count = (height: number) =>
      renderDay({ ...contents, visits }, styleOf(80, height)).split('\n').length;
    expect(count(40) - count(16)).toBe(6);
  });

  it('says when something is where its lines do not', () => {
    const visits = [visitOf({ startMs: at('09:10'), endMs: at('10:20') })];
    expect(renderDay({ ...contents, visits }, styleOf(80, 10))).toContain('09:10–10:20');
  });

  it('marks what began the day before and what goes on the day after', () => {
    const visits = [
      visitOf({ startMs: at('00:30') - 3_600_000, endMs: at('00:30') }),
      visitOf({ stylistId: 'sty_1', startMs: at('23:00'), endMs: at('23:00') + 7_200_000 }),
    ];
    const text = renderDay({ ...contents, visits }, styleOf(80));
    expect(text).toContain('‹23:30');
    expect(text).toContain('23:00–01:00›');
  });

  it('folds many empty hours into one line', () => {
    const visits = [
      visitOf({ startMs: at('01:00'), endMs: at('02:00') }),
      visitOf({ startMs: at('20:00'), endMs: at('21:00') }),
    ];
    const text = renderDay({ ...contents, visits }, styleOf(80));
    expect(text).toMatch(/^⋮/m);
    expect(text).not.toMatch(/^10:00/m);
  });

  it('cleans hostile names', () => {
    const visits = [
      visitOf({ startMs: at('09:00'), endMs: at('10:00'), client: '\u001b[2J', service: '\u202ex' }),
    ];
    const text = renderDay(
      { ...contents, visits, stylists: [{ id: 'sty_0', name: '\u0007Mia' }] },
      styleOf(80),
    );
    for (const hidden of '\u001b\u202e\u0007') expect(text).not.toContain(hidden);
    expect(text).toContain('␛[2J');
  });

  it('says that nobody is booked, and who has nothing to do', () => {
    expect(renderDay({ ...contents, visits: [] }, styleOf(80))).toContain(
      'Nobody is booked on Tuesday 24 November 2026: Mia, Theo.',
    );
  });

  it('draws 5,000 appointments of one stylist at the same time', () => {
    const visits = Array.from({ length: 5000 }, () => visitOf({ startMs: at('09:00'), endMs: at('10:00') }));
    const text = renderDay({ ...contents, visits }, styleOf(200, 50));
    expect(text.match(/▌C /g)).toHaveLength(5001);
  });
});
