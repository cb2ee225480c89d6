import { describe, expect, it } from 'vitest';
import { toResultRow } from '../../../src/bulk/apply/results.ts';

describe('the result of a failed row', () => {
  it.each(['response_truncated', 'unexpected_response', 'response_too_large', 'not_supported', 'read_only'])(
    'has the code of the error: %s',
    (code) => {
      const error = { code, message: 'No.', status: null, requestId: null };
      const planned = { row: 0, line: 2, act: 'update', id: 'cli_1', cells: {} } as const;
      const edit = { noun: 'clients', verb: 'update' } as const;
      const row = toResultRow({ planned, outcome: { what: 'failed', id: 'cli_1', error } }, edit);
      expect(row.code).toBe(code);
    },
  );
});
