import type { Row, RowLayout } from '../../bulk/export/write-pages.ts';
import type { RowWriter } from '../../bulk/sheet/row-writer.ts';
import { type ColumnSet, chooseColumns, findOtherFields, joinFields } from './columns.ts';
import { createPrinter, type PrinterOptions } from './format.ts';

export interface ChosenLayout extends RowLayout {
  /** Names of the fields, once the first page has decided on them; null for records as they come. */
  columns(): readonly string[] | null;
}

export interface RowLayoutOptions extends Omit<PrinterOptions, 'sample'> {
  /** Tells a person which fields of the server's own are left out. */
  readonly tell?: (text: string) => void;
}

/** The layout of a list. Its columns are chosen when the first page is there, since a server may have fields of its own. */
export function createRowLayout(options: RowLayoutOptions): ChosenLayout {
  let printer: RowWriter | undefined;
  let columns: readonly string[] | null = null;
  return {
    async begin(first) {
      const sample = joinFields(first);
      tellOtherFields(options, sample);
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
      const beginning = await layout.begin([]);
      // Behind the first row some layouts go on otherwise, such as with a comma.
      if (written > 0) layout.rows([{}]);
      return hasBegun ? '' : beginning;
    },
    columns: () => columns,
  };
}

/** What JSON has anyway, and a table never had room for, is worth a word where every field is expected. */
function tellOtherFields({ layout, columns, requested, tell }: RowLayoutOptions, sample: Row): void {
  if (columns === undefined || requested !== undefined || (layout !== 'csv' && layout !== 'tsv')) return;
  const others = findOtherFields(columns, sample);
  if (others.length === 0) return;
  tell?.(`The server has other fields too: ${others.join(', ')}. Take them with --columns +all, or by name.`);
}

function namesOf(
  { layout, columns, requested }: Omit<PrinterOptions, 'sample'>,
  sample: Row,
): readonly string[] | null {
  if ((layout === 'json' || layout === 'ndjson') && requested === undefined) return null;
  return chooseColumns(columns, { requested, sample, forPeople: layout === 'table' }).map(({ key }) => key);
}

function toColumnSet(names: readonly string[]): ColumnSet {
  return { all: names.map((key) => ({ key, kind: 'text' })), table: names };
}
