import type { SalonClient } from '../../client/client.ts';
import type { Fields } from '../../client/json-object.ts';
import type { PagedList } from '../../client/pagination/paginate.ts';
import type { Collections } from '../../client/resources/collections.ts';
import type { ListOptions } from '../../client/resources/list.ts';
import { SalonError } from '../../contract/errors.ts';
import type { MomentContext } from '../flags/moments.ts';
import type { ExportFlags, ListFlags, PrintFlags } from '../flags/options.ts';
import { nouns } from '../nouns/nouns.ts';
import { type ColumnSet, findWantedNames, listWanted } from '../output/columns.ts';
import type { ListRequest, RecordPage, Records } from '../output/command-result.ts';
import { readPagerCommand } from '../output/destination.ts';
import { readClock, readLayout } from '../output/format.ts';
import type { NamedRows } from '../people/named-rows.ts';
import type { CommandContext } from '../session/command-context.ts';

/** The result of a list command: all pages, and the request for an export of them. Throws `usage`. */
export async function listRecords(
  context: CommandContext<ExportFlags>,
  { noun, conditions }: Pick<ListRequest, 'noun'> & Partial<Pick<ListRequest, 'conditions'>>,
  filters: Readonly<Record<string, Filter>>,
): Promise<Records> {
  const { flags, messages } = context;
  assertCompatible(flags);
  const columns = flags.includeDeleted ? withDeleted(nouns[noun].columns) : nouns[noun].columns;
  const { shard = null } = flags;
  const { query: ownQuery, options } = await readListQuery(context, filters);
  const { limit = null, parameters } = options;
  const own = { noun, query: ownQuery, parameters };
  const incremental =
    flags.state === undefined
      ? undefined
      : await (await import('./incremental-export.ts')).readIncrementalExport(context, flags.state, own);
  if (shard) messages.info(`Part ${shard.index} of ${shard.count}; each part reads the whole list.`);
  const query = { ...ownQuery, ...incremental?.query };
  const consistent = flags.consistent === true;
  const client = await context.client();
  const layout = await readLayout(context);
  const pager = await readPagerCommand(context, layout);
  // A reader of a pager needs only the next page or two.
  const concurrency = pager === undefined ? undefined : 1;
  const listOptions = { ...options, consistent, concurrency };
  const request = { noun, query, conditions, ...incremental?.list };
  const pages = incremental?.pages ?? (await openPages(client, request, listOptions, context));
  const manifest = flags.manifest === true;
  const state = incremental?.state ?? null;
  return {
    show: 'records',
    noun,
    columns,
    pages: await withWantedNames(pages, columns, context),
    rateLimit: client.limits,
    report: pages.consistency,
    isSortedHere: pages.isSortedHere,
    list: { ...request, parameters, limit, consistent, shard, manifest, state },
  };
}

type ListedName = {
  [Name in keyof Collections]: Collections[Name] extends { list: unknown } ? Name : never;
}[keyof Collections];

/** The result of a list that is only printed, such as that of services. */
export async function listPages<Name extends ListedName>(
  context: CommandContext<ListFlags>,
  name: Name,
  filters: Readonly<Record<string, Filter>> = {},
) {
  const { query, options } = await readListQuery(context, filters);
  const client = await context.client();
  const pages = client[name].list(query, options) as ReturnType<SalonClient[Name]['list']>;
  const { columns, many: noun } = nouns[name];
  return {
    show: 'records' as const,
    noun,
    columns,
    pages,
    rateLimit: client.limits,
    report: pages.consistency,
  };
}

/** The pages with the names that a table of such columns, or --columns, shows. */
export async function withWantedNames(
  pages: AsyncIterable<RecordPage>,
  set: ColumnSet,
  context: CommandContext<PrintFlags>,
): Promise<AsyncIterable<RecordPage>> {
  const forPeople = (await readLayout(context)) === 'table';
  const columns = findWantedNames(set, { requested: context.flags.columns, forPeople });
  return withNames(pages, { columns, forPeople }, context);
}

/** The pages with the names of people, if any are wanted. */
export async function withNames(
  pages: AsyncIterable<RecordPage>,
  names: NamedRows,
  context: CommandContext,
): Promise<AsyncIterable<RecordPage>> {
  if (Object.keys(names.columns).length === 0) return pages;
  const { addNames } = await import('../people/named-rows.ts');
  return addNames(pages, names, context);
}

