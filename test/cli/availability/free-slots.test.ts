import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findFreeSlots as cutSlots,
  findFreeSpans,
  type SlotQuery as SlotStyle,
} from '../../../src/cli/availability/free-slots.ts';
import { createZoneClock, type TimeSpan } from '../../../src/time/time.ts';
import { parseWeekHours, type WeekHours } from '../../../src/time/week-hours.ts';
import { countBySpeed } from '../../support/speed.ts';

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;

interface SlotQuery extends SlotStyle {
  readonly busy: readonly (TimeSpan & { readonly stylistId: string })[];
  readonly hours: ReadonlyMap<string, WeekHours>;
}

function findFreeSlots(query: SlotQuery) {
  const { startMs, endMs } = query.span;
  const span = { startMs, endMs: endMs + query.durationMinutes * minuteMs };
  const zone = createZoneClock(query.timeZone);
  const free = [...query.hours].map(([stylistId, week]) => {
    const busy = query.busy.filter((each) => each.stylistId === stylistId);
    return { stylistId, stylistName: stylistId, spans: findFreeSpans(week, busy, { span, zone }) };
  });
  return cutSlots(free, query);
}

/** Tries every minute, knowing only what the clock on the wall shows. */
function findByBruteForce({ busy, hours, span, ...query }: SlotQuery): readonly string[] {
  const middle =
    days.map(([, date]) => Date.parse(date)).find((ms) => Math.abs(ms - span.startMs) < 2 * dayMs) ?? 0;
  const minutes = Array.from({ length: 11 * 1440 }, (_, index) => middle - 4 * dayMs + index * minuteMs);
  const walls = readWalls(query.timeZone, minutes);
  const found: string[] = [];
  for (const [stylistId, week] of hours) {
    const open = findOpenMinutes(week, walls);
    const taken = busy.filter((each) => each.stylistId === stylistId);
    for (const [index, startMs] of minutes.entries()) {
      if (
        startMs < span.startMs ||
        startMs >= span.endMs ||
        (walls[index] ?? 0) % (query.stepMinutes * minuteMs) !== 0
      ) {
        continue;
      }
      const endMs = startMs + query.durationMinutes * minuteMs;
      const isOpen = open.slice(index, index + query.durationMinutes).every((each) => each);
      const isTaken = taken.some((each) => each.startMs < endMs && each.endMs > startMs);
      if (isOpen && !isTaken) found.push(`${stylistId} ${startMs} ${endMs}`);
    }
  }
  return found.sort();
}

const knownWalls = new Map<string, readonly number[]>();

/** The clock on the wall at each minute, read once for each zone and time. */
function readWalls(timeZone: string, minutes: readonly number[]): readonly number[] {
  const key = `${timeZone} ${minutes[0]}`;
  const { wall } = createZoneClock(timeZone);
  const walls = knownWalls.get(key) ?? minutes.map((ms) => wall(ms));
  knownWalls.set(key, walls);
  return walls;
}

const knownOpen = new WeakMap<readonly number[], Map<string, readonly boolean[]>>();

/** Whether hours have begun and not ended at each minute: the clock has reached their start, and not yet their end. */
function findOpenMinutes(week: WeekHours, walls: readonly number[]): readonly boolean[] {
  const known = knownOpen.get(walls) ?? new Map();
  knownOpen.set(walls, known);
  const key = JSON.stringify(week);
  if (!known.has(key)) known.set(key, computeOpenMinutes(week, walls));
  return known.get(key);
}

function computeOpenMinutes(week: WeekHours, walls: readonly number[]): readonly boolean[] {
  const open = walls.map(() => false);
  const dates = new Set(walls.map((wall) => Math.floor(wall / dayMs) * dayMs));
  for (const date of dates) {
    for (const { startMs, endMs } of week[new Date(date).getUTCDay()] ?? []) {
      const start = walls.findIndex((wall) => wall >= date + startMs);
      const end = walls.findIndex((wall) => wall >= date + endMs);
      if (start >= 0) open.fill(true, start, end < 0 ? walls.length : end);
    }
  }
  return open;
}

