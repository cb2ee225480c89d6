import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listRepeats, readMonthEnd, takeRepeat } from '../../src/time/repeats.ts';
import { createZoneClock, dayMs, minuteMs } from '../../src/time/time.ts';
import { countBySpeed } from '../support/speed.ts';

const isDay = (text: string) =>
  /^(?:fri|24 dec|christmas)$/.test(text) || readMonthEnd(text, 0) !== undefined;
const take = (line: string) => takeRepeat(line.split(' '), isDay);

describe('the words of a repeat', () => {
  it.each([
    ['every 4 weeks 8 times', 4, 'week'],
    ['8 times every 2 weeks', 2, 'week'],
    ['8x every week', 1, 'week'],
    ['each week 8 times', 1, 'week'],
    ['every second tuesday 8 times', 2, 'week', 'Tuesday'],
    ['every other friday 8 times', 2, 'week', 'Friday'],
    ['every 3rd fri 8 times', 3, 'week', 'Friday'],
    ['on tuesdays 8 times', 1, 'week', 'Tuesday'],
    ['every fortnight 8 times', 2, 'week'],
    ['weekly 8 times', 1, 'week'],
    ['monthly 8 times', 1, 'month'],
    ['every two months 8 times', 2, 'month'],
    ['every day 8 times', 1, 'day'],
    ['alle 4 Wochen 8 mal', 4, 'week'],
    ['alle zwei Wochen 8 Mal', 2, 'week'],
    ['jeden zweiten Dienstag 8 mal', 2, 'week', 'Tuesday'],
    ['jede Woche 8x', 1, 'week'],
    ['wöchentlich 8 mal', 1, 'week'],
    ['jeden Monat 8 mal', 1, 'month'],
    ['toutes les 4 semaines 8 fois', 4, 'week'],
    ['tous les mardis 8 fois', 1, 'week', 'Tuesday'],
    ['tous les 15 jours 8 fois', 2, 'week'],
    ['chaque mois 8 fois', 1, 'month'],
    ['cada 4 semanas 8 veces', 4, 'week'],
    ['cada dos semanas 8 veces', 2, 'week'],
    ['todos los martes 8 veces', 1, 'week', 'Tuesday'],
    ['todos los sábados 8 veces', 1, 'week', 'Saturday'],
    ['cada mes 8 veces', 1, 'month'],
    ['ogni 4 settimane 8 volte', 4, 'week'],
    ['ogni due settimane 8 volte', 2, 'week'],
    ['ogni martedì 8 volte', 1, 'week', 'Tuesday'],
    ['ogni mese 8 volte', 1, 'month'],
    ['a cada 4 semanas 8 vezes', 4, 'week'],
    ['todas as terças 8 vezes', 1, 'week', 'Tuesday'],
    ['todas as quartas-feiras 8 vezes', 1, 'week', 'Wednesday'],
    ['cada duas semanas 8 vezes', 2, 'week'],
    ['todo mês 8 vezes', 1, 'month'],
    ['om de 4 weken 8 keer', 4, 'week'],
    ['elke tweede dinsdag 8 keer', 2, 'week', 'Tuesday'],
    ['elke week 8 maal', 1, 'week'],
    ['elke maand 8 keer', 1, 'month'],
    ['co 4 tygodnie 8 razy', 4, 'week'],
    ['co tydzień 8 razy', 1, 'week'],
    ['co drugi wtorek 8 razy', 2, 'week', 'Tuesday'],
    ['w każdą środę 8 razy', 1, 'week', 'Wednesday', ['w']],
    ['co miesiąc 8 razy', 1, 'month'],
  ])('%j', (line, count, unit, weekday?: string, rest: string[] = []) => {
    // The weekday stays among the words, for the first date.
    const left = weekday === undefined ? rest : [...rest, weekday];
    expect(take(line)).toEqual({ repeat: expect.objectContaining({ count, unit, times: 8 }), rest: left });
  });

  it.each([
    ['every 4 weeks until june', 'june'],
    ['every other friday until 24 dec', '24 dec'],
    ['alle 4 Wochen bis Juni', 'juni'],
    ['alle 4 Wochen bis zum 24 dec', '24 dec'],
    ["toutes les 4 semaines jusqu'au 24 dec", '24 dec'],
    ["toutes les 4 semaines jusqu'en juin", 'juin'],
    ['cada 4 semanas hasta junio', 'junio'],
    ['ogni 4 settimane fino a giugno', 'giugno'],
    ['cada 4 semanas até junho', 'junho'],
    ['elke 4 weken tot juni', 'juni'],
    ['elke 4 weken t/m juni', 'juni'],
    ['co 4 tygodnie do czerwca', 'czerwca'],
    ['every 4 weeks until the end of june 2027', 'the end of june 2027'],
  ])('%j ends', (line, until) => {
    expect(take(line)?.repeat).toMatchObject({ until, times: undefined });
  });

  it('are apart from the other words of the line', () => {
    const words = ['Ana', 'every', 'friday', '15:00', 'until', 'june', 'with', 'Mia', '8', 'Elms'];
    expect(takeRepeat(words, isDay)?.rest).toEqual(['Ana', 'Friday', '15:00', 'with', 'Mia', '8', 'Elms']);
  });

  it.each([
    'every 4 until june',
    'every week',
    'every 4 weeks until summer',
    'Ana Costa',
    'alle 3',
    'every 0 weeks',
  ])('are not complete in %j', (line) => expect(take(line)).toBeUndefined());

  it('are not found in quotes', () => {
    expect(takeRepeat(['Facial every 4 weeks', '8', 'times'], isDay)).toBeUndefined();
  });
});

