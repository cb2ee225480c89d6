import { cleanText } from '../messages/clean-text.ts';
import { renderAmount } from './amounts.ts';
import type { ColumnKind } from './columns.ts';
import { createInstantRenderer, renderMinutes } from './instants.ts';
import type { Row } from './printer.ts';

/** A value of a record as people read it, cleaned and on one line; nothing at all for null. */
export type CellRenderer = (value: unknown, kind: ColumnKind, row: Row) => string;

export function createCellRenderer({ timeZone }: { readonly timeZone: string }): CellRenderer {
  const renderInstant = createInstantRenderer(timeZone);
  return (value, kind, row) => {
    if (value === null || value === undefined) return '';
    if (kind === 'activity' && value === false) return renderInactive(row['disabled_reason']);
    if (typeof value === 'boolean') return value ? 'yes' : 'no';
    if (kind === 'minutes' && typeof value === 'number') return renderMinutes(value);
    if (kind === 'amount' && typeof value === 'number') return renderAmount(value, row['currency']);
    if (typeof value === 'string') return cleanText(kind === 'instant' ? renderInstant(value) : value);
    if (Array.isArray(value) && value.every(isScalar)) return cleanText(value.join(', '));
    return typeof value === 'object' ? cleanText(renderNested(value)) : String(value);
  };
}

/** Who was switched off without asking for it is told why. */
function renderInactive(reason: unknown): string {
  return typeof reason === 'string' ? `no (${cleanText(reason)})` : 'no';
}

function isScalar(value: unknown): boolean {
  return value !== null && typeof value !== 'object';
}

function renderNested(value: object): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // A foreign server may nest deeper than the stack is; the rest of the record is still worth seeing.
    if (error instanceof RangeError) return '(nested too deeply to show)';
    throw error;
  }
}
