import { describe, expect, it } from 'vitest';
import { SalonError } from '../../../src/contract/errors.ts';
import { createExportLog } from '../../../src/service/domain/audit-access.ts';
import { readAuditLog } from '../../support/audit-log.ts';
import { openTestSalon, type TestSalon } from '../../support/salon.ts';

type Transaction = TestSalon['store']['database']['transaction'];

function toPage(number: number) {
  return { resource: 'client', url: `/clients?page=${number}`, count: 200, isLast: false, filters: [] };
}

async function readExports(salon: TestSalon) {
  return (await readAuditLog(salon.as())).filter(({ action }) => action === 'client.exported');
}

describe('an export of more than 1,000 rows while the database cannot be written', () => {
  it('goes on, and is recorded with a later page', async () => {
    await using salon = await openTestSalon();
    const context = salon.as();
    const transaction = async () => {
      throw new SalonError('service_unavailable', 'The disk that holds the database is full.');
    };
    const full = { ...context, database: { ...context.database, transaction } };
    const log = createExportLog();
    for (let page = 1; page <= 10; page++) await log(full, toPage(page));
    expect(await readExports(salon)).toEqual([]);
    await log(context, toPage(11));
    expect(await readExports(salon)).toMatchObject([{ details: { rows: 2200 } }]);
  });

  it('is recorded once the database can be written, if there is no later page', async () => {
    await using salon = await openTestSalon();
    const context = salon.as();
    let isFull = true;
    const transaction: Transaction = async (...given) => {
      if (isFull) throw new SalonError('service_unavailable', 'The disk that holds the database is full.');
      return context.database.transaction(...given);
    };
    const full = { ...context, database: { ...context.database, transaction } };
    const scheduled: (() => unknown)[] = [];
    const log = createExportLog((act) => scheduled.push(act));
    for (let page = 1; page <= 10; page++) await log(full, { ...toPage(page), isLast: page === 10 });
    await scheduled.shift()?.();
    expect(await readExports(salon)).toEqual([]);
    isFull = false;
    await scheduled.shift()?.();
    expect(await readExports(salon)).toMatchObject([{ details: { rows: 2000 } }]);
    expect(scheduled).toEqual([]);
  });
});

describe('a last page that is read again and again', () => {
  it('is recorded with every further 1,000 rows, not every time', async () => {
    await using salon = await openTestSalon();
    const log = createExportLog();
    for (let page = 1; page <= 6; page++) await log(salon.as(), toPage(page));
    for (let time = 1; time <= 20; time++) {
      await log(salon.as(), { ...toPage(7), url: `/clients?page=7&time=${time}`, count: 50, isLast: true });
    }
    const recorded = (await readExports(salon)).map(({ details }) => details);
    expect(recorded).toMatchObject([{ rows: 1200 }, { rows: 50 }]);
  });

  it('counts once, but a second export of little more than 1,000 rows is recorded', async () => {
    await using salon = await openTestSalon();
    const log = createExportLog();
    const last = { ...toPage(6), count: 50, isLast: true };
    for (let page = 1; page <= 5; page++) await log(salon.as(), toPage(page));
    for (let time = 1; time <= 100; time++) await log(salon.as(), last);
    for (let page = 1; page <= 5; page++) await log(salon.as(), toPage(page));
    await log(salon.as(), last);
    const recorded = (await readExports(salon)).map(({ details }) => details);
    expect(recorded).toMatchObject([{ rows: 1050 }, { rows: 1050 }]);
  });
});

describe('an export whose audit entry fails for another reason', () => {
  it('is refused', async () => {
    await using salon = await openTestSalon();
    const context = salon.as();
    const transaction = async () => {
      throw new Error('a defect');
    };
    const failing = { ...context, database: { ...context.database, transaction } };
    const page = { ...toPage(1), count: 1001 };
    await expect(createExportLog()(failing, page)).rejects.toThrow('a defect');
  });
});

describe('the rows of the entries of one hour', () => {
  it.each([
    ['one export', 1, [1200, 1400, 2400]],
    ['three exports of the same list', 3, [1200, 1400, 2400, 5000, 5000]],
  ])('are those that each adds, of %s', async (_title, exports, rows) => {
    await using salon = await openTestSalon();
    const log = createExportLog();
    for (let time = 1; time <= exports; time++) {
      for (let page = 1; page <= 25; page++) {
        const url = `/clients?page=${page}&time=${time}`;
        await log(salon.as(), { ...toPage(page), url, isLast: page === 25 });
      }
    }
    const recorded = (await readExports(salon)).map(({ details }) => Number(Object(details).rows));
    expect(recorded).toEqual(rows);
    expect(recorded.reduce((sum, count) => sum + count)).toBe(exports * 25 * 200);
  });

  it('count again what an entry that could not be written had counted', async () => {
    await using salon = await openTestSalon();
    const context = salon.as();
    let isFull = false;
    const transaction: Transaction = async (...given) => {
      if (isFull) throw new SalonError('service_unavailable', 'The disk that holds the database is full.');
      return context.database.transaction(...given);
    };
    const log = createExportLog(() => {});
    for (let page = 1; page <= 20; page++) {
      isFull = page >= 8 && page < 20;
      await log(
        { ...context, database: { ...context.database, transaction } },
        { ...toPage(page), isLast: page === 20 },
      );
    }
    const recorded = (await readExports(salon)).map(({ details }) => details);
    expect(recorded).toMatchObject([{ rows: 1200 }, { rows: 2800 }]);
  });
});
