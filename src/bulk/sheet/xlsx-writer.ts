import { writeXlsxStream } from 'hucre/xlsx';
import { SalonError } from '../../contract/errors.ts';
import { xlsxLimits } from './cell-text.ts';

/** How the cells of a column are formatted, blank ones included: what people type there later is read in that way. */
export type CellFormat = 'text' | 'general' | 'day' | 'time' | { readonly decimals: number };

export interface XlsxColumn {
  readonly heading: string;
  readonly format: CellFormat;
}

/** A day or a time is a `Date` whose UTC fields are the local ones: a worksheet has no zones. */
export type XlsxCell = string | number | boolean | Date | null;

const widths = { text: 22, general: 12, day: 12, time: 18 } as const;
const numberFormats = { text: '@', day: 'yyyy-mm-dd', time: 'yyyy-mm-dd hh:mm' } as const;
const headingRows = 1;

/** Memory does not grow with the rows. Throws `usage` for what no worksheet can hold: it is never cut off. */
export function createXlsxWriter(worksheet: string, columns: readonly XlsxColumn[], countsFrom1904 = false) {
  if (columns.length > xlsxLimits.columns) throw tooLarge(`${columns.length} columns`, 'has 16,384');
  const pages = new TransformStream<XlsxCell[][], XlsxCell[][]>();
  const input = pages.writable.getWriter();
  const output = writeXlsxStream(flatten(pages.readable), {
    name: worksheet,
    columns: columns.map(({ heading, format }) => ({
      header: escapeText(heading),
      ...toNumberFormat(format),
      width: typeof format === 'object' ? widths.general : widths[format],
    })),
    freezePane: { rows: headingRows },
    maxRowsPerSheet: xlsxLimits.rows,
    dateSystem: countsFrom1904 ? '1904' : '1900',
  });
  let chunks: Uint8Array[] = [];
  const written = readAll();
  // Reported by the next call.
  written.catch(() => {});
  let rowCount = headingRows;

  async function readAll(): Promise<void> {
    for await (const chunk of output) chunks.push(chunk);
  }

  function takeChunks(): Buffer {
    const taken = Buffer.concat(chunks);
    chunks = [];
    return taken;
  }

  return {
    async rows(rows: readonly (readonly XlsxCell[])[]) {
      rowCount += rows.length;
      if (rowCount > xlsxLimits.rows) throw tooLarge('more rows', 'has 1,048,576 with its heading');
      const page = rows.map((row) => row.map((cell, index) => toCell(cell, columns[index]?.heading)));
      await Promise.race([input.write(page), written]);
      return takeChunks();
    },
    async end() {
      await Promise.race([input.close(), written]);
      await written;
      return takeChunks();
    },
  };
}

async function* flatten<Row>(pages: AsyncIterable<Row[]>): AsyncGenerator<Row, void> {
  for await (const page of pages) yield* page;
}

function toNumberFormat(format: CellFormat): { readonly numFmt?: string } {
  if (format === 'general') return {};
  if (typeof format !== 'object') return { numFmt: numberFormats[format] };
  return { numFmt: format.decimals === 0 ? '0' : `0.${'0'.repeat(format.decimals)}` };
}

function toCell(cell: XlsxCell, heading = ''): XlsxCell {
  if (typeof cell !== 'string') return cell;
  if (cell.length > xlsxLimits.characters)
    throw tooLarge(`a text of ${cell.length} characters in ${heading}`, 'cell holds 32,767');
  return cell === '' ? null : escapeText(cell);
}

/** Programs read `_x000D_` as a character: a text with that is written so that it stays one. */
function escapeText(text: string): string {
  return text.replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_');
}

function tooLarge(found: string, limit: string): SalonError {
  const message = limit.startsWith('cell')
    ? `There is ${found}, but a ${limit}.`
    : `There are ${found}, but a worksheet ${limit}.`;
  return new SalonError('usage', message, { hint: 'Use CSV, which has no such limit: -f csv --excel' });
}
