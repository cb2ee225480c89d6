import { SalonError } from '../../contract/errors.ts';
import { readCode } from './postgres/errors.ts';
import { isDamaged as isDamagedFile } from './sqlite/errors.ts';

// https://www.postgresql.org/docs/current/errcodes-appendix.html: data_corrupted, index_corrupted
const corrupted = new Set(['XX001', 'XX002']);

/** Whether an error of either engine says that the database is damaged. */
export function isDatabaseDamaged(error: unknown): error is SalonError {
  return error instanceof SalonError && (isDamagedFile(error) || corrupted.has(readCode(error.cause) ?? ''));
}
