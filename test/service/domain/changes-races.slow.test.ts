import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { verifyAuditLog } from '../../../src/service/domain/audit-verification.ts';
import { openFollower } from '../../support/follow-changes.ts';
import { openTestSalon } from '../../support/salon.ts';
import { bySpeed } from '../../support/speed.ts';

const kills = bySpeed({ full: 4, long: 200 });
const writesPerKill = bySpeed({ full: 40, long: 50 });
const program = join(import.meta.dirname, '../../support/write-at-random.ts');

it(`has every record after each of ${kills} kills of two processes with 16 writers`, async () => {
  await using salon = await openTestSalon();
  const { accountId, store } = salon;
  const follower = await openFollower(salon.as(), 20);
  let total = 0;
  for (let round = 0; round < kills / 2; round++) {
    const children = [0, 1].map((index) =>
      fork(program, [store.location, accountId, String(2 * round + index)]),
    );
    const written: [number, number] = [0, 0];
    children.forEach((child, index) => {
      child.on('message', (count) => {
        written[index] = Number(count);
      });
    });
    const ended = Promise.race(children.map((child) => once(child, 'exit')));
    // Reading on while they write is what would miss an entry that is committed later than one behind it.
    while (written.some((count) => count < writesPerKill)) {
      await follower.follow();
      await Promise.race([once(children[0] as (typeof children)[0], 'message'), ended]);
      expect(children.map(({ exitCode }) => exitCode)).toEqual([null, null]);
    }
    await Promise.all(
      children.map((child) => {
        const closed = once(child, 'close');
        child.kill('SIGKILL');
        return closed;
      }),
    );
    total += written[0] + written[1];
    await follower.expectSame();
  }
  expect(total).toBeGreaterThanOrEqual(kills * writesPerKill);
  const { chains } = await verifyAuditLog(store.database.reader);
  expect(chains).toMatchObject([{ account_id: accountId, faults: [] }]);
});
