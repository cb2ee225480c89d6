import type { FormattedPage } from '../../bulk/export/export-writer.ts';
import { isInShard } from '../../bulk/jobs/job.ts';
import { type Chunk, joinChunks } from '../../bulk/sheet/sheet-text.ts';
import { type ConsistencyReport, toDisagreementError } from '../../client/pagination/consistency.ts';
import { SalonError } from '../../contract/errors.ts';
import { countOf, renderCount } from '../../text/numbers.ts';
import type { ListFlags } from '../flags/options.ts';
import { renderError } from '../messages/errors.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import type { Messages } from '../messages/messages.ts';
import { reportCost } from '../messages/request-cost.ts';
import { silentStatusLine, startProgress } from '../messages/status-line.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { RecordPage, Records } from './command-result.ts';
import { openDestination } from './destination.ts';
import { isOnScreen, readLayout, readStyle } from './format.ts';
import { createListWriter, type ListWriter } from './list-writer.ts';

export type ListContext = CommandContext<ListFlags>;

/** Prints a list page by page. Returns an exit code if it differs from that of the result. */
export async function printRecords(records: Records, context: ListContext): Promise<number | undefined> {
  const { flags, messages } = context;
  const { list, noun } = records;
  if (list?.manifest) {
    throw new SalonError('usage', `${flags.output} is not a regular file, so it cannot have a manifest.`);
  }
  const layout = await readLayout(context, records.defaultFormat);
  const formatter = createListWriter({
    ...(await readStyle(context, records.columns)),
    layout,
    isOnScreen: isOnScreen(context),
    isFile: flags.output !== undefined,
    columns: records.columns,
    requested: flags.columns,
    report: messages.info,
  });
  const limit = readLimit(flags);
  await using destination = await openDestination(context, layout);
  const writing = writeRecords(records, context, {
    formatter,
    limit,
    isFile: flags.output !== undefined,
    write: ({ chunk }) => destination.write(chunk),
  });
  const { closed } = destination;
  const written = await (closed === undefined ? writing : Promise.race([writing, closed]));
  await destination.write(written.ending);
  await destination.commit();
  if (written.rows === 0 && layout === 'table') messages.info(`No ${noun}.`);
  reportCounts(written, { noun, limit, output: flags.output }, messages);
  const report = records.report?.();
  const { read = noun } = records;
  reportConsistency(report, read, messages);
  const inconsistency = findInconsistency(report, { noun: read, isStrict: flags.strict === true });
  if (inconsistency !== undefined) return printPartialError(inconsistency, context);
  if (list?.state) {
    const { writeOutputFile } = await import('./output-file.ts');
    await writeOutputFile(list.state.path, list.state.text);
  }
  return undefined;
}

interface WriteOptions {
  readonly formatter: ListWriter;
  /** Called for one page after the other. */
  readonly write: (page: FormattedPage) => Promise<void>;
  /** Rows to read at most. */
  readonly limit: number;
  /** Whether the records go to a file, so that the terminal can show progress. */
  readonly isFile: boolean;
  /** Records that an earlier run has read. */
  readonly doneBefore?: number;
}

/**
 * Formats and writes page after page; the next page is requested once the last one is written. Returns what follows the
 * last page, which the caller writes. Shows progress, and the requests it needs, on standard error.
 */
export async function writeRecords(
  records: Records,
  context: ListContext,
  { formatter, limit, isFile, doneBefore = 0, write }: WriteOptions,
) {
  const { flags, io, messages } = context;
  const { noun, list, pages } = records;
  const isShown = flags.quiet !== true && (isFile || !io.terminal.output);
  const status = isShown ? context.status : silentStatusLine;
  const progress = startProgress(io, { noun, status, writeLine: messages.verbose, doneBefore });
  const shard = list?.shard ?? undefined;
  let [isFirst, hasBegun] = [true, false];
  let [rows, written] = [0, 0];
  let total: number | undefined;
  try {
    for await (const page of pages) {
      const wanted = page.rows.slice(0, limit - rows);
      const own = shard === undefined ? wanted : wanted.filter((row) => isInShard(row, shard));
      rows += wanted.length;
      written += own.length;
      total = page.total;
      if (isFirst) await reportListCost(page, records, { context, doneBefore, limit });
      isFirst = false;
      progress.update(page.heldBack ?? doneBefore + rows, total);
      if (page.heldBack !== undefined) continue;
      let chunk: Chunk = '';
      // A page without rows cannot decide the columns.
      if (page.rows.length > 0) {
        const beginning = hasBegun ? '' : await formatter.begin(page.rows);
        hasBegun = true;
        chunk = joinChunks(beginning, await formatter.rows(own));
      }
      const { version, resume } = page;
      await write({ chunk, rows: wanted, written: own.length, total, version, resume });
    }
    const beginning = hasBegun ? '' : await formatter.begin([]);
    return { rows, written, total, ending: joinChunks(beginning, await formatter.end()) };
  } finally {
    progress.stop();
  }
}

