import { SalonError } from '../../contract/errors.ts';
import { isDatabaseDamaged } from '../db/damage.ts';
import { readSnapshot } from '../db/database.ts';
import type { DatabaseSnapshot } from '../db/snapshot.ts';
import { verifyAuditLog } from '../domain/audit-verification.ts';
import { findWrongCounters } from './check-counters.ts';
import { findWrongRecords } from './check-records.ts';
import { findMissingReferences } from './check-references.ts';
import { findWrongStoredBytes } from './check-stored-bytes.ts';

/** The result of one check of a database. */
export interface CheckResult {
  readonly check: string;
  /** `skipped` if the database is too damaged to go on. */
  readonly status: 'passed' | 'failed' | 'skipped';
  /** A sentence for each problem, the first ones if there are many. */
  readonly problems: readonly string[];
}

interface Check {
  readonly name: string;
  find(snapshot: DatabaseSnapshot): Promise<readonly string[]>;
}

const maxProblems = 20;

const checks: readonly Check[] = [
  { name: 'counters', find: findWrongCounters },
  { name: 'stored bytes', find: findWrongStoredBytes },
  { name: 'records', find: findWrongRecords },
  { name: 'references', find: findMissingReferences },
  { name: 'audit log', find: findAuditFaults },
];

/** Checks a database as `checkSnapshot` does. A service may be running on it. Throws `usage` if there is none. */
export async function checkDatabase(location: string): Promise<CheckResult[]> {
  try {
    return await readSnapshot(location, checkSnapshot);
  } catch (error) {
    if (!isDatabaseDamaged(error)) throw error;
    return [toResult('storage', [error.message]), ...checks.map(({ name }) => skip(name))];
  }
}

/**
 * Checks a database: its files and indexes, the counters and stored bytes against full scans, the columns of
 * every record against its text, references between rows, and the chains of the audit log.
 */
async function checkSnapshot(snapshot: DatabaseSnapshot): Promise<CheckResult[]> {
  const damage = await snapshot.findDamage();
  const results = [toResult('storage', damage)];
  for (const { name, find } of checks) {
    results.push(damage.length > 0 ? skip(name) : toResult(name, await find(snapshot)));
  }
  return results;
}

/** Throws `service_unavailable` for a database that fails a check. The message has its name. */
export async function assertSound(snapshot: DatabaseSnapshot, name: string): Promise<void> {
  const [failed] = (await checkSnapshot(snapshot)).filter(({ status }) => status === 'failed');
  if (failed === undefined) return;
  throw new SalonError(
    'service_unavailable',
    `The database ${name} is damaged (${failed.check}): ${failed.problems[0]}`,
    {
      hint: 'Use an older backup. "salon server check" lists everything that is wrong.',
    },
  );
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
