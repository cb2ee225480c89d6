import { expect, it } from 'vitest';
import { isBirthday, isSameBirthday } from '../../src/time/birthdays.ts';

it.each(['1985-05-15', '--05-15', '--02-29', '2000-02-29'])('%s is a birthday', (text) => {
  expect(isBirthday(text)).toBe(true);
});

it.each(['--02-30', '-05-15', '05-15', '--5-15', '--0515', '1985-02-29', '--05-15T00:00:00Z', '', '--'])(
  '%j is none',
  (text) => {
    expect(isBirthday(text)).toBe(false);
  },
);

it.each([
  ['--05-15', '1985-05-15', true],
  ['1985-05-15', '--05-15', true],
  ['--05-15', '--05-15', true],
  ['--05-15', '1985-05-16', false],
  ['1984-05-15', '1985-05-15', false],
])('%s and %s may be one person: %s', (one, other, isSame) => {
  expect(isSameBirthday(one, other)).toBe(isSame);
});