/** The pages of a list, with its progress on standard error unless `--quiet` is given. */
export async function* withProgress<Page extends Pick<RecordPage, 'total'> & { rows: readonly unknown[] }>(
  pages: AsyncIterable<Page>,
  noun: string,
  { flags, io, messages, status }: CommandContext,
): AsyncGenerator<Page, void> {
  const shown = flags.quiet === true ? silentStatusLine : status;
  const progress = startProgress(io, { noun, status: shown, writeLine: messages.verbose });
  let rowsRead = 0;
  try {
    for await (const page of pages) {
      rowsRead += page.rows.length;
      progress.update(rowsRead, page.total);
      yield page;
    }
  } finally {
    progress.stop();
  }
}

/** Throws `usage`. */
export function readLimit({ limit }: ListFlags): number {
  return limit ?? Number.POSITIVE_INFINITY;
}

async function reportListCost(
  { rows, total = 0, heldBack, rowsPerRequest = rows.length }: RecordPage,
  { rateLimit }: Records,
  { context, doneBefore, limit }: { context: ListContext; doneBefore: number; limit: number },
): Promise<void> {
  const perPage = heldBack ?? rowsPerRequest;
  const wanted = heldBack === undefined ? Math.min(total - doneBefore, limit) : total;
  if (rateLimit === undefined || wanted <= perPage) return;
  const { rate, timeZone } = (await context.session()).settings;
  const cost = {
    ...{ records: wanted, perPage, limit: rateLimit(), perHour: rate?.value },
    nowMs: context.io.now().getTime(),
    get timeZone() {
      return timeZone.value;
    },
  };
  reportCost(cost, context.messages);
}

/** Rows read, how many of them were written, and how many there are. */
type Counts = Pick<Awaited<ReturnType<typeof writeRecords>>, 'rows' | 'written' | 'total'>;

/** Reports how many records are beyond the limit, or in the file. */
export function reportCounts(
  { rows, written, total }: Counts,
  { noun, limit, output }: { noun: string; limit: number; output: string | undefined },
  messages: Messages,
): void {
  if (total !== undefined && rows < total && rows >= limit) {
    messages.info(`${renderCount(rows)} of ${renderCount(total)} ${noun}`);
  } else if (output !== undefined) {
    messages.info(`${countOf(written, noun)} written to ${output}`);
  }
}

/** Prints the error that ended a list after a part of it was written. Returns the exit code. */
export async function printPartialError(
  error: SalonError,
  { io, flags, session }: CommandContext,
): Promise<number> {
  const { format } = (await session()).settings;
  const json = format?.value === 'json' || format?.value === 'ndjson';
  io.stderr.write(renderError(error, { json, debug: flags.debug === true }));
  return exitCodes.partly.code;
}

/** Reports how complete a list of several pages is: always with -v, else if it changed while it was read. */
export function reportConsistency(
  report: ConsistencyReport | undefined,
  noun: string,
  messages: Messages,
): void {
  if (report === undefined || (report.pages < 2 && report.kind !== 'not proven')) return;
  const { kind, rows, distinct, firstTotal, lastTotal, versions } = report;
  const isSame = firstTotal === lastTotal && rows === distinct && versions?.first === versions?.last;
  const isUnchanged = kind === 'exact' || (kind === 'consistent' && isSame);
  const print = isUnchanged ? messages.verbose : messages.info;
  print(renderConsistency(report, noun));
}

/** `Read 1,000 clients, 1,000 distinct; server total 1,000 at first, 1,001 at last: consistent` */
export function renderConsistency(report: ConsistencyReport, noun: string): string {
  const { rows, distinct, firstTotal, lastTotal, kind, requests, isStreamed } = report;
  const how = isStreamed ? ` in ${countOf(requests, 'responses')}` : '';
  const isTotal = firstTotal !== undefined && lastTotal !== undefined;
  const total = isTotal
    ? `; server total ${renderCount(firstTotal)} at the start, ${renderCount(lastTotal)} at the end`
    : '; no total from the server';
  return `Read ${renderCount(rows)} ${noun}${how}, ${renderCount(distinct)} distinct${total}: ${kind}`;
}

/**
 * The error for a list that was read to its end and is not what was asked for: rows are missing, or with `--strict`
 * nothing proves that none are, or that they match the filters.
 */
export function findInconsistency(
  report: ConsistencyReport | undefined,
  { noun, isStrict }: { readonly noun: string; readonly isStrict: boolean },
): SalonError | undefined {
  if (report?.kind === 'disagreement') return toDisagreementError(report, noun);
  if (report === undefined || !isStrict) return undefined;
  const { kind, unverified = [] } = report;
  if (unverified.length > 0) {
    return new SalonError(
      'unexpected_response',
      `Nothing shows that the ${noun} match ${unverified.join(' and ')} (--strict).`,
      { hint: 'Leave that out, and filter or sort the rows yourself.', members: { verdict: 'unverified' } },
    );
  }
  if (kind !== 'not proven') return undefined;
  return new SalonError('unexpected_response', `Nothing proves that these are all ${noun} (--strict).`, {
    hint: 'The server reports too little. Without --strict this is only a message.',
    members: { verdict: kind },
  });
}
