import { describe, expect, it } from 'vitest';
import type { Profile } from '../../../src/cli/session/profile.ts';
import {
  listSettings,
  resolveSettings,
  type SettingSources,
} from '../../../src/cli/session/resolve-settings.ts';

const nothing: SettingSources = {
  flags: {},
  env: {},
  profile: undefined,
  io: { timeZone: 'Asia/Tokyo' },
};
const profile = {
  base_url: 'https://profile.test',
  credential: { key: 'k-profile', origin: 'https://profile.test' },
  time_zone: 'Europe/Berlin',
  timeout: '7s',
  retries: 5,
  rate: '100/m',
  concurrency: 4,
};

describe('settings', () => {
  it('default without any source', () => {
    const settings = resolveSettings(nothing);
    expect(settings.baseUrl).toBeUndefined();
    expect(settings.credential).toBeUndefined();
    expect(settings.timeout).toEqual({ value: 30_000, source: 'default' });
    expect(settings.timeZone).toEqual({ value: 'Asia/Tokyo', source: 'default' });
    expect(settings.rate).toBeUndefined();
    expect(settings.concurrency).toEqual({ value: 8, source: 'default' });
  });

  it('prefer the profile over the defaults', () => {
    const settings = resolveSettings({ ...nothing, profile });
    expect(settings.baseUrl).toEqual({ value: 'https://profile.test', source: 'profile' });
    expect(settings.timeout).toEqual({ value: 7_000, source: 'profile' });
    expect(settings.retries).toEqual({ value: 5, source: 'profile' });
    expect(settings.rate).toEqual({ value: 6_000, source: 'profile' });
    expect(settings.concurrency).toEqual({ value: 4, source: 'profile' });
    expect(settings.timeZone).toEqual({ value: 'Europe/Berlin', source: 'profile' });
  });

  it('prefer the environment over the profile', () => {
    const env = { SALON_BASE_URL: 'https://env.test', SALON_TIME_ZONE: 'UTC' };
    const settings = resolveSettings({ ...nothing, profile, env, environmentKey: 'k-env' });
    expect(settings.baseUrl).toEqual({
      value: 'https://env.test',
      source: 'environment',
      variable: 'SALON_BASE_URL',
    });
    expect(settings.credential).toEqual({ value: { key: 'k-env' }, source: 'environment' });
    expect(settings.timeZone).toEqual({ value: 'UTC', source: 'environment', variable: 'SALON_TIME_ZONE' });
  });

  it('prefer flags over everything', () => {
    const flags = {
      baseUrl: 'https://flag.test',
      timeout: '1m',
      retries: '0',
      json: true,
      rate: '5000/h',
      concurrency: '16',
    };
    const settings = resolveSettings({
      ...nothing,
      profile,
      env: { SALON_BASE_URL: 'https://env.test' },
      flags,
    });
    expect(settings.baseUrl).toEqual({ value: 'https://flag.test', source: 'flag' });
    expect(settings.timeout).toEqual({ value: 60_000, source: 'flag' });
    expect(settings.retries).toEqual({ value: 0, source: 'flag' });
    expect(settings.format).toEqual({ value: 'json', source: 'flag' });
    expect(settings.rate).toEqual({ value: 5_000, source: 'flag' });
    expect(settings.concurrency).toEqual({ value: 16, source: 'flag' });
  });

  it.each([
    [{}, false, 'default'],
    [{ profile: { ...profile, plain: true } }, true, 'profile'],
    [{ profile: { ...profile, plain: true }, env: { SALON_PLAIN: '0' } }, false, 'environment'],
    [{ env: { SALON_PLAIN: '1' } }, true, 'environment'],
    [{ env: { SALON_PLAIN: '0' }, flags: { plain: true } }, true, 'flag'],
  ])('resolve --plain: %j', (part, value, source) => {
    expect(resolveSettings({ ...nothing, ...part }).plain).toMatchObject({ value, source });
  });

  it('ignore an empty variable, and TZ where the profile names a zone', () => {
    const settings = resolveSettings({ ...nothing, profile, env: { SALON_BASE_URL: '', TZ: 'CET-1CEST' } });
    expect(settings.baseUrl?.source).toBe('profile');
    expect(settings.timeZone.source).toBe('profile');
  });

  it.each([
    [{ flags: { timeout: 'soon' } }, /timeout/],
    [{ flags: { retries: '-1' } }, /retries/],
    [{ flags: { retries: '2.5' } }, /retries/],
    [{ flags: { rate: '5000' } }, /--rate/],
    [{ flags: { rate: '0/h' } }, /--rate/],
    [{ flags: { concurrency: '0' } }, /--concurrency/],
    [{ flags: { concurrency: '65' } }, /--concurrency/],
    [{ env: { SALON_HEADERS: 'x' } }, /SALON_HEADERS/],
  ])('refuse %j', (part, message) => {
    expect(() => resolveSettings({ ...nothing, ...part })).toThrow(message);
  });

  const salon = (known: Profile['salon']) => ({ ...profile, time_zone: undefined, salon: known });
  it.each([
    [
      'rate',
      { ...profile, rate: 'fast' },
      /^rate in the profile needs/,
      'salon profiles set shop rate <value>',
    ],
    [
      'timeZone',
      { ...profile, time_zone: 'Mars/Olympus' },
      /^time_zone in the profile .*Mars\/Olympus/,
      'shop',
    ],
    ['format', { ...profile, format: 'xml' }, /^format in the profile .*xml/, 'profiles set shop format'],
    ['currency', { ...profile, currency: 'KUN' }, /^currency in the profile .*"KUN" is not/, 'shop currency'],
    ['currency', salon({ currency: 'KUN' }), /^The salon's currency .*"KUN" is not/, 'settings set currency'],
    ['timeZone', salon({ time_zone: 'Mars' }), /^The salon's time_zone .*"Mars"/, 'settings set time_zone'],
    ['openingHours', salon({ opening_hours: '9' }), /^The salon's opening_hours .*"9"/, 'set opening_hours'],
  ] as const)('fail only who reads it for an unusable %s: %j', (name, wrong, message, hint) => {
    const given = { ...nothing, profile: wrong as Profile, profileName: 'shop' };
    const settings = resolveSettings(given);
    const read = () => settings[name]?.value;
    expect(read).toThrow(message);
    expect(read).toThrow(expect.objectContaining({ code: 'usage', hint: expect.stringContaining(hint) }));
    expect(listSettings(settings)).toContainEqual(
      expect.objectContaining({ value: settings[name]?.unusable?.text, source: settings[name]?.source }),
    );
  });
});
