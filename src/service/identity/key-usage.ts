import type { KeyUsage } from '../../contract/api-key.ts';
import { rateWindowSeconds } from '../../contract/limits.ts';
import { toUtcText } from '../../time/time.ts';
import { saveLastUsed } from '../db/identity/api-keys.ts';
import { type RequestCount, readUses, saveCounts } from '../db/identity/request-counts.ts';
import { authorize } from '../domain/authorization.ts';
import type { Caller, Context } from '../domain/context.ts';
import { type RateLimitStatus, toWindowStart } from '../domain/rate-limit.ts';
import { builtInApp } from './credential-rights.ts';

export interface UseTrackerOptions {
  /** One write for all keys and all requests of this time; 10 s. */
  readonly saveDelayMs?: number;
}

/**
 * Saves from time to time when API keys were used, and how many requests each key, app and sign-in has sent. A process
 * that crashes loses those of the last seconds.
 */
export function openUseTracker(
  { database, environment }: Pick<Context, 'database' | 'environment'>,
  { saveDelayMs = 10_000 }: UseTrackerOptions,
) {
  let lastUsed = new Map<string, number>();
  let counts = new Map<string, RequestCount>();
  let saving = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (lastUsed.size === 0 && counts.size === 0) return;
    const noted = { lastUsed, counts };
    lastUsed = new Map();
    counts = new Map();
    try {
      await database.transaction('rows', async (tx) => {
        await saveLastUsed(tx, noted.lastUsed);
        await saveCounts(tx, [...noted.counts.values()]);
      });
    } catch (error) {
      for (const count of noted.counts.values()) add(count);
      throw error;
    }
  }

  /** Resolves when all that was noted so far is saved. */
  const save = () => (saving = saving.then(write, write));

  function saveLater(): void {
    // A busy or full database must not end the service; the next use is saved again.
    timer ??= setTimeout(() => save().catch(() => {}), saveDelayMs).unref();
  }

  function add(count: RequestCount): void {
    const name = `${count.credential_id} ${count.window_start}`;
    const known = counts.get(name);
    counts.set(name, count);
    count.requests += known?.requests ?? 0;
    saveLater();
  }

  return {
    /** Notes the use of an API key, whatever the request comes to. */
    note(id: string): void {
      lastUsed.set(id, environment.now().getTime());
      saveLater();
    },
    /** Adds requests that were counted against the limit; returned ones are negative. */
    count({ account, credential }: Caller, requests: number, { resetAt }: RateLimitStatus): void {
      if (!('id' in credential)) return;
      add({
        account_id: account.id,
        window_start: resetAt - rateWindowSeconds,
        credential_id: credential.id,
        requests,
        last_ms: environment.now().getTime(),
      });
    },
    save,
  };
}

/** The requests of the current hour by key; what other processes counted in the last seconds may be missing. */
export async function getKeyUsage({
  database,
  environment,
  caller,
}: Pick<Context, 'database' | 'environment' | 'caller'>): Promise<KeyUsage> {
  authorize(caller, 'getKeyUsage');
  const now = environment.now();
  const start = toWindowStart(now);
  const window = { accountId: caller.account.id, start };
  const uses = await readUses(database.reader, window, {
    now: now.toISOString(),
    builtInApp: builtInApp.name,
  });
  return {
    window_start: toUtcText(start * 1000),
    window_end: toUtcText((start + rateWindowSeconds) * 1000),
    limit: caller.account.hourlyLimit,
    data: uses.map(({ last_ms: ms, ...use }) => ({
      ...use,
      last_used_at: ms === null ? null : toUtcText(ms),
    })),
  };
}
