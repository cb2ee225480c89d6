import { describe, expect, it } from 'vitest';
import { setAuditRetention } from '../../../../src/service/domain/audit-retention.ts';
import { verifyAuditLog } from '../../../../src/service/domain/audit-verification.ts';
import { deleteClient, updateClient } from '../../../../src/service/domain/clients.ts';
import { openTestSalon, type TestSalon } from '../../../support/salon.ts';

/** A log of four entries: the account, a client, two changes. */
async function openLog(): Promise<{ salon: TestSalon; client: string }> {
  const salon = await openTestSalon();
  const client = await salon.addClient({ first_name: 'Bea', notes: 'allergic to ammonia' });
  await updateClient(salon.as(), client, { change: { notes: 'prefers tea' } });
  await updateClient(salon.as(), client, { change: { last_name: 'Costa' } });
  return { salon, client };
}

const triggers = ['audit_entries_unchanged', 'audit_entries_kept', 'audit_values_unchanged'];

async function forge({ store }: TestSalon, ...statements: readonly string[]): Promise<string[]> {
  await store.database.transaction('service', async (tx) => {
    for (const name of triggers) await tx.run(`drop trigger if exists ${name}`, []);
    for (const statement of statements) await tx.run(statement, []);
  });
  const { chains } = await verifyAuditLog(store.database.reader);
  return chains.flatMap(({ faults }) => faults.map(({ seq, problem }) => `${seq}: ${problem}`));
}

/** A copy of the first entry at another position, without values. */
const insertAt = (
  seq: string,
) => `insert into audit_entries select account_id, ${seq}, id || 'x', at_ms, action,
  resource, record_id, client_id, former_client_id, actor_type, actor_id, actor_name, via_type, via_id, via_name,
  address, request_id, changes, null, hash, stored_bytes from audit_entries where seq = 1`;

const stray = 'The entry is not part of the chain.';

describe('the verification of the audit log finds', () => {
  it.each([
    [
      'values that are stored with a salt of bytes',
      "update audit_values set salt = cast(salt as blob), body = replace(body, 'ammonia', 'nothing') where seq = 2",
      '2: The values were changed.',
    ],
    [
      'values that are stored as bytes',
      "update audit_values set body = cast(replace(body, 'tea', 'pie') as blob) where seq = 3",
      '3: The values were changed.',
    ],
    ['an entry in front of the first one', insertAt('0'), `0: ${stray}`],
    ['an entry at a negative position', insertAt('-5'), `-5: ${stray}`],
    ['an entry between two positions', insertAt('2.5'), `2.5: ${stray}`],
    ['an entry behind all numbers', insertAt('9223372036854775807'), `9007199254740991: ${stray}`],
    [
      'values behind all numbers',
      'insert into audit_values select account_id, 9223372036854775807, salt, body from audit_values where seq = 2',
      '9007199254740991: Values exist without an entry.',
    ],
    [
      'a time that is no number of JavaScript',
      'update audit_entries set at_ms = 9223372036854775807 where seq = 3',
      '3: The entry does not match its hash: it or the previous entry was changed.',
    ],
    [
      'a retention that nobody set',
      'insert into audit_settings select id, 30 from accounts',
      '4: How long entries are kept was changed, but not by the service.',
    ],
  ])('%s', async (_title, statement, fault) => {
    const { salon } = await openLog();
    await using _ = salon;
    expect(await forge(salon, statement)).toContain(fault);
  });

  it('bytes that take the place of erased values', async () => {
    const { salon, client } = await openLog();
    await using _ = salon;
    await deleteClient(salon.as(), client, { force: false });
    const insert =
      "insert into audit_values select account_id, 2, 'x', cast('{}' as blob) from audit_entries where seq = 2";
    expect(await forge(salon, insert)).toEqual(['2: The values were changed.']);
  });

  it('a retention other than the one that was set', async () => {
    const { salon } = await openLog();
    await using _ = salon;
    await setAuditRetention(salon.as(), 700);
    expect(await forge(salon)).toEqual([]);
    expect(await forge(salon, 'update audit_settings set kept_days = 30')).toHaveLength(1);
  });
});

it('an account whose log was removed is still listed, with no entry', async () => {
  const { salon } = await openLog();
  await using _ = salon;
  const tables = ['entries', 'values'];
  await forge(salon, ...tables.map((table) => `delete from audit_${table}`));
  const { chains } = await verifyAuditLog(salon.store.database.reader);
  expect(chains).toMatchObject([{ account_id: salon.accountId, entries: 0, head: '0:' }]);
});
