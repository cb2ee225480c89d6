import { rm } from 'node:fs/promises';
import type { JobLock } from '../jobs/job-lock.ts';
import { reopenJobRecord } from '../jobs/open-job.ts';
import type { Checkpoint } from './checkpoint.ts';
import type { ExportRecord } from './export-run.ts';
import {
  createPartialFile,
  type FilePlace,
  type PartialFile,
  partialPath,
  reopenPartialFile,
} from './partial-file.ts';

/** What an export writes to while it is gone on with. */
export interface ReopenedExport extends AsyncDisposable {
  readonly file: PartialFile;
  /** Where the file lies. */
  readonly dataPath: string;
  readonly record: ExportRecord;
}

export interface Reopening {
  readonly root: string;
  readonly id: string;
  readonly hold: JobLock;
  readonly place: FilePlace;
  readonly footing: Checkpoint;
}

/** Opens the file and the journal of an export behind what is sound of them. */
export async function reopenExport({ root, id, hold, place, footing }: Reopening): Promise<ReopenedExport> {
  const { source, position, journalBytes } = footing;
  const dataPath = partialPath(place, id);
  await using stack = new AsyncDisposableStack();
  if (source === undefined) await rm(dataPath, { force: true });
  const file = stack.use(
    source === undefined
      ? await createPartialFile(place, id)
      : await reopenPartialFile(place, id, { from: source, bytes: position.bytes }),
  );
  const record = await reopenJobRecord({ root, id, hold, journalBytes });
  stack.use(record.journal);
  const opened = stack.move();
  return { file, dataPath, record, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}
