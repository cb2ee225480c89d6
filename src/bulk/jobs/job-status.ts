import { jobPath, journalPath } from './job-folder.ts';
import { isJobLocked } from './job-lock.ts';
import { readJournal } from './journal.ts';
import type { EditEntry, ExportEntry, OutcomeCounts } from './journal-entries.ts';

/** How a job stands. `interrupted`: it was told to stop, or its process was killed; it can be gone on with as can `failed`. */
export interface JobStatus {
  readonly state: 'running' | 'interrupted' | 'failed' | 'done';
  /** Rows read, or rows of which it is known what became of them. */
  readonly rows: number;
  /** Of an export, how many rows there were when the newest of them came. */
  readonly total: number | null;
  readonly endedAt: string | null;
  /** Why it stopped. */
  readonly reason: string | null;
  /** Of an edit, what became of how many rows. */
  readonly tally: Partial<OutcomeCounts>;
}

type Noted = { -readonly [Name in keyof JobStatus]: JobStatus[Name] };

/** Reads how a job stands, from its journal alone. */
export async function readJobStatus(root: string, id: string): Promise<JobStatus> {
  const read: Noted = { rows: 0, tally: {}, ...underWay };
  await readJournal<ExportEntry | EditEntry>(journalPath(root, id), (entry) => note(read, entry));
  const state = read.state === 'done' || !(await isJobLocked(jobPath(root, id))) ? read.state : 'running';
  return { ...read, state };
}

/** What work shows, until an ending is read: whatever was written last stood alone if nothing runs any more. */
const underWay = { state: 'interrupted', total: null, endedAt: null, reason: null } as const;

function note(read: Noted, entry: ExportEntry | EditEntry): void {
  switch (entry.type) {
    case 'page':
      Object.assign(read, underWay, { rows: entry.rows, total: entry.total });
      break;
    case 'complete':
      Object.assign(read, underWay, { rows: entry.rows, total: entry.verdict?.lastTotal ?? read.total });
      break;
    case 'intent':
    case 'unsent':
      Object.assign(read, underWay);
      break;
    case 'outcome':
      Object.assign(read, underWay, { rows: read.rows + 1 });
      read.tally = { ...read.tally, [entry.what]: (read.tally[entry.what] ?? 0) + 1 };
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