describe('the end of a month', () => {
  it.each([
    ['june', '2027-07-01'],
    ['Dezember', '2027-01-01'],
    ['nov.', '2026-12-01'],
    ['październik', '2027-11-01'],
    ['the end of march 2028', '2028-04-01'],
    ['janeiro de 2028', '2028-02-01'],
  ])('%s from 29 November 2026 on is %s', (text, midnight) => {
    expect(readMonthEnd(text, Date.UTC(2026, 10, 29))).toBe(Date.parse(midnight));
  });

  it.each(['24 dec', 'summer', 'june 27', ''])('%j is none', (text) => {
    expect(readMonthEnd(text, 0)).toBeUndefined();
  });
});

describe('the dates of a repeat', () => {
  const weekly = { count: 1, unit: 'week', times: undefined, until: undefined } as const;
  const zone = createZoneClock('Europe/Lisbon');
  const nowMs = Date.parse('2026-11-29T12:00:00Z');
  const list = (repeat: object, endMs?: number, firstMs = nowMs + dayMs) =>
    listRepeats(firstMs, { ...weekly, ...repeat }, { zone, nowMs, endMs });

  it.each([
    [{ times: 0 }, undefined, 'A repeat has at least 1 date.'],
    [{ times: 53 }, undefined, 'A repeat has at most 52 dates.'],
    [{ unit: 'day' }, Date.UTC(2027, 6), 'A repeat has at most 52 dates.'],
    [{ count: 3, times: 52 }, undefined, 'A repeat ends within two years; 4 December 2028 is later.'],
    [{}, Date.UTC(2026, 10), 'The last day is before the first, 30 November 2026.'],
  ])('%j until %s: %s', (repeat, endMs, sentence) => {
    expect(list(repeat, endMs)).toBe(sentence);
  });

  it('are one to fifty-two', () => {
    expect(list({ times: 1 })).toHaveLength(1);
    expect(list({ times: 52 })).toHaveLength(52);
  });

  it('include the last day', () => {
    expect(list({}, Date.UTC(2026, 11, 8))).toHaveLength(2);
    expect(list({}, Date.UTC(2026, 11, 7))).toHaveLength(1);
  });

  it('are the last days of months without such a day', () => {
    const starts = list({ unit: 'month', times: 4 }, undefined, Date.parse('2026-12-31T10:00:00Z'));
    const days = [...starts].map((start) => new Date((start as { localMs: number }).localMs).toISOString());
    expect(days.map((day) => day.slice(0, 10))).toEqual([
      '2026-12-31',
      '2027-01-31',
      '2027-02-28',
      '2027-03-31',
    ]);
  });

  const zones = [
    ...['Europe/Lisbon', 'Europe/Warsaw', 'America/New_York', 'America/St_Johns', 'America/Santiago'],
    ...['Africa/Cairo', 'Asia/Beirut', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Auckland'],
    ...['Pacific/Chatham', 'America/Havana'],
  ];

  it('are those of a calendar that is read day by day, in all zones', () => {
    const interval = fc.record({
      count: fc.integer({ min: 1, max: 6 }),
      unit: fc.constantFrom('day', 'week', 'month'),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 400 * 96 }),
        interval,
        fc.oneof(
          fc.record({ times: fc.integer({ min: 1, max: 20 }) }),
          fc.record({ days: fc.integer({ min: 1, max: 120 }) }),
        ),
        (name, quarters, every, end: { times?: number; days?: number }) => {
          const clock = createZoneClock(name);
          const firstMs = nowMs + quarters * 15 * minuteMs;
          const first = clock.wall(firstMs);
          const endMs = end.days && Math.floor(first / dayMs) * dayMs + end.days * dayMs;
          const repeat = { ...weekly, ...(every as { count: number; unit: 'day' }), times: end.times };
          const found = listRepeats(firstMs, repeat, { zone: clock, nowMs, endMs });
          const dates = listByDay(first, { ...repeat, endMs });
          const twoYearsMs = new Date(clock.wall(nowMs)).setUTCFullYear(2028);
          const tooMany = dates.length > 52 || dates.some((ms) => ms > twoYearsMs);
          if (tooMany) {
            expect(typeof found).toBe('string');
            return;
          }
          expect(found).toEqual(
            dates.map((localMs, index) => ({
              localMs,
              startMs: index === 0 ? firstMs : findByQuarter(localMs, clock),
            })),
          );
        },
      ),
      { numRuns: countBySpeed(250, 3000) },
    );
  });
});

