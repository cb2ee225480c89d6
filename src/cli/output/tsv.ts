import { toCellText } from '../../bulk/sheet/cell-text.ts';
import type { RowWriter } from '../../bulk/sheet/row-writer.ts';
import { cleanText } from '../messages/clean-text.ts';
import type { Column } from './columns.ts';

/**
 * Tab-separated values with a heading, the format of pipes: one line per row, uncut, without colours. Times are in
 * UTC. Tabs and line breaks in values become visible marks.
 */
export function createTsvWriter({ columns }: { readonly columns: readonly Column[] }): RowWriter {
  const keys = columns.map(({ key }) => key);
  const toLine = (texts: readonly string[]) => `${texts.map(cleanText).join('\t')}\n`;
  return {
    begin: () => toLine(keys),
    rows: (rows) => rows.map((row) => toLine(keys.map((key) => toCellText(row[key])))).join(''),
    end: () => '',
  };
}
