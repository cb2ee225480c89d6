import { describe, expect, it } from 'vitest';
import type { Snapshot } from '../../../src/service/db/engine.ts';
import type { ListPageRequest } from '../../../src/service/db/pages.ts';
import { openListSnapshot } from '../../../src/service/domain/list-stream.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

const start = Date.parse('2026-11-21T12:00:00Z');

function firstPage(salon: TestSalon): ListPageRequest {
  return {
    accountId: salon.accountId,
    collection: 'clients',
    conditions: [],
    order: { column: 'seq', descending: false },
    from: { offset: 0 },
    limit: 10,
  };
}

/** A list snapshot with a clock, that counts the snapshots of the database. */
async function openCounted(salon: TestSalon) {
  const { database } = salon.store;
  const counts = { opened: 0, closed: 0 };
  let nowMs = start;
  const snapshot = await openListSnapshot(
    async (): Promise<Snapshot> => {
      const opened = await database.openSnapshot(salon.accountId);
      counts.opened += 1;
      const close = async () => {
        counts.closed += 1;
        await opened.close();
      };
      return { ...opened, close };
    },
    () => new Date(nowMs),
  );
  return { snapshot, counts, setSeconds: (seconds: number) => (nowMs = start + seconds * 1000) };
}

describe('a snapshot of a list', () => {
  it('is renewed after ten seconds if the list has kept its version', async () => {
    await using salon = await openTestSalon();
    await salon.addClient();
    const { snapshot, counts, setSeconds } = await openCounted(salon);
    const page = await snapshot.readPage(firstPage(salon));
    // Other lists may change.
    await salon.addStylist();
    setSeconds(9);
    await snapshot.readPage(firstPage(salon));
    expect(counts).toEqual({ opened: 1, closed: 0 });
    setSeconds(11);
    expect(await snapshot.readPage(firstPage(salon))).toEqual(page);
    expect(counts).toEqual({ opened: 2, closed: 1 });
    setSeconds(1000);
    expect(await snapshot.readPage(firstPage(salon))).toEqual(page);
    await snapshot.close();
    expect(counts).toEqual({ opened: 3, closed: 3 });
  });

  it('stays as it was when the list has changed, for two minutes', async () => {
    await using salon = await openTestSalon();
    await salon.addClient();
    const { snapshot, counts, setSeconds } = await openCounted(salon);
    const page = await snapshot.readPage(firstPage(salon));
    await salon.addClient();
    setSeconds(119);
    expect(await snapshot.readPage(firstPage(salon))).toEqual(page);
    expect(counts).toEqual({ opened: 2, closed: 1 });
    setSeconds(131);
    await expect(snapshot.readPage(firstPage(salon))).rejects.toMatchObject({ code: 'service_unavailable' });
    await snapshot.close();
    expect(counts.closed).toBe(counts.opened);
  });
});