/** Days around clock changes, at midnight and of half an hour among them. */
const days = [
  ['Europe/Berlin', '2026-03-29'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-11-01'],
  ['America/Havana', '2026-03-08'],
  ['America/Sao_Paulo', '2018-02-18'],
  ['America/Sao_Paulo', '2018-11-04'],
  ['Africa/Cairo', '2026-04-24'],
  ['Asia/Kathmandu', '2026-05-01'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
  ['America/St_Johns', '2010-11-07'],
  ['Pacific/Apia', '2011-12-30'],
] as const;

const hours = fc
  .constantFrom(
    'mon-sun 9-18',
    'mon-sun 0-24',
    'mon-sun 0-2:30 3-12 12:30-24',
    'sat-sun 1:15-1:45 2-2:45',
    'fri-sun 22:10-24, sat-mon 0-4',
    'sat-mon 0-0:10 23-23:59',
    'sun closed',
  )
  .map((text) => parseWeekHours(text) ?? []);

const query = fc
  .record({
    day: fc.constantFrom(...days),
    fromMinute: fc.integer({ min: -900, max: 1500 }),
    lengthMinutes: fc.integer({ min: 0, max: 2000 }),
    durationMinutes: fc.constantFrom(1, 15, 30, 45, 61, 180, 600),
    stepMinutes: fc.constantFrom(1, 5, 15, 20, 45, 60, 120),
    hours: fc.array(hours, { minLength: 1, maxLength: 2 }),
    busy: fc.array(
      fc.record({
        stylist: fc.integer({ min: 0, max: 2 }),
        minute: fc.integer({ min: -1500, max: 3500 }),
        length: fc.integer({ min: 1, max: 300 }),
      }),
      { maxLength: 12 },
    ),
  })
  .map(({ day: [timeZone, date], fromMinute, lengthMinutes, ...rest }): SlotQuery => {
    const startMs = Date.parse(`${date}T00:00:00Z`);
    const fromMs = startMs + fromMinute * minuteMs;
    return {
      timeZone,
      span: { startMs: fromMs, endMs: fromMs + lengthMinutes * minuteMs },
      durationMinutes: rest.durationMinutes,
      stepMinutes: rest.stepMinutes,
      hours: new Map(rest.hours.map((week, index) => [`sty_${index}`, week])),
      busy: rest.busy.map(({ stylist, minute, length }) => ({
        stylistId: `sty_${stylist}`,
        startMs: startMs + minute * minuteMs,
        endMs: startMs + (minute + length) * minuteMs,
      })),
    };
  });

const numRuns = countBySpeed(100, 3_000);

describe('findFreeSlots', () => {
  it('finds what trying every minute finds, across clock changes', { timeout: 600_000 }, () => {
    let found = 0;
    fc.assert(
      fc.property(query, (each) => {
        const slots = findFreeSlots(each).map(
          ({ stylistId, startMs, endMs }) => `${stylistId} ${startMs} ${endMs}`,
        );
        found += slots.length;
        expect(slots.toSorted()).toEqual(findByBruteForce(each));
      }),
      { numRuns },
    );
    expect(found).toBeGreaterThan(numRuns / 2);
  });

  it.each([
    {
      what: 'an hour that occurs twice, on a grid of two hours',
      zone: 'Europe/Berlin',
      week: 'sun 0-5',
      from: '2026-10-24T22:00:00Z',
      to: '2026-10-25T04:00:00Z',
      stepMinutes: 120,
      starts: ['22:00', '00:00', '01:00', '03:00'],
    },
    {
      what: 'the minute of a day before the clocks go back to the day before',
      zone: 'America/St_Johns',
      week: 'sun 0-1',
      from: '2010-11-07T02:00:00Z',
      to: '2010-11-07T03:00:00Z',
      stepMinutes: 15,
      starts: ['02:30', '02:45'],
    },
  ])('misses nothing in $what', ({ zone: timeZone, week, from, to, stepMinutes, starts }) => {
    const query = {
      busy: [],
      hours: new Map([['mia', parseWeekHours(week) ?? []]]),
      span: { startMs: Date.parse(from), endMs: Date.parse(to) },
      ...{ durationMinutes: 1, stepMinutes, timeZone },
    };
    const found = findFreeSlots(query).map(({ startMs }) => new Date(startMs).toISOString().slice(11, 16));
    expect(found).toEqual(starts);
  });

  it('is sorted by start, and uses the minutes between two appointments', () => {
    const at = (time: string) => Date.parse(`2026-11-24T${time}:00Z`);
    const week = parseWeekHours('tue 9-12') ?? [];
    const slots = findFreeSlots({
      busy: [
        { stylistId: 'mia', startMs: at('09:40'), endMs: at('10:30') },
        { stylistId: 'mia', startMs: at('10:00'), endMs: at('11:15') },
      ],
      hours: new Map([
        ['mia', week],
        ['theo', parseWeekHours('tue 11-11:45') ?? []],
      ]),
      span: { startMs: at('09:00'), endMs: at('23:00') },
      durationMinutes: 30,
      stepMinutes: 15,
      timeZone: 'UTC',
    });
    expect(
      slots.map(({ stylistId, startMs }) => [stylistId, new Date(startMs).toISOString().slice(11, 16)]),
    ).toEqual([
      ['mia', '09:00'],
      ['theo', '11:00'],
      ['mia', '11:15'],
      ['theo', '11:15'],
      ['mia', '11:30'],
    ]);
  });
});
