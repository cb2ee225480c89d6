import fc from 'fast-check';
import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { fieldsOf, findValueProblem } from '../../../src/bulk/input/edit-fields.ts';
import { newAppointment } from '../../../src/contract/appointment.ts';
import { newClient } from '../../../src/contract/client.ts';
import { prepareValidation } from '../../../src/service/domain/schema-violations.ts';
import { anyValue } from '../../cli/output/rows.ts';
import { countBySpeed } from '../../support/speed.ts';

const fields = [...fieldsOf('clients'), ...fieldsOf('appointments')];

const nearlyRight = fc.oneof(
  anyValue,
  fc.integer({ min: -2, max: 1500 }),
  fc.double(),
  fc.emailAddress(),
  fc.constantFrom(
    '+44 20 7946 0018',
    '123456',
    '1990-02-29',
    '1992-02-29',
    '2026-11-21T09:00:00Z',
    'confirmed',
  ),
  fc
    .constantFrom(64, 100, 200, 254, 4096)
    .chain((length) => fc.constantFrom('a'.repeat(length), '😀'.repeat(length + 1))),
  fc.array(fc.constantFrom('vip', '', 'x'.repeat(51), 1), { maxLength: 22 }),
);

describe('findValueProblem', () => {
  it.each(fields)('agrees with the service about %s', (_, schema) => {
    prepareValidation();
    const service = Compile(schema as never);
    fc.assert(
      fc.property(nearlyRight, (value) => {
        const isText =
          !JSON.stringify(value).includes('\\u0000') && !/\\ud[89a-f]/.test(JSON.stringify(value));
        fc.pre(isText);
        expect(findValueProblem(value, schema) === undefined).toBe(service.Check(value));
      }),
      { numRuns: countBySpeed(300) },
    );
  });

  it.each([
    [newClient.properties.email, 'ana', 'Must be an email address with one @, not "ana".'],
    [
      newClient.properties.birthday,
      '21.11.2026',
      'Must be an existing date as YYYY-MM-DD, or as --MM-DD without its year, not "21.11.2026".',
    ],
    [newClient.properties.sms_marketing_consent, 'maybe', 'Must be true or false, not "maybe".'],
    [newClient.properties.sms_marketing_consent, null, 'Cannot be cleared.'],
    [newClient.properties.tags, Array(21).fill('a'), 'Must have at most 20 entries, not'],
    [newClient.properties.tags, ['a', ''], 'Must have at least 1 character in each entry, not'],
    [
      newClient.properties.notes,
      'x'.repeat(5000),
      `Must have at most 4,096 characters, not "${'x'.repeat(59)}….`,
    ],
    [newClient.properties.notes, 'a\0b', 'Contains invalid characters.'],
    [newClient.properties.tags, ['\uD800'], 'Contains invalid characters.'],
    [undefined, '\uD800', 'Contains invalid characters.'],
    [newAppointment.properties.duration, 1441, 'Must be at most 1440, not 1441.'],
    [newAppointment.properties.duration, 0.5, 'Must be a whole number, not 0.5.'],
    [newAppointment.properties.status, 'done', 'Must be one of pending, confirmed'],
  ])('names the broken rule (%#)', (schema, value, reason) => {
    expect(findValueProblem(value, schema)).toContain(reason);
  });

  it('accepts fields that the contract does not have', () => {
    expect(findValueProblem({ any: ['thing'] }, undefined)).toBeUndefined();
  });
});
