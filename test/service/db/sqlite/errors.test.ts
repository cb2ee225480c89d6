import { describe, expect, it } from 'vitest';
import { toDatabaseError } from '../../../../src/service/db/sqlite/errors.ts';

function fail(errcode: number): Error {
  return Object.assign(new Error('A result code.'), { code: 'ERR_SQLITE_ERROR', errcode });
}

describe('errors of SQLite', () => {
  it('say to restore a backup of a damaged database, whichever way it is damaged', () => {
    for (const code of [11, 11 | (1 << 8)]) {
      expect(toDatabaseError(fail(code))).toMatchObject({
        code: 'service_unavailable',
        message: 'The database is damaged.',
        hint: 'Restore the last backup, and keep the damaged file.',
      });
    }
  });

  it('keep the usual hint where trying again helps', () => {
    expect(toDatabaseError(fail(5))).toMatchObject({ hint: 'Try again in a moment.' });
  });
});
