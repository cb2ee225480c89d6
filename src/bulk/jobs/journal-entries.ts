import type { Fields } from '../../client/fields.ts';
import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import type { ResumePoint } from '../../client/pagination/page.ts';

/** Journal entries of a bulk edit. */
export type EditEntry = IntentEntry | UnsentEntry | OutcomeEntry | StoppedEntry | DoneEntry;

/** A row is about to be sent. Without a later outcome it may have been applied. */
interface IntentEntry {
  readonly type: 'intent';
  readonly row: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
}

/** A row was not sent after its intent. */
interface UnsentEntry {
  readonly type: 'unsent';
  readonly row: number;
}

interface OutcomeEntry extends RowOutcome {
  readonly type: 'outcome';
  readonly row: number;
}

export interface RowOutcome {
  /**
   * `done`; `accepted`: the server took it without saying that it is done; `unchanged`: the record was already as
   * planned; `stale`: skipped, because the record has changed since the plan; `failed`: refused by the server;
   * `doubtful`: it may have been applied.
   */
  readonly what: 'done' | 'accepted' | 'unchanged' | 'stale' | 'failed' | 'doubtful';
  readonly id: string | null;
  /** Values the job left: the changed fields of an update, or the whole new record. Of a failed row: a part is stored. */
  readonly after?: Fields;
  /** Current values in the fields to change: of a stale record, and where they are not as planned. */
  readonly present?: Fields;
  readonly error?: RowError;
}

/** Why a row is failed or doubtful. */
export interface RowError {
  readonly code: string;
  readonly message: string;
  readonly status: number | null;
  readonly requestId: string | null;
}

export type OutcomeCounts = Readonly<Record<RowOutcome['what'], number>>;

export const emptyOutcomeCounts: OutcomeCounts = {
  done: 0,
  accepted: 0,
  unchanged: 0,
  stale: 0,
  failed: 0,
  doubtful: 0,
};

/** Progress of an export: rows read from the list, rows and bytes in the file, CRC32 of those bytes. */
export interface ExportPosition {
  readonly rows: number;
  readonly written: number;
  readonly bytes: number;
  readonly crc: number;
}

export const exportStart: ExportPosition = { rows: 0, written: 0, bytes: 0, crc: 0 };

/** Journal entries of an export. */
export type ExportEntry = PageEntry | CompleteEntry | StoppedEntry | DoneEntry;

/** A page was written to the partial file. */
export interface PageEntry extends ExportPosition {
  readonly type: 'page';
  readonly total: number | null;
  readonly version: number | null;
  /** Keys of the page's rows, so that none is written twice. */
  readonly keys: readonly string[];
  /** Where the list continues after the page; null if unknown. */
  readonly resume: ResumePoint | null;
}

/** Every row is in the partial file, and flushed. */
export interface CompleteEntry extends ExportPosition {
  readonly type: 'complete';
  readonly verdict: ConsistencyReport | null;
}

/** A run of the job ended before the job was done. */
interface StoppedEntry {
  readonly type: 'stopped';
  readonly at: string;
  /** Code of the error, or `interrupted`. */
  readonly code: string;
  readonly message: string;
}

interface DoneEntry {
  readonly type: 'done';
  readonly at: string;
}
