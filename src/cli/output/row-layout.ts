import type { Row, RowLayout } from '../../bulk/export/pour.ts';
import { type ColumnSet, chooseColumns } from '../print/columns.ts';
import type { Printer } from '../print/printer.ts';
import { createPrinter, type PrinterOptions } from './format.ts';

export interface ChosenLayout extends RowLayout {
  /** Names of the fields, once the first row has decided on them; null for records as they come. */
  columns(): readonly string[] | null;
}

/** The layout of a list. Its columns are chosen when the first row is there, since a server may have fields of its own. */
export function createRowLayout(options: Omit<PrinterOptions, 'sample'>): ChosenLayout {
  let printer: Printer | undefined;
  let columns: readonly string[] | null = null;
  return {
    async begin(sample) {
      printer = await createPrinter({ ...options, sample });
      columns = namesOf(options, sample);
      return printer.begin();
    },
    rows: (rows) => (rows.length === 0 ? '' : (printer?.rows(rows) ?? '')),
    end: () => printer?.end() ?? '',
    columns: () => columns,
  };
}

export interface Resumed {
  readonly columns: readonly string[] | null;
  /** Rows that are in the file already. */
  readonly written: number;
  /** Whether the file has its beginning. */
  readonly hasBegun: boolean;
}

/** The layout of a list of which a part is written already, with the columns of that time. */
export function createResumedLayout(
  options: Omit<PrinterOptions, 'sample' | 'columns' | 'requested'>,
  { columns, written, hasBegun }: Resumed,
): ChosenLayout {
  const kept = columns === null ? {} : { columns: toColumnSet(columns), requested: '+all' };
  const layout = createRowLayout({ columns: undefined, requested: undefined, ...options, ...kept });
  return {
    ...layout,
    async begin() {
      const beginning = await layout.begin(undefined);
      // Behind the first row some layouts go on otherwise, such as with a comma.
      if (written > 0) layout.rows([{}]);
      return hasBegun ? '' : beginning;
    },
    columns: () => columns,
  };
}

function namesOf(
  { layout, columns, requested }: Omit<PrinterOptions, 'sample'>,
  sample: Row | undefined,
): readonly string[] | null {
  if ((layout === 'json' || layout === 'ndjson') && requested === undefined) return null;
  return chooseColumns(columns, { requested, sample, forPeople: layout === 'table' }).map(({ key }) => key);
}

function toColumnSet(names: readonly string[]): ColumnSet {
  return { all: names.map((key) => ({ key, kind: 'text' })), table: names };
}
