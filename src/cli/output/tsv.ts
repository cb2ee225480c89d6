import { toCellText } from '../../bulk/sheet/cell-text.ts';
import type { RowWriter } from '../../bulk/sheet/row-writer.ts';
import { cleanText } from '../messages/clean-text.ts';
import type { Column } from './columns.ts';

/**
 * Tab-separated values with a header, for pipes: a line is a row, nothing is cut or coloured. Values are the
 * service's own (times in UTC), cleaned, so that a tab or line break inside one is a visible mark.
 */
export function createTsvPrinter({ columns }: { readonly columns: readonly Column[] }): RowWriter {
  const keys = columns.map(({ key }) => key);
  const line = (texts: readonly string[]) => `${texts.map(cleanText).join('\t')}\n`;
  return {
    begin: () => line(keys),
    rows: (rows) => rows.map((row) => line(keys.map((key) => toCellText(row[key])))).join(''),
    end: () => '',
  };
}
