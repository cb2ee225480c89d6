import type { ExportWork } from '../../bulk/jobs/job.ts';
import type { Fields } from '../../client/json-object.ts';
import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import type { Page } from '../../client/pagination/page.ts';
import type { RateLimit } from '../../client/rate-limit/rate-limit-headers.ts';
import type { Written } from '../../client/resources/response-record.ts';
import type { Format } from '../flags/values.ts';
import type { ColumnSet } from './columns.ts';

/** The result of a command handler. The action runner prints it in any format, to any destination. */
export type CommandResult = (
  | Records
  | OneRecord
  | Feed
  /** Text that is the same in every format, such as a completion script. */
  | { readonly show: 'text'; readonly text: string }
  /** Text for people that goes through the pager, such as a calendar. */
  | { readonly show: 'pagedText'; readonly text: string }
  /** No data; `message` goes to standard error. */
  | { readonly show: 'nothing'; readonly message?: string }
) & {
  /** 0 if left out. */
  readonly exitCode?: number;
};

/** A list, page by page. */
export interface Records {
  readonly show: 'records';
  readonly pages: AsyncIterable<RecordPage>;
  /** Undefined if the fields are only known from the records. */
  readonly columns: ColumnSet | undefined;
  /** The format without a flag; default: that of the profile, else a table or tab-separated values. */
  readonly defaultFormat?: Format;
  /** Plural, for "No clients." and "50 of 1,234 clients". */
  readonly noun: string;
  /** The server's rate limit, if each page is a request. */
  readonly rateLimit?: () => RateLimit | undefined;
  /** What the report counts, if not the records. */
  readonly read?: string;
  /** How complete the list is, known after the last page. */
  readonly report?: () => ConsistencyReport | undefined;
  /** Whether the rows were sorted here: such a list can only be read from its start. */
  readonly isSortedHere?: (() => boolean) | undefined;
  /** The request, for lists that can be exported. */
  readonly list?: ListRequest;
}

/** An export without its format and file. */
export type ListRequest = Omit<ExportWork, 'layout' | 'excel' | 'columns' | 'timeZone' | 'output'>;

/** A page of records from anywhere; of what a page of a list has, all but its rows may be missing. */
export type RecordPage = Pick<Page<Fields>, 'rows'> & Partial<Omit<Page<Fields>, 'rows'>>;

export interface OneRecord {
  readonly show: 'record';
  readonly record: Fields;
  readonly columns?: ColumnSet;
  /** Replaces the record for people; only machine formats print it then. */
  readonly message?: string;
  /** Text below the record, for people. */
  readonly footer?: string;
}

/** Events, printed as they happen until the command is interrupted. */
export interface Feed {
  readonly show: 'feed';
  /** The next one is requested once the last one is printed. */
  readonly entries: AsyncIterable<FeedEntry>;
}

export interface FeedEntry {
  /** For people. */
  readonly line: string;
  /** For programs. */
  readonly record: Fields;
}

/** A list of one page. */
export async function* onePage(rows: readonly Fields[]): AsyncIterable<RecordPage> {
  yield { rows, total: rows.length };
}

/** The same pages. If none has a row, `check` runs before they are shown; it throws if that is a mistake. */
export async function* checkIfEmpty(
  pages: AsyncIterable<RecordPage>,
  check: () => Promise<void>,
): AsyncGenerator<RecordPage> {
  const held: RecordPage[] = [];
  let isEmpty = true;
  for await (const page of pages) {
    isEmpty &&= page.rows.length === 0;
    if (isEmpty) held.push(page);
    else yield* [...held.splice(0), page];
  }
  if (isEmpty) await check();
  yield* held;
}

interface WriteFacts {
  /** What was done, such as "Added client"; the subject or the ID is appended. */
  readonly done: string;
  /** What it was done to, such as "Ana Costa". */
  readonly subject?: string | undefined;
  readonly columns: ColumnSet;
}

/** The record that was written, or its ID if the server has only accepted the change. */
export function toWriteResult(
  { outcome, id, record }: Written<object>,
  { done, subject = id, columns }: WriteFacts,
): CommandResult {
  if (outcome === 'accepted') {
    const message = `Accepted${id === undefined ? '' : ` as ${id}`}, but not completed yet.`;
    return { show: 'record', record: { id: id ?? null, accepted: true }, message };
  }
  const message = `${done}${subject === undefined ? '' : ` ${subject}`}.`;
  return { show: 'record', record: { ...(record ?? { id: id ?? null }) } as Fields, columns, message };
}
