import type { Row } from '../../bulk/export/write-pages.ts';
import { type Column, type ColumnChoice, type ColumnSet, columnsOf } from './columns.ts';

/** The columns with names that a request or a table shows. */
export function findWantedNames(
  set: ColumnSet,
  { requested, forPeople }: Pick<ColumnChoice, 'requested' | 'forPeople'>,
): Readonly<Record<string, string>> {
  const asked = requested?.split(',').map((name) => name.trim()) ?? [];
  const defaults = forPeople && (asked[0]?.startsWith('+') ?? true) ? set.table : [];
  const wanted = new Set([...asked.map((name) => name.replace(/^\+/, '')), ...defaults]);
  return Object.fromEntries(Object.entries(set.names ?? {}).filter(([column]) => wanted.has(column)));
}

/** The fields of a record, each name in front of the ID that it stands for. */
export function columnsForPeople(row: Row, set?: ColumnSet): readonly Column[] {
  const columns = columnsOf(row, set);
  const names = Object.entries(set?.names ?? {});
  const isName = ({ key }: Column) => names.some(([name]) => name === key);
  return columns
    .filter((column) => !isName(column))
    .flatMap((column) => {
      const [name] = names.find(([, field]) => field === column.key) ?? [];
      const named = columns.find(({ key }) => key === name);
      return named === undefined ? [column] : [named, column];
    });
}
