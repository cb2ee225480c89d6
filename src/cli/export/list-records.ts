import type { ExportWork } from '../../bulk/jobs/job.ts';
import { SalonError } from '../../contract/errors.ts';
import type { ExportFlags } from '../flags/options.ts';
import { parseShard } from '../flags/values.ts';
import { type Filter, readListQuery } from '../list-query.ts';
import type { ColumnSet } from '../output/columns.ts';
import type { Records } from '../output/command-result.ts';
import { readPagerCommand } from '../output/destination.ts';
import { readLayout } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import { readIncrementalExport } from './incremental-export.ts';

export interface ListKind {
  readonly noun: ExportWork['noun'];
  readonly columns: ColumnSet;
}

/** The result of a list command: all pages, and the request for an export of them. Throws `usage`. */
export async function listRecords(
  context: CommandContext<ExportFlags>,
  { noun, columns }: ListKind,
  filters: Readonly<Record<string, Filter>>,
): Promise<Records> {
  const { flags, messages } = context;
  assertCompatible(flags);
  const shard = flags.shard === undefined ? null : parseShard(flags.shard);
  const { query, options } = await readListQuery(context, filters);
  const { limit, parameters = {} } = options;
  const consistent = flags.consistent === true;
  const incremental =
    flags.state === undefined
      ? undefined
      : await readIncrementalExport(context, flags.state, { noun, query, parameters });
  if (shard) messages.info(`Part ${shard.index} of ${shard.count}; each part reads the whole list.`);
  const ownQuery = { ...query, ...incremental?.query };
  const client = await context.client();
  // A reader of a pager needs only the next page or two.
  const concurrency =
    (await readPagerCommand(context, await readLayout(context))) !== undefined ? 1 : undefined;
  const pages = client[noun].list(ownQuery, { ...options, consistent, concurrency });
  return {
    show: 'records',
    noun,
    columns,
    pages,
    rateLimit: client.limits,
    report: pages.consistency,
    isSortedHere: pages.isSortedHere,
    list: {
      noun,
      query: ownQuery,
      parameters,
      limit: limit ?? null,
      consistent,
      shard,
      manifest: flags.manifest === true,
      state: incremental?.state ?? null,
    },
  };
}

/** Refuses flags that need another one, or would lose records together. */
function assertCompatible(flags: ExportFlags & { readonly updatedSince?: string }): void {
  const { sinceLast, state, overlap, shard, limit, manifest, output, updatedSince, param = [] } = flags;
  const isIncremental = sinceLast === true;
  const setsStart = updatedSince !== undefined || param.some((text) => text.startsWith('updated_since='));
  const conflicts = [
    [isIncremental && state === undefined, '--since-last needs --state <file>.'],
    [!isIncremental && state !== undefined, '--state needs --since-last.'],
    [!isIncremental && overlap !== undefined, '--overlap needs --since-last.'],
    [
      isIncremental && limit !== undefined,
      '--since-last and --limit cannot be combined: changes would be lost.',
    ],
    [isIncremental && setsStart, '--since-last and --updated-since cannot be combined.'],
    [shard !== undefined && limit !== undefined, '--shard and --limit cannot be combined.'],
    [manifest === true && output === undefined, '--manifest needs --output <file>.'],
  ] as const;
  const first = conflicts.find(([applies]) => applies);
  if (first !== undefined) throw new SalonError('usage', first[1]);
}
