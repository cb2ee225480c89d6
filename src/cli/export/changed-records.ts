import type { Fields } from '../../client/json-object.ts';
import type { ConsistencyReport } from '../../client/pagination/consistency.ts';
import { createFilterChecks } from '../../client/pagination/filter-check.ts';
import type { ResumePoint } from '../../client/pagination/page.ts';
import type { PagedList } from '../../client/pagination/paginate.ts';
import { openSeenKeys } from '../../client/pagination/seen-keys.ts';
import type { ChangePage } from '../../client/resources/changes.ts';
import { pageSizes } from '../../contract/limits.ts';
import { countOf } from '../../text/numbers.ts';
import { nouns } from '../nouns/nouns.ts';
import type { ListRequest } from '../output/command-result.ts';
import type { CommandContext } from '../session/command-context.ts';

/** The filters that the service compares with one field as it is, so that a record shows whether it matches. */
const judgedFilters = [
  ...['client_id', 'stylist_id', 'status', 'payment', 'start_time_from', 'start_time_to'],
  ...['appointment_id', 'created_from', 'created_to'],
];

/** Whether it can be told of a changed record that it belongs to a list, and the order of that list does not matter. */
export function canListChanges({ query, parameters }: Pick<ListRequest, 'query' | 'parameters'>): boolean {
  const names = [...Object.keys(query), ...Object.keys(parameters)];
  return names.every((name) => judgedFilters.includes(name) && !(name in parameters));
}

/** Changes of the records of a list, and the position behind them; without `after`, the present position. */
export async function readChangePage(
  noun: ListRequest['noun'],
  after: string | undefined,
  { client }: CommandContext,
): Promise<ChangePage> {
  const query = { kinds: nouns[noun].one, per_page: pageSizes.max };
  return (await client()).changes(after === undefined ? query : { ...query, after });
}

interface ChangedRecords extends Pick<ListRequest, 'noun' | 'query' | 'marksDeleted'> {
  readonly after: string;
  readonly from?: ResumePoint | undefined;
  /** All that has changed, if it was read already. */
  readonly only?: ChangePage | undefined;
}

/**
 * The records of a list that have changed since a position, each once. One that is deleted or does not match the query,
 * and may have matched it before, is its ID with `deleted`, or is left out and counted.
 */
export function listChangedRecords(list: ChangedRecords, context: CommandContext): PagedList<Fields> {
  const { noun, query, marksDeleted = false, from, only } = list;
  const checks = createFilterChecks(query);
  let [rows, requests, left] = [0, 0, 0];
  let report: ConsistencyReport | undefined;
  return {
    consistency: () => report,
    async *[Symbol.asyncIterator]() {
      using seen = openSeenKeys();
      let after = from?.cursor ?? list.after;
      for (let hasMore = true; hasMore; ) {
        const page = only ?? (await readChangePage(noun, after, context));
        const isNew = seen.add(page.data.map(({ id }) => id));
        const changed = page.data.filter((_change, index) => isNew[index]).map(toRow);
        const shown = marksDeleted ? changed : changed.filter((row) => row['deleted'] !== true);
        requests += 1;
        rows += shown.length;
        left += changed.length - shown.length;
        after = page.position;
        hasMore = page.has_more;
        const resume = { page: requests + 1, perPage: pageSizes.max, rows, cursor: after };
        yield { rows: shown, page: requests, total: undefined, version: undefined, resume };
      }
      const counts = {
        rows,
        distinct: rows,
        firstTotal: undefined,
        lastTotal: undefined,
        versions: undefined,
      };
      report = { kind: 'consistent', ...counts, pages: requests, requests, passes: 1 };
      if (left > 0) context.messages.info(renderLeftOut(left, list));
    },
  };

  function toRow(change: ChangePage['data'][number]): Fields {
    const isGone = change.deleted || checks.some(({ matches }) => matches(change.record) !== true);
    if (isGone) return { id: change.id, deleted: true };
    return marksDeleted ? { ...change.record, deleted: false } : change.record;
  }
}

function renderLeftOut(count: number, { noun, query }: Pick<ListRequest, 'noun' | 'query'>): string {
  const which =
    Object.keys(query).length === 0 ? 'deleted' : 'deleted or changed and not matching the filters';
  return `Left out: ${countOf(count, noun)}, ${which}. Exports with --include-deleted have the IDs of such ${noun}.`;
}

/** The same list, with the column of one with deleted records. */
export function markPresent(list: PagedList<Fields>): PagedList<Fields> {
  return {
    ...list,
    async *[Symbol.asyncIterator]() {
      for await (const page of list)
        yield { ...page, rows: page.rows.map((row) => ({ ...row, deleted: false })) };
    },
  };
}
