import { describe, expect, it } from 'vitest';
import { event, nia, readCalendarFile as read } from './calendar-file.ts';

describe('a series', () => {
  const weekly = (rule: string, more = '') =>
    event(
      `UID:s\nDTSTART;TZID=Europe/Berlin:20250107T100000\nDTEND;TZID=Europe/Berlin:20250107T110000\nRRULE:${rule}\n${more}${nia}`,
    );

  it('without an end becomes its next twelve months, at the same wall time, which is said', async () => {
    const { starts, remarks } = await read(weekly('FREQ=WEEKLY'));
    expect(starts).toHaveLength(52);
    expect(starts[0]).toBe('2026-12-01T09:00:00Z');
    expect(starts.at(-1)).toBe('2027-11-23T09:00:00Z');
    expect(starts).toContain('2027-07-06T08:00:00Z');
    expect(remarks).toEqual([
      '1 repeated event taken from 2026-11-29 to 2027-11-29 only: Nia Costa - Cut (line 3)',
    ]);
  });

  it('ends with UNTIL or COUNT, and is nothing if that is in the past', async () => {
    expect((await read(weekly('FREQ=WEEKLY;UNTIL=20261208T090000Z'))).starts).toEqual([
      '2026-12-01T09:00:00Z',
      '2026-12-08T09:00:00Z',
    ]);
    expect((await read(weekly('FREQ=WEEKLY;UNTIL=20261208'))).starts).toHaveLength(2);
    expect((await read(weekly('FREQ=WEEKLY;COUNT=100'))).starts).toEqual(['2026-12-01T09:00:00Z']);
    const past = weekly('FREQ=WEEKLY;COUNT=10') + event(`DTSTART:20261201T090000Z\n${nia}`);
    expect((await read(past)).starts).toEqual(['2026-12-01T09:00:00Z']);
  });

  it.each([
    ['FREQ=MONTHLY;BYDAY=1TU', ['2026-12-01T09:00:00Z', '2027-01-05T09:00:00Z']],
    ['FREQ=MONTHLY;BYMONTHDAY=-1', ['2026-11-30T09:00:00Z', '2026-12-31T09:00:00Z']],
    ['FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR;WKST=SU', ['2026-12-08T09:00:00Z', '2026-12-11T09:00:00Z']],
    ['FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24', ['2026-12-24T09:00:00Z']],
    ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1', ['2026-11-30T09:00:00Z', '2026-12-31T09:00:00Z']],
  ])('repeats by %s', async (rule, first) => {
    const { starts } = await read(weekly(rule));
    expect(starts.slice(0, first.length)).toEqual(first);
  });

  it('has no occurrence that is left out, cancelled or moved, wherever that stands', async () => {
    const changes = (id: string, lines: string) => event(`UID:s\nRECURRENCE-ID${id}\n${lines}\n${nia}`);
    const cancelled = changes(
      ';TZID=Europe/Berlin:20261208T100000',
      'DTSTART:20261208T090000Z\nSTATUS:CANCELLED',
    );
    const moved = changes(':20261215T090000Z', 'DTSTART:20261216T130000Z\nDTEND:20261216T140000Z');
    const series = weekly(
      'FREQ=WEEKLY;UNTIL=20261231T000000Z',
      'EXDATE:20261201T090000Z\nEXDATE;VALUE=DATE:20261222\n',
    );
    const { starts } = await read(cancelled + series + moved);
    expect(starts).toEqual(['2026-12-29T09:00:00Z', '2026-12-16T13:00:00Z']);
  });

  it('has dates of its own', async () => {
    const { starts } = await read(
      event(
        `DTSTART:20261201T090000Z\nRRULE:FREQ=WEEKLY;COUNT=1\nRDATE:20261203T090000Z,20200101T090000Z\n${nia}`,
      ),
    );
    expect(starts).toEqual(['2026-12-01T09:00:00Z', '2026-12-03T09:00:00Z']);
  });

  it('names the occurrences that clocks skip', async () => {
    const { starts, problems } = await read(
      event(`DTSTART;TZID=Europe/Berlin:20270327T023000\nRRULE:FREQ=DAILY;COUNT=3\n${nia}`),
    );
    expect(starts).toEqual(['2027-03-27T01:30:00Z', '', '2027-03-29T00:30:00Z']);
    expect(problems).toEqual(['The event begins at a time that clocks skip as they go forward.']);
  });

  it('ends where an event moves all later ones, which is refused', async () => {
    const later = event(
      `UID:s\nRECURRENCE-ID;RANGE=THISANDFUTURE:20261215T090000Z\nDTSTART:20261215T130000Z\n${nia}`,
    );
    const { starts, problems } = await read(later + weekly('FREQ=WEEKLY'));
    expect(starts).toEqual(['', '2026-12-01T09:00:00Z', '2026-12-08T09:00:00Z']);
    expect(problems).toEqual([
      'The event moves all later ones of a series, too, which is not read: book them by hand.',
    ]);
  });

  it.each([
    ...['FREQ=SECONDLY', 'FREQ=HOURLY;INTERVAL=2'],
    ...[
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'FREQ=WEEKLY;BYDAY=XX',
      'FREQ=YEARLY;BYMONTH=13',
      'bogus',
      'FREQ=DAILY;BYHOUR=9',
    ],
  ])('is refused by its line if it repeats in a way that is not read: %s', async (rule) => {
    const { problems } = await read(weekly(rule));
    expect(problems).toEqual([`The event repeats in a way that is not read: ${rule}`]);
  });

  it('that began long ago is read as one that began lately', async () => {
    const endless = (start: string, rule: string) => event(`DTSTART:${start}\nRRULE:${rule}\n${nia}`);
    for (const [rule, early, late] of [
      ['FREQ=DAILY', '19000101T090000Z', '20261129T090000Z'],
      ['FREQ=DAILY;INTERVAL=3', '19000101T090000Z', '20261108T090000Z'],
      ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU', '19000102T090000Z', '20261117T090000Z'],
      ['FREQ=WEEKLY;INTERVAL=2;BYDAY=SU,TU;WKST=SU', '19000102T090000Z', '20261117T090000Z'],
    ] as const) {
      const { starts } = await read(endless(early, rule));
      expect(starts.length).toBeGreaterThan(50);
      expect(starts).toEqual((await read(endless(late, rule))).starts);
    }
  });

  it('is refused where the series of a file have more repetitions than anybody has', async () => {
    const daily = event(`DTSTART:19000101T090000Z\nRRULE:FREQ=DAILY;COUNT=90000\n${nia}`);
    const { problems } = await read(daily.repeat(8));
    expect(new Set(problems)).toEqual(new Set(['The calendar repeats its events too often to be read.']));
  });
});