/** A day at a time, counting days, weeks or months since the first. */
function listByDay(
  first: number,
  {
    count,
    unit,
    times = 1000,
    endMs = Number.MAX_SAFE_INTEGER,
  }: { count: number; unit: string; times?: number | undefined; endMs?: number | undefined },
): number[] {
  const dates: number[] = [];
  const start = new Date(first);
  for (let days = 0; days < 7000 && dates.length < times && dates.length < 60; days += 1) {
    const ms = first + days * dayMs;
    if (ms >= endMs) break;
    const date = new Date(ms);
    const months =
      (date.getUTCFullYear() - start.getUTCFullYear()) * 12 + date.getUTCMonth() - start.getUTCMonth();
    const isLast = new Date(ms + dayMs).getUTCDate() === 1;
    const isDayOfMonth =
      date.getUTCDate() === start.getUTCDate() || (isLast && date.getUTCDate() < start.getUTCDate());
    const isMeant =
      unit === 'month'
        ? months % count === 0 && isDayOfMonth
        : days % (unit === 'week' ? 7 * count : count) === 0;
    if (isMeant) dates.push(ms);
  }
  return dates;
}

/** The first instant whose local time it is, a quarter of an hour at a time. */
function findByQuarter(localMs: number, clock: ReturnType<typeof createZoneClock>): number | undefined {
  for (let ms = localMs - 16 * 60 * minuteMs; ms < localMs + 16 * 60 * minuteMs; ms += 15 * minuteMs)
    if (clock.wall(ms) === localMs) return ms;
  return undefined;
}