function withDeleted({ all, table, ...set }: ColumnSet): ColumnSet {
  return { ...set, all: [...all, { key: 'deleted', kind: 'boolean' }], table: [...table, 'deleted'] };
}

/** The pages of a list, of the clients in it that match conditions, or of what has changed in it. */
export async function openPages(
  client: SalonClient,
  list: Pick<ListRequest, 'noun' | 'query' | 'conditions' | 'after' | 'marksDeleted'>,
  options: ListOptions,
  context: CommandContext,
): Promise<PagedList<Fields>> {
  const { noun, query, conditions, after, marksDeleted } = list;
  if (after !== undefined || marksDeleted) {
    const { listChangedRecords, markPresent } = await import('./changed-records.ts');
    if (after !== undefined) return listChangedRecords({ ...list, after, from: options.from }, context);
    return markPresent(await openPages(client, { noun, query, conditions }, options, context));
  }
  if (conditions === undefined)
    return client[noun].list(query, options) as PagedList<object> as PagedList<Fields>;
  const { listSelectedClients } = await import('../people/selected-clients.ts');
  const selected: PagedList<object> = listSelectedClients(client, conditions, { ...options, query, context });
  return selected as PagedList<Fields>;
}

/** Refuses flags that need another one, or would lose records together. */
function assertCompatible(flags: ExportFlags & { readonly updatedSince?: string }): void {
  const { sinceLast, state, overlap, shard, limit, manifest, output, updatedSince, param = [] } = flags;
  const { includeDeleted, columns } = flags;
  const isIncremental = sinceLast === true;
  const wanted = listWanted(['deleted'], columns);
  const setsStart = updatedSince !== undefined || param.some(([name]) => name === 'updated_since');
  const conflicts = [
    [isIncremental && state === undefined, '--since-last needs --state <file>.'],
    [!isIncremental && state !== undefined, '--state needs --since-last.'],
    [!isIncremental && overlap !== undefined, '--overlap needs --since-last.'],
    [!isIncremental && includeDeleted === true, '--include-deleted needs --since-last.'],
    [
      includeDeleted === true && !wanted.has('deleted') && !wanted.has('all'),
      '--include-deleted needs the column deleted: add it to --columns.',
    ],
    [
      isIncremental && limit !== undefined,
      '--since-last and --limit cannot be combined: changes would be lost.',
    ],
    [isIncremental && setsStart, '--since-last and --updated-since cannot be combined.'],
    [shard !== undefined && limit !== undefined, '--shard and --limit cannot be combined.'],
    [manifest === true && output === undefined, '--manifest needs --output <file>.'],
  ] as const;
  for (const [applies, message] of conflicts) if (applies) throw new SalonError('usage', message);
}

/** A filter's value: text, or a time in which a day alone means its start or its end. */
export type Filter =
  | string
  | undefined
  | { readonly moment: string | undefined; readonly edge: 'start' | 'end' };

/** The query of a list command. Days are in the salon's time zone. Throws `usage`. */
export async function readListQuery(
  context: CommandContext<ListFlags>,
  filters: Readonly<Record<string, Filter>>,
) {
  const { limit, param = [], sort } = context.flags;
  const isTimed = Object.values(filters).some((filter) => typeof filter === 'object' && filter.moment);
  const moments = isTimed ? await readClock(context) : undefined;
  const query: Record<string, string> = {};
  const all: Readonly<Record<string, Filter>> = { ...filters, sort };
  for (const [name, filter] of Object.entries(all)) {
    const value = typeof filter === 'object' ? moments && (await parseEdge(name, all, moments)) : filter;
    if (value !== undefined) query[name] = value;
  }
  return {
    /** Query parameters; times as UTC instants. */
    query,
    options: { limit, parameters: Object.fromEntries(param) },
  };
}

/** One edge of a time range, checked against the other, such as `start_time_to` against `start_time_from`. */
async function parseEdge(
  name: string,
  filters: Readonly<Record<string, Filter>>,
  context: Pick<MomentContext, 'now' | 'timeZone'>,
): Promise<string | undefined> {
  const { parseRange } = await import('../flags/moments.ts');
  const momentOf = (filter: Filter) => (typeof filter === 'object' ? filter.moment : undefined);
  const filter = filters[name];
  if (typeof filter !== 'object' || filter.edge === 'start') {
    return parseRange({ from: momentOf(filter) }, context).from;
  }
  return parseRange({ from: momentOf(filters[name.replace(/to$/, 'from')]), to: filter.moment }, context).to;
}
