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

  it.each([
    ['25P03', 'terminating connection due to idle-in-transaction timeout', 'paused for too long'],
    ['25P04', 'terminating connection due to transaction timeout', 'took too long'],
  ])('with the code %s says that a transaction took its time', (code, message, words) => {
    expect(toDatabaseError(refuse(code, message))).toMatchObject({
      code: 'service_unavailable',
      message: `The database ended a transaction that ${words}.`,
    });
  });

  it('that something is not supported is one of the service', () => {
    const error = refuse('0A000', 'WITH TIES is not supported');
    expect(isReadOnly(error)).toBe(false);
    expect(toDatabaseError(error)).toBe(error);
  });
});
