import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNumberOf, readPhone } from '../../../src/bulk/input/spreadsheet-numbers.ts';
import { UnclearCell } from '../../../src/bulk/sheet/sheet-form.ts';
import { createPhones } from '../../../src/text/phone-reader.ts';
import { countBySpeed } from '../../support/speed.ts';

const current = '+447700900123';
const phones = createPhones();

describe('a phone number in a cell', () => {
  it.each([
    ['that lost its +', '447700900123'],
    ['that is a number with a decimal', '447700900123.0'],
    ['that lost its last digits', '4.477E+11'],
    ['that lost its last digits, with a decimal comma', '4,4770090E+11'],
    ['with every digit in scientific form', '4.47700900123E+11'],
    ['behind an apostrophe', "'+447700900123"],
    ['in a formula', '="+447700900123"'],
    ['with spaces and brackets', '+44 (7700) 900-123'],
  ])('%s is the current one', (_, cell) => {
    expect(readPhone(cell, current, phones)).toBe(current);
  });

  it.each([
    ['another number that lost its +', '447700900999', current, '+447700900999'],
    ['another number that lost its zero', '7700900999', '07700900123', '07700900999'],
    ['the current number without its zero', '7700900123', '07700900123', '07700900123'],
    ['a national number', '07700900999', current, '07700900999'],
    ['a number of another length', '12125550123', current, '12125550123'],
    ['any number of a person without one', '447700900999', null, '447700900999'],
    ['all digits of a new number', '4.47700900999E+11', null, '447700900999'],
    ['a number with dots', '01.51.00.00.00', null, '01.51.00.00.00'],
    ['a text', 'call Ana', current, 'call Ana'],
    ['00 in place of a +', '00447700900123', current, current],
  ])('%s is read as %s', (_, cell, now, expected) => {
    expect(readPhone(cell, now, phones)).toBe(expected);
  });

  it.each([
    ['4.477E+11', null],
    ['4.477E+11', '+447800900123'],
    ['4.477E+11', '+4477009001'],
  ])('that may be any of many, %s, is unclear beside %s', (cell, now) => {
    expect(readPhone(cell, now, phones)).toBeInstanceOf(UnclearCell);
  });

  it('is the current one whatever number a program makes of it', () => {
    const phone = fc.stringMatching(/^(?:\+|0)?[1-9]\d{7,14}$/);
    fc.assert(
      fc.property(phone, fc.integer({ min: 0, max: 14 }), (number, decimals) => {
        const value = Number(number);
        expect(readPhone(String(value), number, phones)).toBe(number);
        const shown = value.toExponential(decimals).toUpperCase();
        expect(readPhone(shown, number, phones)).toBe(number);
        expect(readPhone(shown.replace('.', ','), number, phones)).toBe(number);
      }),
      { numRuns: countBySpeed(2000) },
    );
  });
});

describe('a number that a program makes of a text', () => {
  it.each([
    ['00123', '123', true],
    ['+5', '5', true],
    ['1.50', '1.5', true],
    ['1.0', '1', true],
    ['123456789012', '1.23457E+11', true],
    ['12345678901234567890', '12345678901234500000', true],
    ['12345678901234567890', '1.23457E+19', true],
    ['true', 'TRUE', true],
    ['true', 'FALSE', false],
    ['123', '00123', false],
    ['123', '124', false],
    ['x1', '1', false],
    ['Ana', 'Ana B', false],
    ['123456789012', '1.23458E+11', false],
  ])('of %s may be %s: %s', (text, cell, expected) => {
    expect(isNumberOf(text, cell)).toBe(expected);
  });
});
