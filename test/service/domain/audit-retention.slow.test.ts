import { describe, expect, it } from 'vitest';
import { pruneAuditLog, setAuditRetention } from '../../../src/service/domain/audit-retention.ts';
import { verifyAuditLog } from '../../../src/service/domain/audit-verification.ts';
import { readAuditLog } from '../../support/audit-log.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

async function prune(salon: TestSalon): Promise<void> {
  while (await pruneAuditLog(salon.store.database, salon.environment)) {}
}

async function verify(salon: TestSalon) {
  return (await verifyAuditLog(salon.store.database.reader)).chains[0];
}

describe('the retention of the audit log', () => {
  it('deletes entries after a year and leaves a checkpoint that the chain continues from', async () => {
    await using salon = await openTestSalon();
    await salon.addClient();
    salon.environment.setTime('2027-01-01T12:00:00.000Z');
    const id = await salon.addClient();
    salon.environment.setTime('2027-11-21T12:00:00.000Z');
    await prune(salon);
    expect(await verify(salon)).toMatchObject({ entries: 3, pruned: 0 });
    salon.environment.setTime('2027-11-21T12:00:00.001Z');
    await prune(salon);
    const [first, second] = await readAuditLog(salon.as());
    expect(first).toMatchObject({ seq: 3, record_id: id });
    expect(second).toMatchObject({
      ...{ action: 'audit_log.pruned', actor: { type: 'service', id: null, name: null } },
      details: { through: 2, entries: 2, before: '2026-11-21T12:00:00.001Z' },
    });
    expect(await verify(salon)).toMatchObject({ entries: 2, pruned: 2, faults: [] });
  });

  it('deletes the values with the entries', async () => {
    await using salon = await openTestSalon();
    await salon.addClient({ first_name: 'Ana' });
    await salon.addClient({ first_name: 'Bea' });
    salon.environment.setTime('2028-01-01T00:00:00.000Z');
    await prune(salon);
    const { database } = salon.store;
    expect(await database.reader.run('select seq from audit_values order by seq', [])).toEqual([{ seq: 3 }]);
  });

  it('deletes more entries than one transaction takes', async () => {
    await using salon = await openTestSalon();
    // One at a time: on a busy machine the last of many at once is refused.
    for (let number = 0; number < 520; number++) await salon.addClient();
    salon.environment.setTime('2028-01-01T00:00:00.000Z');
    await prune(salon);
    expect(await verify(salon)).toMatchObject({ entries: 2, pruned: 521, faults: [] });
  });

  it('is not held up by entries that a wrong clock dated ahead, and keeps those that are young', async () => {
    await using salon = await openTestSalon();
    await salon.addClient();
    salon.environment.setTime('2099-01-01T00:00:00.000Z');
    for (let number = 0; number < 520; number++) await salon.addClient();
    salon.environment.setTime('2026-11-22T12:00:00.000Z');
    await salon.addClient();
    salon.environment.setTime('2027-06-01T12:00:00.000Z');
    const young = await salon.addClient();
    salon.environment.setTime('2099-01-01T00:00:00.000Z');
    const ahead = await salon.addClient();
    salon.environment.setTime('2027-12-01T12:00:00.000Z');
    await prune(salon);
    const entries = await readAuditLog(salon.as());
    expect(entries.map(({ record_id }) => record_id)).toEqual([young, ahead, null]);
    expect(entries[2]).toMatchObject({ details: { through: 523, entries: 523 } });
    expect(await verify(salon)).toMatchObject({ entries: 3, pruned: 523, faults: [] });
    await prune(salon);
    expect(await verify(salon)).toMatchObject({ entries: 3 });
  });

  it('keeps entries as long as the account has chosen', async () => {
    await using salon = await openTestSalon();
    await setAuditRetention(salon.as(), 30);
    const [, entry] = await readAuditLog(salon.as());
    expect(entry).toMatchObject({
      ...{ action: 'account.updated', record_id: salon.accountId },
      ...{ before: { audit_kept_days: 365 }, after: { audit_kept_days: 30 } },
    });
    const neighbour = await salon.openNeighbour();
    salon.environment.setTime('2027-01-01T00:00:00.000Z');
    await prune(salon);
    expect((await readAuditLog(salon.as()))[0]?.seq).toBe(2);
    expect((await readAuditLog(neighbour.as()))[0]?.seq).toBe(1);
  });

  it('is set by an owner only', async () => {
    await using salon = await openTestSalon();
    await expect(setAuditRetention(salon.as({ role: 'manager' }), 30)).rejects.toMatchObject({
      code: 'permission_denied',
    });
  });

  it.each([29, 3651, 30.5, Number.NaN])('refuses %s days', async (days) => {
    await using salon = await openTestSalon();
    await expect(setAuditRetention(salon.as(), days)).rejects.toThrow('30 to 3650 days');
  });
});
