import { type FormattedPage, type WrittenPages, writePages } from '../../bulk/export/write-pages.ts';
import { SalonError } from '../../contract/errors.ts';
import type { ListFlags } from '../flags/options.ts';
import { parseCount } from '../flags/values.ts';
import { renderError } from '../messages/errors.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import { startProgress } from '../messages/progress.ts';
import { silentStatusLine } from '../messages/status-line.ts';
import { reportCost } from '../request-cost.ts';
import type { CommandContext } from '../session/command-context.ts';
import type { RecordPage, Records } from './command-result.ts';
import { toDisagreementError, reportCounts, reportConsistency } from './consistency-text.ts';
import { openDestination } from './destination.ts';
import { readLayout, readStyle } from './format.ts';
import { writeWhole } from './output-file.ts';
import { type ListFormatter, createListFormatter } from './list-formatter.ts';

type Printing = CommandContext<ListFlags>;

/** Prints a list page by page. Returns an exit code where it differs from that of the result. */
export async function printRecords(outcome: Records, context: Printing): Promise<number | undefined> {
  const layout = await readLayout(context);
  const { flags, messages } = context;
  const { list, noun } = outcome;
  if (list?.manifest) {
    throw new SalonError('usage', `${flags.output} is no file of its own, so no manifest can be beside it.`);
  }
  const limit = readLimit(flags);
  await using destination = await openDestination(context, layout);
  const pouring = writeRecords(outcome, context, {
    layout: createListFormatter({
      ...(await readStyle(context)),
      layout,
      columns: outcome.columns,
      requested: flags.columns,
      tell: messages.info,
    }),
    limit,
    isFile: flags.output !== undefined,
    take: ({ text }) => destination.write(text),
  });
  const poured = await Promise.race([pouring, destination.left]);
  await destination.write(poured.ending);
  await destination.commit();
  if (poured.rows === 0 && layout === 'table') messages.info(`No ${noun}.`);
  reportCounts(poured, { noun, limit, output: flags.output, messages });
  const verdict = outcome.verdict?.();
  reportConsistency(verdict, noun, messages);
  if (verdict?.kind === 'disagreement') return reportPartialResult(toDisagreementError(verdict, noun), context);
  if (list?.state) await writeWhole(list.state.path, list.state.text);
  return undefined;
}

export interface WriteOptions {
  readonly layout: ListFormatter;
  readonly limit: number;
  /** Whether the records go into a file, so that the terminal is free for progress. */
  readonly isFile: boolean;
  /** Records that an earlier run has read. */
  readonly before?: number;
  take(piece: FormattedPage): Promise<void>;
}

/** Pours a list into whatever takes it, saying on standard error what it costs and how far it is. */
export async function writeRecords(
  outcome: Records,
  context: CommandContext<ListFlags>,
  { layout, limit, isFile, before = 0, take }: WriteOptions,
): Promise<WrittenPages> {
  const { flags, io, messages } = context;
  const shown = flags.quiet !== true && (isFile || !io.terminal.output);
  const progress = startProgress(io, {
    noun: outcome.noun,
    status: shown ? context.status : silentStatusLine,
    writeLine: messages.verbose,
    doneBefore: before,
  });
  let isFirst = true;
  try {
    return await writePages(outcome.pages, {
      layout,
      take,
      limit,
      shard: outcome.list?.shard ?? undefined,
      async watch(page, rows) {
        if (isFirst) await tellCost(outcome, page, { context, before, limit });
        isFirst = false;
        progress.update(page.heldBack ?? before + rows, page.total);
      },
    });
  } finally {
    progress.stop();
  }
}

/** How many records are wanted. Throws `usage`. */
export function readLimit({ limit }: ListFlags): number {
  return limit === undefined ? Number.POSITIVE_INFINITY : parseCount(limit, '--limit');
}

async function tellCost(
  outcome: Records,
  page: RecordPage,
  { context, before, limit }: { context: CommandContext<ListFlags>; before: number; limit: number },
): Promise<void> {
  if (outcome.limit === undefined || page.total === undefined) return;
  const { ratePerHour, timeZone } = (await context.session()).settings;
  const { heldBack } = page;
  const cost = {
    records: heldBack === undefined ? Math.min(page.total - before, limit) : page.total,
    perPage: heldBack ?? page.rows.length,
    limit: outcome.limit(),
    perHour: ratePerHour?.value,
    nowMs: context.io.now().getTime(),
    timeZone: timeZone.value,
  };
  reportCost(cost, context.messages);
}

/** Prints the error that ended a list of which a part is there. Answers the exit code. */
export async function reportPartialResult(
  error: SalonError,
  { io, flags, session }: CommandContext,
): Promise<number> {
  const { format } = (await session()).settings;
  const json = format?.value === 'json' || format?.value === 'ndjson';
  io.stderr.write(renderError(error, { json, debug: flags.debug === true }));
  return exitCodes.partly.code;
}
