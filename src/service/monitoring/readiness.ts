import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import { inTime } from '../../time/time.ts';
import type { Database } from '../db/database.ts';
import { readMigrations } from '../db/migrate.ts';

/** What a service needs in order to serve requests. */
export const checkNames = ['service', 'database', 'writes', 'migrations', 'disk'] as const;

type CheckName = (typeof checkNames)[number];

/** The result of each check: `ok`, or why it failed in a few words. */
export type ReadinessReport = Readonly<Record<CheckName, string>>;

interface ReadinessOptions {
  readonly database: Database;
  /** Why the latest write was not possible. */
  readonly findWriteFailure?: () => string | undefined;
  /** The file of a SQLite database. */
  readonly file: string | undefined;
  /** How long the database may take. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 3000;
/** What a few commits need. With less, the next one may fail. */
const minFreeBytes = 4 * 2 ** 20;

const outdated = 'the schema is older than the service';
const probe = `insert into database_settings (name, value) values ('write_check', 'ok')
  on conflict (name) do update set value = excluded.value`;

export function createReadiness(options: ReadinessOptions) {
  const { database, file, timeoutMs = defaultTimeoutMs } = options;
  let isStopping = false;
  let hasWritten = false;
  let known: readonly string[] | undefined;
  let checking: Promise<ReadinessReport> | undefined;

  async function runChecks(): Promise<ReadinessReport> {
    const [migrations, writes, disk] = await Promise.all([
      toOutcome(checkMigrations(), timeoutMs),
      toOutcome(checkWrites(), timeoutMs),
      checkDisk(file),
    ]);
    const isRead = migrations === 'ok' || migrations === outdated;
    return {
      service: isStopping ? 'stopping' : 'ok',
      database: isRead ? 'ok' : migrations,
      writes,
      migrations: isRead ? migrations : 'unknown',
      disk,
    };
  }

  /** Migrations are missing after an older backup was restored under the service. */
  async function checkMigrations(): Promise<string> {
    const run = <Row>(text: string) => database.reader.run<Row>(text, []);
    const found = await readMigrations({ kind: database.kind, run });
    known ??= found;
    return known.every((name) => found.includes(name)) ? 'ok' : outdated;
  }

  /** Writes only once, and to find out whether what went wrong is over. */
  async function checkWrites(): Promise<string> {
    if (hasWritten && options.findWriteFailure?.() === undefined) return 'ok';
    await database.transaction('rows', (tx) => tx.run(probe, []));
    hasWritten = true;
    return 'ok';
  }

  return {
    /** Checks the service; requests that arrive together share a check. Always resolves within seconds. */
    check() {
      checking ??= runChecks().finally(() => {
        checking = undefined;
      });
      return checking;
    },
    /** From now on the service is not ready, because it is about to stop. */
    stop() {
      isStopping = true;
    },
  };
}

/** Resolves with why it failed, or with `no response` when the time is up. */
function toOutcome(check: Promise<string>, timeoutMs: number): Promise<string> {
  const outcome = check.catch((error: unknown) =>
    error instanceof SalonError ? error.message.replace(/\.$/, '') : 'cannot be read',
  );
  return inTime(outcome, timeoutMs, 'no response');
}

async function checkDisk(file: string | undefined): Promise<string> {
  if (file === undefined) return 'ok';
  try {
    return (await readFreeBytes(file)) < minFreeBytes ? 'full' : 'ok';
  } catch {
    return 'cannot be read';
  }
}

/** The free space on the disk of a file. */
export async function readFreeBytes(file: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(file));
  return bavail * bsize;
}
