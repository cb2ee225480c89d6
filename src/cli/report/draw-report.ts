import type { ChalkInstance } from 'chalk';
import { cleanText } from '../../text/clean-text.ts';
import { renderCount } from '../../text/numbers.ts';
import { renderMinutes } from '../output/cell.ts';
import {
  createChalk,
  renderDocument,
  type TextSection,
  type TextStyle,
  type TextTable,
} from '../output/document.ts';
import type { TableCell } from '../output/table-layout.ts';
import { renderMoney } from './exact-numbers.ts';
import type { Report, ReportColumn, ReportRow } from './report.ts';
import { isNamed } from './report-question.ts';
import { renderSpan } from './time-groups.ts';

/** A report as a table with bars, one for each currency. */
export function drawReport(report: Report, style: TextStyle): string {
  const tables = toTables(report, createChalk(style));
  const sections: TextSection[] = [
    { heading: cleanText(toTitle(report)), notes: [cleanText(toComparison(report))] },
    ...(tables.length === 0 ? [{ text: ['Nothing to report.'] }] : tables.map((table) => ({ table }))),
    { notes: report.notes.filter(Boolean).map(cleanText) },
  ];
  return renderDocument(sections, style);
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

/** A table for each currency. */
function toTables(report: Report, chalk: ChalkInstance): readonly TextTable[] {
  const { grouping, measure, totals } = report;
  const title = `${grouping[0]?.toUpperCase()}${grouping.slice(1)}`;
  const hasBars = report.rows.length > 1;
  const sizeOf = ({ values }: ReportRow) => Math.max(0, Number(values[measure] ?? 0));
  // Bars of rates can be compared between reports.
  const isRate = report.columns.some(({ key, kind }) => key === measure && kind === 'percent');
  const columns = [
    { least: [12, 12, 1], most: 28 },
    ...report.columns.map(({ rank }) => ({ isRight: true, rank: rank > 0 ? rank + 1 : undefined })),
    ...(hasBars ? [{ least: [8], most: 8, grows: 32, rank: 1 }] : []),
  ];
  const toRow = (row: ReportRow, paint = (text: string) => text): readonly TableCell[] => [
    { text: cleanText(row.label), paint },
    ...report.columns.map((column) => {
      const cell = toCell(row, column, report, chalk);
      return { ...cell, paint: (text: string) => paint(cell.paint(text)) };
    }),
  ];
  const all = [...report.rows, ...totals];
  const tables = [...new Set(all.map(({ currency }) => currency))].sort().map((currency) => {
    const isOwn = (row: ReportRow) => row.currency === currency;
    const rows = report.rows.filter(isOwn);
    const largest = Math.max(isRate ? 100 : 0, ...rows.map(sizeOf)) || 1;
    const names = report.columns.map(({ heading }) => heading);
    const toBar = (row: ReportRow) => ({ text: '', bar: sizeOf(row) / largest, paint: chalk.cyan });
    return {
      headings: [title, ...names, ...(hasBars ? [cleanText(currency ?? '')] : [])],
      columns,
      rows: [
        ...rows.map((row) => [...toRow(row), ...(hasBars ? [toBar(row)] : [])]),
        ...totals.filter(isOwn).map((row) => toRow(row, chalk.bold)),
      ],
    };
  });
  return tables.map((table) => ({ ...table, alike: tables.flatMap(({ rows }) => rows) }));
}

/** For screen readers an amount has its currency. */
function toCell(
  row: ReportRow,
  column: ReportColumn,
  { lessIsBetter = false }: Report,
  chalk: ChalkInstance,
) {
  const text = renderValue(row, column);
  const spoken = column.kind === 'amount' ? cleanText(`${text} ${row.currency ?? ''}`).trimEnd() : text;
  const isChange = column.kind === 'change' || column.kind === 'points';
  const [rise, fall] = lessIsBetter ? [chalk.red, chalk.green] : [chalk.green, chalk.red];
  const paint = isChange && text.startsWith('+') ? rise : isChange && text.startsWith('-') ? fall : undefined;
  return { text, spoken, paint: paint ?? ((shown: string) => shown) };
}

/** A value for people; amounts without their currency. `–` where there is none. */
function renderValue({ values, currency }: ReportRow, { key, kind }: ReportColumn): string {
  const value = values[key] ?? null;
  if (value === null) return '–';
  const sign = value > 0 ? '+' : '';
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
      return `${sign}${Number(value).toFixed(1)}%`;
    case 'points':
      return `${sign}${Number(value).toFixed(1)} pts`;
  }
}
