import type { Reader } from '../engine.ts';
import type { PageDialect } from '../page-reader.ts';
import type { ListPageRequest } from '../pages.ts';
import { renderSearch } from './search-index.ts';

/** Whatever the filter, all rows of such a list are looked at in about a millisecond. */
const shortListRows = 2000;

/** Whether a page is fast to read: it is near its start in a list in creation order, or its list is short. */
export async function isShort(reader: Reader, request: ListPageRequest): Promise<boolean> {
  const { accountId, collection, conditions, from, order } = request;
  const skipped = 'offset' in from ? from.offset : 0;
  if (conditions.length === 0 && order.column === 'seq' && skipped <= shortListRows) return true;
  const text = 'select total from collections where account_id = ? and name = ?';
  const [list] = await reader.run<{ total: number }>(text, [accountId, collection]);
  return (list?.total ?? 0) <= shortListRows;
}

/** For pages that are fast to read. The search index covers all accounts: a short list is searched sooner without it. */
export const shortPages: PageDialect = { renderBytes: (text) => `cast(${text} as blob)` };

export const longPages: PageDialect = { ...shortPages, renderIndexed: renderSearch };
