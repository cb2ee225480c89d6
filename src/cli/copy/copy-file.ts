import { closeSync, existsSync, openSync, readSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createWriteError, toFileFailure } from '../../bulk/jobs/file-access.ts';
import { decimalsOf } from '../../contract/currencies.ts';
import { SalonError } from '../../contract/errors.ts';
import { listClockRules } from '../../time/clock-rules.ts';
import { copyApplicationId, layoutVersion, renderSchema } from './copy-layout.ts';
import { type Attempt, type CopyRows, createCopyRows } from './copy-rows.ts';

/** What a copy is of, and what its views calculate with. */
interface CopySource {
  readonly origin: string;
  /** Null where the server has no accounts. */
  readonly account: string | null;
  readonly salon: string | null;
  readonly timeZone: string;
  readonly tzVersion: string | undefined;
  readonly currency: string | undefined;
}

export interface CopyFile extends CopyRows, Disposable {
  /** Throws `usage` for the copy of another salon. */
  assertOf(source: Pick<CopySource, 'origin' | 'account'>): void;
  /** Stores everything in one transaction. */
  commit(source: CopySource, syncedAt: string): void;
  /**
   * Removes what deleted and former values have left in the file. Returns false where another program that reads the copy
   * prevents that: the next sync does it.
   */
  removeRemains(): boolean;
}

/** How long a short read of another program may take. */
const busyTimeoutMs = 2_000;
const clockStartMs = Date.UTC(1970);
/** Up to 2100. */
const clockDays = 47_482;
/** Before all times that a record may have. */
const firstSecond = -62_167_219_200;

/**
 * Opens a copy, or creates one that only its owner may read, in a transaction that nobody else can write beside. Until
 * `commit` the file stays as it is, however the process ends. Throws `usage` for a file that is something else, damaged or
 * of a newer release, and `conflict` where it is locked.
 */
export function openCopyFile(path: string): CopyFile {
  const isNew = createFile(path);
  const remove = () => {
    if (isNew) for (const end of ['', '-wal', '-shm', '-journal']) rmSync(path + end, { force: true });
  };
  const attempt = createAttempt(path);
  let database: DatabaseSync | undefined;
  try {
    if (!isNew) assertDatabase(path);
    database = attempt(() => new DatabaseSync(path, { timeout: busyTimeoutMs }));
    begin(database, { path, attempt });
    return createCopyFile(database, { path, attempt, remove });
  } catch (error) {
    database?.close();
    remove();
    throw error;
  }
}

/** Returns false if there is a file. */
function createFile(path: string): boolean {
  if (existsSync(path)) return false;
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return true;
  } catch (error) {
    throw toFileFailure(path, error);
  }
}

/** SQLite would take a file of a few bytes for an empty database. */
function assertDatabase(path: string): void {
  const header = Buffer.alloc(16);
  let length: number;
  try {
    const descriptor = openSync(path, 'r');
    length = readSync(descriptor, header);
    closeSync(descriptor);
  } catch (error) {
    throw toFileFailure(path, error);
  }
  if (length > 0 && header.toString('latin1') !== 'SQLite format 3\0') throw createOtherFileError(path);
}

function createOtherFileError(path: string): SalonError {
  return new SalonError('usage', `${path} is something else than a copy of a salon; it was left as it is.`, {
    hint: 'Choose the name of a new file.',
  });
}

interface Opened {
  readonly path: string;
  readonly attempt: Attempt;
}

function begin(database: DatabaseSync, { path, attempt }: Opened): void {
  const read = (query: string) => Number(Object.values(database.prepare(query).get() ?? {})[0]);
  attempt(() => {
    const isEmpty = read('select count(*) from sqlite_schema') === 0;
    const version = read('pragma user_version');
    if (!isEmpty && read('pragma application_id') !== copyApplicationId) throw createOtherFileError(path);
    if (!isEmpty && version !== layoutVersion) {
      throw new SalonError('usage', `${path} was written by a newer release of salon.`, {
        hint: 'Upgrade salon, or choose the name of a new file.',
      });
    }
    // Deleted rows are overwritten; the rest is in `removeRemains`.
    database.exec('pragma secure_delete = on; pragma journal_mode = wal; begin immediate');
    if (read('select count(*) from sqlite_schema') > 0) return;
    database.exec(`pragma application_id = ${copyApplicationId}; pragma user_version = ${layoutVersion};
      ${renderSchema()}`);
  });
}

