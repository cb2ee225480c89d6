import { describe, expect, it } from 'vitest';
import { needsCheck, sendRow, stopsJob } from '../../../src/bulk/apply/apply-row.ts';
import type { RemoteRecords } from '../../../src/bulk/apply/remote-records.ts';
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

describe('a new record that may have been created', () => {
  const hourMs = 3_600_000;
  const planned = { row: 1, line: 2, act: 'create', id: null, change: { first_name: 'Ana' } } as const;

  /** Sends it again after hours, to a server that honours keys and finds no such record. */
  async function sendAgain(hours: number) {
    let sent = 0;
    const records = { honoursKeys: () => true, findCreated: async () => [] } as unknown as RemoteRecords;
    const create = async () => {
      sent += 1;
      const record = { id: 'cli_1', first_name: 'Ana' };
      return { outcome: 'done', id: 'cli_1', record, etag: undefined } as const;
    };
    const options = { records, create, nowMs: () => hours * hourMs, isTaken: async () => false };
    const { what } = await sendRow(planned, 0, options);
    return { what, sent };
  }

  it('is sent again while the server has its idempotency key', async () => {
    expect(await sendAgain(19)).toEqual({ what: 'done', sent: 1 });
  });

  it('is not sent again after that: the server could create a second one', async () => {
    expect(await sendAgain(24)).toEqual({ what: 'doubtful', sent: 0 });
  });
});
