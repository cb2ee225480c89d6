import { pageSizes } from '../../../contract/limits.ts';
import type { Spot } from '../../db/lists/page-request.ts';
import { invalidQuery } from '../violations.ts';
import { parseCursor, renderCursor } from './cursor.ts';

/** What the query of every list has. */
export interface ListQuery {
  readonly page?: number;
  readonly per_page?: number;
  readonly after?: string;
  readonly sort?: string;
}

/** Which page of a list a query asks for. */
export interface Paging {
  readonly page: number;
  readonly perPage: number;
  /** Where it begins: after so many rows, or behind a spot. */
  readonly from: { readonly offset: number } | { readonly after: Spot };
  /** The cursor of a spot; null for none. */
  renderNext(last: Spot | null): string | null;
}

/**
 * Reads paging out of a query. `name` and the rest of the query say everything the list is: a cursor is good for no
 * other. Throws `invalid_parameter` for a cursor of another list.
 */
export function toPaging(name: readonly unknown[], query: ListQuery): Paging {
  const { page = 1, per_page = pageSizes.default, after, ...rest } = query;
  const perPage = Math.min(per_page, pageSizes.most);
  const list = JSON.stringify([...name, Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1))]);
  return {
    page,
    perPage,
    from: after === undefined ? { offset: toOffset(page, perPage) } : { after: toSpot(list, after) },
    renderNext: (last) => (last === null ? null : renderCursor(list, last)),
  };
}

// Beyond what a number holds exactly there is no record either.
function toOffset(page: number, perPage: number): number {
  return Math.min((page - 1) * perPage, Number.MAX_SAFE_INTEGER);
}

function toSpot(list: string, after: string): Spot {
  const spot = parseCursor(list, after);
  if (spot === undefined) {
    const detail = 'after is not a cursor of this list with this order and these filters.';
    throw invalidQuery([{ parameter: 'after', code: 'invalid_format', detail }]);
  }
  return spot;
}
