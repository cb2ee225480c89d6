import { renderCondition, type SqlValue } from '../conditions.ts';
import type { CollectionPage, ListPageRequest } from '../pages.ts';
import type { RunSnapshot } from './reads.ts';

interface PageRow {
  readonly record: string;
  readonly value: number | string;
  readonly seq: number;
}

/** Creates the reader of pages. */
export function createPageReader(
  snapshot: RunSnapshot,
): (request: ListPageRequest) => Promise<CollectionPage> {
  return (request) =>
    snapshot(async (run) => {
      const { accountId, collection, conditions, order, from, limit } = request;
      const [head] = await run<{ version: number }>(
        'select version from collections where account_id = ? and name = ?',
        [accountId, collection],
      );
      const values: SqlValue[] = [accountId];
      const filter = ['account_id = ?', ...conditions.map((one) => renderCondition(one, values))].join(
        ' and ',
      );
      const [counted] = await run<{ total: number }>(
        `select count(*) as total from ${collection} where ${filter}`,
        values,
      );
      const total = counted?.total ?? 0;
      const parts = [filter];
      if ('after' in from) {
        const { value, seq } = from.after;
        const { column } = order;
        parts.push(`(${column} ${order.descending ? '<' : '>'} ? or (${column} = ? and seq > ?))`);
        values.push(...(column === 'seq' ? [seq, seq] : [value, value]), seq);
      }
      const rows = await run<PageRow>(
        `select record, ${order.column} as value, seq from ${collection} where ${parts.join(' and ')}
          order by ${order.column} ${order.descending ? 'desc' : ''}, seq limit ? offset ?`,
        [...values, limit + 1, 'offset' in from ? from.offset : 0],
      );
      const page = rows.slice(0, limit);
      const end = page.at(-1);
      return {
        dataJson: Buffer.from(`[${page.map(({ record }) => record).join(',')}]`),
        count: page.length,
        total,
        version: head?.version ?? 0,
        last: rows.length > limit && end !== undefined ? { value: end.value, seq: end.seq } : null,
      };
    });
}
