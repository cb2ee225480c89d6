import { Chalk, type ChalkInstance } from 'chalk';
import stringWidth from 'string-width';
import { cleanText } from '../messages/clean-text.ts';
import { cutEnd, padToWidth, wrapText } from '../output/fit-text.ts';
import { renderFigure } from './figure-text.ts';
import { renderSpan } from './local-span.ts';
import type { Figure, FigureColumn, Report, ReportRow } from './report.ts';

export interface ReportStyle {
  /** Columns of the terminal; no line is wider. */
  readonly width: number;
  readonly color: boolean;
}

const gap = '  ';
const leastLabel = 12;
const mostLabel = 28;
const leastBar = 8;
const mostBar = 32;
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

/** A report as a table with bars, one for each currency. */
export function drawReport(report: Report, { width, color }: ReportStyle): string {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const currencies = [...new Set([...report.totals, ...report.rows].map(({ currency }) => currency))].sort();
  const tables = currencies.flatMap((currency) => ['', ...drawTable(report, currency, { width, chalk })]);
  const nothing = tables.length === 0 ? ['', 'Nothing to report.'] : [];
  const notes = report.notes
    .flatMap((note) => wrapText(cleanText(note), width))
    .map((line) => chalk.dim(line));
  return `${[...drawTitle(report, { width, chalk }), ...tables, ...nothing, '', ...notes].join('\n')}\n`;
}

/** `Revenue by stylist, 16–22 November 2026`, and what it is compared with. */
export function toTitle({ name, grouping, period }: Report): string {
  return `${name} by ${grouping}, ${renderSpan(period)}${period.isSoFar ? ' (so far)' : ''}`;
}

export function toComparison({ grouping, before, timeZone }: Report): string {
  const each = {
    day: 'Each day is compared with the same weekday of the week before, the total with',
    week: 'Each week is compared with the one before, the total with',
    month: 'Each month is compared with the one before, the total with',
  };
  const start = grouping === 'stylist' || grouping === 'service' ? 'Compared with' : each[grouping];
  return `${start} ${renderSpan(before)}. Times are in ${timeZone}.`;
}

interface Canvas {
  readonly width: number;
  readonly chalk: ChalkInstance;
}

function drawTitle(report: Report, { width, chalk }: Canvas): readonly string[] {
  return [
    ...wrapText(cleanText(toTitle(report)), width).map((line) => chalk.bold(line)),
    ...wrapText(cleanText(toComparison(report)), width).map((line) => chalk.dim(line)),
  ];
}

function drawTable(
  report: Report,
  currency: string | undefined,
  { width, chalk }: Canvas,
): readonly string[] {
  const own = ({ currency: code }: ReportRow) => code === currency;
  const [rows, totals] = [
    report.rows.filter(own),
    report.totals.filter(own).map((row) => ({ ...row, label: 'Total' })),
  ];
  const heading = `${report.grouping[0]?.toUpperCase()}${report.grouping.slice(1)}`;
  const all = [...rows, ...totals];
  const labels = all.map(({ label }) => stringWidth(cleanText(label)));
  const layout = chooseLayout(report, all, {
    width,
    labelWidth: Math.min(mostLabel, Math.max(heading.length, ...labels)),
  });
  const { columns, labelWidth, barWidth } = layout;
  const largest = Math.max(0, ...rows.map(({ figures }) => Number(figures[report.measure] ?? 0)));
  const head = [
    padToWidth(heading, labelWidth),
    ...columns.map(({ heading: text, width: size }) => text.padStart(size)),
    currency === undefined || barWidth === 0 ? '' : cutEnd(cleanText(currency), barWidth),
  ];
  const toLine = (row: ReportRow, bar: string) =>
    [
      padToWidth(cleanText(row.label), labelWidth),
      ...columns.map((column) => renderCell(row, column, chalk)),
      bar,
    ].join(gap);
  const lines = rows.map((row) =>
    toLine(row, chalk.cyan(drawBar(row.figures[report.measure] ?? null, largest, barWidth))),
  );
  const sums = totals.map((row) => chalk.bold(toLine(row, '')));
  return [chalk.bold(head.join(gap)), ...lines, ...sums].map((line) => line.trimEnd());
}

interface PlacedColumn extends FigureColumn {
  readonly width: number;
}

/** Leaves out the columns with the highest rank until there is room for the names and for bars. */
function chooseLayout(
  { columns, rows: { length } }: Report,
  rows: readonly ReportRow[],
  { width, labelWidth }: { readonly width: number; readonly labelWidth: number },
) {
  let placed: readonly PlacedColumn[] = columns
    .filter(({ isHidden }) => isHidden !== true)
    .map((column) => ({
      ...column,
      width: Math.max(
        column.heading.length,
        ...rows.map((row) => renderFigure(row.figures[column.key] ?? null, column, row).length),
      ),
    }));
  for (;;) {
    const used = placed.reduce((sum, { width: size }) => sum + gap.length + size, 0);
    const label = Math.max(
      Math.min(labelWidth, width - used - gap.length - leastBar),
      Math.min(labelWidth, leastLabel),
    );
    const room = width - used - label - gap.length;
    const last = Math.max(...placed.map(({ rank }) => rank));
    if (room >= leastBar || last === 0) {
      const barWidth = length < 2 || room < 3 ? 0 : Math.min(mostBar, room);
      return {
        columns: placed,
        labelWidth: room < -gap.length ? Math.max(1, label + room + gap.length) : label,
        barWidth,
      };
    }
    placed = placed.filter(({ rank }) => rank !== last);
  }
}

function renderCell(row: ReportRow, column: PlacedColumn, chalk: ChalkInstance): string {
  const figure = row.figures[column.key] ?? null;
  const text = renderFigure(figure, column, row).padStart(column.width);
  if (column.kind !== 'change' && column.kind !== 'points') return text;
  return text.trim().startsWith('-')
    ? chalk.red(text)
    : text.trim().startsWith('+')
      ? chalk.green(text)
      : text;
}

function drawBar(figure: Figure, largest: number, width: number): string {
  const size = largest > 0 ? Math.round((Math.max(0, Number(figure ?? 0)) / largest) * width * 8) : 0;
  return '█'.repeat(Math.floor(size / 8)) + (eighths[size % 8] ?? '');
}
