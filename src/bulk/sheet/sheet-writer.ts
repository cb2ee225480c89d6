import { addExcelGuard, toValueText } from './cell-text.ts';
import type { SheetForm, SheetRow } from './sheet-form.ts';
import { byteOrderMarks, encodeText } from './text-encoding.ts';

/** Writes rows in the form of the sheet they came from: `readSheet` reads the same cells from it. */
export interface SheetWriter {
  /** What stands before the rows. */
  begin(): Buffer;
  /** The next row; a CSV takes the cells of its columns. */
  row(cells: SheetRow['cells']): Buffer;
  /** What stands behind the rows. */
  end(): Buffer;
}

export function createSheetWriter(form: SheetForm): SheetWriter {
  const { begin, row, end } = form.format === 'csv' ? createCsvTexts(form) : createJsonTexts(form);
  const encode = (text: string) => encodeText(text, form.encoding);
  const mark = Buffer.from(form.hasByteOrderMark ? byteOrderMarks[form.encoding] : []);
  return {
    begin: () => Buffer.concat([mark, encode(begin())]),
    row: (cells) => encode(row(cells)),
    end: () => encode(end()),
  };
}

interface SheetTexts {
  begin(): string;
  row(cells: SheetRow['cells']): string;
  end(): string;
}

function createCsvTexts(form: SheetForm): SheetTexts {
  const { columns, lineEnd, isGuarded, hasSeparatorLine } = form;
  const names = columns ?? [];
  const delimiter = form.delimiter ?? ',';
  const toLine = (cells: readonly string[]) => cells.map(toCell).join(delimiter) + lineEnd;

  function toCell(cell: string): string {
    const needsQuotes = cell.includes(delimiter) || /["\r\n]/.test(cell);
    return needsQuotes ? `"${cell.replaceAll('"', '""')}"` : cell;
  }

  function row(cells: SheetRow['cells']): string {
    const texts = names.map((name) => toValueText(cells[name]));
    return toLine(isGuarded ? texts.map(addExcelGuard) : texts);
  }

  const separatorLine = hasSeparatorLine ? `sep=${delimiter}${lineEnd}` : '';
  return { begin: () => separatorLine + toLine(names), row, end: () => '' };
}

function createJsonTexts({ format, lineEnd, member }: SheetForm): SheetTexts {
  if (format === 'ndjson') {
    return { begin: () => '', row: (cells) => JSON.stringify(cells) + lineEnd, end: () => '' };
  }
  let separator = '';
  const [open, close] = member === null ? ['[', ']'] : [`{${JSON.stringify(member)}:[`, ']}'];
  return {
    begin: () => open,
    row(cells) {
      const text = `${separator}${lineEnd}${JSON.stringify(cells)}`;
      separator = ',';
      return text;
    },
    end: () => `${lineEnd}${close}${lineEnd}`,
  };
}
