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
