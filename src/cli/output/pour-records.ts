import { type Piece, type Poured, pour } from '../../bulk/export/pour.ts';
import type { Call } from '../call.ts';
import type { ListFlags } from '../flags/options.ts';
import { parseCount } from '../flags/values.ts';
import { announceCost } from '../walk-cost.ts';
import type { RecordPage, Records } from './outcome.ts';
import { startProgress } from './progress.ts';
import type { ChosenLayout } from './row-layout.ts';
import { silentStatus } from './status-line.ts';

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
  call: Call<ListFlags>,
  { layout, limit, isFile, before = 0, take }: PouringRecords,
): Promise<Poured> {
  const { flags, io, talk } = call;
  const shown = flags.quiet !== true && (isFile || !io.terminal.output);
  const progress = startProgress(io, {
    noun: outcome.noun,
    status: shown ? call.status : silentStatus,
    explain: talk.explain,
    before,
  });
  let isFirst = true;
  try {
    return await pour(outcome.pages, {
      layout,
      take,
      limit,
      shard: outcome.list?.shard ?? undefined,
      async watch(page, rows) {
        if (isFirst) await tellCost(outcome, page, { call, before, limit });
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
  { call, before, limit }: { call: Call<ListFlags>; before: number; limit: number },
): Promise<void> {
  if (outcome.limit === undefined || page.total === undefined) return;
  const { ratePerHour, timeZone } = (await call.session()).settings;
  const { heldBack } = page;
  const cost = {
    records: heldBack === undefined ? Math.min(page.total - before, limit) : page.total,
    perPage: heldBack ?? page.rows.length,
    limit: outcome.limit(),
    perHour: ratePerHour?.value,
    nowMs: call.io.now().getTime(),
    timeZone: timeZone.value,
  };
  announceCost(cost, call.talk);
}
