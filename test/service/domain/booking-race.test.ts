import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestSalon } from '../../support/salon.ts';
import { bySpeed } from '../../support/speed.ts';

const bookings = bySpeed({ full: 600, long: 10_000 });
const program = join(import.meta.dirname, '../../support/book-at-random.ts');

it(`two processes that race for slots with ${bookings} bookings never overlap`, async () => {
  await using salon = await openTestSalon();
  const { accountId, store } = salon;
  const stylistIds = [await salon.addStylist(), await salon.addStylist()];
  const half = String(bookings / 2);
  const args = [store.location, accountId, await salon.addClient(), stylistIds.join(','), half];
  const racers = await Promise.all(
    [1, 2].map(async () => {
      const [counts] = await once(fork(program, args), 'message');
      return counts as { readonly booked: number; readonly taken: number };
    }),
  );
  const booked = racers.reduce((sum, racer) => sum + racer.booked, 0);
  const taken = racers.reduce((sum, racer) => sum + racer.taken, 0);
  expect(booked + taken).toBe(bookings);
  expect(Math.min(booked, taken)).toBeGreaterThan(0);

  const { reader } = store.database;
  const overlaps = await reader.run(
    `select 1 from appointments as one join appointments as other on other.account_id = one.account_id
      and other.stylist_id = one.stylist_id and other.id > one.id
      and other.start_ms < one.end_ms and other.end_ms > one.start_ms where one.account_id = ?`,
    [accountId],
  );
  expect(overlaps).toEqual([]);
  const [counted] = await reader.run(
    `select total, last_seq, (select count(*) from appointments as a where a.account_id = c.account_id) as listed,
        (select max(seq) from events as e where e.account_id = c.account_id) as events
      from collections as c where account_id = ? and name = 'appointments'`,
    [accountId],
  );
  // One event more: the client's.
  expect(counted).toEqual({
    ...{ total: booked, last_seq: booked, listed: booked },
    events: booked + 1,
  });
});
