import { Chalk, type ChalkInstance } from 'chalk';
import type { RowWriter } from '../../bulk/sheet/sheet-text.ts';
import { createCellRenderer } from './cell.ts';
import type { Column, ColumnKind } from './columns.ts';
import { statusColor, toHeadings } from './field-words.ts';
import { createPlainWriter, type RecordOptions, renderRecord } from './record.ts';
import {
  drawRows,
  fitTable,
  measureColumn,
  type TableColumn,
  type TableLayout,
  type TableRow,
} from './table-layout.ts';

// Half a date is useless; a long name is still readable when cut.
const uncutKinds: ReadonlySet<ColumnKind> = new Set<ColumnKind>([
  'instant',
  'day',
  'integer',
  'minutes',
  'amount',
  'boolean',
  'activity',
  'status',
  'action',
]);
const rightKinds: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['integer', 'minutes', 'amount']);
/** IDs and phones are never cut: a part of one is of no use. */
const wholeKey = /(?:^|_)(?:id|phone)$/;

function toTableColumn({ key, kind, optional }: Column): TableColumn {
  const isWhole = wholeKey.test(key);
  const usual = kind === 'address' ? [24, 24, 10] : [16, 12, 6];
  return {
    isRight: rightKinds.has(kind),
    ...(uncutKinds.has(kind) ? { least: [24] } : isWhole ? {} : { least: usual }),
    // Later pages may have longer texts.
    grows: kind === 'text' || kind === 'changes' ? Number.POSITIVE_INFINITY : 0,
    rank: optional ? 1 : undefined,
  };
}

/**
 * A table for people, printed page by page: the first page decides the column widths. If the columns do not fit the
 * terminal, each record is a block of lines, as for screen readers. Prints nothing without rows.
 */
export function createTableWriter(
  options: RecordOptions & { readonly columns: readonly Column[] },
): RowWriter {
  if (options.plain) return createPlainWriter(options);
  const { columns, timeZone, currency, width } = options;
  const chalk = new Chalk({ level: options.color ? 1 : 0 });
  const renderCell = createCellRenderer({ timeZone, currency });
  const headings = toHeadingRows(columns, timeZone, chalk);
  const toFit = columns.map(toTableColumn);
  let layout: TableLayout | 'blocks' | undefined;

  return {
    begin: () => '',
    rows(rows) {
      if (rows.length === 0) return '';
      const body = rows.map((row) =>
        columns.map(({ key, kind }) => {
          const text = renderCell(row[key], kind, row);
          return { text, paint: statusColor(chalk, kind, text) };
        }),
      );
      const isFirst = layout === undefined;
      if (layout !== 'blocks') {
        // IDs and phones of a later page may be longer: the table starts again with more room for them.
        const isNew =
          layout?.some(
            ({ at, width: room }) => wholeKey.test(columns[at]?.key ?? '') && measureColumn(body, at) > room,
          ) ?? true;
        if (isNew) layout = fitTable(toFit, [...headings, ...body], width) ?? 'blocks';
        if (layout !== undefined && layout !== 'blocks')
          return drawRows([...(isNew ? headings : []), ...body], layout);
      }
      const blocks = rows.map((row) => renderRecord(row, options));
      return (isFirst ? '' : '\n') + blocks.join('\n');
    },
    end: () => '',
  };
}

/** The columns in words, and a line with the time zone if there are times. */
function toHeadingRows(
  columns: readonly Column[],
  timeZone: string,
  chalk: ChalkInstance,
): readonly TableRow[] {
  const texts = toHeadings(columns.map(({ key }) => key));
  const names = columns.map(({ key, heading }) => ({
    text: heading ?? texts.get(key) ?? key,
    paint: chalk.bold,
  }));
  const zones = columns.map(({ kind }) => ({ text: kind === 'instant' ? timeZone : '', paint: chalk.dim }));
  const heading = [...names, { text: '…', paint: chalk.dim }];
  return columns.some(({ kind }) => kind === 'instant') ? [heading, zones] : [heading];
}
