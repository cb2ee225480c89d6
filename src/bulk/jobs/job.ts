import { SalonError } from '../../contract/errors.ts';
import type { EditOperation } from '../input/edit-fields.ts';

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

/** Lists that can be exported. */
const nouns = ['appointments', 'clients', 'payments'] as const;

/** A list, and the file it becomes. */
export interface ExportWork {
  readonly noun: (typeof nouns)[number];
  readonly query: Readonly<Record<string, string>>;
  /** Parameters that are sent as they are. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly limit: number | null;
  readonly consistent: boolean;
  readonly shard: { readonly index: number; readonly count: number } | null;
  readonly layout: 'csv' | 'json' | 'ndjson' | 'tsv' | 'table';
  readonly excel: boolean;
  /** Names of the fields, in order; null for records as they come. */
  readonly columns: readonly string[] | null;
  /** Zone in which days of the query were meant. */
  readonly timeZone: string;
  /** Absolute path, as it was asked for. */
  readonly output: string;
  readonly manifest: boolean;
  /** A file that is written once the export is in its place. */
  readonly state: { readonly path: string; readonly text: string } | null;
}

/** Whether what a job's file says of an export is whole. */
export function isExportWork(work: unknown): work is ExportWork {
  const { noun, query, parameters, layout, output } = { ...(work as Partial<ExportWork> | null) };
  return (
    nouns.some((known) => known === noun) &&
    [query, parameters].every((part) => typeof part === 'object' && part !== null) &&
    [layout, output].every((part) => typeof part === 'string')
  );
}

/** A plan that is carried out; the plan itself lies beside the job's file. */
export interface EditWork {
  readonly edit: EditOperation;
  /** Name of the sheet it was made from; of an undo, null. */
  readonly source: string | null;
  /** SHA-256 of the plan. */
  readonly plan: string;
  /** The job it takes back. */
  readonly undoes: string | null;
  /** Rows that are to be sent. */
  readonly changes: number;
  /** After so many failures nothing more is sent. */
  readonly maxErrors: number | null;
}

/** Whether what a job's file says of an edit is whole. */
export function isEditWork(work: unknown): work is EditWork {
  const { edit, changes } = { ...(work as Partial<EditWork> | null) };
  return typeof edit === 'object' && edit !== null && typeof changes === 'number';
}
