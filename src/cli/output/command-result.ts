import type { Row } from '../../bulk/export/write-pages.ts';
import type { ExportWork } from '../../bulk/jobs/job.ts';
import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import type { RateLimit } from '../../client/rate-limit/rate-limit.ts';
import type { ColumnSet } from './columns.ts';

/** What a verb answers. The frame prints it, so that formats, files and quiet mode cost a verb nothing. */
export type CommandResult = (Records | OneRecord | Feed | Text | Drawing | Done) & {
  /** Left out: 0. */
  readonly exitCode?: number;
};

/** Many records, a page at a time. */
export interface Records {
  readonly show: 'records';
  readonly pages: AsyncIterable<RecordPage>;
  readonly columns: ColumnSet;
  /** What the records are called, for "no clients" and "50 of 1,234 clients". */
  readonly noun: string;
  /** What the server said of its limit so far, where each page is a request. */
  readonly limit?: () => RateLimit | undefined;
  /** How sure it is that nothing is missing, once the last page has come. */
  readonly verdict?: () => ConsistencyReport | undefined;
  /** Whether they had to be put in order here: then they cannot be gone on with in the middle. */
  readonly isSortedHere?: (() => boolean) | undefined;
  /** What was asked for, where the records are a list of the salon's that can be exported. */
  readonly list?: AskedList;
}

/** A list of the salon's, as far as it is known before its layout. */
export type AskedList = Pick<
  ExportWork,
  'noun' | 'query' | 'parameters' | 'limit' | 'consistent' | 'shard' | 'manifest' | 'state'
>;

export interface RecordPage {
  readonly rows: readonly Row[];
  /** How many there are over all pages, where the server says. */
  readonly total?: number | undefined;
  /** Rows read so far, while they are being put in order and none is here. */
  readonly heldBack?: number | undefined;
}

/** One record. */
export interface OneRecord {
  readonly show: 'record';
  readonly record: Row;
  readonly columns?: ColumnSet;
  /** A sentence that tells a person enough; with it the record is printed in machine formats only. */
  readonly said?: string;
  /** What people are told below it. */
  readonly below?: string;
}

/** What happens, told as it happens until the command is interrupted, which is how it ends. */
export interface Feed {
  readonly show: 'feed';
  /** Each is asked for when the one before it is written. */
  readonly entries: AsyncIterable<FeedEntry>;
}

/** One thing that happened: a line for people, and a record for programs. */
export interface FeedEntry {
  readonly line: string;
  readonly record: Row;
}

/** Text that is the same in every format, such as a completion script. */
export interface Text {
  readonly show: 'text';
  readonly text: string;
}

/** What people look at: it goes where a table would, through the pager where it is long. */
export interface Drawing {
  readonly show: 'drawing';
  readonly text: string;
}

/** Nothing to print; `said` goes to standard error. */
export interface Done {
  readonly show: 'nothing';
  readonly said?: string;
}

/** Records that are all there already, as one page. */
export async function* onePage(rows: readonly Row[]): AsyncIterable<RecordPage> {
  yield { rows, total: rows.length };
}
