import { Chalk, type ChalkInstance } from 'chalk';
import stringWidth from 'string-width';
import { cleanText } from '../../text/clean-text.ts';
import { renderCount } from '../../text/numbers.ts';
import { renderMinutes } from '../output/cell.ts';
import { cutEnd, padToWidth, renderBar, wrapText } from '../output/fit-text.ts';
import { renderMoney } from './exact-numbers.ts';
import type { Report, ReportColumn, ReportRow } from './report.ts';
import { isNamed } from './report-question.ts';
import { renderSpan } from './time-groups.ts';

const gap = '  ';
const minLabelWidth = 12;
const maxLabelWidth = 28;
const minBarWidth = 8;
const maxBarWidth = 32;

/** A report as a table with bars, one for each currency. No line is wider than the terminal. */
export function drawReport(report: Report, { width, color }: { width: number; color: boolean }): string {
  const chalk = new Chalk({ level: color ? 1 : 0 });
  const wrap = (text: string, paint: ChalkInstance) =>
    wrapText(cleanText(text), width).map((line) => paint(line));
  const nothing = report.rows.length === 0 && report.totals.length === 0;
  const lines = [
    ...wrap(toTitle(report), chalk.bold),
    ...wrap(toComparison(report), chalk.dim),
    ...(nothing ? ['', 'Nothing to report.'] : drawTables(report, width, chalk)),
    '',
    ...report.notes.filter(Boolean).flatMap((note) => wrap(note, chalk.dim)),
  ];
  return `${lines.join('\n')}\n`;
}

/** `Revenue by stylist, 16–22 November 2026`, and what it is compared with. */
function toTitle({ name, grouping, period }: Report): string {
  return `${name} by ${grouping}, ${renderSpan(period)}${period.isSoFar ? ' (so far)' : ''}`;
}

function toComparison({ grouping, period, timeZone }: Report): string {
  const each = {
    day: 'Each day is compared with the same weekday of the week before, the total with',
    week: 'Each week is compared with the one before, the total with',
    month: 'Each month is compared with the one before, the total with',
  };
  const start = isNamed(grouping) ? 'Compared with' : each[grouping];
  return `${start} ${renderSpan(period.before)}. Times are in ${timeZone}.`;
}

/** All tables have the same columns, so that they can be compared. */
function drawTables(report: Report, width: number, chalk: ChalkInstance): readonly string[] {
  const { measure } = report;
  const all = [...report.rows, ...report.totals];
  const heading = `${report.grouping[0]?.toUpperCase()}${report.grouping.slice(1)}`;
  const widest = Math.max(heading.length, ...all.map(({ label }) => stringWidth(cleanText(label))));
  const { columns, labelWidth, barWidth } = chooseLayout(report, width, Math.min(maxLabelWidth, widest));
  const renderCell = createCellPainter(report, chalk);
  const sizeOf = ({ values }: ReportRow) => Math.max(0, Number(values[measure] ?? 0));
  // Bars of rates can be compared between reports.
  const isRate = columns.some(({ key, kind }) => key === measure && kind === 'percent');
  const toLine = (row: ReportRow, bar: string) => {
    const cells = columns.map((column) => renderCell(row, column));
    return [padToWidth(cleanText(row.label), labelWidth), ...cells, bar].join(gap);
  };
  const currencies = [...new Set(all.map(({ currency }) => currency))].sort();
  return currencies.flatMap((currency) => {
    const rows = report.rows.filter((row) => row.currency === currency);
    const totals = report.totals.filter((row) => row.currency === currency);
    const largest = Math.max(isRate ? 100 : 0, ...rows.map(sizeOf));
    const head = [
      padToWidth(heading, labelWidth),
      ...columns.map(({ heading: text, width: size }) => text.padStart(size)),
      currency === undefined || barWidth === 0 ? '' : cutEnd(cleanText(currency), barWidth),
    ];
    const lines = [
      '',
      chalk.bold(head.join(gap)),
      ...rows.map((row) =>
        toLine(row, chalk.cyan(renderBar(largest > 0 ? (sizeOf(row) / largest) * barWidth : 0))),
      ),
      ...totals.map((row) => chalk.bold(toLine(row, ''))),
    ];
    return lines.map((line) => line.trimEnd());
  });
}

