import type { ExportRun } from '../../bulk/export/export-run.ts';
import type { ExportWork } from '../../bulk/export/export-work.ts';
import { finishExport } from '../../bulk/export/finish-export.ts';
import type { PartialFile } from '../../bulk/export/partial-file.ts';
import type { Poured } from '../../bulk/export/pour.ts';
import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import { version } from '../io.ts';
import { exitCodes } from '../messages/exit-codes.ts';
import { writeWhole } from '../output/output-file.ts';
import { disagreement, tellCounts, tellReconciliation } from '../output/reconciliation.ts';
import { endUnfinished } from '../output/unfinished.ts';
import type { CommandContext } from '../session/command-context.ts';

export interface RunningExport {
  readonly run: ExportRun;
  readonly file: PartialFile;
  /** Where the file lies until it is in its place. */
  readonly dataPath: string;
  /** What it is; its columns are known once rows have come. */
  readonly work: () => ExportWork;
  /** The file as people know it. */
  readonly output: string;
  readonly origin: string;
  readonly startedAt: string;
  readonly context: CommandContext;
  pour(): Promise<Poured>;
  /** How sure it is that no row is missing. */
  judge(): ConsistencyReport | undefined;
}

/** Takes an export from its rows to its place. What has come is kept when something fails. Answers the exit code. */
export async function runExport(running: RunningExport): Promise<number> {
  const { run, file, dataPath, work, output, origin, startedAt, context } = running;
  const { io, messages } = context;
  try {
    const { ending, total } = await running.pour();
    const { noun, limit } = work();
    const verdict = running.judge();
    tellReconciliation(verdict, noun, messages);
    if (verdict?.kind === 'disagreement') throw disagreement(verdict, noun);
    await run.complete(ending, verdict);
    await finishExport({
      run,
      file,
      dataPath,
      work: work(),
      origin,
      verdict,
      startedAt,
      now: io.now,
      salonVersion: version,
      writeWhole,
    });
    const counted = { noun, limit: limit ?? Number.POSITIVE_INFINITY, output, messages };
    tellCounts({ ...run.position, total }, counted);
    return exitCodes.done.code;
  } catch (thrown) {
    return endUnfinished(thrown, { run, noun: work().noun, context });
  }
}
