import { describe, expect, it } from 'vitest';
import { isSamePhone, looksLikePhone, parsePhone, toInternationalPhone } from '../../src/text/phone-forms.ts';

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

describe('a phone number as people write it', () => {
  it.each([
    ['0171/234 56 78', 'DE', '+491712345678'],
    ['(030) 12 34 56', 'DE', '+4930123456'],
    ['030–123456', 'DE', '+4930123456'],
    ['+49 (0)30 123456', undefined, '+4930123456'],
    ['0049 (0)30/123456', 'FR', '+4930123456'],
    ['(+49) 171 2345678', 'DE', '+49 171 2345678'],
    ['06.12.34.56.78', 'FR', '+33612345678'],
    ['612 345 678', 'ES', '+34612345678'],
    ['48 601 234 567', 'PL', '+48601234567'],
    ['06 1234567', 'IT', '+39061234567'],
    ['+39 (0)6 1234567', 'IT', '+39061234567'],
    ['347 1234567', 'IT', '+393471234567'],
  ])('%s in %s is %s', (written, country, expected) => {
    expect(toInternationalPhone(written, country)).toBe(expected);
  });

  it.each([
    ['that may have lost its zero', '1712345678', 'DE'],
    ['that may be incomplete', '12 34 56', 'ES'],
    ['of an unknown country', '030 123456', undefined],
    ['beside another', '123456/654321', 'DE'],
    ['beside another one', '0171 2345678/0172 2345678', 'DE'],
    ['with words', '030 123456 (Mama)', 'DE'],
  ])('%s stays', (_, written, country) => {
    expect(toInternationalPhone(written, country)).toBe(written);
  });
});
