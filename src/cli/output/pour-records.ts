import { type Piece, type Poured, pour } from '../../bulk/export/pour.ts';
import type { ListFlags } from '../flags/options.ts';
import { parseCount } from '../flags/values.ts';
import { startProgress } from '../messages/progress.ts';
import { silentStatusLine } from '../messages/status-line.ts';
import type { CommandContext } from '../session/command-context.ts';
import { announceCost } from '../walk-cost.ts';
import type { RecordPage, Records } from './command-result.ts';
import type { ChosenLayout } from './row-layout.ts';

export interface PouringRecords {
  readonly layout: ChosenLayout;
  readonly limit: number;
  /** Whether the records go into a file, so that the terminal is free for progress. */
  readonly isFile: boolean;
  /** Records that an earlier run has read. */
  readonly before?: number;
  take(piece: Piece): Promise<void>;
}

/** Pours a list into whatever takes it, saying on standard error what it costs and how far it is. */
export async function pourRecords(
  outcome: Records,
  context: CommandContext<ListFlags>,
  { layout, limit, isFile, before = 0, take }: PouringRecords,
): Promise<Poured> {
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
    return await pour(outcome.pages, {
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
  announceCost(cost, context.messages);
}
