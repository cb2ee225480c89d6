import { describe, expect, it } from 'vitest';
import { systemIo } from '../../src/cli/io.ts';

const midsummer = new Date('2026-06-21T12:00:00Z');

describe('the time zone of the system', () => {
  it('shows the same clock as the one Intl finds', () => {
    const { timeZone } = systemIo(process);
    expect(midsummer.toLocaleString('en-GB', { timeZone })).toBe(midsummer.toLocaleString('en-GB'));
  });

  it('is that of TZ where it is set', () => {
    const env = { ...process.env, TZ: 'Asia/Tokyo' };
    expect(systemIo({ ...process, env } as NodeJS.Process).timeZone).toBe(
      Intl.DateTimeFormat().resolvedOptions().timeZone,
    );
  });
});
