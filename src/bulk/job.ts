import { SalonError } from '../contract/errors.ts';

/** What going on with a job needs to know, written once when it starts. Nothing in it is secret. */
export interface Job {
  readonly version: 1;
  readonly id: string;
  readonly kind: 'export';
  /** An instant, as every time here. */
  readonly createdAt: string;
  /** Whose records: the profile it was started with, the origin (`embedded:` and a name, for those), the account. */
  readonly profile: string | null;
  readonly origin: string;
  readonly account: string | null;
  readonly work: ExportWork;
}

/** A list, and the file it becomes. */
export interface ExportWork {
  readonly noun: 'appointments' | 'clients';
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

/** A job out of its file. Throws `usage`, naming the job, where the file is damaged or of a newer salon. */
export function parseJob(text: string, id: string): Job {
  const job = parseObject(text);
  if (job === undefined) throw unreadable(id, 'it is damaged');
  if (job['version'] !== 1 || job['kind'] !== 'export')
    throw unreadable(id, 'it is of another salon version');
  const { origin, createdAt, work } = job;
  const isWhole = job['id'] === id && typeof origin === 'string' && typeof createdAt === 'string';
  if (!isWhole || !isWork(work)) throw unreadable(id, 'parts of it are missing');
  return job as unknown as Job;
}

function isWork(work: unknown): boolean {
  const { noun, query, parameters, layout, output } = { ...(work as Partial<ExportWork> | null) };
  return (
    (noun === 'appointments' || noun === 'clients') &&
    [query, parameters].every((part) => typeof part === 'object' && part !== null) &&
    [layout, output].every((part) => typeof part === 'string')
  );
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
