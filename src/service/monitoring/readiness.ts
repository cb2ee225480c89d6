import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SalonError } from '../../contract/errors.ts';
import type { Database } from '../db/database.ts';

/** What a service needs in order to serve requests. */
export const checkNames = ['service', 'database', 'migrations', 'disk'] as const;

export type CheckName = (typeof checkNames)[number];

/** The result of each check: `ok`, or why it failed in a few words. */
export type ReadinessReport = Readonly<Record<CheckName, string>>;

export interface Readiness {
  /** Checks the service; requests that arrive together share a check. Always resolves within seconds. */
  check(): Promise<ReadinessReport>;
  /** From now on the service is not ready, because it is about to stop. */
  stop(): void;
}

interface ReadinessOptions {
  readonly database: Database;
  /** The file of a SQLite database. */
  readonly file: string | undefined;
  /** How long the database may take. */
  readonly timeoutMs?: number;
}

const defaultTimeoutMs = 3000;
/** What a few commits need. With less, the next one may fail. */
const leastFreeBytes = 4 * 2 ** 20;

export function createReadiness({
  database,
  file,
  timeoutMs = defaultTimeoutMs,
}: ReadinessOptions): Readiness {
  let isStopping = false;
  let checking: Promise<ReadinessReport> | undefined;

  async function runChecks(): Promise<ReadinessReport> {
    const [state, disk] = await Promise.all([checkDatabase(database, timeoutMs), checkDisk(file)]);
    return { service: isStopping ? 'stopping' : 'ok', ...state, disk };
  }

  return {
    check() {
      checking ??= runChecks().finally(() => {
        checking = undefined;
      });
      return checking;
    },
    stop() {
      isStopping = true;
    },
  };
}

async function checkDatabase(
  { reader }: Database,
  timeoutMs: number,
): Promise<{ database: string; migrations: string }> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<'timeout'>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), timeoutMs);
  });
  try {
    const found = await Promise.race([
      timeout,
      reader.run<{ name: string }>('select id from accounts limit 1', []),
    ]);
    return found === 'timeout'
      ? { database: 'no response', migrations: 'unknown' }
      : { database: 'ok', migrations: 'ok' };
  } catch (error) {
    const reason = error instanceof SalonError ? error.message : 'cannot be read';
    return { database: reason, migrations: 'unknown' };
  } finally {
    clearTimeout(timer);
  }
}

async function checkDisk(file: string | undefined): Promise<string> {
  if (file === undefined) return 'ok';
  try {
    const { bavail, bsize } = await statfs(dirname(file));
    return bavail * bsize < leastFreeBytes ? 'full' : 'ok';
  } catch {
    return 'cannot be read';
  }
}
