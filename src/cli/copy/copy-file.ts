import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { createWriteError, toFileFailure } from '../../bulk/jobs/file-access.ts';
import type { Fields } from '../../client/json-object.ts';
import { decimalsOf } from '../../contract/currencies.ts';
import { SalonError } from '../../contract/errors.ts';
import { listClockRules } from '../../time/clock-rules.ts';
import {
  type CopyTable,
  copyApplicationId,
  copyTableNames,
  copyVersion,
  ownTables,
  renderTables,
} from './copy-layout.ts';
import { compareRows, createRowWriter, isUnlisted, openListedIds } from './copy-rows.ts';

/** What a copy is of, where the next sync goes on, and what its views calculate with. */
interface CopySource {
  readonly origin: string;
  /** Null where the server has no accounts. */
  readonly account: string | null;
  readonly salon: string | null;
  /** Null where the server has no feed of changes. */
  readonly position: string | null;
  readonly time_zone: string;
  readonly tz_version: string | null;
  readonly currency: string | null;
}

/** How long a short read of another program may take. */
const busyTimeoutMs = 2_000;
/** The offsets of local times from 1970 to 2100; the first one goes for all times before. */
const clockSpan = { nowMs: Date.UTC(1970), days: 47_482 };
const firstSecond = -62_167_219_200;

export type CopyFile = ReturnType<typeof openCopyFile>;

/**
 * Opens a copy, or creates one that only its owner may read, in a transaction that nobody else can write beside. Before
 * `commit` nothing in the copy changes, however the process ends. Throws `usage` for a file that is something else, damaged or
 * of a newer release, and `conflict` where it is locked.
 */
