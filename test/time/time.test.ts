import { describe, expect, it } from 'vitest';
import { createZoneClock, isTimeZone, toMinutes } from '../../src/time/time.ts';

describe('isTimeZone', () => {
  it.each([
    ['Europe/Berlin', true],
    ['UTC', true],
    ['', false],
    ['Mars/Olympus', false],
    ['CET-1CEST', false],
  ])('%s: %s', (text, expected) => {
    expect(isTimeZone(text)).toBe(expected);
  });
});

describe('a duration', () => {
  it.each([
    ['45', 45],
    ['45m', 45],
    ['90min', 90],
    ['45 minutes', 45],
    ['45 Minuten', 45],
    ['1h', 60],
    ['1h15', 75],
    ['1h 15m', 75],
    ['1 hr 15 mins', 75],
    ['1 hour, 15 minutes', 75],
    ['1 Std. 15 Min.', 75],
    ['2 Std.', 120],
    ['1 Stunde', 60],
    ['1 heure 30', 90],
    ['1 hora 15 minutos', 75],
    ['1 ora 15 minuti', 75],
    ['1 uur', 60],
    ['1 godz. 15 min', 75],
    ['PT45M', 45],
    ['PT1H15M', 75],
    ['0:45', 45],
    ['00:45:00', 45],
    ['1:15', 75],
    ['36:00', 2160],
  ])('%s is %d minutes', (text, minutes) => {
    expect(toMinutes(text)).toBe(minutes);
  });

  it.each([
    '0',
    '0:00',
    '',
    'PT',
    '0.75',
    '1.5',
    '45.5',
    '1:75',
    '0:45:30',
    '-45',
    '1.5 h',
    'h',
    '15:00 Uhr',
    '1 day',
  ])('is not "%s"', (text) => {
    expect(toMinutes(text)).toBeUndefined();
  });
});

describe('the clock of a zone', () => {
  it.each([
    ['once', '2026-11-24T10:00', ['2026-11-24T09:00:00.000Z'], '2026-11-24T09:00:00.000Z'],
    [
      'twice',
      '2026-10-25T02:30',
      ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'],
      '2026-10-25T00:30:00.000Z',
    ],
    ['never', '2026-03-29T02:30', [], '2026-03-29T01:00:00.000Z'],
  ])('shows some times %s', (_count, local, instants, earliest) => {
    const zone = createZoneClock('Europe/Berlin');
    const toText = (ms: number) => new Date(ms).toISOString();
    expect(zone.instants(Date.parse(`${local}Z`)).map(toText)).toEqual(instants);
    expect(toText(zone.earliest(Date.parse(`${local}Z`)))).toBe(earliest);
  });

  it('is the same for every spelling of its name, and that of no zone throws when it is asked', () => {
    const [one, other] = ['America/Havana', 'america/havana'].map((name) => createZoneClock(name).wall(0));
    expect(one).toBe(other);
    const nowhere = createZoneClock('Mars/Olympus');
    expect(() => nowhere.wall(0)).toThrow(RangeError);
  });

  it.each([
    ['-000500-06-15T12:34:56.789Z'],
    ['0000-01-01T00:00:00.000Z'],
    ['0026-11-24T10:00:00.000Z'],
    ['0099-12-31T23:59:59.999Z'],
    ['0100-12-31T23:59:59.999Z'],
    ['0101-01-01T00:00:00.000Z'],
  ])('shows %s in its own century', (text) => {
    const ms = Date.parse(text);
    expect(new Date(createZoneClock('UTC').wall(ms)).toISOString()).toBe(text);
    // The local mean time of Berlin.
    const berlin = createZoneClock('Europe/Berlin');
    const wallMs = ms + 3_208_000;
    expect([berlin.wall(ms), berlin.instants(wallMs), berlin.earliest(wallMs)]).toEqual([wallMs, [ms], ms]);
  });
});
