import { describe, expect, it } from 'vitest';
import { systemIo } from '../../src/cli/io.ts';

const midsummer = new Date('2026-06-21T12:00:00Z');

describe('the system time zone', () => {
  it('matches the one of Intl', () => {
    const { timeZone } = systemIo(process);
    expect(midsummer.toLocaleString('en-GB', { timeZone })).toBe(midsummer.toLocaleString('en-GB'));
  });

  it('is TZ if set', () => {
    const env = { ...process.env, TZ: 'Asia/Tokyo' };
    expect(systemIo({ ...process, env } as NodeJS.Process).timeZone).toBe(
      Intl.DateTimeFormat().resolvedOptions().timeZone,
    );
  });
});
