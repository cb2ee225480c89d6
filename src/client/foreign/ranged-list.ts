import { SalonError } from '../../contract/errors.ts';
import { dayMs } from '../../time/time.ts';
import type { QueryValues } from '../http/request-path.ts';
import type { ConsistencyReport } from '../pagination/consistency.ts';
import { rangeFilters } from '../pagination/list-query.ts';
import { keyOf, type Page } from '../pagination/page.ts';
import type { PagedList } from '../pagination/paginate.ts';

interface RangedListOptions<T> {
  /** Starts the list of some days. */
  start(range: QueryValues): PagedList<T>;
  readonly query: QueryValues;
  readonly mostDays: number;
  readonly limit: number | undefined;
  readonly noun: string;
}

/**
 * A list that a server has only for some days at a time: one span after the other. Throws `not_supported` where the query
 * has no range, since the server would choose one.
 */
export function createRangedList<T>(options: RangedListOptions<T>): PagedList<T> {
  const { start, query, mostDays, limit = Number.POSITIVE_INFINITY, noun } = options;
  let report: ConsistencyReport | undefined;
  return { consistency: () => report, [Symbol.asyncIterator]: readSpans };

  async function* readSpans(): AsyncGenerator<Page<T>, void> {
    const [fromMs = 0, toMs = 0] = rangeFilters.map((name) => Date.parse(String(query[name])));
    if (Number.isNaN(fromMs) || Number.isNaN(toMs)) throw noRange(noun, mostDays);
    let [pages, returned] = [0, 0];
    // An appointment at the end of a span may come in the next one again.
    let before = new Set<string>();
    const reports: ConsistencyReport[] = [];
    for (let atMs = fromMs; atMs < toMs; atMs += mostDays * dayMs) {
      const endMs = Math.min(atMs + mostDays * dayMs, toMs);
      const ends = [atMs, endMs].map((ms) => new Date(ms).toISOString());
      const list = start(Object.fromEntries(rangeFilters.map((name, index) => [name, ends[index]])));
      const keys = new Set<string>();
      for await (const page of list) {
        const fresh = page.rows.filter((row) => !before.has(keyOf(row))).slice(0, limit - returned);
        for (const row of page.rows) keys.add(keyOf(row));
        pages += 1;
        returned += fresh.length;
        yield { ...page, rows: fresh, page: pages, total: undefined, resume: undefined };
        if (returned === limit) return;
      }
      before = keys;
      reports.push(...[list.consistency() ?? []].flat());
    }
    report = joinReports(reports, returned);
  }
}

/** Several spans are no snapshot: an appointment may have moved from one into the other meanwhile. */
function joinReports(reports: readonly ConsistencyReport[], distinct: number): ConsistencyReport | undefined {
  const [first, ...others] = reports;
  if (first === undefined || others.length === 0) return first;
  const sum = (name: 'rows' | 'pages' | 'requests') => reports.reduce((all, one) => all + one[name], 0);
  const bad = reports.find(({ kind }) => kind === 'disagreement');
  const counts = { rows: sum('rows'), pages: sum('pages'), requests: sum('requests'), distinct };
  return { ...(bad ?? first), ...counts, kind: bad?.kind ?? 'not proven' };
}

/** The error of a list that needs a range. */
function noRange(noun: string, mostDays: number): SalonError {
  const message = `This server lists ${noun} only between two times: say from when and until when.`;
  return new SalonError('not_supported', message, {
    hint: `Use --from and --to. A longer range is read ${mostDays} days at a time.`,
  });
}
