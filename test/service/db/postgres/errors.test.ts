import { describe, expect, it } from 'vitest';
import { isReadOnly, toDatabaseError } from '../../../../src/service/db/postgres/errors.ts';

const refuse = (code: string, message: string) => Object.assign(new Error(message), { code });

describe('an error of PostgreSQL', () => {
  it.each([
    ['25006', 'cannot execute INSERT in a read-only transaction'],
    ['0A000', 'cannot set transaction read-write mode during recovery'],
  ])('with the code %s of a standby says that the database is read-only', (code, message) => {
    const error = refuse(code, message);
    expect(isReadOnly(error)).toBe(true);
    expect(toDatabaseError(error)).toMatchObject({
      code: 'service_unavailable',
      message: 'The database is read-only.',
    });
  });

  it('that something is not supported is one of the service', () => {
    const error = refuse('0A000', 'WITH TIES is not supported');
    expect(isReadOnly(error)).toBe(false);
    expect(toDatabaseError(error)).toBe(error);
  });
});
