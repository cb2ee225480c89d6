import { SalonError } from '../../contract/errors.ts';
import { readSnapshot } from '../db/database.ts';
import type { DatabaseSnapshot } from '../db/engine.ts';
import { readCode } from '../db/postgres/errors.ts';
import type { CollectionName, RecordRows } from '../db/record-rows.ts';
import { foldedTexts } from '../db/records/folded-columns.ts';
import { isDamaged as isDamagedFile } from '../db/sqlite/errors.ts';
import { verifyAuditLog } from '../domain/audit-verification.ts';
import { type RecordTypes, toStoredRow } from '../domain/records.ts';
import {
  findMissingReferences,
  findWrongPaidAmounts,
  findWrongStoredBytes,
  readCollections,
} from './check-rows.ts';

/** The result of one check of a database. */
interface CheckResult {
  readonly check: string;
  /** `skipped` if the database is too damaged to go on. */
  readonly status: 'passed' | 'failed' | 'skipped';
  /** A sentence for each problem, the first ones if there are many. */
  readonly problems: readonly string[];
}

const maxProblems = 20;

const checks = {
  counters: findWrongCounters,
  'stored bytes': findWrongStoredBytes,
  records: findWrongRecords,
  'paid amounts': findWrongPaidAmounts,
  references: findMissingReferences,
  'audit log': findAuditFaults,
};

/** Checks a database as `checkSnapshot` does. A service may be running on it. Throws `usage` if there is none. */
export async function checkDatabase(location: string): Promise<CheckResult[]> {
  try {
    return await readSnapshot(location, checkSnapshot);
  } catch (error) {
    if (!isDatabaseDamaged(error)) throw error;
    return [toResult('storage', [error.message]), ...Object.keys(checks).map(skip)];
  }
}

/**
 * Checks a database: its files and indexes, the counters and stored bytes against full scans, the columns of
 * every record against its text, references between rows, and the chains of the audit log.
 */
async function checkSnapshot(snapshot: DatabaseSnapshot): Promise<CheckResult[]> {
  const damage = await snapshot.findDamage();
  const results = [toResult('storage', damage)];
  for (const [name, find] of Object.entries(checks)) {
    results.push(damage.length > 0 ? skip(name) : toResult(name, await find(snapshot)));
  }
  return results;
}

/** Throws `service_unavailable` for a database that fails a check. The message has its name. */
export async function assertSound(snapshot: DatabaseSnapshot, name: string): Promise<void> {
  const [failed] = (await checkSnapshot(snapshot)).filter(({ status }) => status === 'failed');
  if (failed === undefined) return;
  const message = `The database ${name} is damaged (${failed.check}): ${failed.problems[0]}`;
  throw new SalonError('service_unavailable', message, {
    hint: 'Use an older backup. "salon server check" lists everything that is wrong.',
  });
}

function skip(check: string): CheckResult {
  return { check, status: 'skipped', problems: [] };
}

function toResult(check: string, problems: readonly string[]): CheckResult {
  const left = problems.length - maxProblems;
  return {
    check,
    status: problems.length === 0 ? 'passed' : 'failed',
    problems: left > 0 ? [...problems.slice(0, maxProblems), `${left} more problems.`] : problems,
  };
}

async function findAuditFaults({ reader }: DatabaseSnapshot): Promise<string[]> {
  const { chains } = await verifyAuditLog(reader);
  return chains.flatMap(({ account_id, faults }) =>
    faults.map(({ seq, problem }) => `${account_id}, entry ${seq}: ${problem}`),
  );
}

/** Compares totals and last positions of all collections with full scans. */
async function findWrongCounters(snapshot: DatabaseSnapshot): Promise<string[]> {
  const problems: string[] = [];
  for (const name of await readCollections(snapshot)) {
    problems.push(...(await findMissingCounters(snapshot, name)), ...(await findWrongTotals(snapshot, name)));
  }
  return problems;
}

/** An account without records of a new kind needs no counters yet: it may be from a release without them. */
async function findMissingCounters({ reader }: DatabaseSnapshot, name: CollectionName): Promise<string[]> {
  const rows = await reader.run<{ account: string }>(
    `select distinct account_id as account from ${name} as r
      where not exists (select 1 from collections as c where c.account_id = r.account_id and c.name = '${name}')`,
    [],
  );
  return rows.map(({ account }) => `${account} has no counters for ${name}.`);
}

async function findWrongTotals({ reader }: DatabaseSnapshot, name: CollectionName): Promise<string[]> {
  const rows = await reader.run<{ account: string } & Record<'total' | 'found' | 'last' | 'newest', number>>(
    `select * from (
        select c.account_id as account, c.total as total, coalesce(r.found, 0) as found, c.last_seq as last,
          coalesce(r.newest, 0) as newest
        from collections as c left join (
          select account_id, count(*) as found, max(seq) as newest from ${name} group by account_id
        ) as r on r.account_id = c.account_id
        where c.name = '${name}'
      ) as compared where total <> found or last < newest`,
    [],
  );
  return rows.map(({ account, total, found, last, newest }) =>
    total === found
      ? `${account}: the last position of ${name} is ${last}, but one has ${newest}.`
      : `${account}: the total of ${name} is ${total}, but there are ${found}.`,
  );
}

type StoredRow = RecordRows[CollectionName] & Readonly<Record<string, unknown>>;

const maxRecordProblems = 100;

/** Compares the columns that find a record with its text. */
async function findWrongRecords(snapshot: DatabaseSnapshot): Promise<string[]> {
  const problems: string[] = [];
  for (const collection of await readCollections(snapshot)) {
    for await (const rows of snapshot.readRows<StoredRow>(`select * from ${collection}`)) {
      for (const row of rows) {
        const problem = findProblem(collection, row);
        if (problem !== undefined) problems.push(`${row.account_id}, ${row.id}: ${problem}`);
      }
      if (problems.length >= maxRecordProblems) return problems;
    }
  }
  return problems;
}

function findProblem(collection: CollectionName, row: StoredRow): string | undefined {
  const record = parse(row.record);
  if (record === undefined) return 'the record is not a JSON object.';
  const wanted = Object.entries(toStoredRow(row.account_id, collection, record));
  const skipped: readonly string[] = row['folded_ms'] === row.updated_ms ? [] : [...foldedTexts, 'folded_ms'];
  const wrong = wanted
    // The column of a migration that is missing is not there, and another release folds texts otherwise.
    .filter(([column]) => column in row && column !== 'record' && !skipped.includes(column))
    .filter(([column, value]) => row[column] !== value)
    .map(([column]) => column);
  return wrong.length === 0 ? undefined : `${wrong.join(', ')} differ from the record.`;
}

function parse(text: string): RecordTypes[CollectionName] | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

// https://www.postgresql.org/docs/current/errcodes-appendix.html: data_corrupted, index_corrupted
const corrupted = new Set(['XX001', 'XX002']);

/** Whether an error of either engine says that the database is damaged. */
export function isDatabaseDamaged(error: unknown): error is SalonError {
  return error instanceof SalonError && (isDamagedFile(error) || corrupted.has(readCode(error.cause) ?? ''));
}
