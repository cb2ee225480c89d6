import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { verifyAuditLog } from '../../../../src/service/domain/audit-verification.ts';
import { updateClient } from '../../../../src/service/domain/clients.ts';
import { openTestSalon, type TestSalon } from '../../../support/salon.ts';

/** A salon whose client changed once. The log has three entries: account, client and change. */
async function openLog(): Promise<TestSalon> {
  const salon = await openTestSalon();
  const client = await salon.addClient({ first_name: 'Bea', notes: 'allergic to ammonia' });
  await updateClient(salon.as(), client, { change: { notes: 'prefers tea' } });
  return salon;
}

describe('the verification of the audit log', () => {
  it('finds one byte that was altered in the file', async () => {
    await using salon = await openLog();
    await salon.store.database.close();
    const bytes = readFileSync(salon.store.file);
    const at = bytes.lastIndexOf('prefers tea');
    expect(at).toBeGreaterThan(0);
    // Every copy: the record itself, its event and the audit values.
    for (
      let found = bytes.indexOf('prefers tea');
      found >= 0;
      found = bytes.indexOf('prefers tea', found + 1)
    ) {
      bytes.write('T', found + 8);
    }
    writeFileSync(salon.store.file, bytes);
    await using database = await salon.store.openAgain();
    const { chains } = await verifyAuditLog(database.reader);
    expect(chains[0]?.faults).toContainEqual({ seq: 3, problem: 'The values were changed.' });
  });
});

describe('the database', () => {
  it.each([
    ['a change of an entry', "update audit_entries set action = 'x' where seq = 3"],
    ['the removal of an entry', 'delete from audit_entries where seq = 3'],
    ['a change of values', "update audit_values set body = 'x' where seq = 3"],
  ])('refuses %s', async (_title, statement) => {
    await using salon = await openLog();
    await expect(salon.store.database.transaction('service', (tx) => tx.run(statement, []))).rejects.toThrow(
      'the audit log is append-only',
    );
  });
});
