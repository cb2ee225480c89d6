import { basename } from 'node:path';
import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import type { ExportWork } from '../jobs/job.ts';
import type { ExportRun } from './export-run.ts';
import { manifestPath, readSha256, removeStaleManifest, toManifest } from './manifest.ts';
import type { PartialFile } from './partial-file.ts';

export interface Finishing {
  readonly run: Pick<ExportRun, 'finish' | 'position'>;
  /** Where the finished data lies, and the file to put it in its place; undefined where it is there already. */
  readonly dataPath: string;
  readonly file: PartialFile | undefined;
  readonly work: ExportWork;
  readonly origin: string;
  readonly verdict: ConsistencyReport | undefined;
  readonly startedAt: string;
  readonly now: () => Date;
  readonly salonVersion: string;
  /** Writes a small file, whole or not at all. */
  writeWhole(path: string, text: string): Promise<void>;
}

/**
 * Puts a complete export in its place, then its manifest, then the state that the next one starts from. Each can be
 * done twice, so that an end in between is made good by doing all of it again. No manifest is ever beside the file
 * of another.
 */
export async function finishExport(finishing: Finishing): Promise<void> {
  const { run, dataPath, file, work, origin, verdict, startedAt, salonVersion, writeWhole } = finishing;
  const sha256 = work.manifest ? await readSha256(dataPath) : undefined;
  await removeStaleManifest(work.output);
  await file?.commit();
  const endedAt = finishing.now().toISOString();
  if (sha256 !== undefined) {
    const { bytes, written } = run.position;
    const facts = { work, origin, fileName: basename(work.output), sha256, bytes, written, verdict };
    const manifest = toManifest({ ...facts, startedAt, endedAt, salonVersion });
    await writeWhole(manifestPath(work.output), `${JSON.stringify(manifest, null, 2)}\n`);
  }
  if (work.state !== null) await writeWhole(work.state.path, work.state.text);
  await run.finish(endedAt);
}
