import { describe, expect, it } from 'vitest';
import { systemIo } from '../../src/cli/io.ts';

const midsummer = new Date('2026-06-21T12:00:00Z');
const readZone = (TZ: string | undefined) =>
  systemIo({ ...process, env: { ...process.env, TZ } } as NodeJS.Process).timeZone;

describe('the system time zone', () => {
  it('matches the one of Intl', () => {
    const { timeZone } = systemIo(process);
    expect(midsummer.toLocaleString('en-GB', { timeZone })).toBe(midsummer.toLocaleString('en-GB'));
  });

  it.each([
    ['Asia/Tokyo', 'Asia/Tokyo'],
    [':Asia/Tokyo', 'Asia/Tokyo'],
    [':/usr/share/zoneinfo/Europe/Berlin', 'Europe/Berlin'],
    ['/usr/share/zoneinfo/America/Argentina/Ushuaia', 'America/Argentina/Ushuaia'],
    ['posix/Europe/Berlin', 'Europe/Berlin'],
    ['/usr/share/zoneinfo/posix/Europe/Berlin', 'Europe/Berlin'],
    ['/etc/localtime', readZone(undefined)],
    [':/etc/localtime', readZone(undefined)],
    ['EST5EDT', 'EST5EDT'],
    ['UTC0', 'UTC'],
    // POSIX counts to the west: three hours ahead of UTC.
    ['<+03>-3', 'Etc/GMT-3'],
    ['EST5', 'Etc/GMT+5'],
    ['GMT+1', 'Etc/GMT+1'],
    ['JST-9', 'Etc/GMT-9'],
  ])('is read from TZ=%s', (text, zone) => {
    expect(zone).toBeDefined();
    expect(readZone(text)).toBe(zone);
  });

  it.each([
    // Berlin, Paris and forty others have this rule.
    'CET-1CEST,M3.5.0,M10.5.0/3',
    'CET-1CEST',
    'IST-5:30',
    // Its seconds are others.
    'right/Europe/Berlin',
    '/usr/share/zoneinfo/right/Europe/Berlin',
    '/home/ana/my-zone',
    ':',
    '',
    'Mars/Olympus',
    '+02:00',
    'undefined',
    'XYZ-25',
  ])('is not known with TZ=%s', (text) => {
    expect(readZone(text)).toBeUndefined();
  });
});
