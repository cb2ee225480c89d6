import { createHash } from 'node:crypto';
import {
  createMemoryLedger,
  emptyLedger,
  type Ledger,
  type LedgerState,
  parseLedgerState,
  recordUsage,
  reserve,
} from '../../client/rate-limit/ledger.ts';
import { maxPauseMs } from '../../client/rate-limit/rate-limit.ts';
import { type LocalState, openLocalState } from '../../local-state/local-state.ts';

export interface RateLedgerOptions {
  /** The folder whose state file all processes share. */
  readonly folder: string;
  readonly origin: string;
  /** The account, or the key where no account is known. Only a hash of it is stored. */
  readonly owner: string;
  /** A name that no other process has. */
  readonly name: string;
  readonly perHour: number | undefined;
  readonly now: () => number;
  /** Called once where the ledger cannot be shared. The client then counts only its own requests. */
  readonly warn: (text: string) => void;
}

/** Opens the ledger of an account on this machine. Opens the state file at the first request. */
export function openRateLedger(options: RateLedgerOptions): Ledger {
  const { folder, name, perHour, now, warn } = options;
  const account = createHash('sha256')
    .update(`${options.origin}\n${options.owner}`)
    .digest('hex')
    .slice(0, 32);
  const ownLedger = createMemoryLedger({ now, perHour });
  let opening: Promise<LocalState> | undefined;
  let isUsable = true;
  return {
    async take(report) {
      const facts = { nowMs: now(), perHour };
      const grant = await update((ledger) => {
        const { state, grant } = reserve(recordUsage(ledger, name, report, facts.nowMs), name, facts);
        return { ledger: state, result: grant };
      });
      return grant ?? ownLedger.take(report);
    },
    async close(report) {
      await update((ledger) => ({ ledger: recordUsage(ledger, name, report, now()), result: undefined }));
      const state = await opening?.catch(() => undefined);
      state?.[Symbol.dispose]();
      opening = undefined;
    },
  };

  async function update<Result>(
    change: (ledger: LedgerState) => { ledger: LedgerState; result: Result },
  ): Promise<Result | undefined> {
    if (!isUsable) return undefined;
    try {
      opening ??= openLocalState(folder);
      return (await opening).update(`rate-ledger/${account}`, (value) => {
        const { ledger, result } = change(toLedgerState(value, now()));
        return { value: ledger, result };
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
