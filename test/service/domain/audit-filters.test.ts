import { describe, expect, it } from 'vitest';
import type { QueryOf } from '../../../src/contract/endpoints.ts';
import { createAppointment, updateAppointment } from '../../../src/service/domain/appointments.ts';
import { readAuditEntries } from '../../../src/service/domain/audit-log.ts';
import { pruneAuditLog } from '../../../src/service/domain/audit-retention.ts';
import { updateClient } from '../../../src/service/domain/clients.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

/** The positions of the entries that a query finds. */
async function find(salon: TestSalon, query: QueryOf<'listAuditLog'>): Promise<number[]> {
  const { entries, total } = await readAuditEntries(salon.as(), { per_page: 200, ...query });
  expect(total).toBe(entries.length);
  return entries.map(({ seq }) => seq);
}

/** Two clients, of whom the second takes over an appointment, at three times, the last of which is earlier. */
async function openLog() {
  const salon = await openTestSalon();
  const ana = await salon.addClient({ first_name: 'Ana' });
  const bea = await salon.addClient({ first_name: 'Bea' });
  salon.environment.setTime('2026-11-22T12:00:00.000Z');
  const { id: appointment } = await createAppointment(salon.as(), {
    ...{ client_id: ana, stylist_id: await salon.addStylist(), service: 'Cut', duration: 30 },
    start_time: '2027-01-01T09:00:00Z',
  });
  await updateAppointment(salon.as(), appointment, { change: { client_id: bea } });
  salon.environment.setTime('2026-11-21T18:00:00.000Z');
  await updateClient(salon.as(), ana, { change: { notes: 'tea' } });
  return { salon, ana, bea, appointment };
}

describe('a filter of the audit log', () => {
  it('finds who acted, what was changed, and when, also by clocks that were wrong', async () => {
    const { salon, ana, bea, appointment } = await openLog();
    await using _ = salon;
    const expected: [QueryOf<'listAuditLog'>, number[]][] = [
      [{ client: ana }, [2, 4, 5, 6]],
      [{ client: bea }, [3, 5]],
      [{ record: appointment }, [4, 5]],
      [{ record: appointment, sort: '-created_at' }, [5, 4]],
      [{ actor: 'key_test' }, [2, 3, 4, 5, 6]],
      [{ actor: 'key_test', client: ana, action: 'client.*' }, [2, 6]],
      [{ from: '2026-11-22' }, [4, 5]],
      [{ to: '2026-11-21' }, [1, 2, 3, 6]],
      [{ from: '2026-11-21T13:00:00Z', to: '2026-11-22T12:00:00Z' }, [6]],
      [{ from: '2026-11-23' }, []],
      [{ client: bea, from: '2026-11-22' }, [5]],
    ];
    for (const [query, seqs] of expected) {
      expect({ query, found: await find(salon, query) }).toEqual({ query, found: seqs });
    }
    await updateClient(salon.as(), ana, { change: { notes: 'coffee' } });
    expect(await find(salon, { client: ana })).toEqual([2, 4, 5, 6, 7]);
    expect(await find(salon, { to: '2026-11-21' })).toEqual([1, 2, 3, 6, 7]);
  });

  it('finds nothing of deleted entries', async () => {
    const { salon, ana } = await openLog();
    await using _ = salon;
    salon.environment.setTime('2028-01-01T00:00:00.000Z');
    await pruneAuditLog(salon.store.database, salon.environment);
    expect(await find(salon, { client: ana })).toEqual([6]);
  });
});
