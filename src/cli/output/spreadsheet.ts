import { parseAmountHeading } from '../../bulk/input/map-columns.ts';
import { toCellText } from '../../bulk/sheet/cell-text.ts';
import { type AnyRowWriter, createCsvWriter, type RowWriter } from '../../bulk/sheet/sheet-text.ts';
import type { CellFormat, XlsxCell } from '../../bulk/sheet/xlsx-writer.ts';
import type { Fields } from '../../client/json-object.ts';
import { decimalsOf } from '../../contract/currencies.ts';
import { renderDecimal } from '../../text/numbers.ts';
import { createZoneClock, parseDay, parseInstant } from '../../time/time.ts';
import type { Column } from './columns.ts';

/** A column for people who work in a spreadsheet program: times are local, amounts decimal, as its heading says. */
export interface SpreadsheetColumn extends Column {
  readonly heading: string;
  /** Of an amount with decimals. */
  readonly currency?: string;
}

/** The columns of an export; the currency of its amounts is that of the first record, or else of prices. */
export function toSpreadsheetColumns(
  columns: readonly Column[],
  sample: Fields | undefined,
  priceCurrency?: string,
): readonly SpreadsheetColumn[] {
  const currency = sample?.['currency'] ?? priceCurrency;
  return columns.map((column) => {
    const { key, kind } = column;
    if (kind === 'instant') return { ...column, heading: `${key}_local` };
    if (kind !== 'amount' || typeof currency !== 'string' || decimalsOf(currency) === undefined) {
      return { ...column, heading: key };
    }
    return { ...column, heading: `${key}_${currency.toLowerCase()}`, currency };
  });
}

/** The column that an earlier part of an export wrote with this heading. */
export function fromSpreadsheetHeading(heading: string): SpreadsheetColumn {
  const [, time] = /^(.+)_local$/.exec(heading) ?? [];
  if (time !== undefined) return { key: time, kind: 'instant', heading };
  const amount = parseAmountHeading(heading);
  if (amount === undefined) return { key: heading, kind: 'text', heading };
  return { key: amount.field, kind: 'amount', heading, currency: amount.currency };
}

export interface SheetOptions {
  readonly columns: readonly SpreadsheetColumn[];
  /** IANA name of the zone of times. */
  readonly timeZone: string;
  /** Makes text safe for a terminal that shows it. */
  readonly clean?: ((text: string) => string) | undefined;
}

/** Writes CSV as Excel opens it, with a text in each cell: `2026-11-24 15:00`, `45.00`. */
export function createExcelCsvWriter({ columns, timeZone, clean }: SheetOptions): RowWriter {
  const toWall = createWallClock(timeZone);
  const writer = createCsvWriter({
    columns: columns.map(({ heading }) => heading),
    clean,
    lineEnd: '\r\n',
    hasByteOrderMark: true,
    isGuarded: true,
  });

  const toRow = (row: Fields): Fields =>
    Object.fromEntries(
      columns.map((column) => {
        const value = row[column.key];
        const wallMs = column.kind === 'instant' ? toWall(value) : undefined;
        const cell = wallMs === undefined ? (toAmount(value, column, row) ?? value) : renderWall(wallMs);
        return [column.heading, cell];
      }),
    );
  return { ...writer, rows: (rows) => writer.rows(rows.map(toRow)) };
}

/** Writes .xlsx: dates and numbers as such; IDs, phones and longer numbers as text. */
export async function createWorkbookWriter({ columns, timeZone }: SheetOptions): Promise<AnyRowWriter> {
  const { createXlsxWriter } = await import('../../bulk/sheet/xlsx-writer.ts');
  const toWall = createWallClock(timeZone);
  const writer = createXlsxWriter(
    'salon',
    columns.map((column) => ({ heading: column.heading, format: toFormat(column) })),
  );

  function toXlsxCell(column: SpreadsheetColumn, row: Fields): XlsxCell {
    const value = row[column.key];
    if (value === null || value === undefined) return null;
    if (typeof value === 'boolean') return value;
    const ms = column.kind === 'instant' ? toWall(value) : column.kind === 'day' ? toDayMs(value) : undefined;
    if (ms !== undefined)
      return ms < firstDateMs ? toCellText(ms === toDayMs(value) ? value : renderWall(ms)) : new Date(ms);
    const amount = toAmount(value, column, row);
    const isNumber = amount !== undefined || (typeof value === 'number' && column.kind !== 'text');
    const text = amount ?? toCellText(value);
    return isNumber && /^-?[\d.]{1,15}$/.test(text) ? Number(text) : text;
  }

  return {
    begin: () => '',
    rows: (rows) => writer.rows(rows.map((row) => columns.map((column) => toXlsxCell(column, row)))),
    end: () => writer.end(),
  };
}

/** Excel believes that 1900 was a leap year: its dates are right from March on. */
const firstDateMs = Date.UTC(1900, 2, 1);

function toFormat({ kind, currency }: SpreadsheetColumn): CellFormat {
  if (kind === 'instant') return 'time';
  if (kind === 'day') return 'day';
  if (currency !== undefined) return { decimals: decimalsOf(currency) ?? 0 };
  return ['integer', 'minutes', 'amount', 'boolean'].includes(kind) ? 'general' : 'text';
}

function createWallClock(timeZone: string): (value: unknown) => number | undefined {
  const clock = createZoneClock(timeZone);
  return (value) => {
    const instant = typeof value === 'string' ? parseInstant(value) : undefined;
    return instant === undefined ? undefined : clock.wall(instant.ms);
  };
}

function toDayMs(value: unknown): number | undefined {
  return typeof value === 'string' ? parseDay(value) : undefined;
}

/** `2026-11-24 15:00`, with seconds if there are any. */
function renderWall(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, 19).replace('T', ' ').replace(/:00$/, '');
}

/** An amount in decimals; with its currency if that is not the column's. Undefined for anything else. */
function toAmount(value: unknown, { currency }: SpreadsheetColumn, row: Fields): string | undefined {
  if (currency === undefined || typeof value !== 'number') return undefined;
  const own = typeof row['currency'] === 'string' ? row['currency'] : currency;
  const decimals = decimalsOf(own);
  const amount = decimals === undefined ? undefined : renderDecimal(value, decimals);
  return own === currency ? amount : `${amount ?? value} ${own}`;
}
