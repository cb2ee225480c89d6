import type { Fields } from '../../client/http/decode.ts';
import type { DoneEntry, StoppedEntry } from '../jobs/ending.ts';

/** What an edit writes down while it is carried out. */
export type EditEntry = IntentEntry | UnsentEntry | OutcomeEntry | StoppedEntry | DoneEntry;

/** A row is about to be sent. Without an outcome behind it nobody knows whether it was carried out. */
export interface IntentEntry {
  readonly type: 'intent';
  readonly row: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** A row was not sent after all. */
export interface UnsentEntry {
  readonly type: 'unsent';
  readonly row: number;
}

export interface OutcomeEntry extends RowOutcome {
  readonly type: 'outcome';
  readonly row: number;
}

/** What became of a row. */
export interface RowOutcome {
  /**
   * `done`; `accepted`: the server took it and did not say that it is done; `unchanged`: the record was so already;
   * `stale`: somebody else has changed it since the plan, so nothing was sent; `failed`: the server refused it;
   * `doubtful`: nobody can say whether it was carried out.
   */
  readonly what: 'done' | 'accepted' | 'unchanged' | 'stale' | 'failed' | 'doubtful';
  readonly id: string | null;
  /** What the job left behind: of an update the fields that it set, of a new record all of it. */
  readonly after?: Fields;
  /** What a stale record holds now, in the fields that were to change. */
  readonly present?: Fields;
  readonly error?: RowError;
}

/** Why a row failed or is in doubt. */
export interface RowError {
  readonly code: string;
  readonly message: string;
  readonly status: number | null;
  readonly requestId: string | null;
}

export type EditCounts = Readonly<Record<RowOutcome['what'], number>>;

export const emptyEditCounts: EditCounts = {
  done: 0,
  accepted: 0,
  unchanged: 0,
  stale: 0,
  failed: 0,
  doubtful: 0,
};
