import { existsSync, type Stats, statSync, truncateSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { SalonError, type SalonErrorCode } from '../../../contract/errors.ts';
import { copyMark, openSharedFile } from './epoch.ts';
import { applicationId, readFileHeader } from './salon-file.ts';

const checkIntervalMs = 1000;
/** The file is incomplete while another process moves the log into it. */
const gracePeriodMs = 3000;
const pauseMs = 25;
const retryAfterMs = 30_000;

/**
 * Detects that the files of an open database are removed, replaced or overwritten. SQLite would keep writing to files
 * that no other process sees.
 */
export function createFileGuard(file: string) {
  const paths = ['', '-wal', '-shm'].map((ending) => `${file}${ending}`).filter((path) => existsSync(path));
  const opened = paths.map((path) => statSync(path));
  const shared = openSharedFile(file);
  let seen: Stats | undefined;
  let known = { changeCounter: 0, bytes: 0 };
  let fault: { readonly error: SalonError; readonly isFinal: boolean } | undefined;
  let isOverwritten = false;
  let looking: Promise<void> | undefined;

  /** What is not final can pass while the database is open. */
  function fail(what: string, { isFinal = true, cause }: { isFinal?: boolean; cause?: unknown } = {}): void {
    const remedy = isFinal ? ' Stop all salon processes, then restore the database.' : '';
    fault = { error: toError('service_unavailable', new Error(`${what}${remedy}`, { cause })), isFinal };
  }

  async function look(): Promise<void> {
    if (fault?.isFinal) return;
    try {
      const found = paths.map((path) => statSync(path, { throwIfNoEntry: false }));
      const differing = found.findIndex((one, index) => !isSame(one, opened[index]));
      if (differing >= 0) {
        const verb = found[differing] === undefined ? 'removed' : 'replaced';
        return fail(`${paths[differing]} was ${verb} while it was in use.`);
      }
      const [main] = found;
      // Only moving the log into it changes the file.
      if (fault === undefined && main?.size === seen?.size && main?.mtimeMs === seen?.mtimeMs) return;
      await examine();
      seen = main;
    } catch (cause) {
      fail(`${file} cannot be read.`, { isFinal: false, cause });
    }
  }

  async function examine(): Promise<void> {
    let problem = findProblem();
    for (let waitedMs = 0; problem !== undefined && waitedMs < gracePeriodMs; waitedMs += pauseMs) {
      await delay(pauseMs);
      problem = findProblem();
    }
    if (problem === 'overwritten') {
      isOverwritten = true;
      fail(`${file} was overwritten while it was in use.`);
    } else if (problem === 'short') {
      fail(`${file} is shorter than the database in it.`, { isFinal: false });
    } else {
      fault = undefined;
    }
  }

  function findProblem(): 'overwritten' | 'short' | undefined {
    const { header, bytes } = readFileHeader(shared.handle);
    const isOurs =
      header?.applicationId === applicationId &&
      header.userVersion !== copyMark &&
      header.changeCounter >= known.changeCounter;
    if (!isOurs) return 'overwritten';
    // A process that was killed while it moved the log into the file leaves it incomplete, but does not shorten it.
    if (header.bytes > bytes && bytes < known.bytes) return 'short';
    known = { changeCounter: header.changeCounter, bytes };
    return undefined;
  }

  function lookOnce(): Promise<void> {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    return looking;
  }

  void lookOnce();
  const timer = setInterval(() => void lookOnce(), checkIntervalMs).unref();

  return {
    /** Throws `service_unavailable` once this has happened. */
    assertUsable() {
      if (fault !== undefined) throw fault.error;
    },
    /** Checks the files after a commit, and rejects with `commit_unknown`. A commit counts only afterwards. */
    async confirm() {
      // A look that has begun may have missed what happened since.
      await looking;
      await lookOnce();
      if (fault !== undefined) throw toError('commit_unknown', fault.error.cause);
    },
    /** To be called before the connections are closed: they must not write what is left into a file of others. */
    beforeClose() {
      const log = `${file}-wal`;
      if (isOverwritten && isSame(statSync(log, { throwIfNoEntry: false }), opened[1])) truncateSync(log);
    },
    close() {
      clearInterval(timer);
      shared[Symbol.dispose]();
    },
  };
}

function toError(code: SalonErrorCode, cause: unknown): SalonError {
  const message = 'The database files were changed or removed by another program.';
  return new SalonError(code, message, { retryable: true, retryAfterMs, cause });
}

function isSame(found: Stats | undefined, opened: Stats | undefined): boolean {
  return found !== undefined && found.ino === opened?.ino && found.dev === opened.dev;
}
