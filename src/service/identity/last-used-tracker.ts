import { saveLastUsed } from '../db/api-keys.ts';
import type { Context } from '../domain/context.ts';

/** Notes when API keys are used, and saves that from time to time. */
export interface LastUsedTracker {
  note(id: string): void;
  /** Saves what is not saved yet. */
  close(): Promise<void>;
}

export interface KeyUseOptions {
  /** One write for all keys and all requests of this time; 10 s. */
  readonly saveDelayMs?: number;
}

/** A process that crashes loses the uses of the last seconds. */
export function openLastUsedTracker(
  { database, environment }: Pick<Context, 'database' | 'environment'>,
  { saveDelayMs = 10_000 }: KeyUseOptions = {},
): LastUsedTracker {
  let uses = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;

  async function save(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const noted = uses;
    uses = new Map();
    if (noted.size > 0) await database.transaction('rows', (tx) => saveLastUsed(tx, noted));
  }

  return {
    note(id) {
      uses.set(id, environment.now().getTime());
      // A busy or full database must not end the service; the next use is saved again.
      timer ??= setTimeout(() => save().catch(() => {}), saveDelayMs).unref();
    },
    close: save,
  };
}
