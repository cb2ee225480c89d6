import { SalonError } from '../contract/errors.ts';
import { type EditWork, isEditWork } from './edit/edit-work.ts';
import { type ExportWork, isExportWork } from './export/export-work.ts';

/** What going on with a job needs to know, written once when it starts. Nothing in it is secret. */
export type Job = ExportJob | EditJob;

export interface ExportJob extends JobFacts {
  readonly kind: 'export';
  readonly work: ExportWork;
}

export interface EditJob extends JobFacts {
  readonly kind: 'edit';
  readonly work: EditWork;
}

export interface JobFacts {
  readonly version: 1;
  readonly id: string;
  /** An instant, as every time here. */
  readonly createdAt: string;
  /** Whose records: the profile it was started with, the origin (`embedded:` and a name, for those), the account. */
  readonly profile: string | null;
  readonly origin: string;
  readonly account: string | null;
}

const isWork: Readonly<Record<string, (work: unknown) => boolean>> = {
  export: isExportWork,
  edit: isEditWork,
};

/** A job out of its file. Throws `usage`, naming the job, where the file is damaged or of a newer salon. */
export function parseJob(text: string, id: string): Job {
  const job = parseObject(text);
  if (job === undefined) throw unreadable(id, 'it is damaged');
  const isWhole = isWork[String(job['kind'])];
  if (job['version'] !== 1 || isWhole === undefined) throw unreadable(id, 'it is of another salon version');
  const { origin, createdAt, work } = job;
  const hasFacts = job['id'] === id && typeof origin === 'string' && typeof createdAt === 'string';
  if (!hasFacts || !isWhole(work)) throw unreadable(id, 'parts of it are missing');
  return job as unknown as Job;
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function unreadable(id: string, reason: string): SalonError {
  return new SalonError('usage', `What job ${id} was to do cannot be read: ${reason}.`, {
    hint: 'Run the command again that started it.',
  });
}
