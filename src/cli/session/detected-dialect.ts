import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { openLocalState, toStatePath } from '../../local-state/local-state.ts';

export interface DetectedDialectOptions {
  /** The folder whose state file all processes share. */
  readonly folder: string | undefined;
  readonly baseUrl: string;
  /** What the user has configured. A change of it starts the detection again. */
  readonly configured: object;
}

type Members = Readonly<Record<string, unknown>>;

/**
 * What commands have detected of a server. It belongs to the address, not to a profile, so that saving it cannot touch
 * settings or keys. Without access to the state file every command detects again.
 */
export async function readDetectedDialect(options: DetectedDialectOptions): Promise<Members> {
  const { folder } = options;
  if (folder === undefined || !existsSync(toStatePath(folder))) return {};
  try {
    using state = await openLocalState(folder);
    return toMembers(state.read(toKey(options)));
  } catch {
    return {};
  }
}

/** Adds what a command has detected, so that the next one need not detect it again. */
export async function saveDetectedDialect(options: DetectedDialectOptions, detected: Members): Promise<void> {
  const { folder } = options;
  if (folder === undefined || Object.keys(detected).length === 0) return;
  try {
    using state = await openLocalState(folder);
    state.update(toKey(options), (value) => ({
      value: { ...toMembers(value), ...detected },
      result: undefined,
    }));
  } catch {
    // The rate ledger reports a folder that cannot be written.
  }
}

function toKey({ baseUrl, configured }: DetectedDialectOptions): string {
  const text = JSON.stringify([baseUrl, Object.entries(configured).sort()]);
  return `dialect/${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

function toMembers(value: unknown): Members {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
