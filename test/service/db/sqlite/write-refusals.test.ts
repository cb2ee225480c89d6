import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { toDatabaseError } from '../../../../src/service/db/sqlite/errors.ts';
import { createRunner, toReader } from '../../../../src/service/db/sqlite/statements.ts';
import { createTransactions, createWriteRefusals } from '../../../../src/service/db/sqlite/transactions.ts';

function fail(errcode: number): unknown {
  return toDatabaseError(Object.assign(new Error('failed'), { code: 'ERR_SQLITE_ERROR', errcode }));
}

const full = fail(13);
const ioError = fail(1034);
const damaged = fail(11);

function createTestRefusals() {
  const disk = { nowMs: 0, secured: 0, failure: false };
  const refusals = createWriteRefusals(
    () => {
      if (disk.failure) throw fail(1034);
      disk.secured += 1;
    },
    () => disk.nowMs,
  );
  const isAdmitted = () => {
    try {
      refusals.admit();
      return true;
    } catch (error) {
      // As the group that was refused does.
      refusals.note(error);
      return false;
    }
  };
  return { disk, note: refusals.note, isAdmitted };
}

describe('writes', () => {
  it('pause for a second when the disk is full', () => {
    const { disk, note, isAdmitted } = createTestRefusals();
    expect(isAdmitted()).toBe(true);
    note(full);
    for (; disk.nowMs < 1000; disk.nowMs += 250) expect(isAdmitted()).toBe(false);
    expect(isAdmitted()).toBe(true);
    expect(isAdmitted()).toBe(true);
    expect(disk.secured).toBe(0);
  });

  it('go on after an I/O error only when earlier ones are safe', () => {
    const { disk, note, isAdmitted } = createTestRefusals();
    note(ioError);
    disk.failure = true;
    for (disk.nowMs = 0; disk.nowMs <= 5000; disk.nowMs += 250) expect(isAdmitted()).toBe(false);
    disk.failure = false;
    disk.nowMs += 1000;
    expect(isAdmitted()).toBe(true);
    expect(disk.secured).toBe(1);
  });

  it('end when the database is damaged', () => {
    const { disk, note, isAdmitted } = createTestRefusals();
    note(damaged);
    note(full);
    disk.nowMs = 1e9;
    expect(isAdmitted()).toBe(false);
  });

  it('ignore errors of the changes themselves', () => {
    const { note, isAdmitted } = createTestRefusals();
    for (const error of [fail(2067), fail(5), new Error('Invalid.')]) note(error);
    expect(isAdmitted()).toBe(true);
  });
});

it('a transaction fails where it was committed to a file that is no longer the database', async () => {
  using sqlite = new DatabaseSync(':memory:');
  const noted: unknown[] = [];
  const disk = {
    admit: () => {},
    confirm: () => Promise.reject(ioError),
    note: (error: unknown) => noted.push(error),
  };
  const { transaction } = createTransactions(sqlite, toReader(createRunner(sqlite)), disk);
  await expect(transaction('service', async () => 'done')).rejects.toBe(ioError);
  expect(noted).toEqual([ioError]);
});
