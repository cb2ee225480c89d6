import { Chalk } from 'chalk';
import { slotFreeingStatuses } from '../../contract/appointment.ts';
import { countOf, renderCount } from '../../contract/numbers.ts';
import { listStatuses, statusWord } from '../calendar/frame.ts';
import { renderAmount } from '../output/cell.ts';
import { columnSet, type Printer, type Row } from '../output/columns.ts';
import { wrapText } from '../output/fit-text.ts';
import { createPlainPrinter } from '../output/record.ts';
import { createTablePrinter } from '../output/table.ts';

/** What is told of a client below the record. */
export interface History {
  readonly clientId: string;
  /** The newest first. */
  readonly appointments: Remembered;
  /** Undefined where they are not to be seen. */
  readonly payments: Remembered | undefined;
  /** Names of stylists, by identifier. */
  readonly stylists: ReadonlyMap<string, string>;
}

/** Rows as far as they were read, and how many there are; undefined where that is not known. */
export interface Remembered {
  readonly rows: readonly Row[];
  readonly total: number | undefined;
}

export interface HistoryStyle {
  readonly width: number;
  readonly color: boolean;
  /** Whether a screen reader reads it. */
  readonly plain: boolean;
  readonly timeZone: string;
  readonly nowMs: number;
}

/** So many appointments are shown, those to come and those that were alike. */
const mostShown = 10;

const { all: columns } = columnSet({
  start_time: 'instant',
  duration: 'minutes',
  service: 'text',
  stylist: 'text',
  status: 'status',
});

/** A client's history for people: counts, what was paid, appointments to come and those before. */
export function renderHistory(history: History, style: HistoryStyle): string {
  const { appointments, payments, clientId } = history;
  const { total } = appointments;
  const paid = payments === undefined ? [] : renderPaid(payments, clientId);
  if (appointments.rows.length === 0 && total === 0) {
    return renderLines(['No appointments yet.', ...paid], style);
  }
  const rows = appointments.rows.map((row) => toShown(row, history));
  const coming = rows.filter((row) => isComing(row, style)).reverse();
  const earlier = rows.filter((row) => !isComing(row, style));
  const isAnyAhead = earlier.some(({ start_time }) => isAhead(start_time, style));
  const shown = Math.min(coming.length, mostShown) + Math.min(earlier.length, mostShown);
  const left = total === undefined ? undefined : total - shown;
  const count = left === undefined ? 'perhaps more' : `${renderCount(left)} more`;
  const more = `And ${count}: salon appointments list --client ${clientId} --sort -start_time`;
  return [
    renderLines([renderCounts(appointments), ...paid], style),
    renderPart('Coming up', coming, style),
    renderPart(isAnyAhead ? 'Earlier or cancelled' : 'Earlier', earlier, style),
    left === undefined || left > 0 ? renderLines([more], style) : '',
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** How many appointments of each status there are. */
export function countStatuses(appointments: readonly Row[]): Readonly<Record<string, number>> {
  const byStatus = Map.groupBy(appointments, ({ status }) => String(status));
  return Object.fromEntries(
    listStatuses(byStatus.keys()).map((status) => [status, byStatus.get(status)?.length ?? 0]),
  );
}

function renderCounts({ rows, total }: Remembered): string {
  const statuses = Object.entries(countStatuses(rows))
    .map(([status, count]) => `${renderCount(count)} ${statusWord(status)}`)
    .join(', ');
  if (total === undefined) return `Of the appointments that were read: ${statuses || 'none'}.`;
  const among = total === rows.length ? '' : `, of the last ${renderCount(rows.length)}`;
  return `${countOf(total, 'appointments')}${among}: ${statuses}.`;
}

/** What came in and stayed, for each currency, and where there is more than was read. */
function renderPaid({ rows, total }: Remembered, clientId: string): readonly string[] {
  const completed = rows.filter(({ status }) => status === 'completed');
  const sums = [...Map.groupBy(completed, ({ currency }) => currency)].map(([currency, own]) => {
    const sum = (key: string) => own.reduce((total, row) => total + (Number(row[key]) || 0), 0);
    const refunded = sum('refunded_amount');
    const paid = `Paid ${renderAmount(sum('amount') + sum('tip_amount'), currency)} in ${countOf(own.length, 'payments')}`;
    return refunded === 0 ? `${paid}.` : `${paid}; ${renderAmount(refunded, currency)} of it went back.`;
  });
  if (total !== undefined && total <= rows.length) return sums;
  const rest =
    total === undefined
      ? 'There may be more payments'
      : `Those are the last ${renderCount(rows.length)} of ${countOf(total, 'payments')}`;
  return [...sums, `${rest}: salon payments list --client ${clientId}`];
}

function renderPart(title: string, rows: readonly Row[], style: HistoryStyle): string {
  if (rows.length === 0) return '';
  const chalk = new Chalk({ level: style.color && !style.plain ? 1 : 0 });
  const printer: Printer = style.plain
    ? createPlainPrinter({ columns, ...style })
    : createTablePrinter({ columns, ...style });
  const text = printer.begin() + printer.rows(rows.slice(0, mostShown)) + printer.end();
  return `${chalk.bold(`${title} (${renderCount(rows.length)})`)}\n${text}`;
}

function renderLines(lines: readonly string[], { width, plain }: HistoryStyle): string {
  const wrapped = plain ? lines : lines.flatMap((line) => wrapText(line, width));
  return wrapped.map((line) => `${line}\n`).join('');
}

function toShown(row: Row, { stylists }: History): Row {
  const id = String(row['stylist_id']);
  return { ...row, stylist: stylists.get(id) ?? id };
}

/** What is cancelled does not come up, however far ahead it is. */
function isComing({ start_time, status }: Row, style: HistoryStyle): boolean {
  return isAhead(start_time, style) && !slotFreeingStatuses.some((freeing) => freeing === status);
}

function isAhead(startTime: unknown, { nowMs }: HistoryStyle): boolean {
  return Date.parse(String(startTime)) >= nowMs;
}
