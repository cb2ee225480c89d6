import { describe, expect, it } from 'vitest';
import { endsJob, leavesDoubt } from '../../../src/bulk/apply/row-error.ts';
import { SalonError, type SalonErrorCode } from '../../../src/contract/errors.ts';

describe('an error of a row', () => {
  it.each<SalonErrorCode>([
    'connection_failed',
    'permission_denied',
    'confirmation_required',
    'rate_limited',
  ])('that every other row would meet as well ends the job: %s', (code) => {
    expect(endsJob(new SalonError(code, 'No.'))).toBe(true);
  });

  it.each<SalonErrorCode>(['validation_failed', 'not_found', 'conflict', 'internal_error'])(
    'that is its own lets the others go on: %s',
    (code) => {
      expect(endsJob(new SalonError(code, 'No.'))).toBe(false);
    },
  );

  it('leaves no doubt where consent was wanting: nothing was sent', () => {
    expect(leavesDoubt(new SalonError('confirmation_required', 'No.'))).toBe(false);
  });
});