interface PlacedColumn extends ReportColumn {
  readonly width: number;
}

/** Leaves out columns, the highest rank first, until there is room for the names and for bars. */
function chooseLayout({ columns, rows, totals }: Report, width: number, labelWidth: number) {
  let placed: readonly PlacedColumn[] = columns.map((column) => {
    const texts = [...rows, ...totals].map((row) => renderValue(row, column));
    return { ...column, width: Math.max(column.heading.length, ...texts.map((text) => text.length)) };
  });
  for (;;) {
    const used = placed.reduce((sum, { width: size }) => sum + gap.length + size, 0);
    const label = Math.max(
      Math.min(labelWidth, width - used - gap.length - minBarWidth),
      Math.min(labelWidth, minLabelWidth),
    );
    const room = width - used - label - gap.length;
    const last = Math.max(...placed.map(({ rank }) => rank));
    if (room >= minBarWidth || last === 0) {
      const barWidth = rows.length < 2 || room < 3 ? 0 : Math.min(maxBarWidth, room);
      return {
        columns: placed,
        labelWidth: room < -gap.length ? Math.max(1, label + room + gap.length) : label,
        barWidth,
      };
    }
    const left = placed.findLastIndex(({ rank }) => rank === last);
    placed = placed.toSpliced(left, 1);
  }
}

function createCellPainter({ lessIsBetter = false }: Report, chalk: ChalkInstance) {
  const paints = { '+': lessIsBetter ? chalk.red : chalk.green, '-': lessIsBetter ? chalk.green : chalk.red };
  return (row: ReportRow, column: PlacedColumn): string => {
    const text = renderValue(row, column);
    const padded = text.padStart(column.width);
    const isChange = column.kind === 'change' || column.kind === 'points';
    const sign = text.charAt(0);
    return isChange && (sign === '+' || sign === '-') ? paints[sign](padded) : padded;
  };
}

/** A report for screen readers: `heading: value` on a line each, a paragraph for each row. */
export function renderReportText(report: Report): string {
  const head = [toTitle(report), toComparison(report), ...report.notes.filter(Boolean)].map(cleanText);
  const rows = [...report.rows, ...report.totals].map((row) => renderRow(row, report));
  const body = rows.length === 0 ? ['Nothing to report.'] : rows;
  return `${[head.join('\n'), ...body].join('\n\n')}\n`;
}

function renderRow(row: ReportRow, { columns }: Report): string {
  const lines = columns.map((column) => {
    const currency = column.kind === 'amount' ? ` ${row.currency ?? ''}`.trimEnd() : '';
    return `${column.heading}: ${renderValue(row, column)}${currency}`;
  });
  return [cleanText(row.label), ...lines].map(cleanText).join('\n');
}

/** A value for people; amounts without their currency. `–` where there is none. */
function renderValue({ values, currency }: ReportRow, { key, kind }: ReportColumn): string {
  const value = values[key] ?? null;
  if (value === null) return '–';
  switch (kind) {
    case 'amount':
      return renderMoney(BigInt(value), currency);
    case 'count':
      return renderCount(Number(value));
    case 'minutes':
      return Number(value) < 0 ? `-${renderMinutes(-Number(value))}` : renderMinutes(Number(value));
    case 'percent':
      return `${Number(value).toFixed(1)}%`;
    case 'change':
      return `${sign(value)}${Number(value).toFixed(1)}%`;
    case 'points':
      return `${sign(value)}${Number(value).toFixed(1)} pts`;
  }
}

function sign(value: bigint | number): string {
  return value > 0 ? '+' : '';
}