export function openCopyFile(path: string) {
  const isNew = !existsSync(path);
  const database = attempt(() => {
    if (isNew) closeSync(openSync(path, 'wx', 0o600));
    return new DatabaseSync(path, { timeout: busyTimeoutMs });
  });
  let counts = { added: 0, changed: 0, deleted: 0 };
  let isCommitted = false;
  const close = () => {
    if (database.isTransaction) {
      database.exec('rollback');
      leaveWal();
    }
    database.close();
    if (!isNew || isCommitted) return;
    // A full disk leaves a journal, which SQLite would apply to any file that is put there later.
    for (const name of [path, `${path}-journal`]) rmSync(name, { force: true });
  };
  const readSource = () =>
    attempt(() => get('select * from salon_sync')) as unknown as CopySource | undefined;
  try {
    attempt(begin);
  } catch (error) {
    close();
    throw error;
  }

  function attempt<Result>(act: () => Result): Result {
    try {
      return act();
    } catch (error) {
      throw toCopyFailure(path, error);
    }
  }

  function get(query: string, ...values: SQLInputValue[]): Fields | undefined {
    return database.prepare(query).get(...values);
  }

  function begin(): void {
    if (database.isTransaction) database.exec('rollback');
    counts = { added: 0, changed: 0, deleted: 0 };
    const hasTables = get('select 1 from sqlite_schema') !== undefined;
    if (hasTables && get('pragma application_id')?.['application_id'] !== copyApplicationId)
      throw createOtherFileError(path);
    if (hasTables && get('pragma user_version')?.['user_version'] !== copyVersion) {
      throw new SalonError('usage', `${path} was written by a newer release of salon.`, {
        hint: 'Upgrade salon, or choose the name of a new file.',
      });
    }
    // Deleted rows are overwritten; what SQLite has left of them elsewhere, `removeRemains` removes.
    const journal = hasTables ? 'pragma journal_mode = wal;' : '';
    database.exec(`pragma secure_delete = on; ${journal} begin immediate`);
    if (get('select 1 from sqlite_schema') !== undefined) return;
    const marks = `pragma application_id = ${copyApplicationId}; pragma user_version = ${copyVersion}`;
    database.exec(`${marks}; ${ownTables}`);
  }

  /** At rest a copy is one file, which can be read without write access to its folder. */
  function leaveWal(): void {
    try {
      database.exec('pragma busy_timeout = 0; pragma journal_mode = delete');
    } catch {
      // Somebody has it open: the next sync does it.
    }
    database.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
  }

  function tables(): readonly CopyTable[] {
    const found = database.prepare("select name from sqlite_schema where type = 'table'").all();
    return copyTableNames.filter((table) => found.some(({ name }) => name === table));
  }

  function choose(wanted: readonly CopyTable[]): void {
    const views = copyTableNames.map((table) => `drop view if exists ${table}_view;`);
    attempt(() => database.exec(views.join('')));
    for (const table of tables()) {
      if (wanted.includes(table)) continue;
      remove(table, 'true');
      attempt(() => database.exec(`drop table ${table}`));
    }
    attempt(() => database.exec(renderTables(wanted)));
  }

  const writers = new Map<CopyTable, ReturnType<typeof createRowWriter>>();

  /** Adds a record, or replaces an earlier state of it. Returns its ID. */
  function put(table: CopyTable, record: Fields, act: 'put' | 'add' = 'put'): string {
    const writer = writers.get(table) ?? createRowWriter(database, table);
    writers.set(table, writer);
    const { id, effect } = attempt(() => writer[act](record));
    if (effect !== undefined) counts[effect] += 1;
    return id;
  }

  function remove(table: CopyTable, where: string, ...values: SQLInputValue[]): void {
    const { changes } = attempt(() => database.prepare(`delete from ${table} where ${where}`).run(...values));
    counts.deleted += Number(changes);
  }

  function count(table: CopyTable): number {
    return Number(get(`select count(*) as count from ${table}`)?.['count']);
  }

  function writeClock({ time_zone: timeZone }: CopySource): void {
    database.exec('delete from clock');
    const insert = database.prepare('insert into clock values (?, ?)');
    for (const [index, { from, offset_minutes: minutes }] of listClockRules(
      timeZone,
      clockSpan,
    ).offsets.entries())
      insert.run(index === 0 ? firstSecond : Date.parse(from) / 1000, minutes);
  }

  function writeCurrencies({ currency }: CopySource): void {
    const paid = tables().includes('payments')
      ? database.prepare('select distinct currency from payments').all()
      : [];
    const insert = database.prepare('replace into currencies values (?, ?)');
    for (const code of [currency, ...paid.map((row) => row['currency'])]) {
      const decimals = decimalsOf(String(code));
      if (decimals !== undefined) insert.run(String(code), 10 ** decimals);
    }
  }

  return {
    put,
    remove: (table: CopyTable, id: string) => remove(table, 'id = ?', id),
    counts: () => counts,
    /** What the copy has of the salon: without some, a table that is not there says so. */
    tables,
    /** Makes the copy one with these tables. New ones are empty. */
    choose,
    count,
    /** The entries of the waiting list that may have expired since. */
    passedEntries(now: Date): readonly string[] {
      if (!tables().includes('waitlist')) return [];
      const query = `select id from waitlist where status in ('waiting', 'offered') and unixepoch("to") <= unixepoch(?)`;
      return database
        .prepare(query)
        .all(now.toISOString())
        .map(({ id }) => String(id));
    },
    /** Undefined for a new copy. */
    source: readSource,
    /** Makes a table what a complete list has, page by page. */
    async replaceAll(table: CopyTable, pages: AsyncIterable<readonly Fields[]>): Promise<void> {
      const list = attempt(() => openListedIds(database));
      const isFirst = count(table) === 0;
      for await (const rows of pages) {
        for (const row of rows) {
          // A list has each row once.
          const id = put(table, row, isFirst ? 'add' : 'put');
          if (!isFirst) list(id);
        }
      }
      if (!isFirst) remove(table, isUnlisted);
    },
    /** How a table differs from a complete list. */
    compare: (table: CopyTable, pages: AsyncIterable<readonly Fields[]>) =>
      compareRows(database, table, pages),
    /** Stores everything in one transaction. */
    commit(source: CopySource, syncedAt: string): void {
      const known = readSource();
      attempt(() => {
        if (known?.time_zone !== source.time_zone || known.tz_version !== source.tz_version)
          writeClock(source);
        writeCurrencies(source);
        const { origin, account, salon, position, time_zone: zone, tz_version: version, currency } = source;
        const hadRemains = get('select 1 from salon_sync where has_remains') !== undefined;
        const hasRemains = hadRemains || counts.changed + counts.deleted > 0 ? 1 : 0;
        database.exec('delete from salon_sync');
        database
          .prepare('insert into salon_sync values (?, ?, ?, ?, ?, ?, ?, ?, ?)')
          .run(origin, account, salon, position, zone, version, currency, syncedAt, hasRemains);
        database.exec('commit');
      });
      isCommitted = true;
    },
    /** Begins the next transaction, without what was not committed. */
    begin: () => attempt(begin),
    /** Removes what deleted and former values have left in pages: rewrites the file. */
    removeRemains(): void {
      const hasRemains = get('select 1 from salon_sync where has_remains') !== undefined;
      if (hasRemains) attempt(() => database.exec('vacuum; update salon_sync set has_remains = 0'));
    },
    /** Overwrites deleted rows. Returns false where another program that reads the copy prevents it: the next sync does it. */
    settle(): boolean {
      return attempt(() => {
        const isDone = get('pragma wal_checkpoint(truncate)')?.['busy'] === 0;
        if (isDone) leaveWal();
        return isDone;
      });
    },
    [Symbol.dispose]: close,
  };
}

function createOtherFileError(path: string): SalonError {
  return new SalonError('usage', `${path} is something else than a copy of a salon; it was left as it is.`, {
    hint: 'Choose the name of a new file.',
  });
}

function toCopyFailure(path: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('errcode' in error)) return toFileFailure(path, error);
  const { message } = error;
  switch (Number(error.errcode) & 0xff) {
    // SQLITE_BUSY
    case 5:
      return new SalonError('conflict', `${path} is in use: another program writes or reads it.`, {
        hint: 'Run the command again when that has ended.',
      });
    // SQLITE_CORRUPT
    case 11:
      return new SalonError('usage', `${path} is damaged: ${message}.`, {
        hint: 'Move it away, and run the command again for a new copy.',
      });
    // SQLITE_NOTADB
    case 26:
      return createOtherFileError(path);
    default:
      return createWriteError(path, message, error);
  }
}
