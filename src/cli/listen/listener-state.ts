import { type LocalState, openLocalState } from '../../local-state/local-state.ts';
import { toStateName } from '../session/server-state.ts';
import { parseGapLedger, type SavedGapLedger } from './gap-ledger.ts';

/** What a listener saves for the next one. */
export interface ListenerState {
  /** The endpoint's description at the service, which finds an endpoint whose ID was never received. */
  readonly description: string;
  readonly webhook_id: string | null;
  readonly secret: string | null;
  /** The last time it processed an event or polled the log. Unix milliseconds. */
  readonly alive_at_ms: number;
  readonly ledger: SavedGapLedger;
}

/** What the names of listeners without --keep begin with. */
export const temporaryPrefix = 'temporary-';

/**
 * Opens the saved listeners of one account on one service, in the state file of the data folder. The keys contain a
 * hash of service and account.
 */
export async function openListenerStore(
  dataFolder: string,
  { origin, owner }: { readonly origin: string; readonly owner: string },
) {
  const prefix = `listener/${toStateName(`${origin}\n${owner}`)}/`;
  const state = await openLocalState(dataFolder);
  return {
    /** Returns undefined where another process has locked the listener. */
    async open(name: string) {
      const lock = await state.acquireLock(prefix + name);
      return lock && createSlot(prefix + name, state, lock);
    },
    /** The listeners without --keep, running ones included. */
    temporaryNames: () => state.keys(prefix + temporaryPrefix).map((key) => key.slice(prefix.length)),
    async [Symbol.asyncDispose]() {
      state[Symbol.dispose]();
    },
  };
}

function createSlot(key: string, state: LocalState, lock: AsyncDisposable) {
  return {
    /** Undefined before the first write, and for damaged state. */
    read: () => parseState(state.read(key)),
    write: (next: ListenerState) => state.write(key, next),
    async remove() {
      try {
        state.write(key, undefined);
      } catch {
        // The next start finds no endpoint for it and removes it.
      }
      await lock[Symbol.asyncDispose]();
    },
    [Symbol.asyncDispose]: () => lock[Symbol.asyncDispose](),
  };
}

/** The saved state of one listener, locked by this process. */
export type ListenerSlot = ReturnType<typeof createSlot>;

function parseState(value: unknown): ListenerState | undefined {
  const { description, webhook_id, secret, alive_at_ms, ledger } = Object(value);
  const parsed = parseGapLedger(ledger);
  if (typeof description !== 'string' || !Number.isFinite(alive_at_ms) || parsed === undefined)
    return undefined;
  return {
    description,
    webhook_id: typeof webhook_id === 'string' ? webhook_id : null,
    secret: typeof secret === 'string' ? secret : null,
    alive_at_ms,
    ledger: parsed,
  };
}
