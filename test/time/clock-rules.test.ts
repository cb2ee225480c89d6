import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ClockRules,
  findClockDifferences,
  findFirstDifference,
  findOffset,
  listClockRules,
  parseClockRules,
} from '../../src/time/clock-rules.ts';
import { createZoneClock, dayMs, minuteMs } from '../../src/time/time.ts';

const nowMs = Date.parse('2026-11-21T12:00:00Z');
const first = { from: '2026-11-21T00:00:00Z', offset_minutes: 60 };
const second = { from: '2027-03-28T01:00:00Z', offset_minutes: 120 };
const rules: ClockRules = { tz_version: '2026c', until: '2029-01-29T00:00:00Z', offsets: [first, second] };

describe('the clock rules of a zone', () => {
  it.each(Intl.supportedValuesOf('timeZone'))('give every day of %s its offset', (zone) => {
    const listed = listClockRules(zone, { nowMs });
    const { wall } = createZoneClock(zone);
    const wrong = Array.from({ length: 800 }, (_, day) => nowMs + day * dayMs - dayMs / 2).filter(
      (ms) => findOffset(listed, ms) !== wall(ms) - ms,
    );
    expect(wrong).toEqual([]);
    const changes = listed.offsets.slice(1).map(({ from }) => Date.parse(from));
    // A change is at that millisecond, not before.
    expect(changes.filter((ms) => wall(ms) - ms === wall(ms - 1) - (ms - 1))).toEqual([]);
    expect(parseClockRules(JSON.parse(JSON.stringify(listed)))).toEqual(listed);
    expect(findFirstDifference(zone, { own: listed, theirs: listed })).toBeUndefined();
  });

  it('are none for a zone that is unknown here', () => {
    const none = { tz_version: '2026c', until: '2029-01-29T00:00:00Z', offsets: [] };
    expect(listClockRules('Europe/Atlantis', { nowMs, tzVersion: '2026c' })).toEqual(none);
    expect(findOffset(none, nowMs)).toBeUndefined();
  });

  it('say nothing about the time before and after them', () => {
    const instants = ['2026-11-20T23:59:59Z', '2029-01-29T00:00:00Z', '2028-12-01T00:00:00Z'];
    const offsets = instants.map((instant) => findOffset(rules, Date.parse(instant)));
    expect(offsets).toEqual([undefined, undefined, 2 * 3_600_000]);
  });

  it('differ for the local times that the two sides read differently, and no others', () => {
    // Winter in Berlin, and a summer that never ends there.
    const [winter, summer, later] = [
      '2026-12-01T08:00:00Z',
      '2027-07-01T08:00:00Z',
      '2027-12-01T08:00:00Z',
    ].map((instant) => Date.parse(instant));
    expect(findClockDifferences('Europe/Berlin', rules, [winter ?? 0, summer ?? 0, later ?? 0])).toEqual([
      {
        wallMs: Date.parse('2027-12-01T09:00:00Z'),
        ownMs: later,
        theirMs: Date.parse('2027-12-01T07:00:00Z'),
      },
    ]);
    const own = listClockRules('Europe/Berlin', { nowMs });
    const found = findFirstDifference('Europe/Berlin', { own, theirs: rules });
    expect(found?.ownMs).toBe(Date.parse('2027-10-31T01:00:00Z'));
  });

  // Every zone that tz 2026e (Node 24.22.3 and 26.12.1) reads otherwise in 2026 and 2027 than 2026a (Node 24.15).
  it.each([
    ['Africa/Casablanca', '2026-09-20T02:00:00Z', 60, 0],
    ['Africa/El_Aaiun', '2026-09-20T02:00:00Z', 60, 0],
    ['America/Edmonton', '2026-11-01T08:00:00Z', -420, -360],
    ['America/Yellowknife', '2026-11-01T08:00:00Z', -420, -360],
    ['America/Inuvik', '2026-11-01T08:00:00Z', -420, -360],
    ['America/Vancouver', '2026-11-01T09:00:00Z', -480, -420],
    ['America/Winnipeg', '2026-11-01T07:00:00Z', -360, -300],
  ])('of %s part at %s, whichever side is newer', (zone, from, former, newer) => {
    const ms = Date.parse(from);
    const compare = (offset_minutes: number) =>
      findClockDifferences(zone, { ...rules, offsets: [{ from, offset_minutes }] }, [ms]);
    const own = (findOffset(listClockRules(zone, { nowMs: ms }), ms) ?? 0) / minuteMs;
    expect([former, newer]).toContain(own);
    expect(compare(own)).toEqual([]);
    const theirs = own === newer ? former : newer;
    const [wallMs, theirMs] = [ms + own * minuteMs, ms + (own - theirs) * minuteMs];
    expect(compare(theirs)).toEqual([{ wallMs, ownMs: ms, theirMs }]);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'UTC'],
    ['no list', { ...rules, offsets: 'none' }],
    ['no end', { ...rules, until: undefined }],
    ['an end that is no time', { ...rules, until: 'later' }],
    ['an entry that is no object', { ...rules, offsets: [null] }],
    ['a start that is no time', { ...rules, offsets: [{ ...first, from: 'now' }] }],
    ['a start that is a number', { ...rules, offsets: [{ ...first, from: 0 }] }],
    ['an offset of a day', { ...rules, offsets: [{ ...first, offset_minutes: 1440 }] }],
    ['an offset that is a text', { ...rules, offsets: [{ ...first, offset_minutes: '60' }] }],
    ['an offset of half a minute', { ...rules, offsets: [{ ...first, offset_minutes: 60.5 }] }],
    ['the wrong order', { ...rules, offsets: [second, first] }],
    ['one instant twice', { ...rules, offsets: [first, first] }],
    ['a million entries', { ...rules, offsets: Array.from({ length: 1_000_000 }, () => first) }],
  ])('are not read from %s', (_what, received) => {
    expect(parseClockRules(received)).toBeUndefined();
  });

  it('are read with an unknown version where the received one is none', () => {
    const hostile = { ...rules, tz_version: '\u001b[31m2026c' };
    expect(parseClockRules(hostile)).toEqual({ ...rules, tz_version: null });
  });

  it('are read or refused, whatever is received', () => {
    fc.assert(
      fc.property(fc.anything(), (received) => {
        const parsed = parseClockRules(received);
        expect(Number.isNaN(parsed && findOffset(parsed, nowMs))).toBe(false);
      }),
    );
  });
});
