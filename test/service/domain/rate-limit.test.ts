import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AccountLimiter, openAccountLimiter } from '../../../src/service/domain/rate-limit.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

/** Takes many at once and returns how many were allowed. */
async function takeMany(
  limiter: AccountLimiter,
  account: { id: string; hourlyLimit: number },
  count: number,
) {
  const states = await Promise.all(Array.from({ length: count }, () => limiter.take(account)));
  return states.filter(({ allowed }) => allowed).length;
}

function openLimiter(salon: TestSalon): AccountLimiter {
  return openAccountLimiter(salon.store.database, salon.environment);
}

describe('the account limiter', () => {
  it('counts down to zero, then refuses until the hour ends', async () => {
    await using salon = await openTestSalon();
    salon.environment.setTime('2026-11-21T12:59:00.500Z');
    const limiter = openLimiter(salon);
    const account = { id: salon.accountId, hourlyLimit: 3 };
    const resetAt = Date.parse('2026-11-21T13:00:00Z') / 1000;
    const expected = { limit: 3, resetSeconds: 60, resetAt };
    for (const remaining of [2, 1, 0]) {
      expect(await limiter.take(account)).toEqual({ ...expected, allowed: true, remaining });
    }
    expect(await limiter.take(account)).toEqual({ ...expected, allowed: false, remaining: 0 });
    salon.environment.setTime('2026-11-21T13:00:00.000Z');
    expect(await limiter.take(account)).toEqual({
      allowed: true,
      limit: 3,
      remaining: 2,
      resetSeconds: 3600,
      resetAt: resetAt + 3600,
    });
  });

  it('continues after a restart that returned unused requests', async () => {
    await using salon = await openTestSalon();
    const account = { id: salon.accountId, hourlyLimit: 1000 };
    for (const remaining of [999, 998, 997]) {
      const limiter = openLimiter(salon);
      expect(await limiter.take(account)).toMatchObject({ remaining });
      await limiter.close();
    }
  });

  it('counts each account separately', async () => {
    await using salon = await openTestSalon();
    const neighbour = await salon.openNeighbour();
    const limiter = openLimiter(salon);
    expect(await takeMany(limiter, { id: salon.accountId, hourlyLimit: 5 }, 9)).toBe(5);
    expect(await takeMany(limiter, { id: neighbour.accountId, hourlyLimit: 5 }, 3)).toBe(3);
  });

  it('follows a limit that changes within the hour', async () => {
    await using salon = await openTestSalon();
    const limiter = openLimiter(salon);
    expect(await takeMany(limiter, { id: salon.accountId, hourlyLimit: 2 }, 4)).toBe(2);
    expect(await takeMany(limiter, { id: salon.accountId, hourlyLimit: 5 }, 9)).toBe(3);
  });

  it('grants returned requests again, also after a refusal', async () => {
    await using salon = await openTestSalon();
    const account = { id: salon.accountId, hourlyLimit: 200 };
    const [first, second] = [openLimiter(salon), openLimiter(salon)];
    await takeMany(first, account, 199);
    expect(await takeMany(second, account, 5)).toBe(0);
    await first.close();
    expect(await takeMany(second, account, 5)).toBe(1);
  });

  it('writes once per hundredth of the limit, and never over the limit', async () => {
    await using salon = await openTestSalon();
    let writes = 0;
    const { database } = salon.store;
    const counting = {
      ...database,
      transaction: ((lock, body) => {
        writes += 1;
        return database.transaction(lock, body);
      }) as typeof database.transaction,
    };
    const limiter = openAccountLimiter(counting, salon.environment);
    await takeMany(limiter, { id: salon.accountId, hourlyLimit: 1000 }, 100);
    expect(writes).toBe(10);
    await takeMany(limiter, { id: salon.accountId, hourlyLimit: 1000 }, 900);
    writes = 0;
    expect(await takeMany(limiter, { id: salon.accountId, hourlyLimit: 1000 }, 50)).toBe(0);
    expect(writes).toBe(0);
  });

  it('never exceeds the limit, with processes that start, stop and crash', async () => {
    await using salon = await openTestSalon();
    const other = await salon.store.openAgain();
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ take: fc.integer({ min: 1, max: 60 }), by: fc.nat(2) }) },
      { weight: 1, arbitrary: fc.record({ end: fc.constantFrom('killed', 'closed'), by: fc.nat(2) }) },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 400 }),
        fc.array(step, { maxLength: 14 }),
        async (limit, steps) => {
          const account = { id: (await salon.openNeighbour()).accountId, hourlyLimit: limit };
          const open = (by: number) =>
            openAccountLimiter(by === 0 ? salon.store.database : other, salon.environment);
          const limiters = [0, 1, 2].map(open);
          let allowed = 0;
          let taken = 0;
          let killed = 0;
          await Promise.all(
            [0, 1, 2].map(async (by) => {
              for (const change of steps.filter((one) => one.by === by)) {
                const limiter = limiters[by] ?? open(by);
                if ('take' in change) {
                  taken += change.take;
                  const now = await takeMany(limiter, account, change.take);
                  allowed += now;
                } else {
                  killed += change.end === 'killed' ? 1 : 0;
                  await (change.end === 'closed' ? limiter.close() : undefined);
                  limiters[by] = open(by);
                }
              }
            }),
          );
          expect(allowed).toBeLessThanOrEqual(limit);
          // At most the unused grants of crashed and running processes are lost.
          const held = (killed + limiters.length) * Math.max(1, Math.floor(limit / 100));
          expect(allowed).toBeGreaterThanOrEqual(Math.min(taken, limit - held));
        },
      ),
      { numRuns: 40 },
    );
  });
});
