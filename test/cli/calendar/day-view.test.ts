import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { renderDayGrid } from '../../../src/cli/calendar/draw-calendar.ts';
import { statusSign } from '../../../src/cli/calendar/frame.ts';
import { countBySpeed } from '../../support/speed.ts';
import { anyDay, dayOf, entryOf, styleOf } from './sample-calendars.ts';

const timeZone = 'Europe/Berlin';
const day = dayOf('2026-11-24', timeZone);
const at = (time: string) => Date.parse(`2026-11-24T${time}:00+01:00`);
const stylists = [
  { id: 'sty_0', name: 'Mia' },
  { id: 'sty_1', name: 'Theo' },
];
const contents = { day, timeZone, stylists, hidden: [], nowMs: 0 };

describe('a calendar day', () => {
  it('has a column per stylist and blocks with sign, client and service', () => {
    const entries = [
      entryOf({ startMs: at('09:00'), endMs: at('10:30') }),
      entryOf({
        startMs: at('11:00'),
        endMs: at('11:30'),
        status: 'pending',
        client: 'Ben',
        service: 'Beard',
      }),
      entryOf({ stylistId: 'sty_1', startMs: at('09:30'), endMs: at('10:00'), status: 'completed' }),
      entryOf({ stylistId: 'sty_1', startMs: at('10:00'), endMs: at('11:00'), status: 'arrived' }),
      entryOf({ stylistId: 'sty_1', startMs: at('10:00'), endMs: at('11:00'), client: '山田花子' }),
    ];
    const text = renderDayGrid({ ...contents, entries, nowMs: at('11:40') }, styleOf(56, 10));
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

  it('marks clients with another appointment that day, and names it as far as there is room', () => {
    const first = { client: 'Ana Costa', service: 'Balayage', sameDay: 'then Blow-dry 13:00 with Theo' };
    const second = { client: 'Ana Costa', service: 'Blow-dry', sameDay: 'after Balayage 11:00 with Mia' };
    const entries = [
      entryOf({ ...first, startMs: at('11:00'), endMs: at('13:00') }),
      entryOf({ ...second, stylistId: 'sty_1', startMs: at('13:00'), endMs: at('14:00') }),
      entryOf({ ...second, client: 'Ben', stylistId: 'sty_1', startMs: at('12:00'), endMs: at('12:30') }),
    ];
    const text = renderDayGrid({ ...contents, entries }, styleOf(56, 10));
    expect(text.split('\n').map((line) => line.trimEnd())).toEqual([
      'Tuesday 24 November 2026  Europe/Berlin',
      '3 appointments with 2 stylists.',
      '+ The client has another appointment that day.',
      '',
      '       Mia                    1 Theo                   2',
      '       ──────────────────────── ────────────────────────',
      '11:00  ▌C+Ana Costa             ·',
      '       ▌  Balayage, then Blow-',
      '12:00  ▌  dry 13:00 with Theo   ▌C+Ben · Blow-dry…',
      '       ▘',
      '13:00  ·                        ▌C+Ana Costa',
      '                                ▘  Blow-dry, after…',
      '',
      '▌C confirmed',
      '',
    ]);
  });

  it('does not cut a name for what else the client has that day', () => {
    const sameDay = 'then Blow-dry 13:00 with Theo';
    const entries = [
      entryOf({ startMs: at('11:00'), endMs: at('12:30'), client: 'Ana Maria Costa', sameDay }),
    ];
    const text = renderDayGrid({ ...contents, stylists: stylists.slice(0, 1), entries }, styleOf(21, 4));
    expect(text).toContain('▌C+Ana Maria\n       ▌  Costa\n12:00  ▘  Cut');
  });

  it('shows every appointment once and fits the terminal', () => {
    fc.assert(
      fc.property(
        anyDay,
        fc.integer({ min: 40, max: 250 }),
        fc.integer({ min: 10, max: 100 }),
        (any, width, height) => {
          const lines = renderDayGrid(any, styleOf(width, height)).split('\n');
          expect(lines.filter((line) => stringWidth(line) > width)).toEqual([]);
          const drawn = lines.join('\n').match(/▌[PCAS✓✗N?](?= |$)/gm) ?? [];
          const legend = [...new Set(any.entries.map(({ status }) => status))];
          const expected = [...any.entries.map(({ status }) => status), ...legend].map(
            (s) => `▌${statusSign(s)}`,
          );
          expect(drawn.toSorted()).toEqual(expected.toSorted());
        },
      ),
      { numRuns: countBySpeed(50, 1_000) },
    );
  });

  it('wraps stylists that do not fit below the others', () => {
    const entries = [entryOf({ startMs: at('09:00'), endMs: at('10:00') })];
    const heads = renderDayGrid({ ...contents, entries }, styleOf(30))
      .split('\n')
      .filter((line) => /Mia|Theo/.test(line));
    expect(heads).toHaveLength(2);
  });

  it('uses quarter hours if they fit on the screen, else half hours', () => {
    const entries = [entryOf({ startMs: at('09:00'), endMs: at('12:00') })];
    const count = (height: number) =>
      renderDayGrid({ ...contents, entries }, styleOf(80, height)).split('\n').length;
    expect(count(40) - count(16)).toBe(6);
  });

  it('prints times that do not match the lines', () => {
    const entries = [entryOf({ startMs: at('09:10'), endMs: at('10:20') })];
    expect(renderDayGrid({ ...contents, entries }, styleOf(80, 10))).toContain('09:10–10:20');
  });

  it('marks appointments that start the day before or end the day after', () => {
    const entries = [
      entryOf({ startMs: at('00:30') - 3_600_000, endMs: at('00:30') }),
      entryOf({ stylistId: 'sty_1', startMs: at('23:00'), endMs: at('23:00') + 7_200_000 }),
    ];
    const text = renderDayGrid({ ...contents, entries }, styleOf(80));
    expect(text).toContain('‹23:30');
    expect(text).toContain('23:00–01:00›');
  });

  it('collapses many empty hours into one line', () => {
    const entries = [
      entryOf({ startMs: at('01:00'), endMs: at('02:00') }),
      entryOf({ startMs: at('20:00'), endMs: at('21:00') }),
    ];
    const text = renderDayGrid({ ...contents, entries }, styleOf(80));
    expect(text).toMatch(/^⋮/m);
    expect(text).not.toMatch(/^10:00/m);
  });

  it('prints no control characters from names', () => {
    const entries = [
      entryOf({ startMs: at('09:00'), endMs: at('10:00'), client: '\u001b[2J', service: '\u202ex' }),
    ];
    const text = renderDayGrid(
      { ...contents, entries, stylists: [{ id: 'sty_0', name: '\u0007Mia' }] },
      styleOf(80),
    );
    for (const hidden of '\u001b\u202e\u0007') expect(text).not.toContain(hidden);
    expect(text).toContain('␛[2J');
  });

  it('names the stylists of a day without appointments', () => {
    expect(renderDayGrid({ ...contents, entries: [] }, styleOf(80))).toContain(
      'No appointments on Tuesday 24 November 2026. Stylists: Mia, Theo.',
    );
  });

  it('draws 5,000 overlapping appointments of one stylist', () => {
    const entries = Array.from({ length: 5000 }, () => entryOf({ startMs: at('09:00'), endMs: at('10:00') }));
    const text = renderDayGrid({ ...contents, entries }, styleOf(200, 50));
    expect(text.match(/▌C /g)).toHaveLength(5001);
  });
});
