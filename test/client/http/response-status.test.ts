import { describe, expect, it } from 'vitest';
import { toStatusMeaning } from '../../../src/client/http/retry.ts';

const every = Array.from({ length: 300 }, (_, index) => 300 + index);

describe('a response with an error status', () => {
  it('proves that nothing was executed with a 3xx, a 4xx and few others', () => {
    const unclear = every.filter((status) => !toStatusMeaning(status, undefined).isRejection);
    expect(unclear.filter((status) => status < 500)).toEqual([303, 408, 499]);
    const provenAbove = every.filter(
      (status) => status >= 500 && toStatusMeaning(status, undefined).isRejection,
    );
    expect(provenAbove).toEqual([501, 505, 511]);
  });

  it('may be followed by another response with few statuses', () => {
    expect(every.filter((status) => toStatusMeaning(status, undefined).isTemporary)).toEqual([
      408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524,
    ]);
  });

  it('proves more with a code of our service', () => {
    expect(toStatusMeaning(503, 'service_unavailable')).toEqual({ isTemporary: true, isRejection: true });
    expect(toStatusMeaning(409, 'idempotency_key_in_use')).toEqual({ isTemporary: true, isRejection: false });
    expect(toStatusMeaning(500, 'internal_error')).toEqual({ isTemporary: true, isRejection: false });
  });
});
