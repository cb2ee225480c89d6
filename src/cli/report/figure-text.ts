import { renderCount } from '../../contract/numbers.ts';
import { renderMinutes } from '../output/cell.ts';
import { renderMoney } from './money.ts';
import type { Figure, FigureColumn } from './report.ts';

/** A figure for people; amounts without their currency. `–` where there is none. */
export function renderFigure(
  figure: Figure,
  { kind }: Pick<FigureColumn, 'kind'>,
  { currency }: { readonly currency?: string | undefined },
): string {
  if (figure === null) return '–';
  switch (kind) {
    case 'amount':
      return renderMoney(BigInt(figure), currency);
    case 'count':
      return renderCount(Number(figure));
    case 'minutes':
      return Number(figure) < 0 ? `-${renderMinutes(-Number(figure))}` : renderMinutes(Number(figure));
    case 'percent':
      return `${Number(figure).toFixed(1)}%`;
    case 'change':
      return `${sign(figure)}${Number(figure).toFixed(1)}%`;
    case 'points':
      return `${sign(figure)}${Number(figure).toFixed(1)} pts`;
  }
}

function sign(figure: bigint | number): string {
  return figure > 0 ? '+' : '';
}
