import { isJsonNumber } from '../../contract/json.ts';
import { decimalsOf, renderDecimal } from '../../contract/numbers.ts';
import { UnclearCell } from './unclear-cell.ts';

/**
 * The minor units of a decimal amount, as people of any country write one: `45.00`, `45,00`, `1.234,50`, `1 234,50 EUR`.
 * The cell itself if it is none, or has more decimals than the currency.
 */
export function parseAmount(cell: string, currency: string, current: unknown): unknown {
  const decimals = decimalsOf(currency) ?? 0;
  const bare = cell
    .replace(new RegExp(`^${currency}\\s*|\\s*${currency}$`, 'i'), '')
    .replace(/[\s\u00A0\u202F']/g, '');
  const readings = [...new Set(readDecimal(bare, decimals))];
  const shown = isJsonNumber(current) ? readings.find((minor) => minor === Number(current)) : undefined;
  if (shown !== undefined) return shown;
  const [first, second] = readings;
  if (first === undefined) return cell;
  const render = (minor: number) => renderDecimal(minor, decimals) ?? String(minor);
  if (second === undefined) {
    // A program that calculates writes 45.005; a person may mean thousands.
    const mayBeExact = decimals > 0 && /^-?\d{1,3}[.,]\d{3}$/.test(bare);
    if (!mayBeExact) return first;
    return new UnclearCell(
      `${cell} may be ${render(first)} ${currency}, or have too many decimals. Write it with ${decimals}.`,
    );
  }
  const [one, other] = [render(first), render(second)];
  return new UnclearCell(
    `${cell} may be ${one} or ${other} ${currency}. Write it without separators of thousands.`,
  );
}

/** Every reading of a number in minor units: a single separator may be one of decimals or of thousands. */
function readDecimal(text: string, decimals: number): readonly number[] {
  const found: number[] = [];
  for (const [point, group] of [
    ['.', ','],
    [',', '.'],
  ] as const) {
    const [, sign = '', whole = '', fraction = ''] =
      new RegExp(`^(-?)(\\d{1,3}(?:\\${group}\\d{3})+|\\d+)(?:\\${point}(\\d+))?$`).exec(text) ?? [];
    const kept = fraction.replace(/0+$/, '');
    if (whole === '' || kept.length > decimals) continue;
    const minor = Number(`${sign}${whole.replaceAll(group, '')}${kept.padEnd(decimals, '0')}`);
    if (Number.isSafeInteger(minor)) found.push(minor);
  }
  return found;
}
