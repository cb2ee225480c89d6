import type { ExportEntry } from './export/export-entry.ts';
import { jobPath, journalPath } from './jobs/job-folder.ts';
import { isHeld } from './jobs/job-hold.ts';
import { readJournal } from './jobs/journal.ts';

/** How a job stands. `interrupted`: it was told to stop, or its process was killed; it can be gone on with as can `failed`. */
export interface Standing {
  readonly state: 'running' | 'interrupted' | 'failed' | 'done';
  /** Rows read, and how many there were when the newest of them came. */
  readonly rows: number;
  readonly total: number | null;
  readonly endedAt: string | null;
  /** Why it stopped. */
  readonly reason: string | null;
}

/** Reads how a job stands, from its journal alone. */
export async function readStanding(root: string, id: string): Promise<Standing> {
  const read = { ...nothingDone };
  await readJournal<ExportEntry>(journalPath(root, id), (entry) => note(read, entry));
  const state = read.state === 'done' || !(await isHeld(jobPath(root, id))) ? read.state : 'running';
  return { ...read, state };
}

const nothingDone = {
  state: 'interrupted' as Standing['state'],
  rows: 0,
  total: null as number | null,
  endedAt: null as string | null,
  reason: null as string | null,
};

function note(read: typeof nothingDone, entry: ExportEntry): void {
  switch (entry.type) {
    case 'page':
      Object.assign(read, { ...nothingDone, rows: entry.rows, total: entry.total });
      break;
    case 'complete':
      Object.assign(read, {
        ...nothingDone,
        rows: entry.rows,
        total: entry.verdict?.lastTotal ?? read.total,
      });
      break;
    case 'stopped':
      read.state = entry.code === 'interrupted' ? 'interrupted' : 'failed';
      read.endedAt = entry.at;
      read.reason = entry.message;
      break;
    case 'done':
      read.state = 'done';
      read.endedAt = entry.at;
      break;
  }
}
