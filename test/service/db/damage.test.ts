import { describe, expect, it } from 'vitest';
import { toDatabaseError as fromPostgres } from '../../../src/service/db/postgres/errors.ts';
import { toDatabaseError as fromSqlite } from '../../../src/service/db/sqlite/errors.ts';
import { isDatabaseDamaged } from '../../../src/service/maintenance/check.ts';

const ofSqlite = (errcode: number) => Object.assign(new Error(), { code: 'ERR_SQLITE_ERROR', errcode });
const ofPostgres = (code: string) => Object.assign(new Error(), { code });

describe('damage of the database', () => {
  it.each([
    [true, fromSqlite(ofSqlite(11))],
    [true, fromSqlite(ofSqlite(267))],
    [true, fromPostgres(ofPostgres('XX001'))],
    [true, fromPostgres(ofPostgres('XX002'))],
    [false, fromSqlite(ofSqlite(13))],
    [false, fromPostgres(ofPostgres('58030'))],
    [false, new Error('Anything else.')],
  ])('is %s for %o', (expected, error) => {
    expect(isDatabaseDamaged(error)).toBe(expected);
  });
});
