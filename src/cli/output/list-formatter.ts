import type { Row, RowFormatter } from '../../bulk/export/write-pages.ts';
import type { AnyRowWriter } from '../../bulk/sheet/row-writer.ts';
import {
  type Column,
  type ColumnSet,
  chooseColumns,
  findOtherFields,
  isForeign,
  joinFields,
} from './columns.ts';
import { createRowWriter, type RowWriterOptions } from './format.ts';

/** Formats a list. The first page decides its columns, since a server may have fields of its own. */
export interface ListFormatter extends RowFormatter {
  /** Names of the columns, known after the first page; null if records are written unchanged. */
  columns(): readonly string[] | null;
}

export interface ListFormatterOptions extends Omit<RowWriterOptions, 'sample'> {
  /** Reports the server's own fields that are left out. */
  readonly report?: (text: string) => void;
}

export function createListFormatter(options: ListFormatterOptions): ListFormatter {
  const { columns: columnSet, requested, layout } = options;
  let writer: AnyRowWriter | undefined;
  let columns: readonly string[] | null = null;
  return {
    async begin(firstRows) {
      const sample = joinFields(firstRows);
      reportOtherFields(options, sample);
      if ((layout !== 'json' && layout !== 'ndjson') || requested !== undefined) {
        const choice = { requested, sample, forPeople: layout === 'table' };
        columns = await toHeadings(chooseColumns(columnSet, choice), options, sample);
      }
      writer = await createRowWriter({ ...options, sample });
      return writer.begin();
    },
    rows: (rows) => (rows.length === 0 ? '' : (writer?.rows(rows) ?? '')),
    end: () => writer?.end() ?? '',
    columns: () => columns,
  };
}

async function toHeadings(
  columns: readonly Column[],
  { layout, excel }: ListFormatterOptions,
  sample: Row,
): Promise<readonly string[]> {
  if (layout !== 'xlsx' && !(layout === 'csv' && excel)) return columns.map(({ key }) => key);
  const { toSpreadsheetColumns } = await import('./spreadsheet.ts');
  return toSpreadsheetColumns(columns, sample).map(({ heading }) => heading);
}

export interface ResumedList {
  readonly columns: readonly string[] | null;
  /** Rows in the file. */
  readonly written: number;
  /** Whether the file has its heading. */
  readonly hasBegun: boolean;
}

/** Formats the rest of a list with the columns of its first part. */
export function createResumedFormatter(
  options: Omit<RowWriterOptions, 'sample' | 'columns' | 'requested'>,
  { columns, written, hasBegun }: ResumedList,
): ListFormatter {
  const first = columns === null ? {} : { columns: toColumnSet(columns), requested: '+all' };
  const headings = columns === null ? {} : { headings: columns };
  const unknown = { columns: undefined, requested: undefined };
  const formatter = createListFormatter({ ...unknown, ...options, ...first, ...headings });
  return {
    ...formatter,
    async begin() {
      const heading = await formatter.begin([]);
      // JSON separates later rows with a comma.
      if (written > 0) formatter.rows([{}]);
      return hasBegun ? '' : heading;
    },
    columns: () => columns,
  };
}

/** JSON has all fields anyway, and tables are a selection. */
function reportOtherFields({ layout, columns, requested, report }: ListFormatterOptions, sample: Row): void {
  if (columns === undefined || requested !== undefined || !['csv', 'tsv', 'xlsx'].includes(layout)) return;
  if (isForeign(sample, columns)) return;
  const others = findOtherFields(columns, sample);
  if (others.length === 0) return;
  report?.(`Fields not shown: ${others.join(', ')}. Add them with --columns +all or by name.`);
}

function toColumnSet(names: readonly string[]): ColumnSet {
  return { all: names.map((key) => ({ key, kind: 'text' })), table: names };
}
