import type { CollectionKey } from './blocks.ts';
import { type Condition, renderCondition, type Values } from './conditions.ts';
import type { SortColumn, Statement } from './page-request.ts';

/** What is known of the records that match a filter. Never becomes wrong, only old. */
export interface Count {
  readonly total: number;
  /** Which version of the collection this was found in. */
  readonly version: number;
  /** Where the first and the last of them stand in an order; null where there is none. */
  readonly least: number | string | null;
  readonly most: number | string | null;
  /** How many records the whole list had. */
  readonly outOf: number;
  /** How many records each column with an index lets through by itself. */
  readonly through: Readonly<Record<string, number>>;
}

interface Counting extends CollectionKey {
  readonly conditions: readonly Condition[];
  readonly order: { readonly column: SortColumn };
}

/** `by_…` are there where more than one column has an index. */
export type CountRow = Pick<Count, 'total' | 'version' | 'least' | 'most'> & { readonly out_of: number } & {
  readonly [by: `by_${string}`]: number;
};

interface CountStatement extends Statement {
  toCount(row: CountRow): Count;
}

/** The statement that looks at every record of a filter once, and how to read its row. */
export function toCountStatement({ accountId, collection, conditions, order }: Counting): CountStatement {
  const values: Values = { accountId, collection };
  const rendered = conditions.map((condition) => renderCondition(condition, values));
  const count = (matches: readonly string[], what: string) =>
    `select ${what} from ${collection} where ${['account_id = :accountId', ...matches].join(' and ')}`;
  const columns = toIndexedColumns(conditions);
  const narrow = columns.map((column) => {
    const own = rendered.filter((_, index) => toColumn(conditions[index]) === column);
    return `, (${count(own, 'count(*)')}) as by_${column}`;
  });
  const { column } = order;
  const text = `
    select head.version, head.total as out_of, found.* ${columns.length > 1 ? narrow.join('') : ''}
    from collections as head,
      (${count(rendered, `count(*) as total, min(${column}) as least, max(${column}) as most`)}) as found
    where head.account_id = :accountId and head.name = :collection`;

  const toCount = (row: CountRow): Count => {
    const { total, version, least, most, out_of: outOf } = row;
    const through = Object.fromEntries(columns.map((one) => [one, row[`by_${one}`] ?? total]));
    return { total, version, least, most, outOf, through };
  };
  return { text, values, toCount };
}

/** The column an index finds the records of a condition by; undefined where every record has to be looked at. */
export function toColumn(condition: Condition | undefined): string | undefined {
  return condition !== undefined && ('is' in condition || 'isOneOf' in condition)
    ? condition.column
    : undefined;
}

function toIndexedColumns(conditions: readonly Condition[]): string[] {
  return [...new Set(conditions.map(toColumn).filter((column) => column !== undefined))];
}
