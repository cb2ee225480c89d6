import { describe, expect, it } from 'vitest';
import type { Writer } from '../../../src/service/db/engine.ts';
import { eraseAuditValues } from '../../../src/service/domain/audit.ts';
import { verifyAuditLog } from '../../../src/service/domain/audit-verification.ts';
import { deleteClient, updateClient } from '../../../src/service/domain/clients.ts';
import { readAuditLog } from '../../support/audit-log.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

const triggers = ['audit_entries_unchanged', 'audit_entries_kept', 'audit_values_unchanged'];

/** What somebody with the file of the database could do to it. */
async function tamper(salon: TestSalon, act: (tx: Writer) => Promise<unknown>): Promise<void> {
  await salon.store.database.transaction('service', async (tx) => {
    if (salon.store.database.kind === 'sqlite') {
      for (const name of triggers) await tx.run(`drop trigger if exists ${name}`, []);
    }
    await act(tx);
  });
}

/** A salon whose second client changed twice. The log has five entries: account, two clients, two changes. */
async function openLog(): Promise<{ salon: TestSalon; client: string }> {
  const salon = await openTestSalon();
  await salon.addClient({ first_name: 'Ana' });
  const client = await salon.addClient({ first_name: 'Bea', notes: 'allergic to ammonia' });
  await updateClient(salon.as(), client, { change: { notes: 'prefers tea' } });
  await updateClient(salon.as(), client, { change: { last_name: 'Costa' } });
  return { salon, client };
}

async function findFaults(salon: TestSalon): Promise<string[]> {
  const { chains } = await verifyAuditLog(salon.store.database.reader);
  return chains.flatMap(({ account_id, faults }) =>
    faults.map(
      ({ seq, problem }) => `${account_id === salon.accountId ? '' : account_id} ${seq}: ${problem}`,
    ),
  );
}

const changed = 'The entry does not match its hash: it or the previous entry was changed.';

describe('the verification of the audit log', () => {
  it('finds nothing in an untouched log', async () => {
    const { salon } = await openLog();
    await using _ = salon;
    const { chains } = await verifyAuditLog(salon.store.database.reader);
    expect(chains).toMatchObject([{ account_id: salon.accountId, entries: 5, erased: 0, faults: [] }]);
  });

  it.each([
    ...['id', 'action', 'resource', 'record_id', 'client_id', 'former_client_id', 'actor_type', 'actor_id'],
    ...['actor_name', 'via_type', 'via_id', 'via_name', 'address', 'request_id', 'changes', 'values_digest'],
  ])('finds one altered byte in %s', async (column) => {
    const { salon } = await openLog();
    await using _ = salon;
    const alter = `update audit_entries set ${column} = coalesce(substr(${column}, 2), '') || 'x' where seq = 4`;
    await tamper(salon, (tx) => tx.run(alter, []));
    expect(await findFaults(salon)).toContain(` 4: ${changed}`);
  });

  it.each([
    ['a time', 'update audit_entries set at_ms = at_ms + 1 where seq = 4', [` 4: ${changed}`]],
    ['a hash', "update audit_entries set hash = 'x' where seq = 3", [` 3: ${changed}`, ` 4: ${changed}`]],
    ['a hash at the end', "update audit_entries set hash = 'x' where seq = 5", [` 5: ${changed}`]],
    [
      'a position',
      'update audit_entries set seq = 9 where seq = 4',
      [
        ' 4: Values exist without an entry.',
        ' 5: The previous entry was removed.',
        ' 9: The 3 previous entries were removed.',
        ' 9: The values were removed without an erasure.',
      ],
    ],
    [
      'an account',
      "update audit_entries set account_id = 'acc_x' where seq = 5",
      [' 5: Values exist without an entry.', 'acc_x 5: The 4 previous entries were removed.'],
    ],
    [
      'a value',
      "update audit_values set body = replace(body, 'tea', 'pie') where seq = 4",
      [' 4: The values were changed.'],
    ],
    ['a salt', "update audit_values set salt = 'x' where seq = 4", [' 4: The values were changed.']],
  ])('finds %s that was altered', async (_title, statement, faults) => {
    const { salon } = await openLog();
    await using _ = salon;
    await tamper(salon, (tx) => tx.run(statement, []));
    expect(await findFaults(salon)).toEqual(expect.arrayContaining(faults));
  });

  it.each([
    ['an entry', 'delete from audit_entries where seq = 3', ' 4: The previous entry was removed.'],
    [
      'the first entries',
      'delete from audit_entries where seq < 3',
      ' 3: The 2 previous entries were removed.',
    ],
    ['values', 'delete from audit_values where seq = 4', ' 4: The values were removed without an erasure.'],
  ])('finds %s that were removed', async (_title, statement, fault) => {
    const { salon } = await openLog();
    await using _ = salon;
    await tamper(salon, (tx) => tx.run(statement, []));
    expect(await findFaults(salon)).toContain(fault);
  });

  it('finds a checkpoint that pretends a deletion of old entries', async () => {
    const { salon } = await openLog();
    await using _ = salon;
    await tamper(salon, async (tx) => {
      const checkpoint =
        'insert into audit_checkpoints select account_id, seq, hash from audit_entries where seq = 2';
      await tx.run(checkpoint, []);
      await tx.run('delete from audit_entries where seq <= 2', []);
      await tx.run('delete from audit_values where seq <= 2', []);
    });
    expect(await findFaults(salon)).toEqual([
      ' 2: The checkpoint does not match the last deletion of old entries.',
    ]);
  });

  it('tells erased values from altered ones', async () => {
    const { salon, client } = await openLog();
    await using _ = salon;
    await deleteClient(salon.as(), client, { force: false });
    const { chains } = await verifyAuditLog(salon.store.database.reader);
    expect(chains).toMatchObject([{ erased: 3, faults: [] }]);
    await tamper(salon, (tx) => tx.run('delete from audit_values where seq = 2', []));
    expect(await findFaults(salon)).toEqual([' 2: The values were removed without an erasure.']);
  });

  it('does not accept an erasure of later values as the reason for missing earlier ones', async () => {
    const { salon, client } = await openLog();
    await using _ = salon;
    const later = {
      accountId: salon.accountId,
      subject: { kind: 'client' as const, id: client },
      sinceMs: Date.parse('2026-11-22T00:00:00Z'),
    };
    salon.environment.setTime('2026-11-22T00:00:00.000Z');
    await updateClient(salon.as(), client, { change: { notes: 'prefers coffee' } });
    await salon.store.database.transaction('service', (tx) => eraseAuditValues(tx, salon.environment, later));
    await tamper(salon, (tx) => tx.run('delete from audit_values where seq = 4', []));
    expect(await findFaults(salon)).toEqual([' 4: The values were removed without an erasure.']);
  });

  it('needs a head that was kept elsewhere to find a removed end and a chain computed anew', async () => {
    const { salon } = await openLog();
    await using _ = salon;
    const [, , , fourth, last] = await readAuditLog(salon.as());
    const heads = [fourth, last].map((entry) => ({ seq: entry?.seq ?? 0, hash: entry?.hash ?? '' }));
    const verify = () => verifyAuditLog(salon.store.database.reader, heads);
    expect((await verify()).missingHeads).toEqual([]);
    await tamper(salon, async (tx) => {
      await tx.run('delete from audit_entries where seq = 5', []);
      await tx.run('delete from audit_values where seq = 5', []);
    });
    expect(await findFaults(salon)).toEqual([]);
    expect((await verify()).missingHeads).toEqual([heads[1]]);
  });
});
