import { rm } from 'node:fs/promises';
import { listJobIds, readDamagedStatus, readJob } from '../jobs/job-folder.ts';
import { type OutputTarget, partialPath } from './partial-file.ts';

/** Older jobs are not looked at, so that a long history costs nothing. */
const mostRead = 50;

/** IDs of other exports to the same file that stopped before the end, the newest first. */
export async function findUnfinishedExports(
  root: string,
  { output, except }: { readonly output: string; readonly except: string },
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const id of (await listJobIds(root)).slice(0, mostRead)) {
    if (id === except) continue;
    const job = await readJob(root, id).catch(() => undefined);
    if (job?.kind !== 'export' || job.work.output !== output) continue;
    const { state } = await readDamagedStatus(root, id);
    if (state === 'interrupted' || state === 'failed') found.push(id);
  }
  return found;
}

/** Removes the rows that killed exports left beside a file that is complete now. */
export async function removeLeftovers(target: OutputTarget, ids: readonly string[]): Promise<void> {
  for (const id of ids) await rm(partialPath(target, id), { force: true }).catch(() => {});
}
