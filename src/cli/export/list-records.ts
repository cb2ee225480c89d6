import type { ExportWork } from '../../bulk/jobs/job.ts';
import { SalonError } from '../../contract/errors.ts';
import type { ExportFlags } from '../flags/options.ts';
import { parseShard } from '../flags/values.ts';
import { type Filter, readListing } from '../list-query.ts';
import type { ColumnSet } from '../output/columns.ts';
import type { Records } from '../output/command-result.ts';
import { choosePagerOf } from '../output/destination.ts';
import { readLayout } from '../output/format.ts';
import type { CommandContext } from '../session/command-context.ts';
import { type Increment, openIncrement } from './incremental-export.ts';

export interface ListKind {
  readonly noun: ExportWork['noun'];
  readonly columns: ColumnSet;
}

/** What every list command answers: all pages of a list, with what an export of them has to know. Throws `usage`. */
export async function listRecords(
  context: CommandContext<ExportFlags>,
  { noun, columns }: ListKind,
  filters: Readonly<Record<string, Filter>>,
): Promise<Records> {
  const { flags, messages } = context;
  assertTogether(flags);
  const shard = flags.shard === undefined ? null : parseShard(flags.shard);
  const { query, options } = await readListing(context, filters);
  const { limit, parameters = {} } = options;
  const consistent = flags.consistent === true;
  const increment: Increment | undefined =
    flags.state === undefined
      ? undefined
      : await openIncrement(context, flags.state, { noun, query, parameters });
  if (shard) messages.info(`Part ${shard.index} of ${shard.count}: each part reads the whole list.`);
  const asked = { ...query, ...increment?.query };
  const client = await context.client();
  // Whoever turns the pages of a table needs no more than one or two ahead.
  const concurrency = (await choosePagerOf(context, await readLayout(context))) !== undefined ? 1 : undefined;
  const pages = client[noun].list(asked, { ...options, consistent, concurrency });
  return {
    show: 'records',
    noun,
    columns,
    pages,
    limit: client.limits,
    verdict: pages.consistency,
    isSortedHere: pages.isSortedHere,
    list: {
      noun,
      query: asked,
      parameters,
      limit: limit ?? null,
      consistent,
      shard,
      manifest: flags.manifest === true,
      state: increment?.state ?? null,
    },
  };
}

/** Flags that need one another, and flags that would lose records together. */
function assertTogether(flags: ExportFlags & { readonly updatedSince?: string }): void {
  const { sinceLast, state, overlap, shard, limit, manifest, output, updatedSince, param = [] } = flags;
  const isIncremental = sinceLast === true;
  const setsMoment = updatedSince !== undefined || param.some((text) => text.startsWith('updated_since='));
  const wrong = [
    [isIncremental && state === undefined, '--since-last needs --state <file>, to know since when.'],
    [!isIncremental && state !== undefined, '--state needs --since-last.'],
    [!isIncremental && overlap !== undefined, '--overlap needs --since-last.'],
    [isIncremental && limit !== undefined, '--since-last and --limit together would pass over changes.'],
    [isIncremental && setsMoment, '--since-last says itself since when; leave --updated-since out.'],
    [shard !== undefined && limit !== undefined, '--shard and --limit do not go together.'],
    [manifest === true && output === undefined, '--manifest needs --output <file>, to be beside it.'],
  ] as const;
  const first = wrong.find(([isWrong]) => isWrong);
  if (first !== undefined) throw new SalonError('usage', first[1]);
}
