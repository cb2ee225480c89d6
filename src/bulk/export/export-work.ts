import { keyOf } from '../../client/pagination/page.ts';

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

/** One of several parts of a list, counted from 1. */
export interface Shard {
  readonly index: number;
  readonly count: number;
}

/**
 * Whether a row belongs to a shard: the 32-bit FNV-1a hash of its identifier in UTF-8 (of its JSON where it has none),
 * modulo the count, plus one, is the shard's index. The shards of one moment are disjoint, and together they are the list.
 */
export function isInShard(row: unknown, { index, count }: Shard): boolean {
  return (hashFnv1a(keyOf(row)) % count) + 1 === index;
}

/** FNV-1a with 32 bits over the text in UTF-8. */
export function hashFnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
