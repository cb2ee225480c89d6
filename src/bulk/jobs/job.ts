import { type Fields, isFields } from '../../client/json-object.ts';
import { keyOf } from '../../client/pagination/page.ts';
import type { ClientConditions } from '../../client/selection/client-conditions.ts';
import { SalonError } from '../../contract/errors.ts';
import { tryParseJson } from '../../text/json.ts';
import type { EditOperation } from '../input/edit-fields.ts';

/** What resuming a job needs, written once at its start. Contains no secrets. */
export type Job = ExportJob | EditJob | MergeJob;

export type ExportJob = JobOf<'export', ExportWork>;
export type EditJob = JobOf<'edit', EditWork>;
export type MergeJob = JobOf<'merge', MergeWork>;

interface JobOf<Kind, Work> {
  readonly kind: Kind;
  readonly work: Work;
  readonly version: 1;
  readonly id: string;
  /** RFC 3339. */
  readonly createdAt: string;
  /** Name of the profile it was started with. */
  readonly profile: string | null;
  /** Origin of the service, or `embedded:<name>`. */
  readonly origin: string;
  readonly account: string | null;
}

/** Whether the work of a job has what the others of its kind have. */
const isWork: Readonly<Record<string, (work: Fields) => boolean>> = {
  export: isExportWork,
  edit: ({ edit, changes }) => isFields(edit) && typeof changes === 'number',
  merge({ into, from, names, method, changes }: Partial<MergeWork>) {
    const texts = [into, from, names?.into, names?.from, method];
    return texts.every((text) => typeof text === 'string') && typeof changes === 'number';
  },
};

/** Throws `usage` if the file of a job is damaged or from another version. */
export function parseJob(text: string, id: string): Job {
  const job = tryParseJson(text);
  if (!isFields(job)) throw unreadable(id, 'it is damaged');
  const isWhole = isWork[String(job['kind'])];
  if (job['version'] !== 1 || isWhole === undefined)
    throw unreadable(id, 'another version of salon wrote it');
  const { origin, createdAt, work } = job;
  const hasFacts = job['id'] === id && typeof origin === 'string' && typeof createdAt === 'string';
  if (!hasFacts || !isFields(work) || !isWhole(work)) throw unreadable(id, 'it is incomplete');
  return job as unknown as Job;
}

function unreadable(id: string, reason: string): SalonError {
  return new SalonError('usage', `Cannot read job ${id}: ${reason}.`, {
    hint: `Run the original command again. Delete the job with: salon jobs remove ${id}`,
  });
}

/** Lists that can be exported. */
const nouns = ['appointments', 'clients', 'payments'] as const;

/** An export of a list to a file. */
export interface ExportWork {
  readonly noun: (typeof nouns)[number];
  readonly query: Readonly<Record<string, string>>;
  /** Which of the listed clients are exported; all if left out. */
  readonly conditions?: ClientConditions | undefined;
  /** Further query parameters, sent unchanged. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly limit: number | null;
  readonly consistent: boolean;
  readonly shard: Shard | null;
  readonly layout: 'csv' | 'json' | 'ndjson' | 'tsv' | 'table' | 'xlsx';
  readonly excel: boolean;
  /** Headings in order; null for whole records. */
  readonly columns: readonly string[] | null;
  /** IANA time zone for dates in the query. */
  readonly timeZone: string;
  /** Absolute path. */
  readonly output: string;
  readonly manifest: boolean;
  /** Only records changed since this position are exported; without it, the whole list. */
  readonly after?: string | undefined;
  /** Whether a column says which records are deleted. */
  readonly marksDeleted?: boolean | undefined;
  /** A file to write after the export. */
  readonly state: { readonly path: string; readonly text: string } | null;
}

/** One of several parts of a list, from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/**
 * Whether a row belongs to a shard: its index is the 32-bit FNV-1a hash of the row's ID (of its JSON if it has none)
 * modulo the count, plus one. The shards of one list are disjoint and complete.
 */
export function isInShard(row: unknown, { index, count }: Shard): boolean {
  return (hashFnv1a(keyOf(row)) % count) + 1 === index;
}

/** The 32-bit FNV-1a hash of a text in UTF-8. */
export function hashFnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

function isExportWork(work: Partial<ExportWork>): boolean {
  const { noun, query, conditions = {}, parameters, layout, output, columns, limit, shard } = work;
  return (
    nouns.some((known) => known === noun) &&
    [query, parameters, conditions].every((part) => typeof part === 'object' && part !== null) &&
    [layout, output].every((part) => typeof part === 'string') &&
    (columns === null || (Array.isArray(columns) && columns.every((name) => typeof name === 'string'))) &&
    (limit === null || Number.isInteger(limit)) &&
    (shard === null || (Number.isInteger(shard?.index) && Number.isInteger(shard?.count)))
  );
}

/** A plan to apply; the plan itself is in the folder of the job. */
interface EditWork {
  readonly edit: EditOperation;
  /** Name of the sheet; null for an undo. */
  readonly source: string | null;
  /** SHA-256 of the plan. */
  readonly plan: string;
  /** The job it undoes. */
  readonly undoes: string | null;
  /** The sheet of new records that it adds. */
  readonly sheet?: string | undefined;
  /** What idempotency keys are made from, besides the rows. Its own ID if it adds a sheet again. */
  readonly keySeed?: string | undefined;
  /** Whether all rows are sent in one request. */
  readonly isBatch?: true | undefined;
  /** Rows to send. */
  readonly changes: number;
  /** Failures after which nothing more is sent. */
  readonly maxErrors: number | null;
}

/** A merge of two clients; its plan is in the folder of the job. */
interface MergeWork {
  /** IDs of the client that stays and of the other one. */
  readonly into: string;
  readonly from: string;
  readonly names: { readonly into: string; readonly from: string };
  readonly method: 'merge' | 'unmerge';
  /** The merge that it undoes. */
  readonly undoes: string | null;
  /** Steps to send. */
  readonly changes: number;
}
