import type { Row } from '../../bulk/export/write-pages.ts';
import { renderMinutes } from '../output/cell.ts';
import type { ColumnSet } from '../output/columns.ts';
import { onePage } from '../output/command-result.ts';
import { toHeading } from '../output/heading.ts';
import type { CommandContext } from '../session/command-context.ts';
import { addNames } from './named-rows.ts';

/** A field before and after a change. */
export interface FieldChange {
  readonly field: string;
  readonly old: unknown;
  readonly new: unknown;
}

/** The changes of a record for people: fields in words, names instead of IDs. */
export async function nameChanges(
  changes: readonly FieldChange[],
  { all, names = {} }: ColumnSet,
  context: CommandContext,
): Promise<readonly FieldChange[]> {
  const toRecord = (side: 'old' | 'new'): Row =>
    Object.fromEntries(changes.map((change) => [change.field, change[side]]));
  const named: Row[] = [];
  const pages = addNames(
    onePage([toRecord('old'), toRecord('new')]),
    { columns: names, forPeople: true },
    context,
  );
  for await (const { rows } of pages) named.push(...rows);
  return changes.map(({ field, ...values }) => {
    const [column = field] = Object.entries(names).find(([, id]) => id === field) ?? [];
    const kind = all.find(({ key }) => key === field)?.kind;
    const show = (value: unknown, record: Row | undefined) =>
      (column === field ? undefined : record?.[column]) ??
      (kind === 'minutes' && typeof value === 'number' ? renderMinutes(value) : value);
    return { field: toHeading(column), old: show(values.old, named[0]), new: show(values.new, named[1]) };
  });
}
