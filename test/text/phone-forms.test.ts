import { describe, expect, it } from 'vitest';
import { isSamePhone, looksLikePhone, parsePhone } from '../../src/text/phone-forms.ts';

describe('a phone number', () => {
  it.each([
    ['+49 171 1234567', '491711234567', '01711234567'],
    ['0049 171 1234567', '491711234567', '01711234567'],
    ['+44 (0)20 7946 0018', '442079460018', '02079460018'],
    ['+1 (202) 555-0123', '12025550123', '2025550123'],
    ['+39 06 1234567', '39061234567', '061234567'],
    ['+351 912 345 678', '351912345678', '0912345678'],
    ['+7 912 345-67-89', '79123456789', '89123456789'],
    ['0171 1234567', '01711234567', '01711234567'],
    ['0018', '0018', '0018'],
  ])('%s is %s abroad and %s at home', (phone, digits, dialled) => {
    expect(parsePhone(phone)).toMatchObject({ digits, dialled });
  });

  it.each([
    ['0171 1234567', '+491711234567', true],
    ['171 1234567', '+491711234567', true],
    ['1711234567', '01711234567', true],
    ['+44 20 7946 0018', '0044 (0)20 79460018', true],
    ['202-555-0123', '+1 202 555 0123', true],
    ['89123456789', '+79123456789', true],
    ['06 1 2345678', '+3612345678', true],
    ['912345678', '+351912345678', true],
    ['+441711234567', '+491711234567', false],
    ['0171 123456', '+491711234567', false],
    ['1234567', '+491711234567', false],
    ['', '+491711234567', false],
    ['', '', false],
  ])('%j and %j are the same: %s', (one, other, expected) => {
    expect(isSamePhone(one, other)).toBe(expected);
    expect(isSamePhone(other, one)).toBe(expected);
  });

  it.each([
    ['(0171) 12-34', true],
    ['+', false],
    ['12a', false],
    ['1+2', false],
    ['-', false],
  ])('is what %j looks like: %s', (text, expected) => {
    expect(looksLikePhone(text)).toBe(expected);
  });
});
