import { describe, expect, it } from 'vitest';
import { needsCheck, stopsJob } from '../../../src/bulk/apply/apply-row.ts';
import { SalonError, type SalonErrorCode } from '../../../src/contract/errors.ts';

describe('an error of one row', () => {
  it.each<SalonErrorCode>([
    'connection_failed',
    'permission_denied',
    'confirmation_required',
    'read_only',
    'rate_limited',
  ])('stops the job if every row would meet it: %s', (code) => {
    expect(stopsJob(new SalonError(code, 'No.'))).toBe(true);
  });

  it.each<SalonErrorCode>(['validation_failed', 'not_found', 'conflict', 'internal_error'])(
    'lets other rows continue if only this row meets it: %s',
    (code) => {
      expect(stopsJob(new SalonError(code, 'No.'))).toBe(false);
    },
  );

  it('is certain if confirmation was missing: nothing was sent', () => {
    expect(needsCheck(new SalonError('confirmation_required', 'No.'))).toBe(false);
  });
});
