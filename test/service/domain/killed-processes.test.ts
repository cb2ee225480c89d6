import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openAccountLimiter } from '../../../src/service/domain/rate-limit.ts';
import { openTestSalon } from '../../support/salon.ts';

const patient = { timeoutMs: 600_000 };

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
