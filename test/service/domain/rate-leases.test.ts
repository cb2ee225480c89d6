import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SalonError } from '../../../src/contract/errors.ts';
import { readGranted } from '../../../src/service/db/accounts.ts';
import type { Database } from '../../../src/service/db/database.ts';
import { openRateLeases } from '../../../src/service/domain/rate-leases.ts';
import { openAccountLimiter } from '../../../src/service/domain/rate-limit.ts';
import { openTestSalon } from '../../support/salon.ts';

const patient = { timeoutMs: 600_000 };

it('does not spend what it may have returned, when the database does not say', async () => {
  await using salon = await openTestSalon();
  const { database } = salon.store;
  let isLost = false;
  const transaction: Database['transaction'] = async (lock, body) => {
    const result = await database.transaction(lock, body);
    if (isLost) throw new SalonError('service_unavailable', 'The connection was lost.');
    return result;
  };
  let uptimeMs = 0;
  const options = { ...patient, idleMs: 600_000, uptimeMs: () => uptimeMs };
  const leases = openRateLeases({ ...database, transaction }, options);
  const others = openRateLeases(database, patient);
  const window = { accountId: salon.accountId, start: 0 };
  const spending = { count: 1, limit: 1000 };
  await leases.spend(window, spending);
  isLost = true;
  uptimeMs = 600_000;
  await leases.returnIdle();
  isLost = false;
  let spent = 1;
  for (const one of [others, leases]) while ((await one.spend(window, spending)).allowed) spent += 1;
  expect(spent).toBeLessThanOrEqual(spending.limit);
  await Promise.all([leases.close(), others.close()]);
});

it('asks for no more than a thousand, so that processes that crash again and again use up no large limit', async () => {
  await using salon = await openTestSalon();
  const { database } = salon.store;
  const window = { accountId: salon.accountId, start: 0 };
  const leases = openRateLeases(database, patient);
  await leases.spend(window, { count: 1, limit: 1_000_000 });
  expect(await readGranted(database.reader, window)).toBe(1000);
  await leases.close();
});

it('loses at most one lease for each of four processes that are killed, and never exceeds the limit', async () => {
  await using salon = await openTestSalon();
  const { location, database } = salon.store;
  const account = { id: salon.accountId, hourlyLimit: 5000 };
  const lease = 100;
  const program = join(import.meta.dirname, '../../support/spend-requests.ts');
  // They spend at the same time; each has another part of its lease left when it is killed.
  const spent = await Promise.all(
    [30, 449, 601, 1060].map(async (count) => {
      const spender = fork(program, [location, account.id, '5000', String(count)]);
      const [allowed] = await once(spender, 'message');
      spender.kill('SIGKILL');
      await once(spender, 'close');
      return Number(allowed);
    }),
  );
  expect(spent).toEqual([30, 449, 601, 1060]);
  let uptimeMs = 0;
  const survivor = openAccountLimiter(database, salon.environment, { ...patient, uptimeMs: () => uptimeMs });
  let rest = 0;
  while ((await survivor.take(account)).refusedBy !== 'hour') {
    rest += 1;
    // So that it is not the limit of a second that refuses.
    uptimeMs += 1;
  }
  const forfeited = 5000 - rest - spent.reduce((sum, count) => sum + count, 0);
  expect(forfeited).toBeGreaterThan(0);
  expect(forfeited).toBeLessThanOrEqual(4 * lease);
  await survivor.close();
});
