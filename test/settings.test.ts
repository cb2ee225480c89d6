import { describe, expect, it } from 'vitest';
import { isSwitchedOn, parseDurationMs, readSetting } from '../src/settings.ts';

describe('readSetting', () => {
  const setting = {
    help: '',
    flag: '-w, --wait <time>',
    variable: 'WAIT',
    default: '1s',
    parse: parseDurationMs,
  };

  it.each([
    ['2s', { WAIT: '3s' }, 2_000],
    [undefined, { WAIT: '3s' }, 3_000],
    [undefined, { WAIT: '' }, 1_000],
  ])('prefers the flag %s, then the variable %o, then the default', (flag, env, value) => {
    expect(readSetting(setting, flag, env)).toBe(value);
  });

  it.each([
    ['soon', { WAIT: '3s' }, /^--wait needs/],
    [undefined, { WAIT: 'soon' }, /^WAIT needs/],
  ])('names the flag or the variable that is invalid: %s %o', (flag, env, message) => {
    expect(() => readSetting(setting, flag, env)).toThrow(message);
  });
});

describe('isSwitchedOn', () => {
  it.each([
    ['--debug', undefined, undefined, false],
    ['--debug', true, undefined, true],
    ['--debug', undefined, '1', true],
    ['--debug', undefined, '0', false],
    ['--no-input', true, undefined, true],
    ['--no-input', false, undefined, false],
    ['--no-input', true, '1', false],
    ['--no-input', true, 'false', true],
  ])('reads %s as %s with the variable %s: %s', (flag, given, text, expected) => {
    expect(isSwitchedOn({ help: '', flag, variable: 'X' }, given, { X: text })).toBe(expected);
  });
});

describe('parseTimeSpan', () => {
  it.each([
    ['500ms', 500],
    ['0s', 0],
    ['1.5s', 1500],
    ['30s', 30_000],
    ['10m', 600_000],
    ['1h', 3_600_000],
  ])('%s is %i ms', (text, ms) => {
    expect(parseDurationMs(text, '--timeout')).toBe(ms);
  });

  it.each(['', '30', '-1s', '1d', 's', '1e3s', '25d', '597h', 'Infinitys'])(
    '"%s" is a usage error',
    (text) => {
      expect(() => parseDurationMs(text, '--timeout')).toThrow(
        expect.objectContaining({ code: 'usage', message: expect.stringContaining('--timeout') }),
      );
    },
  );
});
