import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import type { ResumePoint } from '../../client/pagination/page.ts';
import type { DoneEntry, StoppedEntry } from '../jobs/ending.ts';

/** How far an export has come: rows of the list read, rows and bytes in the file, CRC32 of those bytes. */
export interface Position {
  readonly rows: number;
  readonly written: number;
  readonly bytes: number;
  readonly crc: number;
}

export const start: Position = { rows: 0, written: 0, bytes: 0, crc: 0 };

/** What an export writes down. */
export type ExportEntry = PageEntry | CompleteEntry | StoppedEntry | DoneEntry;

/** A page is in the partial file. */
export interface PageEntry extends Position {
  readonly type: 'page';
  readonly total: number | null;
  readonly version: number | null;
  /** What tells the page's rows from others, so that none is written twice. */
  readonly keys: readonly string[];
  /** Where the list goes on behind it; null where nobody knows. */
  readonly resume: ResumePoint | null;
}

/** Every row is in the partial file, and the file on disk. */
export interface CompleteEntry extends Position {
  readonly type: 'complete';
  readonly verdict: ConsistencyReport | null;
}
