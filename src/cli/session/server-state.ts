import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  createMemoryLedger,
  emptyLedger,
  type Ledger,
  type LedgerState,
  parseLedgerState,
  recordUsage,
  reserve,
} from '../../client/rate-limit/ledger.ts';
import { maxPauseMs } from '../../client/rate-limit/rate-limit-headers.ts';
import { type LocalState, openLocalState, toStatePath } from '../../local-state/local-state.ts';

export interface RateLedgerOptions {
  /** The folder whose state file all processes share. */
  readonly folder: string;
  readonly origin: string;
  /** The account, or the key where no account is known. Only a hash of it is stored. */
  readonly owner: string;
  /** A name that no other process has. */
  readonly name: string;
  readonly perHour: number | undefined;
  /** The dialect's `rate`. */
  readonly declared?: string | null | undefined;
  readonly now: () => number;
  /** Called once where the ledger cannot be shared. The client then counts only its own requests. */
  readonly warn: (text: string) => void;
}

/** Opens the ledger of an account on this machine. Opens the state file at the first request. */
export function openRateLedger(options: RateLedgerOptions): Ledger {
  const { folder, name, perHour, declared = null, now, warn } = options;
  const account = toStateName(`${options.origin}\n${options.owner}`);
  const ownLedger = createMemoryLedger({ now, perHour, declared });
  let opening: Promise<LocalState> | undefined;
  let isUsable = true;
  return {
    async take(report) {
      const grant = await update((ledger, nowMs) => {
        const used = recordUsage(ledger, name, report, nowMs);
        const { state, grant } = reserve(used, name, { nowMs, perHour, declared });
        return { value: state, result: grant };
      });
      return grant ?? ownLedger.take(report);
    },
    async close(report) {
      await update((ledger, nowMs) => ({
        value: recordUsage(ledger, name, report, nowMs),
        result: undefined,
      }));
      const state = await opening?.catch(() => undefined);
      state?.[Symbol.dispose]();
      opening = undefined;
    },
  };

  async function update<Result>(
    change: (ledger: LedgerState, nowMs: number) => { value: LedgerState; result: Result },
  ): Promise<Result | undefined> {
    if (!isUsable) return undefined;
    try {
      opening ??= openLocalState(folder);
      return (await opening).update(`rate-ledger/${account}`, (value) => {
        // Read once no other process can write a later time.
        const nowMs = now();
        return change(toLedgerState(value, nowMs), nowMs);
      });
    } catch (thrown) {
      isUsable = false;
      const reason = thrown instanceof Error ? thrown.message : String(thrown);
      warn(`The rate limit is not shared with other processes: ${reason}`);
      return undefined;
    }
  }
}

/** A damaged ledger, or one from the future after the clock was set back, is replaced: the server corrects the new one. */
function toLedgerState(value: unknown, nowMs: number): LedgerState {
  const state = parseLedgerState(value);
  if (state === undefined) return emptyLedger;
  const { newestSentAtMs, pausedUntilMs } = state.observation;
  return newestSentAtMs <= nowMs && pausedUntilMs <= nowMs + maxPauseMs ? state : emptyLedger;
}

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
    return Object(state.read(toKey(options)));
  } catch {
    return {};
  }
}

export async function changeDetectedDialect(
  options: DetectedDialectOptions,
  change: (value: Members) => Members,
): Promise<void> {
  const { folder } = options;
  if (folder === undefined) return;
  try {
    using state = await openLocalState(folder);
    state.update(toKey(options), (value) => ({ value: change(Object(value)), result: undefined }));
  } catch {
    // The rate ledger reports a folder that cannot be written.
  }
}

function toKey({ baseUrl, configured }: DetectedDialectOptions): string {
  const text = JSON.stringify([baseUrl, Object.entries(configured).sort()]);
  return `dialect/${toStateName(text)}`;
}

/** Names something in the state file without showing it. */
export function toStateName(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