function createCopyFile(
  database: DatabaseSync,
  { path, attempt, remove }: Opened & { readonly remove: () => void },
): CopyFile {
  const readSource = () => attempt(() => database.prepare('select * from salon_sync').get());
  const rows = createCopyRows(database, attempt);
  let isCommitted = false;

  function writeClock(timeZone: string): void {
    const { offsets } = listClockRules(timeZone, { nowMs: clockStartMs, days: clockDays });
    const insert = database.prepare('insert into clock values (?, ?)');
    database.exec('delete from clock');
    for (const [index, { from, offset_minutes: minutes }] of offsets.entries())
      insert.run(index === 0 ? firstSecond : Date.parse(from) / 1000, minutes);
  }

  function writeCurrencies(own: string | undefined): void {
    const used = database.prepare('select distinct currency as code from payments').all();
    const codes = new Set([...used.map(({ code }) => code), own]);
    database.exec('delete from currencies');
    const insert = database.prepare('insert into currencies values (?, ?)');
    for (const code of codes) {
      const decimals = typeof code === 'string' ? decimalsOf(code) : undefined;
      if (decimals !== undefined) insert.run(String(code), 10 ** decimals);
    }
  }

  return {
    ...rows,
    assertOf({ origin, account }) {
      const known = readSource();
      if (known === undefined || (known['origin'] === origin && known['account'] === account)) return;
      const name = known['salon'] ?? known['account'] ?? known['origin'];
      throw new SalonError('usage', `${path} is a copy of another salon: ${name} at ${known['origin']}.`, {
        hint: 'Choose its profile with --profile, or the name of a new file.',
      });
    },
    commit(source, syncedAt) {
      attempt(() => {
        const known = readSource();
        const { origin, account, salon, timeZone, tzVersion = null, currency = null } = source;
        if (known?.['time_zone'] !== timeZone || known['tz_version'] !== tzVersion) writeClock(timeZone);
        writeCurrencies(source.currency);
        const { changed, deleted } = rows.counts();
        const hasRemains = known?.['has_remains'] === 1 || changed + deleted > 0 ? 1 : 0;
        database.exec('delete from salon_sync');
        database
          .prepare('insert into salon_sync values (?, ?, ?, ?, ?, ?, ?, ?)')
          .run(origin, account, salon, timeZone, tzVersion, currency, syncedAt, hasRemains);
        database.exec('commit');
      });
      isCommitted = true;
    },
    removeRemains() {
      return attempt(() => {
        if (readSource()?.['has_remains'] === 1)
          database.exec('vacuum; update salon_sync set has_remains = 0');
        const isDone = database.prepare('pragma wal_checkpoint(truncate)').get()?.['busy'] === 0;
        if (isDone) leaveWal(database);
        return isDone;
      });
    },
    [Symbol.dispose]() {
      if (database.isTransaction) database.exec('rollback');
      database.close();
      if (!isCommitted) remove();
    },
  };
}

/** At rest a copy is one file, which can be read without write access to its folder. */
function leaveWal(database: DatabaseSync): void {
  try {
    database.exec('pragma busy_timeout = 0; pragma journal_mode = delete');
  } catch {
    // Somebody has it open: the next sync does it.
  }
}

/** Runs what uses the database. Its errors become a `SalonError` that says what is wrong with the file. */
function createAttempt(path: string): Attempt {
  return (act) => {
    try {
      return act();
    } catch (error) {
      throw toCopyFailure(path, error);
    }
  };
}

function toCopyFailure(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return error;
  switch (Number(error.errcode) & 0xff) {
    // SQLITE_BUSY and SQLITE_LOCKED
    case 5:
    case 6:
      return new SalonError('conflict', `${path} is in use: another program writes or reads it.`, {
        hint: 'Run the command again when that has ended.',
        cause: error,
      });
    case 11: // SQLITE_CORRUPT
      return new SalonError('usage', `${path} is damaged: ${error.message}.`, {
        hint: 'Move it away, and run the command again for a new copy.',
        cause: error,
      });
    case 26: // SQLITE_NOTADB
      return createOtherFileError(path);
    case 13: // SQLITE_FULL
      return createWriteError(path, 'the disk is full', error);
    default:
      return createWriteError(path, error.message, error);
  }
}
