import { describe, expect, it } from 'vitest';
import { anonymous } from '../../../src/service/domain/audit.ts';
import { recordRefusal, recordRefusedCaller } from '../../../src/service/domain/audit-access.ts';
import type { Context } from '../../../src/service/domain/context.ts';
import { readAuditLog } from '../../support/audit-log.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

const refusal = { operation: 'deleteClient', code: 'permission_denied' };

async function readRefusals(salon: TestSalon) {
  return (await readAuditLog(salon.as())).filter(({ action }) => action === 'access.refused');
}

function from(salon: TestSalon, address: string): Context {
  return { ...salon.as({ role: 'viewer' }), source: { requestId: 'req_1', address } };
}

describe('a refused request', () => {
  it('is recorded with who was refused what', async () => {
    await using salon = await openTestSalon();
    await recordRefusedCaller(salon.as({ role: 'viewer' }), { ...refusal, id: 'cli_1' });
    expect(await readRefusals(salon)).toMatchObject([
      {
        ...{ record_id: 'cli_1', details: refusal, address: '127.0.0.1', request_id: 'req_test' },
        actor: { type: 'api_key', id: 'key_test', name: 'test' },
      },
    ]);
  });

  it('is recorded once an hour per operation and address', async () => {
    await using salon = await openTestSalon();
    const record = (address: string, operation = 'deleteClient') =>
      recordRefusedCaller(from(salon, address), { ...refusal, operation });
    await Promise.all([record('192.0.2.1'), record('192.0.2.1')]);
    expect(await readRefusals(salon)).toHaveLength(1);
    await record('192.0.2.2');
    await record('192.0.2.1', 'mergeClients');
    expect(await readRefusals(salon)).toHaveLength(3);
    salon.environment.setTime('2026-11-21T13:00:00.001Z');
    await record('192.0.2.1');
    expect(await readRefusals(salon)).toHaveLength(4);
  });

  it('cannot fill the log from ever new addresses', async () => {
    await using salon = await openTestSalon();
    for (let host = 0; host < 30; host++) {
      await recordRefusedCaller(from(salon, `192.0.2.${host}`), refusal);
    }
    expect(await readRefusals(salon)).toHaveLength(20);
  });

  it('without an account is in the log of the service', async () => {
    await using salon = await openTestSalon();
    const { database } = salon.store;
    const source = { requestId: null, address: '192.0.2.1' };
    for (let count = 0; count < 2; count++) {
      const unknown = { accountId: null, actor: anonymous, operation: 'signIn', code: 'unknown_address' };
      await recordRefusal({ database, environment: salon.environment, source }, unknown);
    }
    expect(await readRefusals(salon)).toEqual([]);
    const rows = await database.reader.run("select seq from audit_entries where account_id = 'service'", []);
    expect(rows).toEqual([{ seq: 1 }]);
  });
});
