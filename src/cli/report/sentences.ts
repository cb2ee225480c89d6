import { cleanText } from '../messages/clean-text.ts';
import { toComparison, toTitle } from './draw-report.ts';
import { renderFigure } from './figure-text.ts';
import type { Report, ReportRow } from './report.ts';

/** A report for screen readers: `heading: figure` on a line each, a paragraph for each row. */
export function renderReportText(report: Report): string {
  const head = [toTitle(report), toComparison(report), ...report.notes.filter(Boolean)].map(cleanText);
  const totals = report.totals.map((row) => ({ ...row, label: 'Total' }));
  const rows = [...report.rows, ...totals].map((row) => renderRow(row, report));
  const body = rows.length === 0 ? ['Nothing to report.'] : rows;
  return `${[head.join('\n'), ...body].join('\n\n')}\n`;
}

function renderRow(row: ReportRow, { columns }: Report): string {
  const lines = columns
    .filter(({ isHidden }) => isHidden !== true)
    .map((column) => {
      const currency = column.kind === 'amount' ? ` ${row.currency ?? ''}`.trimEnd() : '';
      return `${column.heading}: ${renderFigure(row.figures[column.key] ?? null, column, row)}${currency}`;
    });
  return [cleanText(row.label), ...lines].map(cleanText).join('\n');
}
