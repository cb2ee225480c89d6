import type { ExportRun } from '../../bulk/export/export-run.ts';
import type { ExportWork } from '../../bulk/export/export-work.ts';
import { finishExport } from '../../bulk/export/finish-export.ts';
import type { PartialFile } from '../../bulk/export/partial-file.ts';
import type { Poured } from '../../bulk/export/pour.ts';
import type { WalkVerdict } from '../../client/pagination/verdict.ts';
import type { Call } from '../call.ts';
import { exitCodes } from '../exit-codes.ts';
import { writeWhole } from '../output/output-file.ts';
import { disagreement, tellCounts, tellReconciliation } from '../output/reconciliation.ts';
import { version } from '../version.ts';
import { endUnfinished } from './unfinished.ts';

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
  readonly call: Call;
  pour(): Promise<Poured>;
  /** How sure it is that no row is missing. */
  judge(): WalkVerdict | undefined;
}

/** Takes an export from its rows to its place. What has come is kept when something fails. Answers the exit code. */
export async function runExport(running: RunningExport): Promise<number> {
  const { run, file, dataPath, work, output, origin, startedAt, call } = running;
  const { io, talk } = call;
  try {
    const { ending, total } = await running.pour();
    const { noun, limit } = work();
    const verdict = running.judge();
    tellReconciliation(verdict, noun, talk);
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
    const counted = { noun, limit: limit ?? Number.POSITIVE_INFINITY, output, talk };
    tellCounts({ ...run.position, total }, counted);
    return exitCodes.done.code;
  } catch (thrown) {
    return endUnfinished(thrown, { run, noun: work().noun, call });
  }
}
