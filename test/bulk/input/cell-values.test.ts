import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCellRules, isSameValue } from '../../../src/bulk/input/cell-values.ts';
import { addExcelGuard, toCellText } from '../../../src/bulk/sheet/cell-text.ts';
import { anyValue } from '../../cli/output/rows.ts';
import { countBySpeed } from '../../support/speed.ts';

const timeZone = 'Europe/Berlin';
const clients = createCellRules({ format: 'csv', noun: 'clients', timeZone });
const appointments = createCellRules({ format: 'csv', noun: 'appointments', timeZone });
const objects = createCellRules({ format: 'ndjson', noun: 'clients', timeZone });

describe('a cell of a CSV', () => {
  it.each([
    ['leaves a field if it is blank', 'notes', '', undefined],
    ['leaves a field if it has only spaces', 'notes', ' \u00A0', undefined],
    ['leaves read-only fields', 'updated_at', '2026-11-21', undefined],
    ['clears a field with \\N', 'notes', '\\N', null],
    ['clears a list with \\N', 'tags', '\\N', []],
    ['keeps text unchanged', 'first_name', ' Anna ', ' Anna '],
    ['removes spaces around an email address', 'email', ' a@b.c\u00A0', 'a@b.c'],
    ['removes spaces around an ID', 'preferred_stylist_id', 'sty_1 ', 'sty_1'],
    ['is parsed as a list', 'tags', 'vip;a\\;b', ['vip', 'a;b']],
    [
      'is parsed as a list without blanks, empty and repeated entries',
      'tags',
      'vip; new ;;vip;',
      ['vip', 'new'],
    ],
    ['stays invalid if it is a list of nothing', 'tags', ' ; ', [' ', ' ']],
    ['is parsed as a JSON list', 'tags', '["vip"]', ['vip']],
    ['stays text if it is not a list', 'tags', '[vip', '[vip'],
    ['stays text if it means neither yes nor no', 'sms_marketing_consent', 'maybe', 'maybe'],
  ])('%s', (_, field, cell, expected) => {
    expect(clients.toValue(cell, field, undefined)).toEqual(expected);
  });

  it.each([
    ...['true', 'TRUE', 'Yes', '1', 'WAHR', 'VRAI', 'VERDADERO', 'Sí', ' true '].map((word) => [word, true]),
    ...['false', 'FALSE', 'no', '0', 'FALSCH', 'FAUX', 'FALSO', 'Não'].map((word) => [word, false]),
  ] as const)('reads %s as %s', (cell, expected) => {
    expect(clients.toValue(cell, 'email_marketing_consent', undefined)).toBe(expected);
  });

  it.each([
    ['duration', '45', 45],
    ['duration', '1h30m', 90],
    ['duration', 'long', 'long'],
    ['start_time', '2026-11-21T09:00:00+01:00', '2026-11-21T09:00:00+01:00'],
    ['start_time', '2026-11-21T09:00', '2026-11-21T08:00:00Z'],
    ['start_time', '2026-07-01 09:00:30', '2026-07-01T07:00:30Z'],
    ['start_time', '2026-02-30 09:00', '2026-02-30 09:00'],
    ['start_time', '21.11.2026 09:00', '2026-11-21T08:00:00Z'],
    ['cancellation_reason', 'ill', undefined],
  ])('is parsed for an appointment: %s %s', (field, cell, expected) => {
    expect(appointments.toValue(cell, field, undefined)).toEqual(expected);
  });

  it.each([
    ['text', '42', undefined, '42'],
    ['text', '42', 'x', '42'],
    ['number', '42', 7, 42],
    ['number', 'x', 7, 'x'],
    ['boolean', 'yes', false, true],
    ['list', 'a;b', [], ['a', 'b']],
    ['object', '{"a":2}', { a: 1 }, { a: 2 }],
    ['list', '\\N', ['a'], []],
    ['number', '\\N', 7, null],
  ])(
    'takes the type (%s) of what the record has in a field that is not of the contract',
    (_, cell, present, expected) => {
      expect(clients.toValue(cell, 'loyalty', present)).toEqual(expected);
    },
  );

  it('keeps \\N if that is the current value', () => {
    expect(clients.toValue('\\N', 'notes', '\\N')).toBe('\\N');
  });

  it.each([false, true])('written by an export does not change the record (for Excel: %s)', (isGuarded) => {
    const field = fc.constantFrom('notes', 'tags', 'email', 'sms_marketing_consent', 'loyalty');
    fc.assert(
      fc.property(field, anyValue, (name, present) => {
        const text = toCellText(present);
        const value = clients.toValue(isGuarded ? addExcelGuard(text) : text, name, present);
        expect(value === undefined || isSameValue(value, present, name)).toBe(true);
      }),
      { numRuns: countBySpeed(1000) },
    );
  });
});

describe('a member of a JSON row', () => {
  it.each([
    ['is left if it is missing', 'notes', undefined, undefined],
    ['clears a field with null', 'notes', null, null],
    ['clears a list with null', 'tags', null, []],
    ['is used unchanged', 'notes', '\\N', '\\N'],
    ['is used unchanged if it is blank', 'notes', '', ''],
    ['is not parsed by its type', 'sms_marketing_consent', 'yes', 'yes'],
  ])('%s', (_, field, value, expected) => {
    expect(objects.toValue(value, field, 'before')).toEqual(expected);
  });
});

describe('isSameValue', () => {
  it.each([
    ['email', 'ANA@b.c', 'ana@b.c', true],
    ['phone', '+44 (20) 7946-0018', '+442079460018', true],
    ['phone', '+44 20 7946 0018', '+442079460019', false],
    ['start_time', '2026-11-21T09:00:00+01:00', '2026-11-21T08:00:00Z', true],
    ['notes', 'ANA@b.c', 'ana@b.c', false],
    ['notes', null, undefined, true],
    ['notes', '', null, false],
    ['tags', ['a', 'b'], ['a', 'b'], true],
    ['tags', ['b', 'a'], ['a', 'b'], false],
  ])('%s: %j and %j: %s', (field, wanted, present, expected) => {
    expect(isSameValue(wanted, present, field)).toBe(expected);
  });
});

describe('a cell that a spreadsheet program has saved', () => {
  it.each([
    ['notes', 'one\ntwo', 'one\r\ntwo'],
    ['notes', 'TRUE', 'true'],
    ['external_id', '123', '00123'],
    ['notes', 'ZoÃ« said so', 'Zoë said so'],
    ['last_visit', '24/11/2026', '2026-11-24'],
    ['last_visit', '24/11/2026 16:00', '2026-11-24T15:00:00Z'],
    ['tags', 'fidÃ¨le;vip', ['fidèle', 'vip']],
  ])('keeps %s, which it shows as %j', (field, cell, current) => {
    expect(clients.toValue(cell, field, current)).toEqual(current);
  });
});
