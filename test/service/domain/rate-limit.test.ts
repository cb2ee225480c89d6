import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SalonError } from '../../../src/contract/errors.ts';
import type { Database } from '../../../src/service/db/database.ts';
import {
  type AccountLimiter,
  type LimiterOptions,
  openAccountLimiter,
} from '../../../src/service/domain/rate-limit.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';
import { countBySpeed } from '../../support/speed.ts';

/** Takes many at once and returns how many were allowed. */
async function takeMany(
  limiter: AccountLimiter,
  account: { id: string; hourlyLimit: number },
  count: number,
) {
  const states = await Promise.all(Array.from({ length: count }, () => limiter.take(account)));
  return states.filter(({ allowed }) => allowed).length;
}

/** Waits for the database however busy the machine is, so that nothing is counted in memory. */
const patient = { timeoutMs: 600_000 };

function openLimiter(salon: TestSalon, options: LimiterOptions = {}): AccountLimiter {
  return openAccountLimiter(salon.store.database, salon.environment, { ...patient, ...options });
}

/** A database whose transactions a test counts and refuses. */
function watchTransactions(database: Database) {
  const state = { writes: 0, isFull: false };
  const transaction: Database['transaction'] = async (lock, body) => {
    state.writes += 1;
    if (state.isFull) throw new SalonError('service_unavailable', 'The disk is full.');
    return database.transaction(lock, body);
  };
  return { state, database: { ...database, transaction } };
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
      expect(await limiter.take(account)).toEqual({ ...expected, allowed: true, refusedBy: null, remaining });
    }
    const refusal = { ...expected, allowed: false, refusedBy: 'hour', remaining: 0 };
    expect(await limiter.take(account)).toEqual(refusal);
    salon.environment.setTime('2026-11-21T13:00:00.000Z');
    expect(await limiter.take(account)).toEqual({
      allowed: true,
      refusedBy: null,
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

  it('writes at most once per hundredth of the limit, and not when the limit is reached', async () => {
    await using salon = await openTestSalon();
    const { state, database } = watchTransactions(salon.store.database);
    const limiter = openAccountLimiter(database, salon.environment, patient);
    const account = { id: salon.accountId, hourlyLimit: 1000 };
    expect(await takeMany(limiter, account, 1000)).toBe(1000);
    expect(state.writes).toBeLessThanOrEqual(100);
    state.writes = 0;
    expect(await takeMany(limiter, account, 50)).toBe(0);
    expect(state.writes).toBe(0);
  });

  it('charges costly requests as a whole or not at all, and takes back what they did not use', async () => {
    await using salon = await openTestSalon();
    const limiter = openLimiter(salon);
    const account = { id: salon.accountId, hourlyLimit: 1000 };
    const charged = await limiter.charge(account, 900);
    expect(charged).toMatchObject({ allowed: true, remaining: 100 });
    expect(await limiter.charge(account, 101)).toMatchObject({ allowed: false, remaining: 100 });
    limiter.refund(account, 300, charged);
    expect(await limiter.charge(account, 400)).toMatchObject({ allowed: true, remaining: 0 });
    salon.environment.setTime('2026-11-21T13:00:00.000Z');
    await limiter.take(account);
    limiter.refund(account, 300, charged);
    expect(await limiter.take(account)).toMatchObject({ remaining: 998 });
  });

  it('spends the rest of the hour in memory while the database cannot be written, and no more', async () => {
    await using salon = await openTestSalon();
    const { state, database } = watchTransactions(salon.store.database);
    let uptimeMs = 0;
    const limiter = openAccountLimiter(database, salon.environment, { ...patient, uptimeMs: () => uptimeMs });
    const account = { id: salon.accountId, hourlyLimit: 300 };
    expect(await takeMany(limiter, account, 100)).toBe(100);
    state.isFull = true;
    expect(await takeMany(limiter, account, 250)).toBe(200);
    state.isFull = false;
    uptimeMs = 60_000;
    expect(await takeMany(limiter, account, 1)).toBe(0);
    await limiter.close();
    expect(await takeMany(openLimiter(salon), account, 1)).toBe(0);
  });

  it('knows what was spent before, when the database cannot be written from the start', async () => {
    await using salon = await openTestSalon();
    const account = { id: salon.accountId, hourlyLimit: 300 };
    const before = openLimiter(salon);
    await takeMany(before, account, 280);
    await before.close();
    const { state, database } = watchTransactions(salon.store.database);
    state.isFull = true;
    expect(await takeMany(openAccountLimiter(database, salon.environment, patient), account, 50)).toBe(20);
  });

  it('does not wait long for a database that is locked', async () => {
    await using salon = await openTestSalon();
    const lock = Promise.withResolvers<void>();
    const transaction: Database['transaction'] = async (kind, body) => {
      await lock.promise;
      return salon.store.database.transaction(kind, body);
    };
    const options = { timeoutMs: 1 };
    const locked = { ...salon.store.database, transaction };
    const limiter = openAccountLimiter(locked, salon.environment, options);
    const account = { id: salon.accountId, hourlyLimit: 300 };
    expect(await takeMany(limiter, account, 310)).toBe(300);
    lock.resolve();
    await limiter.close();
    expect(await takeMany(openLimiter(salon), account, 1)).toBe(0);
  });

  it('lets an account spend half of its hour at once, and again in every second', async () => {
    await using salon = await openTestSalon();
    let uptimeMs = 0;
    const limiter = openLimiter(salon, { uptimeMs: () => uptimeMs });
    const account = { id: salon.accountId, hourlyLimit: 5000 };
    expect(await takeMany(limiter, account, 3000)).toBe(2500);
    expect(await limiter.take(account)).toMatchObject({ refusedBy: 'burst', remaining: 2500 });
    uptimeMs = 100;
    expect(await takeMany(limiter, account, 1000)).toBe(250);
    uptimeMs = 60_000;
    expect(await takeMany(limiter, account, 5000)).toBe(2250);
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
            openAccountLimiter(by === 0 ? salon.store.database : other, salon.environment, patient);
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
          const held = (killed + limiters.length) * Math.max(1, Math.floor(limit / 50));
          expect(allowed).toBeGreaterThanOrEqual(Math.min(taken, limit - held));
        },
      ),
      { numRuns: countBySpeed(40) },
    );
  });
});
