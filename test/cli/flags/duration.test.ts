import { describe, expect, it } from 'vitest';
import { parseMinutes, parseRate, parseTimeSpan } from '../../../src/cli/flags/values.ts';

describe('parseMinutes', () => {
  it.each([
    ['45', 45],
    ['45m', 45],
    ['90min', 90],
    ['1h', 60],
    ['1h30m', 90],
    ['1 h 30 min', 90],
    ['PT45M', 45],
    ['PT1H30M', 90],
  ])('%s is %i minutes', (text, minutes) => {
    expect(parseMinutes(text)).toBe(minutes);
  });

  it.each(['', '0', '0m', '-5', '1.5h', '45s', 'PT', 'h', 'min', '1h1h', '30m1h', '9'.repeat(30)])(
    '"%s" is a usage error that names the flag',
    (text) => {
      expect(() => parseMinutes(text, '--length')).toThrow(
        expect.objectContaining({ code: 'usage', message: expect.stringContaining('--length') }),
      );
    },
  );
});

describe('parsePatience', () => {
  it.each([
    ['500ms', 500],
    ['0s', 0],
    ['1.5s', 1500],
    ['30s', 30_000],
    ['10m', 600_000],
    ['1h', 3_600_000],
  ])('%s is %i ms', (text, ms) => {
    expect(parseTimeSpan(text, '--timeout')).toBe(ms);
  });

  it.each(['', '30', '-1s', '1d', 's', '1e3s', '25d', '597h', 'Infinitys'])(
    '"%s" is a usage error',
    (text) => {
      expect(() => parseTimeSpan(text, '--timeout')).toThrow(
        expect.objectContaining({ code: 'usage', message: expect.stringContaining('--timeout') }),
      );
    },
  );
});

describe('parseRate', () => {
  it.each([
    ['5000/h', 5000],
    ['100/m', 6000],
    ['2/s', 7200],
  ])('%s is %i an hour', (text, rate) => {
    expect(parseRate(text)).toBe(rate);
  });

  it.each(['', '5000', '0/h', '-1/s', '1/d', '1.5/s', '/h'])('"%s" is a usage error', (text) => {
    expect(() => parseRate(text)).toThrow(expect.objectContaining({ code: 'usage' }));
  });
});
